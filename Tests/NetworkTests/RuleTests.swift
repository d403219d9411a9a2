import Basics
import Glibc
import Pipeline
import TestSupport
import Testing

@testable import Network

/// Redirects, what is sent to whom, and who may be reached on whose behalf.
@Suite struct RuleTests {
    private let publicPage = "http://gallery.example/page.html"

    // MARK: Redirects

    @Test("a relative redirect is resolved against the address that sent it")
    func relativeRedirect() async throws {
        let scene = try Scene()
        scene.server.route("/a/b/rel") { _ in .redirect(to: "next.html?x=1") }
        scene.server.route("/a/b/next.html") { _ in .redirect(to: "../up", status: 308) }
        scene.server.route("/a/up") { _ in .html("x") }
        let response = try await scene.get("/a/b/rel")
        #expect(response.address.text == scene.server.url("/a/up"))
        #expect(scene.server.requests(to: "/a/b/next.html").first?.query == "x=1")
    }

    @Test("a redirect loop ends after ten, a redirect to nowhere at once")
    func redirectLoop() async throws {
        let scene = try Scene()
        scene.server.route("/loop") { _ in .redirect(to: "/loop") }
        scene.server.route("/nowhere") { _ in
            var answer = ServerResponse.status(302)
            answer.body = []
            return answer
        }
        scene.server.route("/mail") { _ in .redirect(to: "mailto:a@b") }
        #expect(try await scene.failure(of: "/loop") == .tooManyRedirects)
        #expect(scene.server.count(of: "/loop") == 11)
        #expect(
            try await scene.failure(of: "/nowhere") == .other("the server redirects to nowhere"))
        #expect(try await scene.failure(of: "/mail") == .other("the server redirects to nowhere"))
    }

    @Test("a choice, or a redirect that leads nowhere, is shown as what it says")
    func bodies() async throws {
        let scene = try Scene()
        let fields = ["/choice": nil, "/empty": "", "/none": nil] as [String: String?]
        for (path, location) in fields {
            scene.server.route(path) { _ in
                var answer = ServerResponse.html("x")
                answer.status = path == "/choice" ? 300 : 302
                location.map { answer.headers.append(("Location", $0)) }
                return answer
            }
            #expect(try await scene.get(path, for: .page).body == Array("x".utf8))
        }
        scene.server.route("/bare") { _ in
            var answer = ServerResponse.redirect(to: "")
            answer.body = []
            return answer
        }
        #expect(
            try await scene.failure(of: "/bare") == .other("the server redirects to nowhere"))
        #expect(scene.server.count(of: "/bare") == 1)
    }

    @Test("a redirect to a file is refused")
    func redirectToFile() async throws {
        let scene = try Scene()
        scene.server.route("/file") { _ in .redirect(to: "file:///etc/passwd") }
        #expect(
            try await scene.failure(of: "/file")
                == .other("only the user may name files of this machine"))
    }

    // MARK: What is sent

    @Test("headers and cookies go to the SOURCE's server and do not follow redirects elsewhere")
    func headersStay() async throws {
        let folder = try ScratchFolder()
        let line = { (host: String) in "\(host)\tFALSE\t/\tFALSE\t0\tsession\tsecret-of-\(host)\n" }
        let jar = "# Netscape HTTP Cookie File\n" + line("127.0.0.1") + line("localhost")
        let file = try folder.write(Array(jar.utf8), to: "cookies.txt")
        let scene = try Scene {
            $0.headers = [("Authorization", "secret"), ("Accept", "x/y"), ("X-Bad", "a\r\nb: c")]
            $0.cookieFile = file
        }
        let other = "http://localhost:\(scene.server.port)/other"
        scene.server.route("/own") { _ in .redirect(to: other) }
        let back = scene.server.url("/back")
        scene.server.route("/other") { _ in .redirect(to: back) }
        scene.server.route("/back") { _ in .html("x") }
        _ = try await scene.get("/own")
        for path in ["/own", "/back"] {
            let sent = try #require(scene.server.requests(to: path).first)
            #expect(sent.header("authorization") == "secret")
            #expect(sent.header("cookie") == "session=secret-of-127.0.0.1")
            #expect(sent.header("accept") == "x/y")
            #expect(sent.header("x-bad") == nil)
            #expect(sent.header("b") == nil)
        }
        let sent = try #require(scene.server.requests(to: "/other").first)
        #expect(sent.header("authorization") == nil)
        #expect(sent.header("cookie") == nil)
    }

    @Test("a SOURCE's headers go only to its origin, not to other ports or over plain HTTP")
    func headerOrigin() throws {
        var options = NetworkOptions()
        options.headers = [("Authorization", "secret")]
        options.sources = [try #require(Address("https://gallery.example/album"))]
        func isSent(_ text: String) throws -> Bool {
            let address = try #require(Address(text))
            let request = Request(address, for: .picture)
            return requestFields(of: request, to: address, options: options)
                .contains { $0.name == "Authorization" }
        }
        #expect(try isSent("https://gallery.example/a.jpg"))
        #expect(try isSent("https://gallery.example:443/a.jpg"))
        #expect(try !isSent("http://gallery.example/a.jpg"))
        #expect(try !isSent("https://gallery.example:8443/a.jpg"))
        #expect(try !isSent("https://cdn.gallery.example/a.jpg"))
    }

    @Test("header fields for one picture go only to its own origin, and yield to the SOURCE's")
    func pictureHeaders() throws {
        var options = NetworkOptions()
        options.headers = [("User-Agent", "own")]
        let picture = try #require(Address("https://cdn.example/a.jpg"))
        options.sources = [try #require(Address("https://cdn.example/"))]
        options.pictureHeaders.withLock {
            $0[picture] = [
                ("Referer", "https://b.example/"), ("user-agent", "x"), ("Accept", "a\r\nb: c"),
            ]
        }
        func sent(_ text: String, of request: Address) throws -> [String] {
            let fields = requestFields(
                of: Request(request, for: .picture), to: try #require(Address(text)),
                options: options)
            return fields.map { "\($0.name): \($0.value)" }.filter {
                !$0.hasPrefix("Accept: image")
            }
        }
        #expect(
            try sent("https://cdn.example/a.jpg", of: picture)
                == ["Referer: https://b.example/", "User-Agent: own"])
        #expect(
            try sent("https://cdn.example/moved.jpg", of: picture)
                == ["Referer: https://b.example/", "User-Agent: own"])
        #expect(try sent("https://other.example/a.jpg", of: picture) == [])
        let neighbour = try #require(Address("https://cdn.example/b.jpg"))
        #expect(try sent("https://cdn.example/b.jpg", of: neighbour) == ["User-Agent: own"])
    }

    @Test("a SOURCE's headers do not go to another port of its host")
    func headerPort() async throws {
        let other = try LoopbackServer()
        other.route("/a") { _ in .html("x") }
        let scene = try Scene { $0.headers = [("Authorization", "secret")] }
        scene.server.route("/a") { _ in .redirect(to: other.url("/a")) }
        _ = try await scene.get("/a")
        #expect(scene.server.requests.map { $0.header("authorization") } == ["secret"])
        #expect(other.requests.map { $0.header("authorization") } == [nil])
    }

    @Test("the linking page is sent as referer unless disabled")
    func referer() async throws {
        let scene = try Scene()
        scene.server.route("/a") { _ in .html("x") }
        let page = scene.server.url("/page?token=1#top")
        _ = try await scene.get("/a", referer: page)
        _ = try await Scene(server: scene.server) { $0.sendsReferer = false }
            .get("/a", referer: page)
        let sent = scene.server.requests.map { $0.header("referer") }
        #expect(sent == [scene.server.url("/page?token=1"), nil])
    }

    @Test(
        "the referer is the full address for the same origin, the origin for others, or none",
        arguments: [
            ("http://a.org/p?q=1", "http://a.org/x", "http://a.org/p?q=1"),
            ("http://a.org/p?q=1", "http://a.org:8080/x", "http://a.org/"),
            ("http://a.org/p?q=1", "https://a.org/x", "http://a.org/"),
            ("https://a.org:444/p?q=1", "https://b.org/x", "https://a.org:444/"),
            ("https://a.org/p?q=1", "http://b.org/x", nil),
            ("https://a.org/p?q=1", "http://a.org/x", nil),
            ("file:///home/me/p.html", "https://a.org/x", nil),
            ("sftp://a.org/secret/p.html", "https://b.org/x", nil),
        ])
    func refererPolicy(page: String, target: String, sent: String?) throws {
        let address = try #require(Address(target))
        let request = Request(address, for: .picture, referer: Address(page))
        let fields = requestFields(of: request, to: address, options: NetworkOptions())
        #expect(fields.first { $0.name == "Referer" }?.value == sent)
    }

    // MARK: Private addresses

    @Test("a public page reaches no private address by number, name or name resolution")
    func privateAddresses() async throws {
        let scene = try Scene(pinnedNames: ["cdn.example"]) { $0.sources = [] }
        scene.server.route("/a") { _ in .html("x") }
        let port = scene.server.port
        for host in ["127.0.0.1", "localhost", "[::1]", "cdn.example", "[::ffff:127.0.0.1]"] {
            let error = try await scene.failure(
                of: "http://\(host):\(port)/a", referer: publicPage)
            #expect(error == .privateAddress(host), "\(host)")
        }
        #expect(scene.server.connectionCount == 0)
        // Without a referring page, the user has requested it.
        _ = try await scene.get("http://cdn.example:\(port)/a")
        // The connection is open now, and must not be reused.
        let error = try await scene.failure(
            of: "http://cdn.example:\(port)/a?2", referer: publicPage)
        #expect(error == .privateAddress("cdn.example"))
        #expect(scene.server.count(of: "/a") == 1)
    }

    @Test("a SOURCE's host may be reached, and any private host with --allow-private")
    func privateAllowed() async throws {
        let server = try LoopbackServer()
        server.route("/a") { _ in .html("x") }
        let source = try Scene(server: server)
        _ = try await source.get("/a", referer: publicPage)
        let allowed = try Scene(server: server) {
            $0.sources = []
            $0.allowsPrivate = true
        }
        _ = try await allowed.get("/a", referer: publicPage)
        // A page on this machine may link to this machine.
        let local = try Scene(server: server) { $0.sources = [] }
        _ = try await local.get("/a", referer: "http://localhost/page")
        #expect(server.count(of: "/a") == 3)
    }

    @Test("a public SOURCE does not redirect to a private address, though it was typed")
    func typedRedirect() async throws {
        let scene = try Scene(pinnedNames: ["photos.example"], isRebound: Locked(false))
        let port = scene.server.port
        scene.server.route("/go") { _ in .redirect(to: "http://[::1]:\(port)/a") }
        let source = "http://photos.example:\(port)/go"
        #expect(try await scene.failure(of: source) == .privateAddress("[::1]"))
    }

    @Test("a redirect does not lead a public page's picture to a private address")
    func privateRedirect() async throws {
        let scene = try Scene(pinnedNames: ["cdn.example"])
        let port = scene.server.port
        scene.server.route("/byName") { _ in .redirect(to: "http://cdn.example:\(port)/a") }
        scene.server.route("/byNumber") { _ in .redirect(to: "http://[::1]:\(port)/a") }
        scene.server.route("/a") { _ in .html("x") }
        #expect(
            try await scene.failure(of: "/byName", referer: publicPage)
                == .privateAddress("cdn.example"))
        #expect(
            try await scene.failure(of: "/byNumber", referer: publicPage)
                == .privateAddress("[::1]"))
        #expect(scene.server.count(of: "/a") == 0)
    }

    @Test(
        "private hosts are recognised",
        arguments: [
            "127.0.0.1", "127.255.0.1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
            "169.254.169.254", "100.64.0.1", "100.127.0.1", "0.0.0.0", "224.0.0.1",
            "255.255.255.255", "[::1]", "[::]", "[fc00::1]", "[fdff::1]", "[fe80::1]",
            "[::ffff:10.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
            "[ff02::1]", "192.0.0.1", "[64:ff9b:1::a00:1]", "[::ffff:0:a00:1]", "[2001::1]",
            "[100::1]", "[5f00::1]",
            "localhost", "a.localhost", "localhost.", "a.localhost.", "127.0.0.1.",
            "[fe80::1%25eth0]",
        ])
    func privateNames(host: String) {
        #expect(isPrivateName(host))
    }

    @Test(
        "public hosts, and names that must be resolved first, are not private",
        arguments: [
            "1.1.1.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "100.63.0.1", "100.128.0.1",
            "169.253.0.1", "[2606:4700::1111]", "[::ffff:1.1.1.1]", "[2002:101:101::]",
            "example.com", "localhost.example.com", "10.example.com",
        ])
    func publicNames(host: String) {
        #expect(!isPrivateName(host))
    }

    // MARK: Files

    @Test("a file is read; a folder, missing, large or special file each gets its own error")
    func files() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(Array("hello".utf8), to: "a b.txt")
        try folder.write([], to: "empty")
        try folder.write([UInt8](repeating: 1, count: 101), to: "large")
        #expect(mkfifo(folder.path + "/fifo", 0o600) == 0)
        let scene = try Scene { $0.maxBytes = 100 }
        func result(
            _ path: String, for purpose: Request.Purpose = .picture
        ) async -> Result<Response, FetchError> {
            await scene.fetcher.result(of: Request(Address(path: path), for: purpose))
        }
        let response = try await result(path).get()
        #expect(response.body == Array("hello".utf8))
        #expect(response.origin == .file)
        #expect(response.mediaType == nil)
        #expect(try await result(folder.path + "/empty").get().body == [])
        #expect(await result(folder.path).failure == .isFolder)
        #expect(await result(folder.path + "/missing").failure == .noSuchFile)
        #expect(await result(path + "/x").failure == .noSuchFile)
        // Pictures are bounded by their pixels.
        #expect(try await result(folder.path + "/large").get().body.count == 101)
        let page = await result(folder.path + "/large", for: .page)
        #expect(page.failure == .tooLarge(limit: 100))
        #expect(await result(folder.path + "/fifo").failure == .unreadable("not a regular file"))
        #expect(await result("/dev/zero").failure == .unreadable("not a regular file"))
        #expect(try await result("/proc/self/comm").get().body.isEmpty == false)
    }

    @Test("a remote page cannot read files, a local one can")
    func remoteToFile() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write([1], to: "a")
        let scene = try Scene { $0.allowsPrivate = true }
        let refused = await scene.fetcher.result(
            of: Request(Address(path: path), for: .picture, referer: Address(publicPage)))
        #expect(refused.failure == .other("only the user may name files of this machine"))
        let allowed = await scene.fetcher.result(
            of: Request(
                Address(path: path), for: .picture, referer: Address(path: folder.path + "/p.html"))
        )
        #expect(try allowed.get().body == [1])
    }
}
