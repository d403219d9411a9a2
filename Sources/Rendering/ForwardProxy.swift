import Basics
import Dispatch
import Glibc
import Network
import Pipeline

/// The pages of one browser context as the proxy knows them: the secret that they come with, and what they may reach.
///
/// What has been at a public address never reaches a private one, not even by its own name; usable from any thread.
final class Pass: Sendable {
    private struct State {
        /// The origin of the page, and whether that is at a private address; nil before it has been connected to, if it may be.
        var origin: String, isPrivate: Bool?
        /// The origins that have been connected to at public addresses, whose connections a later page may use again.
        var publicOrigins: Set<String> = []
        /// The number of bytes that its pages may still load; none are left once it is negative.
        var rest: Int
    }

    let user = "halftone"
    let password = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    let page: Address
    private let state: Locked<State>

    init(_ page: Address, mayBePrivate: Bool, limit: Int) {
        self.page = page
        state = Locked(
            State(origin: page.origin, isPrivate: mayBePrivate ? nil : false, rest: limit))
    }

    /// The header field's value that a browser sends.
    fileprivate var credentials: String {
        "Basic " + String(utf8: "\(user):\(password)".bytes.base64)
    }

    /// Whether its pages have loaded more bytes than they may.
    var isSpent: Bool { state.current.rest < 0 }

    /// Counts bytes from servers; false if there may be no more.
    fileprivate func counts(_ bytes: Int) -> Bool {
        state.withLock { $0.rest -= bytes }
        return !isSpent
    }

    /// Ends all its connections, and allows no more.
    fileprivate func revoke() { state.withLock { $0.rest = -1 } }

    /// Notes that the page is left for another, which must be connected to before it reaches what is private.
    func navigate(to page: Address) {
        state.withLock { state in
            guard state.isPrivate != false, page.origin != state.origin else { return }
            state.origin = page.origin
            state.isPrivate = state.publicOrigins.contains(page.origin) ? false : nil
        }
    }

    /// Connects to a server if its pages may.
    fileprivate func tunnel(
        to request: ProxyRequest, by fetcher: FetchStage
    ) throws(FetchError) -> Tunnel {
        let (isOwn, isPrivate) = state.withLock { state in
            let isOwn = request.server.origin == state.origin
            return (isOwn, state.isPrivate ?? isOwn)
        }
        let tunnel = try fetcher.tunnel(to: request.server, isGuarded: !isPrivate)
        state.withLock { state in
            if !tunnel.isPrivate { state.publicOrigins.insert(request.server.origin) }
            // A name that also leads to a public address is public for good.
            if isOwn { state.isPrivate = state.isPrivate != false && tunnel.isPrivate }
        }
        return tunnel
    }
}

/// A proxy on the loopback interface through which a browser makes all its connections, each under the rules for requests.
///
/// It answers `CONNECT` and requests for `http` addresses (RFC 9110, RFC 9112), one a connection, so that each is judged anew, and only with
/// the secret of a `Pass`. Each connection has a thread of its own.
final class ForwardProxy: Sendable {
    /// Where it listens.
    let port: Int
    /// The number of open connections.
    let count = Locked(0)

    private let listener: Int32
    let fetcher: FetchStage
    private let passes = Locked<[String: Pass]>([:])

    /// The largest head of a request in bytes, and the longest time that it may take in seconds.
    private static let maxHead = 64 << 10, headPatience = 10.0
    /// A browser keeps at most some thirty to a proxy.
    private static let maxConnections = 128
    /// In milliseconds: how often a waiting connection looks whether it may still, and how long a silent one waits.
    private static let step: Int32 = 500, patience: Int32 = 120_000

    init(fetcher: FetchStage) throws(FetchError) {
        self.fetcher = fetcher
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutableBytes(of: &name) { bytes in
            let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(listener, name, size) == 0 && listen(listener, 128) == 0
                && getsockname(listener, name, &size) == 0
        }
        self.listener = listener
        port = Int(UInt16(bigEndian: name.sin_port))
        guard isOpen else {
            defer { close(listener) }
            throw FetchError(errno)
        }
        // Serial queues have threads of their own.
        DispatchQueue(label: "halftone.proxy").asyncGuarded { [self] in
            acceptConnections(on: listener, limit: Self.maxConnections, count: count) { [self] in
                serve($0)
            }
            close(listener)
        }
    }

    /// Accepts no more connections.
    func end() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Lets a page that is about to be opened, and what it loads, connect to servers.
    ///
    /// - Parameters:
    ///   - referer: the page that named it; nil if the user did.
    ///   - limit: the number of bytes that servers may send.
    func admit(_ page: Address, referer: Address?, limit: Int) -> Pass {
        let mayBePrivate = referer.map { !fetcher.isPublic($0) } ?? true
        let pass = Pass(page, mayBePrivate: mayBePrivate, limit: limit)
        passes.withLock { $0[pass.credentials] = pass }
        return pass
    }

    /// Ends all connections of a page, and lets it make no more.
    func dismiss(_ pass: Pass) {
        passes.withLock { $0[pass.credentials] = nil }
        pass.revoke()
    }

    /// Answers the one request of a connection.
    private func serve(_ client: Int32) {
        // A browser may open more connections than it uses, on which it awaits no answer.
        guard let (head, rest) = head(from: client) else { return }
        guard let request = ProxyRequest(head) else { return answer(client, "400 Bad Request") }
        guard let pass = passes.withLock({ $0[request.credentials] }) else {
            return answer(
                client, "407 Proxy Authentication Required",
                "Proxy-Authenticate: Basic realm=\"halftone\"\r\n")
        }
        // Asked for its secret again, a browser would give the same without end.
        guard !pass.isSpent else { return answer(client, "403 Forbidden") }
        do {
            let tunnel = try pass.tunnel(to: request, by: fetcher)
            let isTunnel = request.head.isEmpty
            guard
                send(
                    (isTunnel ? "HTTP/1.1 200 Connected\r\n\r\n" : request.head).utf8,
                    to: isTunnel ? client : tunnel.socket)
            else { return }
            relay(client, tunnel.socket, rest, request.length, pass)
        } catch .privateAddress {
            answer(client, "403 Forbidden")
        } catch {
            answer(client, "502 Bad Gateway")
        }
    }

    /// Reads the head of a request, and what has come of what follows it; nil if it is too long, or takes too long.
    private func head(from client: Int32) -> (head: [UInt8], rest: [UInt8])? {
        let deadline = SteadyClock.now + Self.headPatience
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while received.count <= Self.maxHead, SteadyClock.now < deadline {
            guard isReadable(client, within: Self.step) else { continue }
            let count = read(client, &chunk, chunk.count)
            guard count > 0 else { return nil }
            received += chunk[..<count]
            if let end = received.firstRange(of: "\r\n\r\n".bytes) {
                return (Array(received[..<end.lowerBound]), Array(received[end.upperBound...]))
            }
        }
        return nil
    }

    /// Passes bytes on between a browser and a server until either ends, the pass does, or nothing comes for long; to the server no more than
    /// `length` go.
    private func relay(
        _ client: Int32, _ server: Int32, _ first: [UInt8], _ length: Int, _ pass: Pass
    ) {
        var rest = length
        func sends(_ bytes: ArraySlice<UInt8>) -> Bool {
            let bytes = bytes.prefix(rest)
            rest -= bytes.count
            return send(bytes, to: server)
        }
        guard sends(first[...]) else { return }
        var silence: Int32 = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while silence < Self.patience, !pass.isSpent {
            // What follows a body could be another request, which would not be judged; but that the browser hangs up is of interest
            // (POLLRDHUP).
            let awaited = rest > 0 ? Int16(POLLIN) : 0x2000
            var ends = [
                pollfd(fd: client, events: awaited, revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            silence = poll(&ends, 2, Self.step) == 0 ? silence + Self.step : 0
            for end in ends where end.revents != 0 {
                guard end.fd == server || rest > 0 else { return }
                let count = read(end.fd, &chunk, chunk.count)
                if count < 0, errno == EAGAIN || errno == EINTR { continue }
                let bytes = chunk[..<max(0, count)]
                guard count > 0,
                    end.fd == client
                        ? sends(bytes) : pass.counts(count) && send(bytes, to: client)
                else { return }
            }
        }
    }

    private func answer(_ client: Int32, _ status: String, _ fields: String = "") {
        _ = send(
            "HTTP/1.1 \(status)\r\n\(fields)Content-Length: 0\r\nConnection: close\r\n\r\n".utf8,
            to: client)
    }

    /// Sends all bytes, however slowly they are taken; false if they are not.
    private func send(_ bytes: some Sequence<UInt8>, to socket: Int32) -> Bool {
        writeAll(Array(bytes), to: socket, patience: Self.patience) == 0
    }
}

/// What a browser asks of a proxy: a tunnel, or one plain request.
struct ProxyRequest {
    /// Where it leads: an address with nothing but the host and port; a tunnel's bytes will be TLS.
    let server: Address
    /// The value of its `Proxy-Authorization`.
    let credentials: String
    /// The number of bytes that may follow it: those of its body, or of a tunnel any.
    let length: Int
    /// The head for the server, which is to close the connection after its answer; empty for a tunnel.
    let head: String

    /// Parses a head without the empty line at its end; nil if it could be understood in more than one way.
    init?(_ bytes: [UInt8]) {
        let lines = String(utf8: bytes).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        // A folded line, or a bare line end, is two lines to some and one to others (RFC 9112, section 2.2).
        guard lines.allSatisfy({ isSafeInHeader(String($0)) && $0.first != " " }),
            words.count == 3, words[2] == "HTTP/1.1"
        else { return nil }
        let isTunnel = words[0] == "CONNECT"
        guard let address = Address((isTunnel ? "https://" : "") + words[1]),
            isTunnel || address.scheme == "http"
        else { return nil }
        var fields = ""
        var length: Int?
        var credentials = ""
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = String(line[colon...].dropFirst().drop { $0 == " " })
            switch line[..<colon].lowercased() {
            case "proxy-authorization": credentials = value
            case "connection", "proxy-connection", "keep-alive", "te", "trailer", "upgrade": break
            case "transfer-encoding": return nil
            case "content-length":
                guard length == nil, let count = Int(bounded: value), count >= 0 else {
                    return nil
                }
                length = count
                fallthrough
            default: fields += "\(line)\r\n"
            }
        }
        self.credentials = credentials
        server = address
        self.length = isTunnel ? .max : length ?? 0
        let path = words[1].dropFirst("http://".count).drop { $0 != "/" }
        head =
            isTunnel
            ? "" : "\(words[0]) \(path) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n"
    }
}
