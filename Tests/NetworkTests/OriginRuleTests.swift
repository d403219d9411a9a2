import Basics
import Pipeline
import TestSupport
import Testing

@testable import Network

/// What a SOURCE's name permits to other pages and its own: only the address it had, on its own port.
@Suite struct OriginRuleTests {
    private let server: LoopbackServer
    private let neighbour: LoopbackServer
    private let folder: ScratchFolder
    /// Whether the name resolves elsewhere; until it is private, this machine plays a public server.
    private let isRebound = Locked(false)
    private let page: String

    init() throws {
        server = try LoopbackServer()
        neighbour = try LoopbackServer()
        folder = try ScratchFolder()
        page = "http://gallery.example:\(server.port)/page"
        server.route("/page") { _ in
            .html("x", headers: [("Connection", "close"), ("Cache-Control", "max-age=600")])
        }
        server.route("/open") { _ in .html("x") }
        server.route("/a.jpg") { _ in .bytes([1], type: "image/jpeg") }
        neighbour.route("/a.jpg") { _ in .bytes([2], type: "image/jpeg") }
    }

    private var ownPicture: String { "http://gallery.example:\(server.port)/a.jpg" }
    private var otherPicture: String { "http://gallery.example:\(neighbour.port)/a.jpg" }

    /// Creates a run of the program with the page as its SOURCE.
    private func run() throws -> Scene {
        try Scene(
            server: server,
            pinned: [server, neighbour].map { "gallery.example:\($0.port):127.0.0.1" },
            isRebound: isRebound
        ) { [page, folder] options in
            options.sources = [Address(page)].compactMap(\.self)
            options.cacheFolder = folder.path + "/cache"
        }
    }

    private func rebind(_ isRebound: Bool = true) { self.isRebound.withLock { $0 = isRebound } }

    @Test("a public SOURCE's pictures are refused from its rebound name and from its other ports")
    func rebound() async throws {
        let scene = try run()
        _ = try await scene.get(page, for: .page)
        rebind()
        for picture in [ownPicture, otherPicture] {
            let error = try await scene.failure(of: picture, referer: page)
            #expect(error == .privateAddress("gallery.example"))
        }
        #expect(server.count(of: "/a.jpg") == 0)
        #expect(neighbour.connectionCount == 0)
    }

    @Test("an open connection to a private address is not reused for a public SOURCE's pictures")
    func openConnection() async throws {
        let scene = try run()
        let open = "http://gallery.example:\(server.port)/open"
        _ = try await scene.get(open, for: .page)
        rebind()
        let error = try await scene.failure(of: ownPicture, referer: open)
        #expect(error == .privateAddress("gallery.example"))
        #expect(server.connectionCount == 1)
    }

    @Test("a reload after rebinding does not turn a public SOURCE into a private one")
    func reloaded() async throws {
        let scene = try run()
        _ = try await scene.get(page, for: .page)
        rebind()
        _ = try await scene.get(page, for: .page, generation: .next())
        for picture in [ownPicture, otherPicture] {
            let error = try await scene.failure(of: picture, referer: page)
            #expect(error == .privateAddress("gallery.example"))
        }
    }

    @Test("a private SOURCE is open to all pages at its own port, and to its own at other ports")
    func privateSource() async throws {
        let scene = try run()
        rebind()
        _ = try await scene.get(page, for: .page)
        let publicPage = "http://public.example/page"
        #expect(try await scene.get(ownPicture, referer: publicPage).body == [1])
        #expect(
            try await scene.failure(of: otherPicture, referer: publicPage)
                == .privateAddress("gallery.example"))
        #expect(try await scene.get(otherPicture, referer: page).body == [2])
    }

    @Test("a cached page counts by the address it came from", arguments: [false, true])
    func cached(isPrivate: Bool) async throws {
        rebind(isPrivate)
        let first = try run()
        _ = try await first.get(page, for: .page)
        first.fetcher.store.finishWriting(milliseconds: 60_000)
        rebind()
        let scene = try run()
        #expect(try await scene.get(page, for: .page).origin == .disk)
        let error = try await scene.failure(of: ownPicture, referer: page)
        #expect(error == (isPrivate ? nil : .privateAddress("gallery.example")))
    }

    @Test("a public page is not revalidated by a private server")
    func confirmed() async throws {
        let tag = [("ETag", "\"1\""), ("Cache-Control", "no-cache")]
        server.route("/page") { request in
            request.number == 1
                ? .html("x", headers: tag)
                : .validated([9], type: "text/html", tag: "\"1\"", for: request)
        }
        let first = try run()
        _ = try await first.get(page, for: .page)
        first.fetcher.store.finishWriting(milliseconds: 60_000)
        rebind()
        #expect(try await run().get(page, for: .page).body == [9])
        #expect(server.count(of: "/page") == 3)
    }

    @Test("a name with both private and public addresses is private")
    func mixed() {
        let addresses: [[UInt8]] = [[1, 1, 1, 1], [127, 0, 0, 1], [1, 1, 1, 1]]
        var guarded = AddressGuard(isGuarded: true, isPrivate: isPrivateAddress)
        #expect(addresses.map { guarded.admits($0) } == [true, false, false])
        #expect(guarded.hasRefused)
        var free = AddressGuard(isGuarded: false, isPrivate: isPrivateAddress)
        #expect((addresses + [nil]).allSatisfy { free.admits($0) })
    }

    @Test("a server once reached at a public address stays public")
    func peers() throws {
        let source = try #require(Address("http://a.org/"))
        let other = try #require(Address("http://b.org/"))
        let peers = KnownPeers(sources: [source.origin])
        for address in [source, other] {
            peers.note(address, isPrivate: true)
            #expect(peers.isPrivate(address))
            peers.note(address, isPrivate: false)
            peers.note(address, isPrivate: true)
            #expect(!peers.isPrivate(address))
        }
        #expect(!peers.isPrivate(try #require(Address("http://a.org:81/"))))
    }
}
