import Basics
import Pipeline
import TestSupport
import TestTraits
import Testing

@testable import Network

private let picture = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
private let half = 20_000
private let quarter = 10_000

/// Responses of broken or hostile servers to a range request.
private let misfits: [ServerResponse] = [
    // Another range, another length, an overlap, a gap, a premature end, no range, several parts.
    .part([1, 2, 3], range: "bytes 0-2/40000", headers: tag),
    .part([UInt8](repeating: 1, count: 20_000), range: "bytes 20000-39999/40001", headers: tag),
    .part([UInt8](repeating: 1, count: 20_001), range: "bytes 20000-40000/40001", headers: tag),
    .part([UInt8](repeating: 1, count: 20_001), range: "bytes 19999-39999/40000", headers: tag),
    .part([UInt8](repeating: 1, count: 19_999), range: "bytes 20001-39999/40000", headers: tag),
    .part([UInt8](repeating: 1, count: 10), range: "bytes 20000-20009/40000", headers: tag),
    .part([UInt8](repeating: 1, count: 20_000), range: "bytes 20000-39999/*", headers: tag),
    .part([UInt8](repeating: 1, count: 20_000), range: nil, headers: tag),
    .part(
        Array("--x\r\nContent-Range: bytes 20000-39999/40000\r\n\r\n".utf8), range: nil,
        headers: tag + [("Content-Type", "multipart/byteranges; boundary=x")]),
    // A body longer or shorter than declared.
    .part([UInt8](repeating: 1, count: 20_001), range: "bytes 20000-39999/40000", headers: tag),
    .part([UInt8](repeating: 1, count: 19_999), range: "bytes 20000-39999/40000", headers: tag),
    // Another version, no version, an encoded body.
    .part(
        [UInt8](repeating: 1, count: 20_000), range: "bytes 20000-39999/40000",
        headers: [("ETag", "\"2\"")]),
    .part([UInt8](repeating: 1, count: 20_000), range: "bytes 20000-39999/40000"),
    .part(
        [UInt8](repeating: 1, count: 20_000), range: "bytes 20000-39999/40000",
        headers: tag + [("Content-Encoding", "gzip")]),
    .status(416, headers: [("Content-Range", "bytes */40000")]),
    .status(416),
]
private let tag = [(name: "ETag", value: "\"1\"")]

/// Interrupted bodies are resumed where they ended, if that is certain to be correct.
@Suite(.onOwnThread) struct ResumeTests {
    @Test(
        "a body that is truncated, reset or stalled resumes where it broke off",
        arguments: [
            ServerResponse.Delivery.truncated(after: half), .reset(after: half),
            .stalled(after: half),
        ])
    func goesOn(when delivery: ServerResponse.Delivery) async throws {
        // Long enough for a busy machine to start the second response in time.
        let scene = try Scene { if case .stalled = delivery { $0.timeout = 5 } }
        scene.server.route("/a") { request in
            let answer = ServerResponse.ranged(
                picture, type: "image/jpeg", tag: "\"1\"", for: request,
                headers: [("X-Number", "\(request.number)")])
            return request.number == 1 ? answer.delivered(delivery) : answer
        }
        let response = try await scene.get("/a")
        #expect(response.body == picture)
        #expect(response.mediaType == "image/jpeg")
        #expect(response.headers["x-number"] == "2")
        #expect(response.headers["content-length"] == "40000")
        #expect(response.headers["content-range"] == nil)
        let requests = scene.server.requests(to: "/a")
        #expect(requests.count == 2)
        #expect(requests[0].header("range") == nil)
        #expect(requests[0].header("accept-encoding") != "identity")
        // A reset may overtake bytes sent before it.
        let from = try #require(requests[1].header("range")?.dropFirst(6).dropLast())
        #expect((PartialBody.smallest...half).contains(Int(from) ?? 0))
        #expect(requests[1].header("if-range") == "\"1\"")
        #expect(requests[1].header("accept-encoding") == "identity")
        // The joined body is cached like any other.
        #expect(try await scene.get("/a").origin == .memory)
    }

    @Test("a cancelled transfer resumes when requested again, even behind a redirect")
    func cancelled() async throws {
        let scene = try Scene()
        scene.server.route("/moved") { _ in .redirect(to: "/a") }
        scene.server.route("/a") { request in
            let answer = ServerResponse.ranged(
                picture, type: "image/jpeg", tag: "\"1\"", for: request)
            // Less than half, or the cancelled transfer would be allowed to finish.
            return request.number == 1 ? answer.delivered(.stalled(after: quarter)) : answer
        }
        let request = try scene.request("/moved")
        let came = Gate()
        let watch = scene.fetcher.watch(request.address) { arrival in
            if arrival.bytes.count >= quarter { came.open() }
        }
        let first = scene.fetcher.started(request, priority: .visible)
        await came.passed()
        watch.cancel()
        first.subscription?.cancel()
        #expect(await first.result().failure == .cancelled)
        #expect(try await scene.get("/moved").body == picture)
        #expect(scene.server.requests(to: "/a").last?.header("range") == "bytes=10000-")
    }

    @Test("a date is a valid validator if it is at least a minute older than the response")
    func byDate() async throws {
        let scene = try Scene()
        let day = "Fri, 15 Jan 2027"
        for (path, sent) in [("/old", "08:01:00"), ("/young", "08:00:59")] {
            scene.server.route(path) { request in
                let headers = [
                    ("Last-Modified", "\(day) 08:00:00 GMT"), ("Date", "\(day) \(sent) GMT"),
                ]
                guard request.number > 1 else {
                    return .bytes(picture, type: nil, headers: headers)
                        .delivered(.truncated(after: half))
                }
                let rest = Array(picture[half...])
                return .part(rest, range: "bytes 20000-39999/40000")
            }
        }
        #expect(try await scene.get("/old").body == picture)
        let asked = scene.server.requests(to: "/old").last
        #expect(asked?.header("if-range") == "\(day) 08:00:00 GMT")
        #expect(try await scene.failure(of: "/young") != nil)
        #expect(scene.server.requests(to: "/young").allSatisfy { $0.header("range") == nil })
    }

    @Test(
        "a body without a strong validator or range support is not resumed",
        arguments: [
            [("ETag", "W/\"1\"")], [("ETag", "1")], [("ETag", "\"1\"\"2\"")], [],
            [("ETag", "\"1\""), ("Accept-Ranges", "none")],
            [
                ("ETag", "W/\"1\""), ("Last-Modified", "Fri, 15 Jan 1999 00:00:00 GMT"),
                ("Date", "Fri, 15 Jan 2027 00:00:00 GMT"),
            ],
        ] as [[(String, String)]])
    func notResumable(headers: [(String, String)]) async throws {
        let scene = try Scene()
        scene.server.route("/a") { _ in
            .bytes(picture, type: nil, headers: headers).delivered(.truncated(after: half))
        }
        #expect(try await scene.failure(of: "/a") == .connectionFailed("the connection was lost"))
        #expect(scene.server.requests(to: "/a").allSatisfy { $0.header("range") == nil })
    }

    @Test("a body of a few bytes is fetched anew")
    func small() {
        let tag = [(name: "etag", value: "\"1\"")]
        #expect(
            PartialBody(headers: tag, body: Array(repeating: 1, count: 2047), total: 9000) == nil)
        #expect(
            PartialBody(headers: tag, body: Array(repeating: 1, count: 2048), total: 9000) != nil)
        #expect(
            PartialBody(headers: tag, body: Array(repeating: 1, count: 9000), total: 9000) == nil)
    }

    @Test("a changed body replaces the partial one")
    func changed() async throws {
        let scene = try Scene()
        let other = [UInt8](repeating: 9, count: 30_000)
        scene.server.route("/a") { request in
            request.number == 1
                ? .ranged(picture, type: "image/jpeg", tag: "\"1\"", for: request)
                    .delivered(.truncated(after: half))
                : .ranged(other, type: "image/png", tag: "\"2\"", for: request)
        }
        let response = try await scene.get("/a")
        #expect(response.body == other)
        #expect(response.mediaType == "image/png")
        #expect(scene.server.count(of: "/a") == 2)
    }

    @Test(
        "a partial body that does not fit is discarded, and the whole is requested again",
        arguments: 0..<misfits.count)
    func refusesMisfit(number: Int) async throws {
        let scene = try Scene { $0.retries = 1 }
        scene.server.route("/a") { request in
            switch request.number {
            case 1:
                .ranged(picture, type: nil, tag: "\"1\"", for: request)
                    .delivered(.truncated(after: half))
            case 2: misfits[number]
            default: .ranged(picture, type: nil, tag: "\"1\"", for: request)
            }
        }
        #expect(try await scene.get("/a").body == picture)
        let asked: [String?] = scene.server.requests(to: "/a").map { $0.header("range") }
        #expect(asked == [nil, "bytes=20000-", nil])
    }

    @Test("a body that becomes too large with its rest is refused")
    func tooLarge() async throws {
        let scene = try Scene { $0.maxBytes = 30_000 }
        scene.server.route("/a") { request in
            request.number == 1
                ? .bytes(picture, type: nil, headers: tag).delivered(
                    .chunkedTruncated(after: half))
                : .ranged(picture, type: nil, tag: "\"1\"", for: request)
        }
        #expect(try await scene.failure(of: "/a") == .tooLarge(limit: 30_000))
    }

    @Test("an unrequested part is refused unless it is the whole body")
    func unasked() async throws {
        let scene = try Scene()
        scene.server.route("/part") { _ in .part([1, 2, 3], range: "bytes 0-2/4") }
        scene.server.route("/none") { _ in .part([1, 2, 3], range: nil) }
        scene.server.route("/whole") { _ in .part([1, 2, 3], range: "bytes 0-2/3") }
        for path in ["/part", "/none"] {
            let error = try await scene.failure(of: path)
            #expect(error == .other("the server sent a part that was not asked for"))
        }
        #expect(try await scene.get("/whole").body == [1, 2, 3])
    }

    @Test("a temporary error keeps the partial body, and attempts are counted")
    func counted() async throws {
        let scene = try Scene { $0.retries = 3 }
        scene.server.route("/a") { request in
            let answer = ServerResponse.ranged(picture, type: nil, tag: "\"1\"", for: request)
            switch request.number {
            case 2: return .status(503)
            default: return answer.delivered(.truncated(after: 4000))
            }
        }
        guard case .connectionFailed = try await scene.failure(of: "/a") else {
            Issue.record("it did not end as a broken connection")
            return
        }
        let asked: [String?] = scene.server.requests(to: "/a").map { $0.header("range") }
        #expect(asked == [nil, "bytes=4000-", "bytes=4000-", "bytes=8000-"])
    }

    @Test("partial bodies are limited in bytes and number, and returned once")
    func store() throws {
        var store = PartialStore()
        func partial(_ count: Int) throws -> PartialBody {
            let tag = [(name: "etag", value: "\"1\"")]
            return try #require(
                PartialBody(headers: tag, body: [UInt8](repeating: 0, count: count), total: nil))
        }
        func key(_ number: Int) throws -> Request {
            Request(try #require(Address("http://a/\(number)")), for: .picture)
        }
        for number in 0..<100 { store.keep(try partial(2048), for: try key(number)) }
        #expect(store.count == PartialStore.maxEntries)
        #expect(store.byteCount == 2048 * PartialStore.maxEntries)
        let taken = store.take(try key(99))
        #expect(taken?.body.count == 2048)
        #expect(store.take(try key(99)) == nil)
        #expect(store.take(try key(0)) == nil)
        store.keep(try partial(PartialStore.capacity - 2048), for: try key(200))
        #expect(store.count == 2)
        store.keep(try partial(PartialStore.capacity + 1), for: try key(201))
        #expect(store.count == 2)
        #expect(store.byteCount == PartialStore.capacity)
    }

    @Test("a Content-Range is parsed strictly or rejected")
    func contentRanges() {
        let range = ContentRange("bytes 5-9/10")
        #expect(range?.first == 5)
        #expect(range?.last == 9)
        #expect(range?.total == 10)
        #expect(ContentRange("Bytes 0-0/1") != nil)
        for text in [
            "bytes 5-10/10", "bytes 9-5/10", "bytes 5-9/*", "bytes */10", "bytes -5-9/10", "5-9/10",
            "bytes +5-9/10", "bytes 5-9/10/11", "bytes 5-9", "bytes 5/9-10", "bytes a-b/c",
            "bytes ",
            "bytes 0-99999999999999999999/99999999999999999999999", "items 5-9/10", "bytes=5-9/10",
        ] {
            #expect(ContentRange(text) == nil, "\(text)")
        }
    }
}
