import TestSupport
import Testing

@testable import Network

/// Proxies specified by environment variables.
@Suite struct ProxyTests {
    private let publicPage = "https://gallery.example/page"

    /// Creates a scene whose server is the proxy for everything, by default.
    private func scene(
        _ variables: [String: String] = [:], _ change: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> Scene {
        let server = try LoopbackServer()
        return try Scene(server: server) { options in
            options.sources = []
            options.retries = 0
            options.adopt(
                variables: ["http_proxy": "127.0.0.1:\(server.port)"].merging(variables) { $1 })
            change(&options)
        }
    }

    @Test("a proxy receives the whole URL, and its own private address does not matter")
    func plain() async throws {
        let scene = try scene()
        scene.server.route(below: "http://gallery.example/") { _ in .bytes([1], type: "image/png") }
        scene.server.route(below: "http://cdn.example/") { _ in .bytes([2], type: "image/png") }
        _ = try await scene.get("http://gallery.example/page", for: .page)
        // Twice: a host reached through the proxy must not be taken for private.
        for number in 0..<2 {
            let response = try await scene.get(
                "http://cdn.example/\(number).png", referer: "http://elsewhere.example/page")
            #expect(response.body == [2])
            #expect(response.origin == .network)
        }
        #expect(scene.server.requests.first?.header("host") == "gallery.example")
        #expect(scene.server.connectionCount == 1)
    }

    @Test("a proxy gives no access to hosts that are private by name or number")
    func guarded() async throws {
        let scene = try scene()
        scene.server.route(below: "http://") { _ in .bytes([1], type: nil) }
        for host in [
            "127.0.0.1", "10.1.2.3", "[::1]", "localhost", "intranet", "nas.local", "router.lan",
            "db.internal", "tv.home.arpa",
        ] {
            let error = try await scene.failure(of: "http://\(host)/a.png", referer: publicPage)
            #expect(error == .privateAddress(host), "\(host)")
        }
        #expect(scene.server.requests.isEmpty)
        // The user may go there, and a page from there may link there.
        _ = try await scene.get("http://intranet/page")
        _ = try await scene.get("http://images/a.png", referer: "http://intranet/page")
        #expect(scene.server.requests.count == 2)
    }

    @Test("hosts exempt from the proxy are guarded as usual")
    func exceptions() async throws {
        let direct = try LoopbackServer()
        direct.route("/a") { _ in .bytes([1], type: nil) }
        let server = try LoopbackServer()
        let scene = try Scene(
            server: server, pinned: ["cdn.example:\(direct.port):127.0.0.1"]
        ) { options in
            options.sources = []
            options.adopt(
                variables: [
                    "http_proxy": "http://127.0.0.1:\(server.port)", "no_proxy": "cdn.example",
                ])
        }
        let address = "http://cdn.example:\(direct.port)/a"
        #expect(
            try await scene.failure(of: address, referer: publicPage)
                == .privateAddress("cdn.example"))
        #expect(try await scene.get(address).body == [1])
        #expect(server.requests.isEmpty)
        #expect(direct.requests.count == 1)
    }

    @Test("a scheme without a proxy is guarded as usual")
    func otherScheme() async throws {
        let direct = try LoopbackServer()
        let scene = try Scene(pinned: ["cdn.example:\(direct.port):127.0.0.1"]) { options in
            options.sources = []
            options.adopt(variables: ["https_proxy": "http://127.0.0.1:1"])
        }
        let address = "http://cdn.example:\(direct.port)/a"
        #expect(
            try await scene.failure(of: address, referer: publicPage)
                == .privateAddress("cdn.example"))
        #expect(direct.connectionCount == 0)
    }

    @Test("an unreachable or refusing proxy is named in the error")
    func failing() async throws {
        let gone = try scene(["http_proxy": "http://me:secret@127.0.0.1:1"])
        let error = try await gone.failure(of: "http://gallery.example/")
        #expect(
            error?.description == "no connection: the proxy 127.0.0.1:1 does not answer")
        let unknown = try scene(["http_proxy": "http://no-such-proxy.invalid:8080"])
        #expect(
            try await unknown.failure(of: "http://gallery.example/")
                == .connectionFailed("no such proxy: no-such-proxy.invalid:8080"))
        let odd = try scene(["http_proxy": "gopher://127.0.0.1:1"])
        guard case .connectionFailed = try await odd.failure(of: "http://gallery.example/") else {
            Issue.record("an odd proxy did not fail as a connection")
            return
        }
        let closed = try ProxyServer(.http(status: 407))
        defer { closed.stop() }
        let refusing = try scene(["https_proxy": "http://127.0.0.1:\(closed.port)"])
        #expect(
            try await refusing.failure(of: "https://gallery.example/")
                == .connectionFailed("the proxy 127.0.0.1:\(closed.port) answered 407"))
        let asking = try scene()
        asking.server.route(below: "http://") { _ in .status(407) }
        #expect(
            try await asking.failure(of: "http://gallery.example/")?.description
                == "the server answered 407 Proxy Authentication Required")
    }

    @Test("a SOCKS proxy receives host names and is not restricted by address checks")
    func socks() async throws {
        let proxy = try ProxyServer(.socks5)
        defer { proxy.stop() }
        let scene = try scene([
            "http_proxy": "", "all_proxy": "socks5h://127.0.0.1:\(proxy.port)",
        ])
        scene.server.route("/a") { _ in .bytes([1], type: nil) }
        let port = scene.server.port
        for _ in 0..<2 {
            let response = try await scene.get(
                "http://cdn.example:\(port)/a", referer: publicPage, generation: .next())
            #expect(response.body == [1])
        }
        #expect(proxy.targets == ["cdn.example:\(port)"])
    }

    @Test("proxy variables are read as curl reads them")
    func variables() throws {
        func proxy(_ variables: [String: String], _ address: String) throws -> String? {
            ProxyRules(variables: variables).proxy(for: try #require(Address(address)))
        }
        let all = ["http_proxy": "a:1", "https_proxy": "b:2", "all_proxy": "c:3"]
        #expect(try proxy(all, "http://x.org/") == "a:1")
        #expect(try proxy(all, "https://x.org/") == "b:2")
        #expect(try proxy(["ALL_PROXY": "c:3"], "https://x.org/") == "c:3")
        #expect(try proxy(["HTTPS_PROXY": "d:4"], "https://x.org/") == "d:4")
        // A visitor of a CGI program could set this one.
        #expect(try proxy(["HTTP_PROXY": "evil:1"], "http://x.org/") == nil)
        #expect(try proxy(["http_proxy": ""], "http://x.org/") == nil)
        #expect(try proxy([:], "http://x.org/") == nil)
    }

    @Test(
        "no_proxy lists hosts with their subdomains, addresses, networks, or everything",
        arguments: [
            ("x.org", "x.org", true), ("x.org", "a.x.org", true), ("x.org", "ax.org", false),
            (".x.org", "x.org", true), (".x.org", "a.x.org", true), ("X.Org.", "x.org", true),
            ("y.org, x.org", "x.org", true), ("y.org x.org", "x.org", true), ("*", "x.org", true),
            ("*.x.org", "a.x.org", false), ("", "x.org", false), (",,", "x.org", false),
            ("10.0.0.0/8", "10.9.8.7", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("192.168.1.128/25", "192.168.1.127", false), ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1/x", "10.0.0.2", false), ("10.0.0.0/99", "10.0.0.1", false),
            ("10.0.0.0/-1", "11.0.0.1", false), ("10.0.0.0/0", "11.0.0.1", true),
            ("::1", "[::1]", true), ("[::1]", "[::1]", true), ("fd00::/8", "[fd12::1]", true),
            ("org", "x.org", true), (".", "x.org", false),
        ])
    func exceptionForms(list: String, host: String, isDirect: Bool) throws {
        let rules = ProxyRules(variables: ["http_proxy": "p:1", "no_proxy": list])
        let address = try #require(Address("http://\(host)/"))
        #expect((rules.proxy(for: address) == nil) == isDirect)
    }

    @Test("a proxy is displayed without user and password")
    func names() {
        #expect(ProxyRules.name(of: "http://me:secret@proxy.org:8080/") == "proxy.org:8080")
        #expect(ProxyRules.name(of: "http://me:sec/ret@proxy.org:8080") == "proxy.org:8080")
        #expect(ProxyRules.name(of: "me:secret@proxy.org:8080") == "proxy.org:8080")
        #expect(ProxyRules.name(of: "socks5h://proxy.org") == "proxy.org")
        #expect(ProxyRules.name(of: "proxy.org:1\u{1B}[31m") == "proxy.org:1[31m")
    }
}
