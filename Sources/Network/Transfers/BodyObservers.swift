import Pipeline

/// What has come of a body while the rest is on its way.
public struct Arrival: Sendable {
    /// Whether all is there, and about to be handed to those who fetch it; it holds no bytes then.
    public var isWhole = false
    /// The bytes from the beginning.
    public var bytes: [UInt8]
    /// The length of the whole, in bytes; nil where the server has not told.
    public var total: Int?
}

/// How much of a body has come.
public struct FetchProgress: Hashable, Sendable {
    /// Bytes that are there.
    public var received: Int
    /// The length of the whole; nil where the server has not told.
    public var total: Int?

    /// Makes one.
    public init(received: Int, total: Int?) {
        self.received = received
        self.total = total
    }

    /// Below this, the whole is there before a part has been drawn, in bytes.
    private static let smallest = 32 << 10

    /// How many bytes make the next arrival worth reporting, when `shown` were reported; nil if none before the whole does.
    ///
    /// An eighth, a quarter and a half, or where the length is not known, at every doubling: an observer that reads all of them
    /// has read no more than once what the whole has, or twice.
    func step(after shown: Int) -> Int? {
        guard let total else { return max(Self.smallest, shown * 2) }
        guard total >= Self.smallest else { return nil }
        return [total / 8, total / 4, total / 2].first { $0 > shown }
    }
}

/// The observers of bodies that come in; any thread.
///
/// Apart from the transfers, so that one under way can be observed whichever request began it.
final class BodyObservers: Sendable {
    typealias Receive = @Sendable (Arrival) -> Void

    private struct Observer {
        let address: Address
        let receive: Receive
        /// Bytes of the last arrival reported.
        var shown = 0
    }

    private struct State {
        /// As many as there are previews on the screen.
        var observers: [Int: Observer] = [:]
        /// Of addresses that are observed.
        var progress: [Address: FetchProgress] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Calls `receive` at some steps on the way of what comes of `address`, on the transfer thread; it must not block.
    func add(for address: Address, receive: @escaping Receive) -> Subscription {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.observers[state.lastNumber] = Observer(address: address, receive: receive)
            return state.lastNumber
        }
        return Subscription(onCancel: { [weak self] in self?.remove(number, of: address) })
    }

    private func remove(_ number: Int, of address: Address) {
        state.withLock { state in
            state.observers[number] = nil
            if !state.observers.values.contains(where: { $0.address == address }) {
                state.progress[address] = nil
            }
        }
    }

    /// Nil before the first byte, and for an address that is not observed.
    func progress(of address: Address) -> FetchProgress? { state.withLock { $0.progress[address] } }

    func report(_ body: [UInt8], total: Int?, of address: Address) {
        let progress = FetchProgress(received: body.count, total: total)
        let receivers = state.withLock { state in
            var due: [Receive] = []
            for (number, observer) in state.observers where observer.address == address {
                state.progress[address] = progress
                guard let step = progress.step(after: observer.shown), body.count >= step
                else { continue }
                state.observers[number]?.shown = body.count
                due.append(observer.receive)
            }
            return due
        }
        // The array is copied once, at the next append, for any number of receivers.
        receivers.forEach { $0(Arrival(bytes: body, total: total)) }
    }

    /// Says that all of `address` is there, so that those who have seen a part need not draw it any more.
    func finish(_ address: Address) {
        let receivers = state.withLock { state in
            state.observers.values.filter { $0.address == address && $0.shown > 0 }.map(\.receive)
        }
        receivers.forEach { $0(Arrival(isWhole: true, bytes: [], total: nil)) }
    }
}
