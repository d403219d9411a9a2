import Basics
import Pipeline

/// The part of a body received so far.
public struct Arrival: Sendable {
    /// Whether the body is complete and about to be delivered to its requesters; `bytes` is empty then.
    public var isWhole = false
    /// The bytes received so far, from the beginning.
    public var bytes: [UInt8]
    /// The total length in bytes; nil if the server has not stated it.
    public var total: Int?
}

/// How much of a body has been received.
public struct FetchProgress: Hashable, Sendable {
    /// The number of bytes received.
    public var received: Int
    /// The total length in bytes; nil if the server has not stated it.
    public var total: Int?

    /// In bytes; a smaller body is complete before a part of it could be drawn.
    private static let smallest = 32 << 10

    /// Returns how many bytes make the next report worthwhile after one of `shown` bytes; nil if none before the end does.
    ///
    /// An eighth, a quarter and a half or, if the length is unknown, every doubling: an observer that reads all parts has read at most the
    /// total length once, or twice, in addition.
    func step(after shown: Int) -> Int? {
        guard let total else { return max(Self.smallest, shown * 2) }
        guard total >= Self.smallest else { return nil }
        return [total / 8, total / 4, total / 2].first { $0 > shown }
    }
}

/// The observers of bodies being received; usable from any thread.
///
/// Separate from the transfers, so that one in flight can be observed whichever request started it.
final class BodyObservers: Sendable {
    typealias Receive = Receiver<Arrival>

    private struct Observer {
        let address: Address
        let receive: Receive
        /// The number of bytes last reported.
        var shown = 0
        var progress: FetchProgress?
    }

    private struct State {
        /// As many as there are previews on the screen.
        var observers: [Int: Observer] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Calls `receive` on the transfer thread at some steps while the body of `address` arrives; it must not block.
    func add(for address: Address, receive: @escaping Receive) -> Subscription {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.observers[state.lastNumber] = Observer(address: address, receive: receive)
            return state.lastNumber
        }
        return Subscription(onCancel: { [weak self] in
            self?.state.withLock { $0.observers[number] = nil }
        })
    }

    /// Returns the progress; nil before the first byte, and for an address that is not observed.
    func progress(of address: Address) -> FetchProgress? {
        state.withLock { state in
            state.observers.values.lazy.filter { $0.address == address }.compactMap(\.progress)
                .first
        }
    }

    func report(_ body: [UInt8], total: Int?, of address: Address) {
        let progress = FetchProgress(received: body.count, total: total)
        let receivers = state.withLock { state in
            var due: [Receive] = []
            for (number, observer) in state.observers where observer.address == address {
                state.observers[number]?.progress = progress
                guard let step = progress.step(after: observer.shown), body.count >= step
                else { continue }
                state.observers[number]?.shown = body.count
                due.append(observer.receive)
            }
            return due
        }
        // However many receivers there are, the array is copied only once, at the next append.
        receivers.forEach { $0(Arrival(bytes: body, total: total)) }
    }

    /// Notifies observers that have seen a part of `address` that it is complete, so that they need not draw the part.
    func finish(_ address: Address) {
        let receivers = state.withLock { state in
            state.observers.values.filter { $0.address == address && $0.shown > 0 }.map(\.receive)
        }
        receivers.forEach { $0(Arrival(isWhole: true, bytes: [], total: nil)) }
    }
}
