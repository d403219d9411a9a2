import Pipeline
import TestSupport
import Testing

@testable import Network

/// Plain fetches, sharing, priorities and cancellation.
@Suite struct FetchingTests {
    @Test("a picture arrives with its media type and header fields")
    func plain() async throws {
        let scene = try Scene()
        let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        scene.server.route("/a.jpg") { _ in .bytes(body, type: "Image/JPEG; charset=\"x\"") }
        let response = try await scene.get("/a.jpg")
        #expect(response.body == body)
        #expect(response.mediaType == "image/jpeg")
        #expect(response.charset == "x")
        #expect(response.address.text == scene.server.url("/a.jpg"))
        #expect(response.origin == .network)
        #expect(response.headers.contains { $0.name == "content-length" && $0.value == "100000" })
        let sent = scene.server.requests[0]
        #expect(sent.header("user-agent") == "halftone")
        #expect(sent.header("accept")?.contains("image/webp") == true)
        #expect(sent.header("accept")?.contains("avif") == false)
    }

    @Test("requests accept exactly the formats that can be decoded")
    func accepted() async throws {
        let scene = try Scene { $0.pictureTypes = ["image/jpeg", "image/avif"] }
        scene.server.route("/a.jpg") { _ in .bytes([1], type: "image/jpeg") }
        _ = try await scene.get("/a.jpg")
        #expect(
            scene.server.requests[0].header("accept") == "image/jpeg,image/avif,*/*;q=0.5")
    }

    @Test("a chunked response without a length arrives completely")
    func chunked() async throws {
        let scene = try Scene()
        let body = [UInt8](repeating: 7, count: 20_000)
        scene.server.route("/c") { _ in .bytes(body, type: nil).delivered(.chunked) }
        let response = try await scene.get("/c")
        #expect(response.body == body)
        #expect(response.mediaType == nil)
    }

    @Test("two identical requests share one transfer")
    func singleFlight() async throws {
        let scene = try Scene()
        let gate = Gate()
        scene.server.route("/a") { _ in .html("x").held(by: gate) }
        let request = try scene.request("/a")
        let first = scene.fetcher.started(request, priority: .idle)
        #expect(scene.server.waitForRequests(to: "/a"))
        let second = scene.fetcher.started(request, priority: .urgent)
        scene.settle()
        gate.open()
        #expect(try await first.result().get().body == Array("x".utf8))
        #expect(try await second.result().get().body == Array("x".utf8))
        #expect(scene.server.count(of: "/a") == 1)
    }

    @Test("the connection limit per host is respected and fully used")
    func connectionLimit() async throws {
        let scene = try Scene { $0.connectionsPerHost = 3 }
        let gate = Gate()
        scene.server.route(below: "/") { _ in .html("x").held(by: gate) }
        let pending = try (0..<12).map {
            scene.fetcher.started(try scene.request("/\($0)"), priority: .visible)
        }
        #expect(scene.server.waitForRequests(count: 3))
        scene.settle()
        #expect(scene.fetcher.transfersInFlight == 3)
        gate.open()
        for one in pending { _ = try await one.result().get() }
        #expect(scene.server.maximumConcurrent == 3)
        #expect(scene.server.connectionCount == 3)
    }

    @Test("an urgent page overtakes a hundred waiting thumbnails, and a raised one the others")
    func priority() async throws {
        let scene = try Scene { $0.connectionsPerHost = 1 }
        let gate = Gate()
        scene.server.route(below: "/") { _ in .html("x") }
        scene.server.route("/first") { _ in .html("x").held(by: gate) }
        var pending = [scene.fetcher.started(try scene.request("/first"), priority: .idle)]
        #expect(scene.server.waitForRequests(to: "/first"))
        for number in 0..<100 {
            let request = try scene.request("/thumbnail/\(number)")
            pending.append(scene.fetcher.started(request, priority: .prefetch))
        }
        pending.append(scene.fetcher.started(try scene.request("/page"), priority: .urgent))
        pending[51].subscription?.setPriority(.visible)
        scene.settle()
        scene.settle()
        gate.open()
        for one in pending { _ = try await one.result().get() }
        let order = scene.server.requests.map(\.path)
        #expect(
            order.prefix(5) == ["/first", "/page", "/thumbnail/50", "/thumbnail/0", "/thumbnail/1"])
        #expect(order.count == 102)
    }

    @Test("prefetches leave one connection for visible pictures")
    func reserve() async throws {
        let scene = try Scene { $0.connectionsPerHost = 4 }
        let gate = Gate()
        scene.server.route(below: "/") { _ in .html("x").held(by: gate) }
        scene.server.route("/visible") { _ in .html("y") }
        let ahead = try (0..<8).map {
            scene.fetcher.started(try scene.request("/\($0)"), priority: .prefetch)
        }
        #expect(scene.server.waitForRequests(count: 3))
        #expect(try await scene.get("/visible").body == Array("y".utf8))
        #expect(scene.fetcher.transfersInFlight == 3)
        gate.open()
        for one in ahead { _ = try await one.result().get() }
        #expect(scene.server.maximumConcurrent <= 4)
    }

    @Test("an unresponsive host does not delay another")
    func stalledHost() async throws {
        let scene = try Scene()
        let gate = Gate()
        let other = try LoopbackServer()
        other.route(below: "/") { _ in .html("x").held(by: gate) }
        scene.server.route("/a") { _ in .html("y") }
        let held = try (0..<20).map {
            scene.fetcher.started(try scene.request(other.url("/\($0)")), priority: .urgent)
        }
        #expect(other.waitForRequests(count: 6))
        #expect(try await scene.get("/a").body == Array("y".utf8))
        gate.open()
        for one in held { _ = try await one.result().get() }
    }

    @Test("cancelling a request notifies it, ends its transfer and frees its slot")
    func cancelling() async throws {
        let scene = try Scene { $0.connectionsPerHost = 1 }
        scene.server.route("/held") { _ in .html("x").held(by: Gate()) }
        scene.server.route("/next") { _ in .html("y") }
        let held = scene.fetcher.started(try scene.request("/held"), priority: .urgent)
        #expect(scene.server.waitForRequests(to: "/held"))
        let next = scene.fetcher.started(try scene.request("/next"), priority: .idle)
        held.subscription?.cancel()
        held.subscription?.cancel()
        #expect(await held.result().failure == .cancelled)
        #expect(try await next.result().get().body == Array("y".utf8))
    }

    @Test("a request cancelled while waiting is never sent")
    func cancellingWaiting() async throws {
        let scene = try Scene { $0.connectionsPerHost = 1 }
        let gate = Gate()
        scene.server.route("/first") { _ in .html("x").held(by: gate) }
        let first = scene.fetcher.started(try scene.request("/first"), priority: .visible)
        #expect(scene.server.waitForRequests(to: "/first"))
        let waiting = scene.fetcher.started(try scene.request("/waiting"), priority: .visible)
        waiting.subscription?.cancel()
        #expect(await waiting.result().failure == .cancelled)
        gate.open()
        _ = try await first.result().get()
        #expect(scene.server.count(of: "/waiting") == 0)
    }

    @Test("one of two subscribers may cancel, and the other still gets the bytes")
    func cancellingOneOfTwo() async throws {
        let scene = try Scene()
        let gate = Gate()
        scene.server.route("/a") { _ in .html("x").held(by: gate) }
        let request = try scene.request("/a")
        let first = scene.fetcher.started(request, priority: .visible)
        let second = scene.fetcher.started(request, priority: .visible)
        #expect(scene.server.waitForRequests(to: "/a"))
        first.subscription?.cancel()
        #expect(await first.result().failure == .cancelled)
        gate.open()
        #expect(try await second.result().get().body == Array("x".utf8))
    }

    @Test("dropping the fetcher ends its thread and fails pending requests")
    func dropping() async throws {
        let server = try LoopbackServer()
        server.route("/held") { _ in .html("x").held(by: Gate()) }
        var transfers: Transfers? = Transfers(.init(options: NetworkOptions()))
        let box = Box()
        let address = try #require(Address(server.url("/held")))
        let request = Request(address, for: .picture)
        _ = transfers?.start(request, priority: .visible) { result in
            box.put(result.map { Response(address: $0.address, body: $0.body, origin: .network) })
        }
        #expect(server.waitForRequests(to: "/held"))
        transfers = nil
        let result = await withCheckedContinuation { continuation in
            box.take { continuation.resume(returning: $0) }
        }
        #expect(result.failure == .cancelled)
    }
}

extension Result {
    /// The error; nil on success.
    var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
