import Basics
import Glibc
import Pipeline

/// What is on its way to the terminal: whole frames and sequences, in order, written as fast as they are taken.
///
/// Only `finish` waits for a slow terminal. Main thread only.
@MainActor package final class TerminalOutput {
    /// What is written to: the terminal as an open file of our own, which may refuse bytes without waiting.
    ///
    /// The flag for that belongs to the open file: set on standard output, it would hold for the shell as well.
    let descriptor: Int32
    private var pending: [UInt8] = []
    private var written = 0
    /// Which of the pending bytes are a frame's.
    private var frame = 0..<0
    private var blockedSince: Double?
    /// The terminal is gone and takes no more bytes.
    private var isBroken = false

    /// How many bytes there were to write in all.
    private(set) var total = 0
    /// For how long the terminal has kept bytes waiting in all, in seconds; counted when it has taken the last of them.
    private(set) var blocked = 0.0

    /// Writes to the terminal that `terminal` is.
    ///
    /// If it cannot be opened a second time, writing waits for it.
    init(terminal: Int32) {
        let own = open("/proc/self/fd/\(terminal)", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        descriptor = own >= 0 ? own : fcntl(terminal, F_DUPFD_CLOEXEC, 3)
    }

    deinit { close(descriptor) }

    var isIdle: Bool { written == pending.count }

    /// What to wait for with `poll` when bytes are left; nil if none are.
    var awaited: pollfd? {
        isIdle ? nil : pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    }

    /// Takes `bytes`, which must be whole sequences, and writes what the terminal takes at once.
    func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !isBroken else { return }
        pending += bytes
        total += bytes.count
        drain()
    }

    /// The same for a frame, in parts, which `cutFrame` may cut short.
    func send(frame parts: [[UInt8]]) {
        let count = parts.reduce(0) { $0 + $1.count }
        guard count > 0, !isBroken else { return }
        frame = pending.count..<pending.count + count
        pending.reserveCapacity(frame.upperBound)
        for part in parts { pending += part }
        total += count
        drain()
    }

    /// Drops what is left of a frame that will not be seen any more, but for the sequence under way.
    ///
    /// Returns whether something was dropped.
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

    /// Waits until everything has been taken, or until the terminal has taken nothing for `patience` seconds.
    ///
    /// What is left then is dropped. Without patience it waits for ever.
    package func finish(patience: Double? = nil) {
        while var entry = awaited {
            let count = poll(&entry, 1, patience.map { Int32($0 * 1000) } ?? -1)
            if count == 0 { return drop() }
            drain()
        }
    }

    private func drop() {
        // The next frame is as long: fresh pages would cost more than copying does.
        pending.removeAll(keepingCapacity: true)
        written = 0
        frame = 0..<0
        blockedSince = nil
    }
}
