import Basics
import Dispatch
import Glibc
import Pipeline

/// A real tunnelling proxy on the loopback interface: HTTP `CONNECT`, or SOCKS 5 without a password.
///
/// Hosts are not resolved: every tunnel leads to the requested port on this machine. For plain requests through a proxy a `LoopbackServer`
/// with whole URLs as routes suffices.
public final class ProxyServer: Sendable {
    /// The proxy protocol.
    public enum Kind: Sendable {
        /// `CONNECT host:port`; answers with this status, and opens a tunnel if it is 200.
        case http(status: Int)
        /// RFC 1928.
        case socks5
    }

    private struct State {
        var targets: [String] = []
        var sockets: Set<Int32> = []
        var isStopped = false
    }

    /// The port.
    public let port: Int

    private let listener: Int32
    private let kind: Kind
    private let state = Locked(State())
    private let threads = DispatchGroup()
    private let queue = DispatchQueue(label: "test.proxy", attributes: .concurrent)

    /// Starts to listen.
    public init(_ kind: Kind) throws(ServerError) {
        self.kind = kind
        (listener, port) = try listenOnLoopback(.ipv4)
        queue.async(group: threads) { [self] in accept() }
    }

    /// The requested tunnels, as `host:port`, in order.
    public var targets: [String] { state.withLock(\.targets) }

    /// Closes everything and waits for it; must be called.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            state.sockets.forEach { shutdown($0, Int32(SHUT_RDWR)) }
        }
        threads.wait()
        close(listener)
    }

    private func accept() {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard socket >= 0, keep(socket) else { return }
            queue.async(group: threads) { [self] in
                serve(socket)
                drop(socket)
            }
        }
    }

    private func keep(_ socket: Int32) -> Bool {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        let isWelcome = state.withLock { state in
            if !state.isStopped { state.sockets.insert(socket) }
            return !state.isStopped
        }
        if !isWelcome { close(socket) }
        return isWelcome
    }

    private func drop(_ socket: Int32) {
        state.withLock { _ = $0.sockets.remove(socket) }
        close(socket)
    }

    private func serve(_ client: Int32) {
        switch kind {
        case .http(let status): serveConnect(client, status)
        case .socks5: serveSocks(client)
        }
    }

    private func serveConnect(_ client: Int32, _ status: Int) {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), let byte = read(1, from: client) {
            head += byte
        }
        let words = String(decoding: head, as: UTF8.self).split(separator: " ")
        guard words.count > 2, words[0] == "CONNECT" else { return }
        note(String(words[1]))
        guard status == 200, let port = words[1].split(separator: ":").last.flatMap({ Int($0) })
        else {
            write(Array("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n".utf8), to: client)
            return
        }
        tunnel(client, to: port, greeting: Array("HTTP/1.1 200 Yes\r\n\r\n".utf8))
    }

    private func serveSocks(_ client: Int32) {
        guard let greeting = read(2, from: client), read(Int(greeting[1]), from: client) != nil
        else {
            return
        }
        write([5, 0], to: client)
        guard let head = read(4, from: client) else { return }
        var host = ""
        switch head[3] {
        case 1:
            host = (read(4, from: client) ?? []).map(String.init).joined(separator: ".")
        case 3:
            guard let count = read(1, from: client), let name = read(Int(count[0]), from: client)
            else { return }
            host = String(decoding: name, as: UTF8.self)
        default: return
        }
        guard let port = read(2, from: client).map({ Int($0[0]) << 8 | Int($0[1]) }) else { return }
        note("\(host):\(port)")
        tunnel(client, to: port, greeting: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    }

    private func note(_ target: String) {
        state.withLock { $0.targets.append(target) }
    }

    // MARK: Tunnel

    private func tunnel(_ client: Int32, to port: Int, greeting: [UInt8]) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard server >= 0, keep(server) else { return }
        defer { drop(server) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        name.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let isConnected = withSocketAddress(&name) { connect(server, $0, $1) } == 0
        guard isConnected, write(greeting, to: client) else { return }
        var ends = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while poll(&ends, 2, -1) >= 0 || errno == EINTR {
            for (here, there) in [(0, 1), (1, 0)] where ends[here].revents != 0 {
                let count = recv(ends[here].fd, &chunk, chunk.count, 0)
                guard count > 0, write(Array(chunk[..<count]), to: ends[there].fd) else { return }
            }
        }
    }

    private func read(_ count: Int, from socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return count == 0 || recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count
            ? bytes : nil
    }

    @discardableResult
    private func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(
                    socket, $0.baseAddress.map { $0 + sent }, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
