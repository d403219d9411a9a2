public import Gallery
import Network

/// A picture to be saved.
public struct SaveOrder: Hashable, Sendable {
    /// The picture.
    public var picture: Picture
    /// The numbers of its section and in it, from 1.
    public var section: Int, index: Int
    /// The section's title.
    public var gallery: String
    /// The folder, `.cbz` or `.warc.gz` that it goes to; empty for the usual one.
    public var target = ""

    /// Creates an order.
    public init(_ picture: Picture, section: Int = 1, index: Int = 1, gallery: String = "") {
        self.picture = picture
        self.section = section
        self.index = index
        self.gallery = gallery
    }

    /// Returns what is told about the picture; its file is at `path` if that is not nil, and `others` follow.
    public func record(
        path: String? = nil, others: PictureRecord.Values = []
    ) -> PictureRecord {
        PictureRecord(picture, section: section, index: index, path: path, others: others)
    }

    fileprivate var key: [String] { [picture.largest.text, target] }
}

/// What is to be saved, a bounded number at a time, and what became of it.
public struct SavePlan: Sendable {
    /// What became of the pictures ordered since nothing was last in progress.
    public struct Tally: CustomStringConvertible, Sendable {
        /// The numbers of pictures ordered, saved now, saved before, not saved, and given up.
        public var total = 0, saved = 0, known = 0, failed = 0, left = 0
        /// The path of the file saved last; empty if there is none.
        public var lastPath = ""

        /// Whether nothing is missing that another attempt may get: an attempt that got nothing more is the last.
        public var isComplete: Bool { left == 0 && (failed == 0 || saved == 0) }

        /// For example "12 saved, 40 known".
        public var description: String {
            let others = [(known, "known"), (failed, "failed"), (left, "left")]
            return "\(saved) saved"
                + others.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
        }
    }

    /// What became of the present orders.
    public var tally = Tally()
    /// Whether nothing more is begun.
    public var isPaused = false
    /// Whether more of the present orders follow, after however long.
    public var hasMore = false
    /// The number of pictures being saved.
    public private(set) var underWayCount = 0
    private let width: Int
    /// The pictures not started yet, in reverse order.
    private var waiting: [SaveOrder] = []
    /// What of these and those being saved must not be added again.
    private var open: Set<[String]> = []

    /// Creates a plan that saves `width` pictures at a time.
    public init(width: Int) { self.width = width }

    /// The number of pictures waiting or being saved.
    public var openCount: Int { waiting.count + underWayCount }

    /// Whether nothing is left to do.
    public var isOver: Bool { openCount == 0 && !hasMore }

    /// Whether more orders are needed to have enough to do: with some dozens left, the next page comes before they are taken.
    public var isHungry: Bool { hasMore && !isPaused && waiting.count < min(width, 64) }

    /// Adds orders that are not open; returns their number.
    @discardableResult
    public mutating func add(_ orders: [SaveOrder]) -> Int {
        if isOver { tally = Tally() }
        let new = orders.filter { open.insert($0.key).inserted }
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
    public mutating func finish(_ order: SaveOrder, _ result: SaveResult) {
        underWayCount -= 1
        open.remove(order.key)
        switch result {
        case .success(.none): tally.known += 1
        case .success(let path?):
            tally.saved += 1
            tally.lastPath = path
        case .failure: tally.failed += 1
        }
    }

    /// Gives up what has not been begun.
    public mutating func stop() {
        for order in waiting { open.remove(order.key) }
        // What was to follow is at least one more.
        tally.left = max(hasMore ? 1 : 0, waiting.count)
        waiting = []
        hasMore = false
        isPaused = false
    }
}
