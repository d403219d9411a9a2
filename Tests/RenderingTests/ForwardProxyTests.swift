import Basics
import Glibc
import TestSupport
import TestTraits
import Testing

@testable import Network
@testable import Rendering

/// The proxy that a browser's connections go through, asked by curl, and by hand where curl would not.
@Suite("The browser's proxy", .onOwnThread) struct ForwardProxyTests {
    private let server: LoopbackServer
    private let proxy: ForwardProxy

    init() throws {
        // As the program does: whoever is written to may be gone.
        signal(SIGPIPE, SIG_IGN)
        server = try LoopbackServer()
        server.route("/") { _ in .bytes([0x61], type: "text/plain") }
        proxy = try ForwardProxy(fetcher: FetchStage(options: NetworkOptions()))
    }

    private func pass(_ page: String, limit: Int = 1 << 20) throws -> Pass {
        proxy.admit(try #require(Address(page)), referer: nil, limit: limit)
    }

    /// Asks for an address through the proxy; returns the statuses of the tunnel and of the answer.
    private func statuses(
        of url: String, _ pass: Pass?, tunnels: Bool = false, _ more: [String] = []
    ) throws -> String {
        let user = pass.map { ["--proxy-user", "\($0.user):\($0.password)"] } ?? []
        let words =
            [
                "-s", "-o", "/dev/null", "-m", "20", "--noproxy", "", "-w",
                "%{http_connect} %{http_code}\\n",
            ]
            + user + (tunnels ? ["-p"] : []) + more + ["-x", "http://127.0.0.1:\(proxy.port)", url]
        // Its own status tells only whether there was an answer.
        return try Tool.output(of: "sh", ["-c", "curl \"$@\" || true", "sh"] + words).first ?? ""
    }

    @Test("a private page reaches private servers, with requests and tunnels") func own() throws {
        defer { server.stop() }
        let pass = try pass(server.url("/page"))
        #expect(try statuses(of: server.url("/"), pass) == "000 200")
        #expect(try statuses(of: server.url("/"), pass, tunnels: true) == "200 200")
        #expect(try statuses(of: server.url("/"), pass, ["-d", "a=b"]) == "000 200")
        #expect(server.requests.last?.method == "POST")
        #expect(server.requests.allSatisfy { $0.headers["proxy-authorization"] == nil })
    }

    @Test("without the secret of a page that is open nothing is reached") func secrets() throws {
        defer { server.stop() }
        let open = try pass(server.url("/"))
        #expect(try statuses(of: server.url("/"), nil) == "000 407")
        #expect(try statuses(of: server.url("/"), nil, tunnels: true) == "407 000")
        let other = Pass.forged(open)
        #expect(try statuses(of: server.url("/"), other) == "000 407")
        proxy.dismiss(open)
        #expect(try statuses(of: server.url("/"), open) == "000 407")
        #expect(server.requests.isEmpty)
    }

    @Test(
        "a public page reaches no private address, however it is written",
        arguments: [
            "127.0.0.1", "localhost", "x.localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]",
            "10.1.2.3", "169.254.169.254", "2130706433", "0x7f.1", "127.1", "LOCALHOST.",
        ])
    func privateForms(_ host: String) throws {
        defer { server.stop() }
        let pass = try pass("http://203.0.113.7/")
        let url = "http://\(host):\(server.port)/"
        #expect(try statuses(of: url, pass) == "000 403")
        #expect(try statuses(of: url, pass, tunnels: true) == "403 000")
        #expect(server.requests.isEmpty)
    }

    @Test("more bytes than a page may load are not passed on") func limit() throws {
        defer { server.stop() }
        server.route("/large") { _ in .bytes(.init(repeating: 1, count: 3 << 20), type: "a/b") }
        let pass = try pass(server.url("/"))
        #expect(try statuses(of: server.url("/large"), pass).hasSuffix("200"))
        #expect(pass.isSpent)
        #expect(try statuses(of: server.url("/"), pass) == "000 403")
    }

    @Test(
        "a request that could be understood in two ways is refused",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "GET ftp://a/ HTTP/1.1\r\n\r\n", "\r\n\r\n", "\0\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nA: b\rC: d\r\n\r\n", "GET http://a/ HTTP/1.1\r\nA\r\n\r\n",
            "GET http://a/\tb HTTP/1.1\r\n\r\n", "GET  http://a/ HTTP/1.1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ])
    func odd(_ request: String) throws {
        defer { server.stop() }
        let head = request.dropLast(request.hasSuffix("\r\n\r\n") ? 2 : 0)
        #expect(ProxyRequest(Array(head.utf8)) == nil)
    }
}

extension Pass {
    /// Returns another pass, as of a page that is not open.
    fileprivate static func forged(_ pass: Pass) -> Pass {
        Pass(pass.page, mayBePrivate: true, limit: 1)
    }
}
