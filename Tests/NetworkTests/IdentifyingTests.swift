import Glibc
import Pipeline
import TestSupport
import Testing
import Trace

@testable import Basics
@testable import Network

/// Identifying bodies by hash without reading them.
@Suite struct IdentifyingTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer
    private let body = [UInt8](repeating: 3, count: 50_000)

    init() throws {
        folder = try ScratchFolder()
        server = try LoopbackServer()
    }

    private func run(_ change: (inout NetworkOptions) -> Void = { _ in }) throws -> Scene {
        try Scene(server: server) { options in
            options.cacheFolder = folder.path + "/cache"
            change(&options)
        }
    }

    private var hash: ContentHash { ContentHash(of: body) }

    @Test("a cached response is identified by its hash without its body, fresh or stale")
    func answers() async throws {
        server.route("/fresh") { [body] _ in .bytes(body, type: nil) }
        server.route("/stale") { [body] in
            .validated(
                body, type: "image/png", tag: "\"1\"", for: $0,
                headers: [("Cache-Control", "no-cache")])
        }
        let first = try run()
        #expect(try await first.identity(of: "/fresh") == nil)
        for path in ["/fresh", "/stale"] {
            _ = try await first.get(path)
        }
        first.waitForDisk()
        // The bodies are not needed for identification.
        for file in folder.sizes(below: "cache") where file.size >= body.count {
            unlink(folder.path + "/cache/" + file.name)
        }
        let next = try run()
        #expect(try await next.identity(of: "/fresh") == hash)
        #expect(try await run { $0.isOffline = true }.identity(of: "/stale") == hash)
        #expect(server.requests.count == 2)
        // A response that must be revalidated is, and its body is not sent again.
        #expect(try await next.identity(of: "/stale") == hash)
        #expect(server.requests.last?.header("if-none-match") == "\"1\"")
        #expect(try await next.identity(of: "/fresh", generation: .next()) == nil)
    }

    @Test("a client that knows the body is not sent it again, by the server or from disk")
    func known() async throws {
        server.route("/a") { [body] in
            .validated(
                body, type: "image/png", tag: "\"1\"", for: $0,
                headers: [("Cache-Control", "no-cache")])
        }
        let first = try run()
        _ = try await first.get("/a")
        first.waitForDisk()
        let next = try run()
        #expect(try await next.identity(of: "/a") == hash)
        #expect(server.requests.last?.header("if-none-match") == "\"1\"")
        // The response received meanwhile has been stored, and the body is still there.
        next.waitForDisk()
        #expect(try await run { $0.isOffline = true }.get("/a").body == body)
        // Without a derived result, the body is read where it is needed.
        let last = try run()
        guard case .success(.stored(let read)) = try await last.find("/a", derive: { _ in nil })
        else {
            Issue.record("not on the disk")
            return
        }
        #expect(read()?.body == body)
    }

    @Test("a client whose known body is outdated gets the new one")
    func changed() async throws {
        server.route("/a") { [body] request in
            .bytes(
                request.number == 1 ? body : [9], type: nil,
                headers: [("Cache-Control", "no-cache")])
        }
        let first = try run()
        _ = try await first.get("/a")
        first.waitForDisk()
        guard case .success(.body(let response)) = try await run().find("/a", derive: { $0 }) else {
            Issue.record("no body")
            return
        }
        #expect(response.body == [9])
    }

    @Test("an unchanged file is identified without being read")
    func files() async throws {
        // Older than the clock's granularity, which a file created by the test cannot be.
        let address = Address(path: "/bin/sh")
        let first = try run()
        #expect(try await first.identity(of: address) == nil)
        let response = try await first.fetcher.result(of: Request(address, for: .picture)).get()
        #expect(response.file?.hasChanged == false)
        first.waitForDisk()
        #expect(try await run().identity(of: address) == response.hash.value)
        // The rules for references from pages apply here too.
        let referer = Address("http://example.org/")
        #expect(try await run().identity(of: address, referer: referer) == nil)
    }

    @Test("a changed file is not identified, however well the change is hidden")
    func changedFiles() async throws {
        let path = try folder.write(body, to: "a.jpg")
        let address = Address(path: path)
        let scene = try run()
        // Just written: a further change might leave the same times.
        let response = try await scene.fetcher.result(of: Request(address, for: .picture)).get()
        #expect(response.file == nil)
        scene.waitForDisk()
        #expect(try await scene.identity(of: address) == nil)
        let open = try #require(OpenFile(path))
        #expect(!open.hasChanged)
        truncate(path, 1)
        #expect(open.hasChanged)
        try folder.write(body, to: "a.jpg")
        func record() throws {
            let identity = try #require(FileIdentity(path: path))
            scene.fetcher.store.cache?.note(hash, ofFileAt: path, identity)
        }
        try record()
        #expect(try await scene.identity(of: address) == hash)
        // Of the same length and with the same mtime, but the ctime differs as soon as its clock has ticked.
        var status = stat()
        stat(path, &status)
        let before = FileIdentity(status)
        var later = status
        while later.st_ctim.tv_nsec == status.st_ctim.tv_nsec {
            try folder.write([UInt8](repeating: 4, count: body.count), to: "a.jpg")
            utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0)
            stat(path, &later)
        }
        #expect(FileIdentity(path: path)?.modified == before.modified)
        #expect(try await scene.identity(of: address) == nil)
        try record()
        // Replaced by another file, then missing.
        try folder.write(body, to: "b.jpg")
        rename(folder.path + "/b.jpg", path)
        #expect(try await scene.identity(of: address) == nil)
        unlink(path)
        #expect(try await scene.identity(of: address) == nil)
    }

    @Test("a file is trusted from two seconds after its last change")
    func racy() {
        var status = stat()
        status.st_mtim = timespec(tv_sec: 1000, tv_nsec: 5)
        status.st_ctim = timespec(tv_sec: 1000, tv_nsec: 9)
        let identity = FileIdentity(status)
        #expect(!identity.isSettled(at: 1_002_000_000_009))
        #expect(identity.isSettled(at: 1_002_000_000_010))
        // A time in the future: a later change might go undetected.
        #expect(!identity.isSettled(at: 900_000_000_000))
    }

    @Test("without a cache folder nothing is identified or written")
    func noFolder() async throws {
        server.route("/a") { [body] _ in .bytes(body, type: nil) }
        let scene = try Scene(server: server)
        _ = try await scene.get("/a")
        #expect(try await scene.identity(of: "/a") == nil)
        #expect(folder.sizes(below: "cache").isEmpty)
    }
}

extension Scene {
    /// Returns the hash of the cached body, if it is enough to answer the request.
    fileprivate func identity(
        of path: String, generation: CacheGeneration = .any
    ) async throws -> ContentHash? {
        await identity(of: try request(path, generation: generation))
    }

    fileprivate func identity(
        of address: Address, referer: Address? = nil
    ) async throws -> ContentHash? {
        await identity(of: Request(address, for: .picture, referer: referer))
    }

    private func identity(of request: Request) async -> ContentHash? {
        guard case .success(.derived(let hash)) = await find(request, derive: { $0 }) else {
            return nil
        }
        return hash
    }

    fileprivate func find(
        _ path: String, derive: @escaping @Sendable (ContentHash) -> ContentHash?
    ) async throws -> Result<Found<ContentHash>, FetchError> {
        await find(try request(path), derive: derive)
    }

    private func find(
        _ request: Request, derive: @escaping @Sendable (ContentHash) -> ContentHash?
    ) async -> Result<Found<ContentHash>, FetchError> {
        await withCheckedContinuation { continuation in
            PipelineActor.perform { [fetcher] in
                _ = fetcher.find(
                    request, priority: .visible, flow: .none, derive: derive
                ) { continuation.resume(returning: $0) }
            }
        }
    }
}
