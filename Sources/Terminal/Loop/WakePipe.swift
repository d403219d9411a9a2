import Glibc

/// The pipe that ends the main thread's wait: other threads and signal handlers write a byte into it.
///
/// Never closed: a late worker may still wake a loop that has ended.
public final class WakePipe: Sendable {
    /// Polled by the loop.
    let readEnd: Int32
    /// Written by everybody; never blocks, a full pipe wakes as well.
    let writeEnd: Int32

    /// The byte that is no signal.
    private static let nudge: UInt8 = 0

    /// Makes a pipe.
    public init() throws(TerminalError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .system(errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Wakes the loop; any thread, and fit for `Mailbox(wake:)`.
    public func wake() {
        var byte = Self.nudge
        _ = write(writeEnd, &byte, 1)
    }

    /// Empties the pipe and returns the numbers of the signals that came.
    func drain() -> [Int32] {
        var signals: [Int32] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(readEnd, &buffer, buffer.count)
            guard count > 0 else { return signals }
            signals += buffer[..<count].filter { $0 != Self.nudge }.map(Int32.init)
        }
    }
}
