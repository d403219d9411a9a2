public import Gallery
import Network

/// A picture to be saved.
public struct SaveOrder: Hashable, Sendable {
    /// The picture.
    public var picture: Picture
    /// The numbers of its section and in it, from 1.
    public var section = 1, index = 1
    /// The section's title.
    public var gallery = ""
    /// The folder, `.cbz` or `.warc.gz` that it goes to; empty for the usual one.
    public var target = ""
    /// Whether it is saved even if it was saved before.
    public var isAgain = false

    /// Creates an order.
    public init(_ picture: Picture) { self.picture = picture }

    fileprivate var key: [String] { [picture.largest.text, target] }
}

/// What is to be saved, a bounded number at a time, and what became of it.
public struct SavePlan: Sendable {
    /// What became of the pictures ordered since nothing was last in progress.
    public struct Tally: Hashable, Sendable, CustomStringConvertible {
        /// The numbers of pictures ordered, saved now, saved before, and not saved.
        public internal(set) var total = 0, saved = 0, known = 0, failed = 0
        /// The path of the file saved last; empty if there is none.
        public internal(set) var lastPath = ""

        /// The number of pictures that are done with.
        public var done: Int { saved + known + failed }

        /// Whether nothing is missing that another attempt may get: everything is there, or an attempt got nothing more.
        public var isComplete: Bool { failed == 0 || saved == 0 }

        /// For example "12 saved, 40 known".
        public var description: String {
            "\(saved) saved" + (known > 0 ? ", \(known) known" : "")
                + (failed > 0 ? ", \(failed) failed" : "")
        }
    }

    /// Where an order of this run stands.
    public enum State: Hashable, Sendable {
        /// Waiting or being saved.
        case open
        /// Saved to this file, or before at an unknown path.
        case done(String?)
    }

    /// What became of the present orders.
    public private(set) var tally = Tally()
    /// Whether more orders of the present ones follow, after however long.
    public var hasMore = false {
        didSet { if !oldValue, hasMore, openCount == 0 { tally = Tally() } }
    }
    /// Whether nothing more is begun.
    public var isPaused = false
    /// The number of pictures being saved.
    public private(set) var underWayCount = 0
    private let width: Int
    /// The pictures not started yet, in reverse order.
    private var waiting: [SaveOrder] = []
    private var states: [[String]: State] = [:]

    /// Creates a plan that saves `width` pictures at a time.
    public init(width: Int) { self.width = width }

    /// The number of pictures waiting or being saved.
    public var openCount: Int { waiting.count + underWayCount }

    /// Returns where an order of this run stands; nil if there is none, or it failed.
    public func state(of order: SaveOrder) -> State? { states[order.key] }

    /// Adds orders that are neither open nor done in this run; returns their number.
    @discardableResult
    public mutating func add(_ orders: [SaveOrder]) -> Int {
        if openCount == 0, !hasMore { tally = Tally() }
        let new = orders.filter { order in
            guard states[order.key] != .open, order.isAgain || states[order.key] == nil else {
                return false
            }
            states[order.key] = .open
            return true
        }
        tally.total += new.count
        waiting = new.reversed() + waiting
        return new.count
    }

    /// Returns the next picture to save; nil if none may be begun now.
    public mutating func next() -> SaveOrder? {
        guard !isPaused, underWayCount < width, let order = waiting.popLast() else { return nil }
        underWayCount += 1
        return order
    }

    /// Notes what became of an order: the path of its file, nil if it was saved before.
    public mutating func finish(_ order: SaveOrder, _ result: Result<String?, SaveError>) {
        underWayCount -= 1
        states[order.key] = try? .done(result.get())
        switch result {
        case .success(nil): tally.known += 1
        case .success(let path?):
            tally.saved += 1
            tally.lastPath = path
        case .failure: tally.failed += 1
        }
    }

    /// Notes that a page with more orders could not be read.
    public mutating func noteFailure() {
        tally.total += 1
        tally.failed += 1
    }

    /// Gives up what has not been begun; returns its number.
    public mutating func stop() -> Int {
        defer { waiting = [] }
        for order in waiting { states[order.key] = nil }
        tally.total -= waiting.count
        isPaused = false
        return waiting.count
    }
}
