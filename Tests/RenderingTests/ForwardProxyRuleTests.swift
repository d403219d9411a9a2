import Basics
import Dispatch
import Glibc
import Pipeline
import TestSupport
import TestTraits
import Testing

@testable import Network
@testable import Rendering

/// Which servers a page reaches through the browser's proxy as addresses change, and what is passed on.
@Suite(.onOwnThread) struct ForwardProxyRuleTests {
    private let server: LoopbackServer
    private let neighbour: LoopbackServer
    /// Whether this machine counts as private; until then it plays a public server.
    private let isPrivate = Locked(false)

    init() throws {
        signal(SIGPIPE, SIG_IGN)
        (server, neighbour) = (try LoopbackServer(), try LoopbackServer())
        for server in [server, neighbour] {
            server.route(below: "/") { .html("\($0.method) \($0.path)") }
        }
    }

    private func own(_ path: String = "/") -> String { "http://page.example:\(server.port)\(path)" }
    private func other(_ path: String = "/") -> String {
        "http://other.example:\(neighbour.port)\(path)"
    }

    private func stage(_ change: (inout NetworkOptions) -> Void = { _ in }) -> FetchStage {
        var options = NetworkOptions()
        options.timeout = 600
        change(&options)
        var settings = Transfers.Settings(options: options)
        settings.pinnedNames = [
            "page.example:\(server.port):127.0.0.1", "other.example:\(neighbour.port):127.0.0.1",
        ]
        settings.isPrivate = { [isPrivate] in isPrivate.withLock(\.self) && isPrivateAddress($0) }
        return FetchStage(Transfers(settings))
    }

    /// A proxy and a page's pass.
    private struct Visit {
        let proxy: ForwardProxy
        let pass: Pass

        init(
            _ page: String, referer: String? = nil, limit: Int = 1 << 20, by stage: FetchStage
        ) throws {
            proxy = try ForwardProxy(fetcher: stage)
            pass = proxy.admit(
                try #require(Address(page)), referer: referer.flatMap { Address($0) }, limit: limit)
        }

        /// Connects, sends the bytes and returns the descriptor.
        func connect(sending bytes: [UInt8]) -> Int32 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = UInt16(proxy.port).bigEndian
            name.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
            withUnsafeBytes(of: &name) { bytes in
                let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
                #expect(Glibc.connect(client, name, socklen_t(bytes.count)) == 0)
            }
            send(bytes, by: client)
            return client
        }

        func send(_ bytes: [UInt8], by client: Int32) {
            bytes.withUnsafeBytes {
                _ = Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        }

        /// Reads until the connection ends.
        func rest(of client: Int32) -> String {
            var (all, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
            while case let count = read(client, &chunk, chunk.count), count > 0 {
                all += chunk[..<count]
            }
            close(client)
            return String(decoding: all, as: UTF8.self)
        }

        func answer(to bytes: [UInt8]) -> String { rest(of: connect(sending: bytes)) }

        var login: String {
            let pair = Array("\(pass.user):\(pass.password)".utf8)
            return "Proxy-Authorization: Basic \(String(decoding: pair.base64, as: UTF8.self))\r\n"
        }

        func head(_ line: String, _ fields: String = "") -> [UInt8] {
            Array("\(line) HTTP/1.1\r\nHost: x\r\n\(fields)\(login)\r\n".utf8)
        }

        /// Returns the status of a request.
        func status(_ line: String, _ fields: String = "") -> Int {
            Self.status(of: answer(to: head(line, fields)))
        }

        static func status(of answer: String) -> Int {
            answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
    }

    @Test("a plain request loses what is between browser and proxy, and keeps the rest")
    func plain() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        let answer = visit.answer(
            to: visit.head(
                "GET \(own("/a?b=c"))", "X-Own: 1\r\nProxy-Connection: keep-alive\r\nTE: x\r\n"))
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("GET /a"))
        let request = try #require(server.requests.first)
        #expect((request.path, request.query) == ("/a", "b=c"))
        #expect(request.header("x-own") == "1" && request.header("connection") == "close")
        let names = request.headers.map(\.name)
        #expect(!names.contains { $0.hasPrefix("proxy-") || $0 == "te" })
    }

    @Test("a body is passed on in its length, and nothing that follows it")
    func bodies() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        let head = visit.head("POST \(own("/post"))", "Content-Length: 4\r\n")
        let answer = visit.answer(to: head + Array("bodyGET /second HTTP/1.1\r\n\r\n".utf8))
        #expect(answer.hasSuffix("POST /post"))
        let second = visit.head("GET \(own("/third"))")
        _ = visit.answer(to: visit.head("GET \(own("/first"))") + second)
        #expect(server.requests.map(\.path) == ["/post", "/first"])
    }

    @Test("a tunnel passes on whatever comes")
    func tunnel() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        let client = visit.connect(sending: visit.head("CONNECT page.example:\(server.port)"))
        visit.send(
            Array("GET /in HTTP/1.1\r\nConnection: close\r\n\r\n".utf8), by: client)
        let answer = visit.rest(of: client)
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("GET /in"))
    }

    @Test("a pass that is spent is refused, not asked for again without end")
    func spent() throws {
        let visit = try Visit(own(), limit: 100, by: stage())
        defer { visit.proxy.end() }
        server.route("/large") { _ in .bytes([UInt8](repeating: 1, count: 1 << 20), type: nil) }
        #expect(visit.answer(to: visit.head("GET \(own("/large"))")).utf8.count < 1 << 20)
        #expect(visit.pass.isSpent)
        #expect(visit.status("GET \(own())") == 403)
        #expect(visit.status("CONNECT page.example:\(server.port)") == 403)
        #expect(server.connectionCount == 1)
    }

    @Test("a dismissed pass's connections end")
    func dismissed() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        let gate = Gate()
        server.route("/held") { _ in .html("x").held(by: gate) }
        let client = visit.connect(sending: visit.head("GET \(own("/held"))"))
        #expect(server.waitForRequests(to: "/held"))
        visit.proxy.dismiss(visit.pass)
        #expect(visit.rest(of: client) == "")
        gate.open()
    }

    @Test("a page that began at a public address reaches no private one, whatever it is called")
    func privateForms() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        #expect(visit.status("GET \(own())") == 200)
        isPrivate.withLock { $0 = true }
        let hosts = [
            "127.0.0.1", "localhost", "x.localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]",
            "10.1.2.3", "169.254.169.254", "2130706433", "0x7f.1", "017700000001", "127.1",
            "LOCALHOST", "localhost.", "page.example",
        ]
        for host in hosts {
            for port in [server.port, neighbour.port]
            where host != "page.example" || port == server.port {
                #expect(visit.status("GET http://\(host):\(port)/") == 403, "\(host)")
                #expect(visit.status("CONNECT \(host):\(port)") == 403, "\(host)")
            }
        }
        #expect(server.connectionCount == 1)
        #expect(neighbour.connectionCount == 0)
    }

    @Test("a page named by a public one may not be private, one that the user named may")
    func pages() throws {
        isPrivate.withLock { $0 = true }
        let linked = try Visit(own(), referer: "http://public.example/", by: stage())
        defer { linked.proxy.end() }
        #expect(linked.status("GET \(own())") == 403)
        #expect(server.connectionCount == 0)
        let typed = try Visit(own(), by: stage())
        defer { typed.proxy.end() }
        // Before the page itself, nothing.
        #expect(typed.status("GET \(other())") == 403)
        #expect(typed.status("GET \(own())") == 200)
        #expect(typed.status("GET \(other())") == 200)
    }

    @Test("a private page that is answered from a public address is public from then on")
    func rebound() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        isPrivate.withLock { $0 = true }
        #expect(visit.status("GET \(own("/page"))") == 200)
        isPrivate.withLock { $0 = false }
        #expect(visit.status("GET \(own("/script"))") == 200)
        isPrivate.withLock { $0 = true }
        #expect(visit.status("GET \(own("/secret"))") == 403)
        #expect(visit.status("GET \(other("/secret"))") == 403)
        #expect(!(server.requests + neighbour.requests).contains { $0.path == "/secret" })
    }

    @Test("a private page that is left for another is what that is")
    func left() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        isPrivate.withLock { $0 = true }
        #expect(visit.status("GET \(own())") == 200)
        visit.pass.navigate(to: try #require(Address(other())))
        #expect(visit.status("GET \(own())") == 403)
        #expect(visit.status("GET \(other())") == 200)
        #expect(visit.status("GET \(own())") == 200)
        visit.pass.navigate(to: try #require(Address(own())))
        isPrivate.withLock { $0 = false }
        #expect(visit.status("GET \(own())") == 200)
        isPrivate.withLock { $0 = true }
        #expect(visit.status("GET \(other())") == 403)
    }

    @Test("a private page that is left for one already connected to in public leaves all rights")
    func leftForPublic() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        isPrivate.withLock { $0 = true }
        #expect(visit.status("GET \(own())") == 200)
        isPrivate.withLock { $0 = false }
        #expect(visit.status("GET \(other())") == 200)
        visit.pass.navigate(to: try #require(Address(other())))
        isPrivate.withLock { $0 = true }
        #expect(visit.status("GET \(other())") == 403)
    }

    @Test("what the user permits for a host is permitted there")
    func permitted() throws {
        let visit = try Visit(
            own(),
            by: stage { options in
                var free = options
                free.allowsPrivate = true
                options.sites = ["other.example": free]
            })
        defer { visit.proxy.end() }
        #expect(visit.status("GET \(own())") == 200)
        isPrivate.withLock { $0 = true }
        #expect(visit.status("GET \(own())") == 403)
        #expect(visit.status("GET \(other())") == 200)
    }

    @Test("the user's proxy is used, which a private page is reached by more than once")
    func upstream() throws {
        isPrivate.withLock { $0 = true }
        let upstream = try ProxyServer(.http(status: 200))
        defer { upstream.stop() }
        let stage = stage {
            $0.adopt(variables: ["http_proxy": "http://127.0.0.1:\(upstream.port)"])
        }
        let page = "http://intranet:\(server.port)/"
        let visit = try Visit(page, by: stage)
        defer { visit.proxy.end() }
        for _ in 1...2 { #expect(visit.status("GET \(page)") == 200) }
        let open = try Visit(own(), by: stage)
        defer { open.proxy.end() }
        #expect(open.status("GET \(own())") == 200)
        for host in ["intranet", "nas.local", "10.1.2.3", "[::1]"] {
            #expect(open.status("GET http://\(host):\(server.port)/") == 403, "\(host)")
        }
        let server = "page.example:\(server.port)"
        #expect(
            upstream.targets == [
                "intranet:\(self.server.port)", "intranet:\(self.server.port)", server,
            ])
    }

    @Test("offline, nothing is opened")
    func offline() throws {
        let visit = try Visit(own(), by: stage { $0.isOffline = true })
        defer { visit.proxy.end() }
        #expect(visit.status("GET \(own())") == 502)
        #expect(server.connectionCount == 0)
    }

    @Test("an endless head is given up")
    func endless() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        let client = visit.connect(sending: visit.head("GET \(own())").dropLast(2))
        for _ in 1...20 { visit.send([UInt8](repeating: 0x61, count: 4096), by: client) }
        let answer = visit.rest(of: client)
        #expect(answer.isEmpty || Visit.status(of: answer) == 400)
        #expect(server.connectionCount == 0)
    }

    @Test("browsers that hang up leave no connection, also while a server says nothing")
    func leaks() throws {
        let visit = try Visit(own(), by: stage())
        defer { visit.proxy.end() }
        let gate = Gate()
        defer { gate.open() }
        server.route("/held") { _ in .html("x").held(by: gate) }
        // More than may be open at once.
        for number in 1...150 {
            let client = visit.connect(sending: visit.head("GET \(own("/held"))"))
            #expect(server.waitForRequests(to: "/held", count: number))
            close(client)
            while visit.proxy.count.withLock(\.self) > 0 { sched_yield() }
        }
    }

    @Test("a field for a host replaces the SOURCE's of the same name")
    func ownFields() throws {
        var site = NetworkOptions()
        site.headers = [("authorization", "b")]
        var options = NetworkOptions()
        options.sources = [try #require(Address(own()))]
        options.headers = [("Authorization", "a"), ("X-Own", "c")]
        options.sites = [
            "http://page.example:\(server.port)": site, "page.example:\(server.port)": site,
        ]
        let request = Request(try #require(Address(own())), for: .page)
        let fields = requestFields(of: request, to: request.address, options: options)
            .filter { $0.name != "Accept" }
        #expect(fields.map { "\($0.name) \($0.value)" } == ["X-Own c", "authorization b"])
    }
}
