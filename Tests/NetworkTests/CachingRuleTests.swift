import Basics
import Dispatch
import Glibc
import Pipeline
import TestSupport
import Testing
import Trace

@testable import Network

/// RFC 9111, rule by rule, against a real server.
@Suite struct CachingRuleTests {
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

    /// Serves a body that contains the number of requests so far.
    private func serve(_ path: String, _ headers: (name: String, value: String)...) {
        server.route(path) { .bytes([UInt8($0.number)], type: nil, headers: headers) }
    }

    @Test(
        "`Vary`: a response stored for other values of a named field is not reused",
        arguments: ["User-Agent", "x-own , accept", "Referer"])
    func vary(field: String) async throws {
        serve("/a", ("Vary", field))
        let first = try run { $0.headers = [("X-Own", "1")] }
        _ = try await first.get("/a", referer: server.url("/one"))
        first.waitForDisk()
        // The same request again, in another run.
        let same = try run { $0.headers = [("X-Own", "1")] }
        #expect(try await same.get("/a", referer: server.url("/one")).body == [1])
        #expect(server.count(of: "/a") == 1)
        let other = try run {
            $0.headers = [("X-Own", "2")]
            $0.userAgent = "other"
        }
        #expect(try await other.get("/a", referer: server.url("/two")).body == [2])
        // Stored in place of the first response.
        #expect(try await other.get("/a", referer: server.url("/two")).body == [2])
        #expect(server.count(of: "/a") == 2)
    }

    @Test("`Vary` on constant fields, or on the encoding undone before storing, has no effect")
    func varySame() async throws {
        serve("/a", ("Vary", "Accept, Accept-Encoding, Accept-Language"))
        let scene = try run()
        for _ in 0..<2 {
            #expect(try await scene.get("/a").body == [1])
        }
    }

    @Test("`Vary: Cookie` is requested every time, as other cookies may have been set meanwhile")
    func varyCookie() async throws {
        serve("/a", ("Vary", "Cookie"))
        let scene = try run()
        #expect(try await scene.get("/a").body == [1])
        #expect(try await scene.get("/a").body == [2])
    }

    @Test("a response stored for other values is revalidated by its tag, never by its date")
    func varyValidation() async throws {
        server.route("/a") {
            .validated(
                [7], type: "image/png", tag: "\"t\"", for: $0,
                headers: [
                    ("Vary", "User-Agent"), ("Last-Modified", "Fri, 01 Jan 1999 00:00:00 GMT"),
                ])
        }
        let first = try run()
        _ = try await first.get("/a")
        first.waitForDisk()
        let other = try run { $0.userAgent = "other" }
        let response = try await other.get("/a")
        #expect(response.body == [7])
        #expect(response.origin == .disk)
        let asked = try #require(server.requests.last)
        #expect(asked.header("if-none-match") == "\"t\"")
        #expect(asked.header("if-modified-since") == nil)
        // From now on it is known to be current for this request.
        #expect(try await other.get("/a").origin != .network)
        #expect(server.count(of: "/a") == 2)
    }

    @Test("secrets sent in requests are not stored in the cache")
    func varySecrets() async throws {
        serve("/a", ("Vary", "Authorization"))
        let scene = try run { $0.headers = [("Authorization", "Bearer geheimnis")] }
        _ = try await scene.get("/a")
        scene.waitForDisk()
        let grep = folder.contents(below: "cache")
        #expect(!grep.isEmpty)
        #expect(!grep.contains { String(decoding: $0, as: UTF8.self).contains("geheimnis") })
    }

    @Test("`Last-Modified` alone revalidates, and a 304 updates the stored header fields")
    func dates() async throws {
        let date = "Fri, 01 Jan 1999 00:00:00 GMT"
        server.route("/a") { request in
            guard request.header("if-modified-since") == date else {
                return .bytes(
                    [1], type: "image/png",
                    headers: [("Last-Modified", date), ("Cache-Control", "max-age=0")])
            }
            var response = ServerResponse(status: 304)
            response.headers = [("Cache-Control", "max-age=86400"), ("X-New", "yes")]
            return response
        }
        let first = try run()
        _ = try await first.get("/a")
        let confirmed = try await first.get("/a")
        #expect(confirmed.body == [1])
        #expect(confirmed.mediaType == "image/png")
        #expect(confirmed.headers.contains { $0.name == "x-new" })
        first.waitForDisk()
        // The new lifetime applies, also in the next run.
        #expect(try await run().get("/a").body == [1])
        #expect(server.count(of: "/a") == 2)
    }

    @Test("a 304 without `Date` is dated by its reception")
    func confirmedWithoutDate() async throws {
        server.route("/a") { request in
            guard request.header("if-none-match") != nil else {
                return .bytes(
                    [1], type: nil,
                    headers: [
                        ("ETag", "\"1\""), ("Cache-Control", "max-age=600"),
                        ("Date", "Fri, 01 Jan 1999 00:00:00 GMT"),
                    ])
            }
            return ServerResponse(status: 304)
        }
        let scene = try run()
        for _ in 0..<3 { #expect(try await scene.get("/a").body == [1]) }
        #expect(server.count(of: "/a") == 2)
    }

    @Test("a 304 for another response is retried without conditions")
    func otherTag() async throws {
        server.route("/a") { request in
            guard request.header("if-none-match") != nil else {
                return .bytes(
                    [UInt8(request.number)], type: nil,
                    headers: [("ETag", "\"\(request.number)\""), ("Cache-Control", "no-cache")])
            }
            var response = ServerResponse(status: 304)
            response.headers = [("ETag", "W/\"other\"")]
            return response
        }
        let scene = try run()
        #expect(try await scene.get("/a").body == [1])
        #expect(try await scene.get("/a").body == [3])
    }

    @Test("a 304 from where a redirect leads now does not confirm what was there before")
    func movedRedirect() async throws {
        server.route("/daily") { [server] in
            .redirect(to: server.url($0.number == 1 ? "/b" : "/a"))
        }
        for (path, body) in [("/a", 1), ("/b", 2)] {
            server.route(path) { request in
                guard request.header("if-modified-since") == nil else {
                    return ServerResponse(status: 304)
                }
                return .bytes(
                    [UInt8(body)], type: nil,
                    headers: [
                        ("Last-Modified", "Fri, 02 Oct 2026 08:00:00 GMT"),
                        ("Cache-Control", "no-cache"),
                    ])
            }
        }
        let scene = try run()
        #expect(try await scene.get("/daily").body == [2])
        #expect(try await scene.get("/daily").body == [1])
    }

    @Test("a 304 for another response is not retried once its subscriber has left")
    func abandonedOtherTag() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        serve("/ping", ("Cache-Control", "no-store"))
        server.route("/a") { _ in
            mayAnswer.wait()
            var response = ServerResponse(status: 304)
            response.headers = [("ETag", "W/\"other\"")]
            return response
        }
        let scene = try run()
        let request = try scene.request("/a")
        let kept = CachedAnswer(
            address: request.address, headers: [("etag", "\"1\"")], body: [1],
            storedAt: currentSeconds())
        PipelineActor.perform { [server] in
            let subscription = scene.fetcher.transfer(
                request, confirming: kept, priority: .visible, flow: .none
            ) { _ in }
            while server.count(of: "/a") == 0 { sched_yield() }
            // Takes effect after this closure, but before the 304, which only arrives now.
            subscription.cancel()
            mayAnswer.signal()
            while scene.fetcher.transfersInFlight > 0 { sched_yield() }
        }
        // A retry would start during the first of these and be in flight after the second.
        for _ in 0..<2 { _ = try await scene.get("/ping") }
        // It would wait for the server's handler.
        mayAnswer.signal()
        while scene.fetcher.transfersInFlight > 0 { _ = try await scene.get("/ping") }
        #expect(server.count(of: "/a") == 1)
    }

    @Test("a response gone at the server is removed, but a failing server is not taken for that")
    func gone() async throws {
        server.route("/a") { request in
            switch request.number {
            case 1: .bytes([1], type: nil, headers: [("Cache-Control", "no-cache")])
            case 2: .status(403)
            default: .status(410)
            }
        }
        let scene = try run()
        _ = try await scene.get("/a")
        #expect(try await scene.failure(of: "/a") == .status(403))
        scene.waitForDisk()
        #expect(try await run { $0.isOffline = true }.get("/a").body == [1])
        #expect(try await scene.failure(of: "/a") == .status(410))
        scene.waitForDisk()
        #expect(try await run { $0.isOffline = true }.failure(of: "/a") == .offline)
    }

    @Test(
        "`stale-if-error` permits stale responses if a server fails, unless it forbids them",
        arguments: ["", ", must-revalidate", ", no-cache"])
    func staleIfError(more: String) async throws {
        server.route("/a") { request in
            request.number == 1
                ? .bytes(
                    [1], type: nil,
                    headers: [("Cache-Control", "max-age=0, stale-if-error=600" + more)])
                : .status(503, headers: more.isEmpty ? [("Retry-After", "999999999")] : [])
        }
        let scene = try run { $0.retries = 0 }
        _ = try await scene.get("/a")
        if more.isEmpty {
            #expect(try await scene.get("/a").body == [1])
        } else {
            #expect(try await scene.failure(of: "/a") == .status(503))
        }
        #expect(server.count(of: "/a") == 2)
    }

    @Test("without `stale-if-error` a failing server is an error")
    func staleWithoutGrace() async throws {
        server.route("/a") { request in
            request.number == 1
                ? .bytes([1], type: nil, headers: [("Cache-Control", "max-age=0")]) : .status(503)
        }
        let scene = try run { $0.retries = 0 }
        _ = try await scene.get("/a")
        #expect(try await scene.failure(of: "/a") == .status(503))
    }

    @Test(
        "`immutable` and `must-revalidate` need no request while fresh; the first `max-age` counts")
    func fresh() async throws {
        serve("/a", ("Cache-Control", "max-age=86400, immutable, must-revalidate, private"))
        serve("/b", ("Cache-Control", "max-age=0, max-age=600"))
        let scene = try run()
        for _ in 0..<2 {
            #expect(try await scene.get("/a").body == [1])
            _ = try await scene.get("/b")
        }
        #expect(server.count(of: "/b") == 2)
    }

    @Test("an old `Date` or `Age` adds to a response's age")
    func apparentAge() async throws {
        serve("/old", ("Cache-Control", "max-age=60"), ("Date", "Fri, 01 Jan 1999 00:00:00 GMT"))
        serve("/aged", ("Cache-Control", "max-age=60"), ("Age", "61"))
        let scene = try run()
        for path in ["/old", "/aged"] {
            #expect(try await scene.get(path).body == [1])
            #expect(try await scene.get(path).body == [2])
        }
    }

    @Test("after a reload, a body too large for memory is current at once, before it is on disk")
    func unwritten() async throws {
        // The memory cache keeps nothing larger than 2 MB.
        server.route("/a") {
            .bytes([UInt8](repeating: UInt8($0.number), count: 3 << 20), type: nil)
        }
        let scene = try run()
        #expect(try await scene.get("/a").body.first == 1)
        scene.waitForDisk()
        let request = try scene.request("/a")
        let reload = try scene.request("/a", generation: .next())
        // Blocks the disk until the second request, which is more urgent than writing.
        let gate = DispatchSemaphore(value: 0)
        let fetcher = scene.fetcher
        PipelineActor.perform {
            fetcher.store.queue.enqueue(priority: .urgent, work: { gate.wait() }, then: {})
        }
        let second = await withCheckedContinuation { continuation in
            _ = fetcher.fetch(reload, priority: .visible) { _ in
                _ = fetcher.fetch(request, priority: .urgent) { continuation.resume(returning: $0) }
                PipelineActor.perform { gate.signal() }
            }
        }
        #expect(try second.get().body.first == 2)
    }

    @Test("a large body is stored once for two addresses, and losing it costs one transfer")
    func bodies() async throws {
        let body = [UInt8](repeating: 5, count: 100_000)
        for path in ["/a", "/b"] {
            server.route(path) { _ in .bytes(body, type: nil) }
        }
        let first = try run()
        _ = try await first.get("/a")
        _ = try await first.get("/b")
        first.waitForDisk()
        let large = folder.sizes(below: "cache").filter { $0.size >= 100_000 }
        #expect(large.count == 1)
        #expect(try await run().get("/a").body == body)
        unlink(folder.path + "/cache/" + (large.first?.name ?? ""))
        #expect(try await run().get("/a").origin == .network)
        #expect(server.count(of: "/a") == 2)
    }
}

extension ScratchFolder {
    /// Returns the names and sizes of the files in a subfolder.
    func sizes(below folder: String) -> [(name: String, size: Int)] {
        guard let stream = opendir(path + "/" + folder) else { return [] }
        defer { closedir(stream) }
        var files: [(name: String, size: Int)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            if stat("\(path)/\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                files.append((name, Int(status.st_size)))
            }
        }
        return files
    }

    /// Returns the contents of the files in a subfolder.
    func contents(below folder: String) -> [[UInt8]] {
        sizes(below: folder).compactMap { file in
            smallFile("\(path)/\(folder)/\(file.name)", limit: 1 << 30)
        }
    }
}
