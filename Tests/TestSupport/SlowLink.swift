import Basics
import Glibc
import Pipeline

/// A link with limited bandwidth and a long round trip, shared by all connections that use it.
public final class SlowLink: Sendable {
    /// The time from sending a request to the first byte of its response, in milliseconds.
    public let latency: Int

    private let bytesPerSecond: Double

    private struct State {
        /// The time at which everything queued so far has been sent, in milliseconds of the monotonic clock.
        var isFreeAt = 0.0
        var connections: Set<Int> = []
    }

    private let state = Locked(State())

    /// Creates an idle link.
    public init(bytesPerSecond: Double, latency: Int) {
        self.bytesPerSecond = bytesPerSecond
        self.latency = latency
    }

    /// Returns `response` as delivered over this link: delayed by the latency, and for the first request on a connection also by the time
    /// to connect.
    public func carry(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
        let isFirst = state.withLock { $0.connections.insert(request.connection).inserted }
        return response.delayed(milliseconds: latency * (isFirst ? 2 : 1)).delivered(.over(self))
    }

    /// Queues `count` bytes; returns the milliseconds until they have been sent.
    func send(_ count: Int) -> Int {
        state.withLock { state in
            let now = Self.now
            state.isFreeAt = max(state.isFreeAt, now) + Double(count) / bytesPerSecond * 1000
            return Int((state.isFreeAt - now).rounded())
        }
    }

    private static var now: Double { SteadyClock.now * 1000 }
}
