import Basics
import Dispatch
import Glibc
import Pipeline

/// A real HTTP/1.1 server on the loopback interface, for tests: keep-alive, faults on demand, and a request log.
///
/// ```swift
/// let server = try LoopbackServer()
/// defer { server.stop() }
/// server.route("/a.jpg") { _ in .bytes(jpeg, type: "image/jpeg") }
/// server.route("/page") { $0.number == 1 ? .status(503) : .html("<img src=a.jpg>") }
/// fetch(server.url("/page"))
/// #expect(server.count(of: "/page") == 2)
/// ```
///
/// Every connection has its own thread, so a response that is held, drips or stalls never delays another. Handlers run on those threads.
/// All methods may be called from any thread. `stop` (also called at deinit) ends every thread, whatever it waits for.
public final class LoopbackServer: Sendable {
    /// Answers one request; called on the connection's thread, concurrently with others.
    public typealias Handler = @Sendable (ServerRequest) -> ServerResponse

    /// The address family to listen on.
    public enum Family: Sendable {
        /// 127.0.0.1.
        case ipv4
        /// ::1.
        case ipv6
    }

    /// The port, chosen by the system.
    public let port: Int
    /// `http://127.0.0.1:PORT` (or `http://[::1]:PORT`), without a slash at its end.
    public let origin: String

    let core: ServerCore

    /// Starts to listen; throws the `errno` of the call that failed.
    public init(_ family: Family = .ipv4) throws(ServerError) {
        let (listener, port) = try listenOnLoopback(family)
        self.port = port
        origin = family == .ipv4 ? "http://127.0.0.1:\(port)" : "http://[::1]:\(port)"
        core = ServerCore(listener: listener)
        core.startAccepting()
    }

    deinit { core.stop() }

    /// Returns the absolute URL of `path`, which starts with a slash.
    public func url(_ path: String) -> String { origin + path }

    /// Answers requests for exactly `path` (ignoring the query), replacing any earlier route for it.
    public func route(_ path: String, _ handler: @escaping Handler) {
        core.state.withLock { $0.routes[path] = handler }
    }

    /// Answers requests below `prefix` that have no exact route; the longest prefix wins.
    public func route(below prefix: String, _ handler: @escaping Handler) {
        core.state.withLock { $0.prefixes[prefix] = handler }
    }

    /// Serves the files of a folder below `prefix` (with a trailing slash); folders without `index.html` are listed as by nginx.
    public func serve(folder: String, below prefix: String = "/") {
        route(below: prefix) { serveFile(of: folder, below: prefix, $0) }
    }

    /// Closes everything and waits for the threads to end; further connections are refused.
    public func stop() { core.stop() }

    /// Every request so far, in order of arrival.
    public var requests: [ServerRequest] { core.state.withLock { $0.log } }

    /// Returns the requests for `path` so far.
    public func requests(to path: String) -> [ServerRequest] { requests.filter { $0.path == path } }

    /// Returns the number of requests for `path`.
    public func count(of path: String) -> Int { core.state.withLock { $0.counts[path] ?? 0 } }

    /// The maximum number of concurrent requests.
    public var maximumConcurrent: Int { core.state.withLock { $0.maximumConcurrent } }

    /// The number of requests in progress (received but not fully answered).
    public var concurrent: Int { core.state.withLock { $0.concurrent } }

    /// The number of connections accepted so far.
    public var connectionCount: Int { core.state.withLock { $0.connectionCount } }

    /// Blocks until `path` (any path if nil) has been requested `count` times; returns false on timeout.
    public func waitForRequests(to path: String? = nil, count: Int = 1) -> Bool {
        let arrived = DispatchSemaphore(value: 0)
        core.state.withLock { state in
            if state.arrivals(of: path) >= count {
                arrived.signal()
            } else {
                state.watchers.append(.init(path: path, count: count, arrived: arrived))
            }
        }
        return arrived.wait(timeout: .testDeadline) == .success
    }
}

/// A system call that failed while setting up the server.
public struct ServerError: Error {
    /// The name of the call.
    public var call: String
    /// Its errno.
    public var code: Int32
}

/// Returns a socket listening on a free loopback port, and that port.
public func listenOnLoopback(_ family: LoopbackServer.Family) throws(ServerError) -> (Int32, Int) {
    let domain = family == .ipv4 ? AF_INET : AF_INET6
    let listener = socket(domain, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw ServerError(call: "socket", code: errno) }
    let bound: Int32
    switch family {
    case .ipv4:
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        bound = withSocketAddress(&name) { bind(listener, $0, $1) }
    case .ipv6:
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_addr = in6addr_loopback
        bound = withSocketAddress(&name) { bind(listener, $0, $1) }
    }
    guard bound == 0, listen(listener, 1024) == 0 else {
        let code = errno
        close(listener)
        throw ServerError(call: "bind", code: code)
    }
    var name = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    _ = withSocketAddress(&name) { pointer, _ in getsockname(listener, pointer, &length) }
    // The port has the same offset in both families' addresses.
    return (listener, Int(UInt16(bigEndian: name.sin6_port)))
}

func withSocketAddress<Name, Result>(
    _ name: inout Name, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<Name>.size))
        }
    }
}
