import Basics
import Glibc

/// Buffered standard output, or another; distinguishes a reader that has gone from errors such as a full disk.
struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []
    private let descriptor: Int32
    /// What ends each line.
    private let lineEnd: UInt8
    /// The size of a pipe's buffer: few system calls, yet prompt.
    private static let blockSize = 64 << 10

    /// Creates the output; `isNulTerminated` ends lines with a NUL instead of a line feed.
    init(to descriptor: Int32 = STDOUT_FILENO, isNulTerminated: Bool = false) {
        self.descriptor = descriptor
        lineEnd = isNulTerminated ? 0 : "\n"
    }

    /// Appends `bytes`; writes once a block is full.
    mutating func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.blockSize { try flush() }
    }

    /// Appends `line`, which may be a file's name, and its end.
    mutating func write(line: String) throws(OutputError) {
        try write(line.systemBytes + [lineEnd])
    }

    /// Writes the buffered bytes.
    mutating func flush() throws(OutputError) {
        let error = writeAll(buffer, to: descriptor)
        buffer.removeAll(keepingCapacity: true)
        if error == EPIPE {
            // Like any program whose reader has gone (`halftone --urls … | head`).
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            _exit(1)
        }
        guard error == 0 else { throw OutputError(number: error) }
    }
}

/// The reason why nothing more can be written.
struct OutputError: Error, CustomStringConvertible {
    /// The errno.
    let number: Int32

    var description: String { systemReason(number) }
}

/// Shows `text` as the line that tells how far the program is, if standard error is a terminal; an empty one removes it.
@Sendable func showProgress(_ text: String) {
    if isatty(STDERR_FILENO) == 1 {
        _ = writeAll("\r\u{1B}[K\(text)".bytes, to: STDERR_FILENO)
    }
}

/// Opens `/dev/null` for closed standard descriptors, which would otherwise be reused for the next opened file.
///
/// The access mode is reversed, so that reading standard input or writing the other two still fails.
func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        // Takes the lowest free number, which is this one.
        _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}

/// Writes `halftone: message` as one line to standard error, with control characters removed; nothing else in the program
/// writes there.
func complain(_ message: String) {
    _ = writeAll("halftone: \(message.oneLine())\n".bytes, to: STDERR_FILENO)
}
