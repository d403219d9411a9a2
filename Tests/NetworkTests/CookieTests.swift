import Pipeline
import TestSupport
import Testing

@testable import Network

/// A Netscape cookie file, as written by browser extensions.
@Suite struct CookieTests {
    /// Returns one line of the file, with fields separated by tabs.
    private static func line(
        _ domain: String, below: Bool = false, path: String = "/", secure: Bool = false,
        expires: Int = 0, _ name: String
    ) -> String {
        let flag = { ($0 as Bool) ? "TRUE" : "FALSE" }
        return [domain, flag(below), path, flag(secure), "\(expires)", name, "1"]
            .joined(separator: "\t")
    }

    private static let jar =
        """
        # Netscape HTTP Cookie File
        #HttpOnly_\(line("gallery.example", "httponly"))
        # a remark
        \(line("gallery.example", "host"))
        \(line(".gallery.example", below: true, "tree"))
        \(line("gallery.example", expires: 1, "expired"))
        \(line("gallery.example", expires: 4_102_444_800, "lasting"))
        \(line("gallery.example", secure: true, "secure"))
        \(line("gallery.example", path: "/private", "path"))
        \(line("other.example", "other"))
        gallery.example\tnonsense

        """

    private let folder: ScratchFolder
    private let scene: Scene

    init() throws {
        let folder = try ScratchFolder()
        self.folder = folder
        scene = try Scene(pinnedNames: ["gallery.example", "sub.gallery.example", "third.example"])
        { options in
            options.sources = ["http://gallery.example", "http://sub.gallery.example"]
                .compactMap { Address($0) }
            options.cookieFile = try? folder.write(Array(Self.jar.utf8), to: "cookies.txt")
        }
        scene.server.route(below: "/") { _ in .html("x") }
    }

    /// Returns the names of the cookies sent with a request.
    private func sent(_ host: String, _ path: String = "/a") async throws -> Set<String> {
        _ = try await scene.get("http://\(host):\(scene.server.port)\(path)")
        let cookies = scene.server.requests.last?.header("cookie") ?? ""
        return Set(
            cookies.split(separator: ";").compactMap { cookie in
                cookie.split(separator: "=").first.map { $0.filter { $0 != " " } }
            })
    }

    @Test("cookies go to their host until they expire, and secure ones only over TLS")
    func host() async throws {
        #expect(try await sent("gallery.example") == ["httponly", "host", "tree", "lasting"])
    }

    @Test("domain cookies go to subdomains, host cookies do not; paths match whole components")
    func below() async throws {
        #expect(try await sent("sub.gallery.example") == ["tree"])
        #expect(try await sent("gallery.example", "/private/a").contains("path"))
        #expect(try await !sent("gallery.example", "/privateer").contains("path"))
    }

    @Test("all requests to a SOURCE's host carry cookies on all connections; other hosts' do not")
    func all() async throws {
        let gate = Gate()
        scene.server.route(below: "/many") { _ in .html("x").held(by: gate) }
        let origin = { (host: String) in "http://\(host):\(scene.server.port)" }
        let pending = try (1...41).map { number in
            let url = origin("gallery.example") + "/many\(number)"
            return scene.fetcher.started(try scene.request(url), priority: .visible)
        }
        #expect(scene.server.waitForRequests(count: 6))
        gate.open()
        for one in pending { _ = try await one.result().get() }
        let cookies = scene.server.requests.map { $0.header("cookie") ?? "" }
        #expect(cookies.count == 41)
        #expect(cookies.allSatisfy { $0.contains("lasting=1") })
        #expect(scene.server.connectionCount == 6)
        // Now with reused handles that have sent cookies before.
        for number in 1...8 { #expect(try await sent("third.example", "/\(number)").isEmpty) }
    }

    @Test("what a server sets comes back to it, also to open a wall of cookies, and to no other")
    func setByServer() async throws {
        let (scene, other) = (try Scene(pinnedNames: ["third.example"]), try LoopbackServer())
        for server in [scene.server, other] {
            server.route("/wall") { request in
                request.header("cookie") == "seen=1"
                    ? .html("in")
                    : .status(302, headers: [("Location", "/wall"), ("Set-Cookie", "seen=1")])
            }
            server.route("/a") { _ in .html("x") }
        }
        #expect(try await scene.get("/wall").body == Array("in".utf8))
        for origin in [other.origin, "http://third.example:\(scene.server.port)"] {
            _ = try await scene.get(origin + "/a")
        }
        #expect((scene.server.requests + other.requests).count { $0.header("cookie") != nil } == 1)
        #expect(try await scene.get(other.url("/wall")).body == Array("in".utf8))
    }

    @Test("cookies that the user has chosen are sent alone")
    func chosen() async throws {
        let scene = try Scene { $0.headers = [("Cookie", "own=1")] }
        scene.server.route(below: "/") { _ in .html("x", headers: [("Set-Cookie", "seen=1")]) }
        for path in ["/a", "/b"] { _ = try await scene.get(path) }
        let sent = scene.server.requests.flatMap { $0.headers.filter { $0.name == "cookie" } }
        #expect(sent.map(\.value) == ["own=1", "own=1"])
    }

    @Test("a server that sets cookies without end has none kept")
    func flood() async throws {
        let scene = try Scene()
        scene.server.route(below: "/") { request in
            let name = request.path.dropFirst()
            return .html("x", headers: (0..<50).map { ("Set-Cookie", "\(name)-\($0)=1") })
        }
        for number in 1...5 { _ = try await scene.get("/\(number)") }
        let counts = scene.server.requests.map {
            $0.header("cookie")?.split(separator: ";").count ?? 0
        }
        #expect(counts == [0, 50, 100, 150, 0])
    }
}
