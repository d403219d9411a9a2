import Basics
import Dispatch
import Pipeline
import TestSupport
import Testing

@testable import Network

/// What is cached, for how long, and what is requested again.
@Suite struct CacheTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer

    init() throws {
        folder = try ScratchFolder()
        server = try LoopbackServer()
    }

    /// Creates a separate run of the program with the same disk cache.
    private func run(_ change: (inout NetworkOptions) -> Void = { _ in }) throws -> Scene {
        try Scene(server: server) { options in
            options.cacheFolder = folder.path + "/cache"
            change(&options)
        }
    }

    @Test("cookies that a server sets are not kept on the disk")
    func setCookie() async throws {
        server.route("/a") { _ in
            .bytes([1, 2, 3], type: "image/png", headers: [("Set-Cookie", "a=secret")])
        }
        let first = try run()
        _ = try await first.get("/a")
        first.waitForDisk()
        let response = try await run().get("/a")
        #expect(response.origin == .disk && response.headers["set-cookie"] == nil)
    }

    @Test("a picture is fetched once, then served from memory, and in the next run from disk")
    func tiers() async throws {
        server.route("/a") { _ in .bytes([1, 2, 3], type: "image/png; charset=x") }
        let first = try run()
        #expect(try await first.get("/a").origin == .network)
        #expect(try await first.get("/a").origin == .memory)
        first.waitForDisk()
        let response = try await run().get("/a")
        #expect(response.origin == .disk)
        #expect(response.body == [1, 2, 3])
        #expect(response.mediaType == "image/png")
        #expect(response.charset == "x")
        #expect(server.count(of: "/a") == 1)
    }

    @Test("pictures that are kept elsewhere are not cached, but served if they are")
    func uncachedPictures() async throws {
        for path in ["/a", "/b"] {
            server.route(path) { _ in
                .bytes([1], type: "image/png", headers: [("Cache-Control", "max-age=3600")])
            }
        }
        let first = try run()
        _ = try await first.get("/a")
        first.waitForDisk()
        let second = try run { $0.cachesPictures = false }
        #expect(try await second.get("/a").origin == .disk)
        for _ in 1...2 { #expect(try await second.get("/b").origin == .network) }
        _ = try await second.get("/b", for: .page)
        #expect(try await second.get("/b", for: .page).origin != .network)
    }

    @Test("cache entries are keyed by the requested address and record the one after redirects")
    func redirects() async throws {
        server.route("/old") { _ in .redirect(to: "/new/") }
        server.route("/new/") { _ in .html("x") }
        let first = try run()
        _ = try await first.get("/old", for: .page)
        first.waitForDisk()
        let response = try await run { $0.isOffline = true }.get("/old", for: .page)
        #expect(response.address.text == server.url("/new/"))
    }

    @Test("a stale response is revalidated without being sent again")
    func revalidation() async throws {
        server.route("/page") {
            .validated(
                Array("x".utf8), type: "text/html", tag: "\"v1\"", for: $0,
                headers: [("Cache-Control", "no-cache"), ("X-Number", "\($0.number)")])
        }
        let first = try run()
        #expect(try await first.get("/page", for: .page).origin == .network)
        let second = try await first.get("/page", for: .page)
        #expect(second.origin == .memory)
        #expect(second.body == Array("x".utf8))
        #expect(second.headers.contains { $0.name == "x-number" && $0.value == "2" })
        first.waitForDisk()
        let third = try await run().get("/page", for: .page)
        #expect(third.origin == .disk)
        #expect(third.mediaType == "text/html")
        #expect(server.requests.map { $0.header("if-none-match") } == [nil, "\"v1\"", "\"v1\""])
    }

    @Test("a stale response that has changed is replaced")
    func changed() async throws {
        server.route("/page") {
            .validated(
                Array("\($0.number)".utf8), type: "text/html", tag: "\"\($0.number)\"", for: $0,
                headers: [("Cache-Control", "max-age=0")])
        }
        let scene = try run()
        #expect(try await scene.get("/page").body == Array("1".utf8))
        let second = try await scene.get("/page")
        #expect(second.body == Array("2".utf8))
        #expect(second.origin == .network)
    }

    @Test("responses that must not be stored are not stored")
    func notStored() async throws {
        server.route("/no-store") { _ in
            .bytes([1], type: nil, headers: [("Cache-Control", "private, No-Store")])
        }
        server.route("/vary") { _ in .bytes([1], type: nil, headers: [("Vary", "*")]) }
        server.route("/error") { _ in .status(404) }
        let scene = try run()
        for _ in 0..<2 {
            _ = try await scene.get("/no-store")
            _ = try await scene.get("/vary")
            _ = try? await scene.get("/error")
        }
        for path in ["/no-store", "/vary", "/error"] {
            #expect(server.count(of: path) == 2)
        }
    }

    @Test("offline mode serves cached responses however old, and contacts no server")
    func offline() async throws {
        server.route("/a") { _ in
            .bytes([1], type: nil, headers: [("Cache-Control", "no-cache")])
        }
        server.route("/b") { _ in .bytes([2], type: nil) }
        let first = try run()
        _ = try await first.get("/a")
        first.waitForDisk()
        let offline = try run { $0.isOffline = true }
        #expect(try await offline.get("/a").body == [1])
        #expect(try await offline.get("/a", generation: .next()).body == [1])
        #expect(try await offline.failure(of: "/b") == .offline)
        #expect(server.requests.count == 1)
    }

    @Test("a reload bypasses the cache and replaces the entry")
    func reload() async throws {
        server.route("/a") { .bytes([UInt8($0.number)], type: nil) }
        let first = try run()
        #expect(try await first.get("/a").body == [1])
        let reloaded = try await first.get("/a", generation: .next())
        #expect(reloaded.body == [2])
        #expect(reloaded.origin == .network)
        #expect(try await first.get("/a").body == [2])
        first.waitForDisk()
        #expect(try await run().get("/a").body == [2])
    }

    /// Keeps the disk of `scene` busy until the semaphore is signalled.
    private func hold(_ scene: Scene) -> DispatchSemaphore {
        let held = DispatchSemaphore(value: 0)
        PipelineActor.perform {
            scene.fetcher.store.queue.enqueue(priority: .urgent) {
                held.wait()
            } then: {
            }
        }
        return held
    }

    @Test("a disk read that overlaps a reload does not restore the old response")
    func readDuringReload() async throws {
        server.route("/a") {
            .bytes([UInt8($0.number)], type: nil, headers: [("Cache-Control", "max-age=3600")])
        }
        let first = try run()
        _ = try await first.get("/a")
        first.waitForDisk()
        let scene = try run()
        let held = hold(scene)
        let read = scene.fetcher.started(try scene.request("/a"), priority: .visible)
        scene.settle()
        let generation = CacheGeneration.next()
        #expect(try await scene.get("/a", generation: generation).body == [2])
        held.signal()
        #expect(try await read.result().get().body == [2])
        #expect(try await scene.get("/a", generation: generation).body == [2])
        #expect(server.count(of: "/a") == 2)
    }

    @Test("a response gone at its server is not served from a busy disk before its removal")
    func goneBeforeRemoval() async throws {
        server.route("/a") {
            $0.number == 1
                ? .bytes([1], type: nil, headers: [("Cache-Control", "max-age=3600")])
                : .status(404)
        }
        let first = try run()
        _ = try await first.get("/a")
        first.waitForDisk()
        let scene = try run()
        let held = hold(scene)
        let reload = try scene.request("/a", generation: .next())
        #expect(await scene.fetcher.result(of: reload).failure == .status(404))
        let read = scene.fetcher.started(try scene.request("/a"), priority: .visible)
        scene.settle()
        held.signal()
        #expect(await read.result().failure == .status(404))
        scene.waitForDisk()
        #expect(try await run { $0.isOffline = true }.failure(of: "/a") == .offline)
    }

    @Test(
        "the target of a temporary redirect is requested again in the next run, however fresh",
        arguments: [301, 302, 303, 307, 308])
    func movable(status: Int) async throws {
        server.route("/latest") { _ in .redirect(to: "/1", status: status) }
        server.route("/1") { _ in
            .html("x", headers: [("Cache-Control", "max-age=31536000, immutable")])
        }
        let first = try run()
        _ = try await first.get("/latest", for: .page)
        #expect(try await first.get("/latest", for: .page).origin == .memory)
        first.waitForDisk()
        let later = try run()
        let disk = try #require(later.fetcher.store.cache)
        let key = HTTPCache.key(of: try later.request("/latest", for: .page))
        var entry = try #require(disk.read(key))
        // An hour passes.
        entry.metadata = entry.metadata.map { field in
            field.name == ":stored"
                ? (field.name, String((Int(field.value) ?? 0) - 3600)) : field
        }
        disk.write(entry, for: key)
        let isPermanent = status == 301 || status == 308
        let response = try await later.get("/latest", for: .page)
        #expect(response.origin == (isPermanent ? .disk : .network))
        #expect(server.count(of: "/latest") == (isPermanent ? 1 : 2))
    }

    @Test("a response fetched for a generation serves it and earlier ones, also from disk")
    func generations() async throws {
        let large = [UInt8](repeating: 1, count: 3 << 20)
        server.route("/a") { _ in .bytes(large, type: nil) }
        let scene = try run()
        let (first, second) = (CacheGeneration.next(), CacheGeneration.next())
        _ = try await scene.get("/a")
        #expect(try await scene.get("/a", generation: second).origin == .network)
        for generation in [.any, first, second] {
            // Large enough not to fit in the memory cache.
            scene.waitForDisk()
            #expect(try await scene.get("/a", generation: generation).origin == .disk)
        }
        #expect(server.count(of: "/a") == 2)
        _ = try await scene.get("/a", generation: .next())
        #expect(server.count(of: "/a") == 3)
        // Generations of another run are unknown.
        scene.waitForDisk()
        #expect(try await run().get("/a", generation: first).origin == .network)
    }

    @Test("prefetches wait while the decode backlog is large, visible pictures do not")
    func backlog() async throws {
        server.route("/a") { _ in .bytes([1], type: nil) }
        server.route("/b") { _ in .bytes([2], type: nil) }
        let scene = try run()
        scene.fetcher.backlog.add(40 << 20)
        let ahead = scene.fetcher.started(try scene.request("/a"), priority: .prefetch)
        #expect(try await scene.get("/b").body == [2])
        #expect(server.count(of: "/a") == 0)
        scene.fetcher.backlog.add(-40 << 20)
        #expect(try await ahead.result().get().body == [1])
    }

    @Test("without a cache folder, the memory cache still works")
    func noFolder() async throws {
        server.route("/a") { _ in .bytes([1], type: nil) }
        let scene = try Scene(server: server)
        _ = try await scene.get("/a")
        #expect(try await scene.get("/a").origin == .memory)
    }
}

/// Freshness calculations at fixed times.
@Suite struct FreshnessTests {
    private let now = 1_800_000_000
    private let freshness = Freshness(sessionStart: 1_800_000_000 - 100)

    private func isFresh(
        _ headers: [(name: String, value: String)], age: Int,
        for purpose: Request.Purpose = .picture
    ) throws -> Bool {
        let answer = CachedAnswer(
            address: try #require(Address("http://h/")), headers: headers, body: [],
            storedAt: now - age)
        // Neither parsing the entry nor storing it on disk changes the result.
        let kept = try #require(CachedAnswer(answer.entry))
        #expect(
            freshness.isFresh(kept, for: purpose, at: now)
                == freshness.isFresh(answer, for: purpose, at: now))
        return freshness.isFresh(answer, for: purpose, at: now)
    }

    @Test("the server's explicit lifetime is respected")
    func stated() throws {
        let minute = [("cache-control", "public, max-age=60")]
        #expect(try isFresh(minute, age: 59))
        #expect(try !isFresh(minute, age: 60))
        #expect(try !isFresh(minute + [("age", "30")], age: 31))
        #expect(try isFresh(minute, age: 59, for: .page))
        #expect(try !isFresh([("cache-control", "no-cache, max-age=60")], age: 1))
        // curl_getdate reads the three forms of RFC 9110.
        let date = [("date", "Fri, 15 Jan 2027 07:00:00 GMT")]
        // An hour old by its server's clock, whenever it was received.
        let expiry = date + [("expires", "Fri, 15 Jan 2027 08:00:01 GMT")]
        #expect(try isFresh(expiry, age: 3599))
        #expect(try isFresh(expiry, age: 0))
        #expect(try !isFresh(date + [("expires", "Fri, 15 Jan 2027 08:00:00 GMT")], age: 0))
        #expect(try !isFresh(minute + date, age: 0))
        #expect(try !isFresh([("expires", "0")], age: 0))
        // max-age takes precedence over Expires.
        #expect(try isFresh(minute + [("expires", "0")], age: 1))
    }

    @Test("without explicit freshness a picture is fresh for a tenth of its age, at most a day")
    func guessed() throws {
        let dates = [
            ("date", "Fri, 15 Jan 2027 10:00:00 GMT"),
            ("last-modified", "Fri, 15 Jan 2027 00:00:00 GMT"),
        ]
        #expect(try isFresh(dates, age: 3599))
        #expect(try !isFresh(dates, age: 3600))
        #expect(try isFresh([("last-modified", "Fri, 15 Jan 1999 00:00:00 GMT")], age: 86_399))
        #expect(try !isFresh([("last-modified", "Fri, 15 Jan 1999 00:00:00 GMT")], age: 86_400))
        #expect(try isFresh([], age: 86_399))
        #expect(try !isFresh([], age: 86_400))
    }

    @Test("without explicit freshness a page is fresh for this run of the program")
    func pages() throws {
        #expect(try isFresh([], age: 100, for: .page))
        #expect(try !isFresh([], age: 101, for: .page))
    }

    @Test("invalid header fields and clocks are handled")
    func nonsense() throws {
        #expect(try !isFresh([("age", "9223372036854775807")], age: 1))
        // Malformed values mean stale.
        #expect(try !isFresh([("cache-control", "max-age=x")], age: 1))
        #expect(try !isFresh([("cache-control", ",,=,max-age")], age: 1))
        #expect(try !isFresh([("cache-control", "max-age=-1")], age: 1))
        #expect(try isFresh([("cache-control", ",,=,maximum-age")], age: 1))
        #expect(try isFresh([("cache-control", "max-age=99999999999999999999")], age: 1))
        #expect(try !isFresh([], age: -90_000))
    }
}
