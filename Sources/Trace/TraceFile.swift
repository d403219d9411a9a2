import Dispatch

import Glibc

/// A file written by a serial queue of its own; all methods on any thread.
final class TraceFile: @unchecked Sendable {
    // @unchecked: `state` is touched on `queue` only.

    fileprivate struct State {
        /// Nil once closed.
        var descriptor: Int32?
        /// The first error; nothing is written after it.
        var error: TraceError?
    }

    private let path: String
    private let queue = DispatchQueue(label: "halftone.trace.file")
    private var state: State

    init(path: String) throws(TraceError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .open(path: path, reason: Self.reason(errno)) }
        self.path = path
        state = State(descriptor: descriptor)
    }

    deinit {
        // Nobody else is left, and nothing is in the queue, which would hold on to this.
        if let descriptor = state.descriptor {
            closeFile(descriptor)
        }
    }

    /// Writes `bytes` later, in the order of calls.
    func write(_ bytes: [UInt8]) {
        queue.async { [self] in
            state.append(bytes, path: path)
        }
    }

    /// Waits for everything written so far and closes the file.
    func close() throws(TraceError) {
        let error = queue.sync { state.close(path: path) }
        if let error {
            throw error
        }
    }

    fileprivate static func reason(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}

extension TraceFile.State {
    fileprivate mutating func append(_ bytes: [UInt8], path: String) {
        guard let descriptor, error == nil else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                error = .write(path: path, reason: TraceFile.reason(errno))
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    fileprivate mutating func close(path: String) -> TraceError? {
        if let descriptor, closeFile(descriptor) != 0, error == nil {
            error = .write(path: path, reason: TraceFile.reason(errno))
        }
        descriptor = nil
        return error
    }
}

/// `close` by another name: the methods above hide it.
@discardableResult
private func closeFile(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}
