import Basics
import Dispatch
import Glibc
import Network
import Pipeline

/// The pages of one browser context as the proxy knows them: the secret that they come with, and what they may reach.
///
/// A page that begins at a public address never reaches a private one, not even by its own name; usable from any thread.
final class Pass: Sendable {
    private struct State {
        /// Whether the page is at a private address; nil before it has been connected to.
        var isPrivate: Bool?
        var count = 0
        var isRevoked = false
    }

    let user = "halftone"
    let password = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    let page: Address
    /// Whether the page itself may be at a private address.
    private let mayBePrivate: Bool
    private let limit: Int
    private let state = Locked(State())

    init(_ page: Address, mayBePrivate: Bool, limit: Int) {
        (self.page, self.mayBePrivate, self.limit) = (page, mayBePrivate, limit)
    }

    /// The header field's value that a browser sends.
    fileprivate var credentials: String {
        "Basic " + String(decoding: Array("\(user):\(password)".utf8).base64, as: UTF8.self)
    }

    /// Whether its pages have loaded more bytes than they may.
    var isOverLimit: Bool { state.withLock { $0.count > limit } }

    /// Ends all its connections, and allows no more.
    func revoke() { state.withLock { $0.isRevoked = true } }

    /// Counts bytes from servers; false if there may be no more.
    fileprivate func counts(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.count += bytes
            return !state.isRevoked && state.count <= limit
        }
    }

    /// Connects to a server if its pages may.
    fileprivate func tunnel(
        to server: String, isEncrypted: Bool, by fetcher: FetchStage
    ) throws(FetchError) -> Tunnel {
        let origin = Address((isEncrypted ? "https://" : "http://") + server)?.origin
        let isOwn = origin == page.origin
        let known = state.withLock(\.isPrivate)
        let isGuarded = !(known ?? (isOwn && mayBePrivate))
        let tunnel = try fetcher.tunnel(
            to: server, isEncrypted: isEncrypted, isGuarded: isGuarded)
        let isPrivate = state.withLock { state in
            // A name that also leads to a public address is public for good: what came from there must not reach what is private.
            if isOwn { state.isPrivate = state.isPrivate != false && tunnel.isPrivate }
            return state.isPrivate
        }
        // Another connection may have told so meanwhile.
        if !isGuarded, tunnel.isPrivate, isPrivate == false { throw .privateAddress(server) }
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

    private let listener: Int32
    private let fetcher: FetchStage
    private let passes = Locked<[String: Weak]>([:])
    /// The number of open connections.
    let count = Locked(0)

    private struct Weak: Sendable { weak let pass: Pass? }

    /// The largest head of a request in bytes.
    private static let maxHead = 64 << 10
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
        (self.listener, port) = (listener, Int(UInt16(bigEndian: name.sin_port)))
        guard isOpen else { throw FetchError(errno) }
        // Serial queues have threads of their own.
        DispatchQueue(label: "halftone.proxy").asyncGuarded { [self] in accept() }
    }

    /// Lets a page that is about to be opened, and what it loads, connect to servers.
    ///
    /// - Parameters:
    ///   - referer: the page that named it; nil if the user did.
    ///   - limit: the number of bytes that servers may send.
    func admit(_ page: Address, referer: Address?, limit: Int) -> Pass {
        let pass = Pass(
            page, mayBePrivate: referer.map { !fetcher.isPublic($0) } ?? true, limit: limit)
        passes.withLock { passes in
            passes = passes.filter { $0.value.pass != nil }
            passes[pass.credentials] = Weak(pass: pass)
        }
        return pass
    }

    /// Accepts no more connections.
    func end() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func accept() {
        defer { close(listener) }
        while true {
            let client = Glibc.accept(listener, nil, nil)
            // Until it ends, only what passes is wrong, such as too many open files.
            guard client >= 0 else {
                if errno == EINVAL { return }
                usleep(100_000)
                continue
            }
            // Programs started later must not inherit it.
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            guard count.withLock({ $0 < Self.maxConnections }) else {
                close(client)
                continue
            }
            count.withLock { $0 += 1 }
            DispatchQueue(label: "halftone.proxy.connection").asyncGuarded { [self] in
                serve(client)
                close(client)
                count.withLock { $0 -= 1 }
            }
        }
    }

    /// Answers the one request of a connection.
    private func serve(_ client: Int32) {
        var received: [UInt8] = []
        guard let head = head(from: client, &received) else {
            return answer(client, "400 Bad Request")
        }
        guard let request = ProxyRequest(head) else { return answer(client, "400 Bad Request") }
        guard let pass = passes.withLock({ $0[request.credentials]?.pass }) else {
            return answer(
                client, "407 Proxy Authentication Required",
                "Proxy-Authenticate: Basic realm=\"halftone\"\r\n")
        }
        // Asked for its secret again, a browser would give the same without end.
        guard pass.counts(0) else { return answer(client, "403 Forbidden") }
        do {
            let tunnel = try pass.tunnel(
                to: request.server, isEncrypted: request.isTunnel, by: fetcher)
            if request.isTunnel {
                guard send("HTTP/1.1 200 Connected\r\n\r\n".utf8, to: client) else { return }
            } else {
                guard send(request.head.utf8, to: tunnel.socket) else { return }
            }
            relay(client, tunnel.socket, received[...], request.length, pass)
        } catch {
            let isRefused = if case .privateAddress = error { true } else { false }
            answer(client, isRefused ? "403 Forbidden" : "502 Bad Gateway", body: error.description)
        }
    }

    /// Reads the head of a request, leaving in `received` what follows it; nil if it is too long, or takes too long.
    private func head(from client: Int32, _ received: inout [UInt8]) -> [UInt8]? {
        let deadline = SteadyClock.now + Double(Self.patience) / 1000
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while received.count <= Self.maxHead, SteadyClock.now < deadline {
            guard isReadable(client, within: Self.patience) else { return nil }
            let count = read(client, &chunk, chunk.count)
            guard count > 0 else { return nil }
            received += chunk[..<count]
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = Array(received[..<end.lowerBound])
                received.removeFirst(end.upperBound)
                return head
            }
        }
        return nil
    }

    /// Passes bytes on between a browser and a server until either ends, the pass does, or nothing comes for long; of a request that is no
    /// tunnel only its body, of `length` bytes, goes to the server.
    private func relay(
        _ client: Int32, _ server: Int32, _ first: ArraySlice<UInt8>, _ length: Int?, _ pass: Pass
    ) {
        var rest = length ?? .max
        func sends(_ bytes: ArraySlice<UInt8>) -> Bool {
            let bytes = bytes.prefix(rest)
            rest -= length == nil ? 0 : bytes.count
            return send(bytes, to: server)
        }
        guard sends(first) else { return }
        var (silence, chunk) = (Int32(0), [UInt8](repeating: 0, count: 1 << 16))
        while silence < Self.patience, pass.counts(0) {
            var ends = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // What follows a body could be another request, which would not be judged; but that the browser hangs up is of interest
            // (POLLRDHUP).
            if rest == 0 { ends[0].events = 0x2000 }
            let count = poll(&ends, 2, Self.step)
            if count < 0, errno == EINTR { continue }
            silence = count == 0 ? silence + Self.step : 0
            for (index, end) in ends.enumerated() where end.revents != 0 {
                guard index == 1 || rest > 0 else { return }
                let count = read(end.fd, &chunk, chunk.count)
                if count < 0, errno == EAGAIN || errno == EINTR { continue }
                guard count > 0 else { return }
                let isPassedOn =
                    index == 0
                    ? sends(chunk[..<count])
                    : pass.counts(count) && send(chunk[..<count], to: client)
                guard isPassedOn else { return }
            }
        }
    }

    private func answer(
        _ client: Int32, _ status: String, _ fields: String = "", body: String = ""
    ) {
        _ = send(
            ("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n"
                + "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n\(body)")
                .utf8,
            to: client)
    }

    /// Sends all bytes, however slowly they are taken; false if they are not.
    private func send(_ bytes: some Collection<UInt8>, to socket: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
                guard poll(&entry, 1, Self.patience) > 0 else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// What a browser asks of a proxy: a tunnel, or one plain request.
struct ProxyRequest {
    /// Where it leads: a host and port.
    let server: String
    let isTunnel: Bool
    /// The value of its `Proxy-Authorization`.
    let credentials: String
    /// The length of its body; nil for a tunnel, which has no end.
    let length: Int?
    /// The head for the server, which is to close the connection after its answer.
    let head: String

    /// Parses a head without the empty line at its end; nil if it could be understood in more than one way.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        // A folded line, or a bare line end, is two lines to some and one to others (RFC 9112, section 2.2).
        guard lines.allSatisfy({ isSafeInHeader(String($0)) && $0.first != " " }) else {
            return nil
        }
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1", !words[1].isEmpty else { return nil }
        var (fields, length, credentials) = ("", Int?.none, "")
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon].lowercased()
            let value = String(line[colon...].dropFirst().drop { $0 == " " })
            switch name {
            case "proxy-authorization": credentials = value
            case "connection", "proxy-connection", "keep-alive", "te", "trailer", "upgrade": break
            case "transfer-encoding": return nil
            case "content-length":
                guard length == nil, let count = Int(bounded: value), count >= 0 else {
                    return nil
                }
                length = count
                fields += line + "\r\n"
            default: fields += line + "\r\n"
            }
        }
        self.credentials = credentials
        isTunnel = words[0] == "CONNECT"
        if isTunnel {
            (server, self.length, head) = (String(words[1]), nil, "")
        } else {
            guard let address = Address(String(words[1])), address.scheme == "http" else {
                return nil
            }
            server = String(address.origin.dropFirst("http://".count))
            self.length = length ?? 0
            let path = address.text.dropFirst(address.origin.count)
            head = "\(words[0]) \(path) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n"
        }
    }
}
