import Archives
import Basics
import Pipeline
import TestSupport
import TestTraits
import Testing

@testable import Network

private let picture = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
private let beginning = Part(from: 0, count: 131_072)
private let tag = [(name: "ETag", value: "\"1\"")]

/// Parts of pictures and archives, requested by their ranges.
@Suite(.onOwnThread) struct PartTests {
    private func part(_ part: Part, of path: String, in scene: Scene) async throws -> Response {
        var request = try scene.request(path)
        request.part = part
        return try await scene.fetcher.result(of: request).get()
    }

    @Test("a part is cached as one, and the rest is added to it when the whole is wanted")
    func rest() async throws {
        let folder = try ScratchFolder()
        let scene = try Scene { $0.cacheFolder = folder.path }
        scene.server.route("/a") { request in
            .ranged(picture, type: "image/jpeg", tag: "\"1\"", for: request)
        }
        for _ in 1...2 {
            let response = try await part(beginning, of: "/a", in: scene)
            #expect(response.isPart && response.length == 400_000)
            #expect(response.body == Array(picture[..<131_072]))
        }
        let whole = try await scene.get("/a")
        #expect(!whole.isPart && whole.body == picture && whole.length == 400_000)
        #expect(try await part(beginning, of: "/a", in: scene).body == picture)
        let requests = scene.server.requests(to: "/a")
        #expect(requests.map { $0.header("range") } == ["bytes=0-131071", "bytes=131072-"])
        #expect(requests.map { $0.header("accept-encoding") } == ["identity", "identity"])
        #expect(requests.last?.header("if-range") == "\"1\"")
        #expect(try await part(Part(5..<9), of: "/a", in: scene).body == Array(picture[5..<9]))
        #expect(try await part(Part(count: 7), of: "/a", in: scene).origin == .memory)
    }

    @Test(
        "a server without ranges, or with others than asked for, is asked for the whole",
        arguments: [
            .bytes(picture, type: "image/jpeg", headers: tag),
            .part(Array(picture[..<9]), range: "bytes 0-8/400000", headers: tag),
            .part(Array(picture[1...131_072]), range: "bytes 1-131072/400000", headers: tag),
            .part(Array(picture[..<131_072]), range: "bytes 0-131071/*", headers: tag),
            .part(Array(picture[..<131_072]), range: nil, headers: tag),
            .part(Array(picture[..<9]), range: "bytes 0-131071/400000", headers: tag),
            .part(
                Array(picture[..<131_072]), range: "bytes 0-131071/400000",
                headers: tag + [("Content-Encoding", "gzip")]),
            .part(picture, range: "bytes 0-399999/400000", headers: tag),
            .status(416),
        ] as [ServerResponse])
    func misfits(_ answer: ServerResponse) async throws {
        let scene = try Scene()
        scene.server.route("/a") { request in
            request.header("range") == nil
                ? .bytes(picture, type: "image/jpeg", headers: tag) : answer
        }
        let response = try await part(beginning, of: "/a", in: scene)
        #expect(!response.isPart && response.body == picture)
        #expect(try await scene.get("/a").origin == .memory)
        #expect(scene.server.requests(to: "/a").count <= 2)
    }

    @Test("a beginning is never joined to the rest of another version")
    func versions() async throws {
        let scene = try Scene()
        let other = picture.map { ~$0 }
        scene.server.route("/a") { request in
            request.number == 1
                ? .ranged(picture, type: nil, tag: "\"1\"", for: request)
                : .ranged(other, type: nil, tag: "\"2\"", for: request)
        }
        #expect(try await part(beginning, of: "/a", in: scene).isPart)
        #expect(try await scene.get("/a").body == other)
    }

    /// Serves a zip archive of `count` files of 9,000 bytes as `/a.cbz`, in a version by `number`.
    private func serve(_ count: Int, as tag: String, seed: UInt8, in scene: Scene) throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/a.zip"
        let files = (1...count).map {
            ("folder/\($0).png", [UInt8](repeating: UInt8($0 & 0x7F) ^ seed, count: 9000))
        }
        #expect(PackedFiles.write(files, to: path, as: .storedZip))
        let bytes = folder.read("a.zip")
        scene.server.route("/a.cbz") { request in
            // As most servers do.
            let suffix = request.header("range")?.firstMatch(of: /bytes=-(\d+)/)
            guard let count = suffix.flatMap({ Int($0.1) }), count < bytes.count else {
                return .ranged(bytes, type: nil, tag: tag, for: request)
            }
            return .part(
                bytes.suffix(count),
                range: "bytes \(bytes.count - count)-\(bytes.count - 1)/\(bytes.count)",
                headers: [("ETag", tag)])
        }
    }

    @Test(
        "a file in a zip archive is found by the directory at its end; no more is fetched",
        arguments: [(5, 1), (12, 2), (3000, 3)])
    func archive(_ count: Int, _ requests: Int) async throws {
        let scene = try Scene { $0.maxBytes = 1 << 20 }
        try serve(count, as: "\"1\"", seed: 0, in: scene)
        let address = try scene.request("/a.cbz").address
        // Also where all is in the end that is read first.
        let page = try await scene.get("/a.cbz", for: .page)
        #expect(page.isPart == (count > 5))
        let request = Request(address.entry("folder/\(count).png"), for: .picture)
        let entry = try await scene.fetcher.result(of: request).get()
        #expect(entry.body == [UInt8](repeating: UInt8(count & 0x7F), count: 9000))
        #expect(scene.server.requests(to: "/a.cbz").count == requests)
        let missing = Request(address.entry("folder/0.png"), for: .picture)
        let failure = await scene.fetcher.result(of: missing)
        #expect(throws: FetchError.noSuchFile) { try failure.get() }
    }

    @Test("what a server calls the whole is no more than a part if it is as long as the part")
    func liar() async throws {
        let scene = try Scene()
        scene.server.route("/a") { request in
            request.header("range")?.hasPrefix("bytes=0-") == true
                ? .part(Array(picture[..<131_072]), range: "bytes 0-131071/131072", headers: tag)
                : .bytes(picture, type: "image/jpeg", headers: tag)
        }
        #expect(try await part(beginning, of: "/a", in: scene).isPart)
        #expect(try await scene.get("/a").body == picture)
    }

    @Test("of an archive whose servers differ, or which has changed, all is fetched once")
    func differing() async throws {
        let scene = try Scene()
        try serve(60, as: "\"1\"", seed: 0, in: scene)
        let address = try scene.request("/a.cbz").address
        var request = Request(address.entry("folder/7.png"), for: .picture)
        #expect(try await scene.fetcher.result(of: request).get().body.first == 7)
        try serve(60, as: "\"2\"", seed: 1, in: scene)
        for number in 20...29 {
            request.address = address.entry("folder/\(number).png")
            let body = try await scene.fetcher.result(of: request).get().body
            #expect(body == [UInt8](repeating: UInt8(number) ^ 1, count: 9000))
        }
        let ranges = scene.server.requests(to: "/a.cbz").map { $0.header("range") ?? "" }
        #expect(ranges.count { $0.hasPrefix("bytes=0-2") } == 1, "\(ranges)")
    }

    @Test("a file of another version of an archive is not shown; the archive is read again by R")
    func changed() async throws {
        let scene = try Scene { $0.maxBytes = 1 << 20 }
        try serve(300, as: "\"1\"", seed: 0, in: scene)
        let address = try scene.request("/a.cbz").address
        var request = Request(address.entry("folder/7.png"), for: .picture)
        #expect(try await scene.fetcher.result(of: request).get().body.first == 7)
        try serve(300, as: "\"2\"", seed: 1, in: scene)
        // What is cached is of the version that is open.
        #expect(try await scene.fetcher.result(of: request).get().body.first == 7)
        // Neither is a part of it that the server says is current.
        request.address = address.entry("folder/8.png")
        for _ in 1...2 {
            let failure = await scene.fetcher.result(of: request)
            #expect(throws: FetchError.self) { try failure.get() }
        }
        let page = try await scene.get("/a.cbz", for: .page, generation: .next())
        _ = try scene.fetcher.archives.open(page)
        #expect(try await scene.fetcher.result(of: request).get().body.first == 9)
        request.address = address.entry("folder/7.png")
        #expect(try await scene.fetcher.result(of: request).get().body.first == 6)
    }
}
