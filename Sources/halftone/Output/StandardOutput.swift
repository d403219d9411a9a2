import Basics
import Glibc

/// Standard output, written in blocks; tells a reader that went away from a disk that is full.
struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []
    /// One pipe's worth: fewer system calls, still prompt.
    private static let blockSize = 64 << 10

    /// Why nothing more can be written.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Adds `bytes`, and writes when a block is full.
    mutating func write(_ bytes: some Sequence<UInt8>) throws(Failure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.blockSize { try flush() }
    }

    /// Adds `line` and a line end.
    mutating func write(line: String) throws(Failure) {
        try write(line.utf8)
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Writes what is kept.
    mutating func flush() throws(Failure) {
        let error = writeAll(buffer, to: STDOUT_FILENO)
        buffer.removeAll(keepingCapacity: true)
        if error == EPIPE { Self.endAsPipeWould() }
        guard error == 0 else { throw Failure(description: String(cString: strerror(error))) }
    }

    /// Ends like every other program whose reader has gone (`halftone --urls … | head`).
    private static func endAsPipeWould() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        _exit(1)
    }
}

/// Opens on /dev/null what of standard input, output and error is closed, or else the next file that is opened would be taken for it.
///
/// The wrong way round, so that reading and writing there still fails.
func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        // The lowest number that is free, which is this one.
        _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}

/// Writes `halftone: message` as one line to standard error, which nothing else here writes to: whatever the message quotes is made
/// harmless.
func complain(_ message: String) {
    _ = writeAll(Array("halftone: \(message.oneLine())\n".utf8), to: STDERR_FILENO)
}
