import Basics
import Dispatch
import Glibc

/// A Unix socket on which other programs of the same user send lines and receive some.
///
/// One line of each program is handled at a time, at most a thousand a second. A program whose lines are too long, or that does not read what
/// it is sent, is cut off.
public final class RemoteServer: Sendable {
    /// Identifies a program that is connected.
    public typealias Peer = Int32
    /// Receives a line, or nil when the program is gone; must call `done` once nothing more is sent for it.
    public typealias Handler =
        @Sendable (
            _ line: String?, _ peer: Peer, _ done: @escaping @Sendable () -> Void
        ) -> Void

    /// The path of the socket.
    public let path: String
    private let listener: Int32
    private let peers = Locked(0)

    /// More programs than anyone connects; each has a thread.
    private static let maxPeers = 64
    /// More bytes than any program needs to lag behind.
    private static let maxUnread: Int32 = 1 << 18

    /// Creates the socket at `path`, for this user only; one that nobody listens on any more is replaced, anything else is an error.
    public init(path: String) throws(RemoteError) {
        self.path = path
        let socket = try RemoteSocket(path)
        listener = socket.descriptor
        // Linux takes the mode of the new file from the socket, so that it is never open to others.
        fchmod(listener, 0o600)
        if !socket.bind() {
            guard errno == EADDRINUSE else { throw socket.failure() }
            guard let status = linkStatus(path), status.kind == S_IFSOCK,
                status.st_uid == geteuid()
            else { throw socket.failure("is no socket of this user's own") }
            let other = try RemoteSocket(path)
            defer { close(other.descriptor) }
            guard !other.connect(), errno == ECONNREFUSED else {
                throw socket.failure("another program listens there")
            }
            unlink(path.cPath)
            guard socket.bind() else { throw socket.failure() }
        }
        guard listen(listener, 8) == 0 else { throw socket.failure() }
    }

    /// Removes the socket of a program that has ended without doing so.
    public static func removeDead(_ path: String) {
        guard linkStatus(path)?.kind == S_IFSOCK, let socket = try? RemoteSocket(path) else {
            return
        }
        defer { close(socket.descriptor) }
        if !socket.connect(), errno == ECONNREFUSED { unlink(path.cPath) }
    }

    /// Begins to listen; `handle` is called on a thread for each program.
    public func start(handle: @escaping Handler) {
        DispatchQueue(label: "halftone.remote").asyncGuarded { [self] in
            acceptConnections(on: listener, limit: Self.maxPeers, count: peers) { [self] in
                serve($0, handle)
            }
        }
    }

    /// Removes the socket.
    public func end() { unlink(path.cPath) }

    /// Sends a line to a program; cuts it off if it does not read.
    public static func send(_ line: String, to peer: Peer) {
        let bytes = line.bytes + [0x0A]
        if Glibc.send(peer, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) != bytes.count {
            shutdown(peer, Int32(SHUT_RDWR))
        }
    }

    private func serve(_ peer: Peer, _ handle: @escaping Handler) {
        guard isOwn(peer) else { return }
        var unread = Self.maxUnread
        setsockopt(peer, SOL_SOCKET, SO_SNDBUF, &unread, 4)
        var lines = RemoteLines(peer)
        let handled = DispatchSemaphore(value: 0)
        while let line = lines.next() {
            handle(line, peer) { handled.signal() }
            handled.wait()
            usleep(1_000)
        }
        // Until nothing more is sent to it, its number must not be given to another.
        handle(nil, peer) { handled.signal() }
        handled.wait()
    }
}

/// Whether the program at the other end of a socket is of this user.
private func isOwn(_ socket: Int32) -> Bool {
    // The process, user and group (struct ucred).
    var credentials: [UInt32] = [0, .max, 0]
    var length = socklen_t(12)
    getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    return credentials[1] == geteuid()
}

/// The lines that arrive on a socket; blocks until one is complete.
public struct RemoteLines {
    private let socket: Int32
    private var bytes: [UInt8] = []

    /// More bytes than any line has.
    private static let maxLine = 1 << 16

    /// Creates the lines of a connected socket.
    public init(_ socket: Int32) { self.socket = socket }

    /// Returns the next line; nil at the end, or if it is too long.
    public mutating func next() -> String? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = bytes.firstIndex(of: 0x0A) {
                defer { bytes.removeSubrange(...end) }
                return String(utf8: bytes[..<end])
            }
            let count = read(socket, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, bytes.count <= Self.maxLine else { return nil }
            bytes += chunk[..<count]
        }
    }
}

/// A Unix socket and the path that it is to be at.
public struct RemoteSocket {
    /// The socket.
    public let descriptor: Int32
    private let path: String
    private var address = sockaddr_un()

    /// Creates a socket that is not connected; throws if the path is longer than the system takes.
    public init(_ path: String) throws(RemoteError) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.systemBytes
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard descriptor >= 0 else { throw failure() }
        guard bytes.count <= room else { throw failure("is longer than \(room) bytes") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Connects to a program of this user that listens at the path; returns false, with `errno`, on failure.
    public func connect() -> Bool {
        guard call(Glibc.connect) else { return false }
        errno = EPERM
        return isOwn(descriptor)
    }

    func bind() -> Bool { call(Glibc.bind) }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Bool {
        withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Returns the error with this reason, or that in `errno`.
    public func failure(_ reason: String? = nil) -> RemoteError {
        RemoteError(
            description: "\(path.oneLine()): \(reason ?? systemReason(errno))")
    }
}

/// Why there is no socket, in one line.
public struct RemoteError: Error, CustomStringConvertible {
    /// The path and the reason.
    public var description: String
}
