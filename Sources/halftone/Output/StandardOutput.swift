import Glibc

/// Standard output, written in blocks; tells a reader that went away from a disk that is full.
struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []
    /// One pipe's worth: fewer system calls, still prompt.
    private static let blockSize = 64 << 10

    /// Why nothing more can be written.
    struct Failure: Error, CustomStringConvertible {
        /// The reason in plain words.
        var description: String
    }

    /// Adds `bytes`, and writes when a block is full.
    mutating func write(_ bytes: some Sequence<UInt8>) throws(Failure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.blockSize {
            try flush()
        }
    }

    /// Adds `line` and a line end.
    mutating func write(line: String) throws(Failure) {
        try write(line.utf8)
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Writes what is kept.
    mutating func flush() throws(Failure) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { block in
                systemWrite(STDOUT_FILENO, block)
            }
            if written < 0 {
                if errno == EINTR { continue }
                if errno == EPIPE { Self.endAsPipeWould() }
                throw Failure(description: String(cString: strerror(errno)))
            }
            rest = rest.dropFirst(written)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends like every other program whose reader has gone (`halftone --urls … | head`).
    private static func endAsPipeWould() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(1)
    }
}

/// Writes `halftone: message` as one line to standard error.
func complain(_ message: String) {
    let line = "halftone: " + message + "\n"
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// write(2), under a name that the methods above do not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
