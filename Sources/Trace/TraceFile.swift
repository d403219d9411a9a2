import Dispatch
import Glibc

/// A file written by a serial queue of its own; all methods on any thread.
final class TraceFile: @unchecked Sendable {
    // @unchecked: the variables are touched on `queue` only, and by `deinit`.

    private let path: String
    private let queue = DispatchQueue(label: "halftone.trace.file")
    /// Nil once closed.
    private var descriptor: Int32?
    /// The first error; nothing is written after it.
    private var error: TraceError?

    init(path: String) throws(TraceError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .open(path: path, reason: Self.lastError) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        if let descriptor { _ = Glibc.close(descriptor) }
    }

    /// Writes `bytes` later, in the order of calls.
    func write(_ bytes: [UInt8]) {
        queue.async { [self] in
            var rest = bytes[...]
            while let descriptor, error == nil, !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count == 0 || errno != EINTR {
                    error = .write(path: path, reason: Self.lastError)
                }
            }
        }
    }

    /// Waits for everything written so far and closes the file.
    func close() throws(TraceError) {
        let failure = queue.sync {
            if let descriptor, Glibc.close(descriptor) != 0, error == nil {
                error = .write(path: path, reason: Self.lastError)
            }
            descriptor = nil
            return error
        }
        if let failure { throw failure }
    }

    private static var lastError: String { String(cString: strerror(errno)) }
}
