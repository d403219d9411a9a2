import Basics
import Glibc

/// The output queue of the terminal: whole frames and sequences, in order, written as fast as they are accepted.
///
/// Only `finish` waits for a slow terminal. Main thread only.
@MainActor package final class TerminalOutput {
    /// The terminal opened separately as a non-blocking file.
    ///
    /// The non-blocking flag belongs to the open file: set on standard output, it would also affect the shell.
    let descriptor: Int32
    private var pending: [UInt8] = []
    private var written = 0
    /// The range of the pending bytes that belongs to a frame.
    private var frame = 0..<0
    private var blockedSince: Double?
    /// Whether the terminal is gone and accepts no more bytes.
    private var isBroken = false

    /// The total number of bytes queued.
    private(set) var total = 0
    /// The total time that the terminal has kept bytes waiting, in seconds; updated once it has accepted all of them.
    private(set) var blocked = 0.0

    /// Creates the output for the terminal open as `terminal`.
    ///
    /// If it cannot be opened a second time, writes block.
    init(terminal: Int32) {
        let own = open(
            "\(descriptorFolder)\(terminal)", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        descriptor = own >= 0 ? own : fcntl(terminal, F_DUPFD_CLOEXEC, 3)
    }

    deinit { close(descriptor) }

    /// Whether the terminal has accepted everything.
    package var isIdle: Bool { written == pending.count }

    /// The entry for `poll` while bytes are pending; nil if none are.
    var awaited: pollfd? {
        isIdle ? nil : pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    }

    /// Queues `bytes`, which must be whole sequences, and writes what the terminal accepts at once.
    func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !isBroken else { return }
        pending += bytes
        total += bytes.count
        drain()
    }

    /// Queues a frame in parts; `cutFrame` may cut it short.
    func send(frame parts: [[UInt8]]) {
        let count = parts.reduce(0) { $0 + $1.count }
        guard count > 0, !isBroken else { return }
        frame = pending.count..<pending.count + count
        pending.reserveCapacity(frame.upperBound)
        for part in parts { pending += part }
        total += count
        drain()
    }

    /// Drops the rest of an obsolete frame after the current escape sequence.
    ///
    /// Returns whether anything was dropped.
    func cutFrame() -> Bool {
        let start = max(written, frame.lowerBound)
        guard start < frame.upperBound,
            let end = pending[start..<frame.upperBound].firstIndex(of: 0x1B)
        else { return false }
        pending.removeSubrange(end..<frame.upperBound)
        frame = 0..<0
        return true
    }

    func drain() {
        while !isIdle {
            let count = pending.withUnsafeBytes {
                write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count > 0 {
                written += count
            } else if errno == EAGAIN {
                blockedSince = blockedSince ?? SteadyClock.now
                return
            } else if errno != EINTR {
                isBroken = true
                drop()
            }
        }
        if let since = blockedSince { blocked += SteadyClock.now - since }
        drop()
    }

    /// Waits until everything has been accepted, or until the terminal has accepted nothing for `timeout` seconds.
    ///
    /// What is left then is dropped. Nil waits without limit.
    package func finish(timeout: Double? = nil) {
        while var entry = awaited {
            if poll(&entry, 1, timeout.map { Int32($0 * 1000) } ?? -1) == 0 { return drop() }
            drain()
        }
    }

    private func drop() {
        // The next frame is about as long: fresh pages would cost more than the copying.
        pending.removeAll(keepingCapacity: true)
        written = 0
        frame = 0..<0
        blockedSince = nil
    }
}
