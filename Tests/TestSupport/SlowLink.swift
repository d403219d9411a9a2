import Basics
import Glibc
import Pipeline

/// A line of limited speed and a long way, shared by all connections that deliver over it.
public final class SlowLink: Sendable {
    /// From sending a request to the first byte of its answer, in milliseconds.
    public let latency: Int

    private let bytesPerSecond: Double

    private struct State {
        /// When the line has sent what it was given so far, in milliseconds of the monotonic clock.
        var isFreeAt = 0.0
        var connections: Set<Int> = []
    }

    private let state = Locked(State())

    /// Makes an idle line.
    public init(bytesPerSecond: Double, latency: Int) {
        self.bytesPerSecond = bytesPerSecond
        self.latency = latency
    }

    /// `response` as it comes over this line: later, and the first on a connection later still by the time it takes to connect.
    public func carry(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
        let isFirst = state.withLock { $0.connections.insert(request.connection).inserted }
        return response.delayed(milliseconds: latency * (isFirst ? 2 : 1)).delivered(.over(self))
    }

    /// Puts `count` bytes on the line; returns how long it takes until they are through, in milliseconds.
    func send(_ count: Int) -> Int {
        state.withLock { state in
            let now = Self.now
            state.isFreeAt = max(state.isFreeAt, now) + Double(count) / bytesPerSecond * 1000
            return Int((state.isFreeAt - now).rounded())
        }
    }

    private static var now: Double { SteadyClock.now * 1000 }
}
