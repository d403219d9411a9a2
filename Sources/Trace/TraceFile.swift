import Basics
import Dispatch
import Glibc

/// A file written on its own serial queue; all methods may be called from any thread.
final class TraceFile: @unchecked Sendable {
    // @unchecked: the variables are accessed on `queue` only, and by `deinit`.

    private let path: String
    private let queue = DispatchQueue(label: "halftone.trace.file")
    /// Nil once the file is closed.
    private var descriptor: Int32?
    /// The errno of the first error, after which nothing is written; 0 if there was none.
    private var error: Int32 = 0

    init(path: String) throws(TraceError) {
        let descriptor = open(path.cPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TraceError(path: path, reason: systemReason(errno)) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        if let descriptor { _ = Glibc.close(descriptor) }
    }

    /// Writes `bytes` asynchronously, in the order of calls.
    func write(_ bytes: [UInt8]) {
        queue.asyncGuarded { [self] in
            guard let descriptor, error == 0 else { return }
            error = writeAll(bytes, to: descriptor)
        }
    }

    /// Waits until everything so far has been written and closes the file.
    func close() throws(TraceError) {
        let failure = queue.sync {
            if let descriptor, Glibc.close(descriptor) != 0, error == 0 { error = errno }
            descriptor = nil
            return error
        }
        guard failure == 0 else { throw TraceError(path: path, reason: systemReason(failure)) }
    }
}
