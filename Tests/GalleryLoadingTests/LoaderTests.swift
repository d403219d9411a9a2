import Basics
import Dispatch
import Glibc
import Network
import Pipeline
import TestSupport
import Testing
import Trace

@testable import Gallery

@Suite struct LoaderTests {
    private let address = Address("https://photos.example/gallery/") ?? Address(path: "/")

    private func response(_ body: [UInt8], type: String?, charset: String? = nil) -> Result<
        Response, FetchError
    > {
        .success(
            Response(
                address: address, mediaType: type, charset: charset, body: body, origin: .network))
    }

    @Test("slow pages do not block others, even if they outnumber the processors")
    func slowPages() async {
        let slow = (0...sysconf(Int32(_SC_NPROCESSORS_ONLN))).map {
            Address("https://slow.example/\($0)") ?? address
        }
        let answers = (slow + [address]).map { address in
            let body = Array("<main><img src=1.jpg><img src=2.jpg>".utf8)
            let page = Response(
                address: address, mediaType: "text/html", headers: [], body: body, origin: .network)
            return (address, Result<Response, FetchError>.success(page))
        }
        let fetcher = InstantFetcher(Dictionary(uniqueKeysWithValues: answers))
        let isRead = Locked(false)
        let loader = GalleryLoader(
            fetcher: fetcher,
            reader: PageReader(explain: { text in
                guard text.contains("slow.example") else { return }
                // Busy like a parser: Dispatch adds threads for those that block.
                let deadline = DispatchTime.testDeadline
                while !isRead.withLock({ $0 }), DispatchTime.now() < deadline {}
            }))
        let held = slow.map { loader.load(Request($0, for: .page)) { _ in } }
        let isInTime = await withCheckedContinuation { continuation in
            let end = DispatchTime.testDeadline
            _ = loader.load(Request(address, for: .page)) { _ in
                isRead.withLock { $0 = true }
                continuation.resume(returning: DispatchTime.now() < end)
            }
        }
        #expect(isInTime)
        held.forEach { $0.cancel() }
    }

    /// Loads a page; returns nil after a time that only a hang takes.
    private func load(_ fetcher: InstantFetcher, generation: CacheGeneration = .any) async
        -> Result<
            Page, PageError
        >
    {
        let loader = GalleryLoader(fetcher: fetcher)
        return await withCheckedContinuation { continuation in
            _ = loader.load(Request(address, for: .page, generation: generation)) {
                continuation.resume(returning: $0)
            }
        }
    }

    private func outcome(_ body: [UInt8], type: String?) async -> String {
        switch await load(InstantFetcher([address: response(body, type: type)])) {
        case .success(let page): "\(page.pictures.count) of \(page.pictures.first?.byteCount ?? 0)"
        case .failure(let error): error.description
        }
    }

    @Test(
        "a page without pictures is read through its feed, frame or redirect",
        arguments: [
            ("<link rel=alternate type='application/rss+xml' href=/other>", true),
            (
                "<frameset><frame name=main src=/main><frame name=thumbs src=/other></frameset>",
                true
            ),
            ("<meta http-equiv=refresh content='0; URL=/other'>", true),
            (
                "<link rel=next href=/2><link rel=alternate type='application/rss+xml' href=/other>",
                true
            ),
            ("<meta http-equiv=refresh content='600; URL=/other'>", false),
            ("<link rel=alternate type='application/rss+xml' href=/comments/other>", false),
            ("<meta http-equiv=refresh content='0; URL=file:///other'>", false),
        ])
    func otherForms(_ html: String, _ isFound: Bool) async throws {
        let feed = Array(
            "<rss><channel><item><enclosure type='image/jpeg' url='/1.jpg'/></item></channel></rss>"
                .utf8)
        let other = try #require(Address("https://photos.example/other"))
        let fetcher = InstantFetcher([
            address: response(Array(html.utf8), type: "text/html"),
            other: .success(
                Response(address: other, mediaType: "text/xml", body: feed, origin: .network)),
        ])
        switch await load(fetcher) {
        case .success(let page):
            #expect(isFound)
            #expect(page.pictures.count == 1)
        case .failure(let error):
            #expect(!isFound)
            #expect(error.description == "no pictures found")
        }
    }

    @Test("a page without pictures that names a next page is not a failure, with or without a feed")
    func emptyPage() async throws {
        let next = try #require(Address("https://photos.example/2"))
        for feed in ["", "<link rel=alternate type='application/rss+xml' href=/gone>"] {
            let html = "<p>Welcome<link rel=next href=/2>" + feed
            let page = try await load(
                InstantFetcher([address: response(Array(html.utf8), type: "text/html")])
            ).get()
            #expect(page.isWithoutPictures)
            #expect(page.next == next)
        }
    }

    @Test("a response's kind is determined by its content, not its name")
    func kinds() async {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 1, count: 20)
        let html = Array("<p><img src=1.jpg>".utf8)
        #expect(await outcome(jpeg, type: nil) == "1 of 24")
        #expect(await outcome(jpeg, type: "text/html") == "1 of 24")
        #expect(await outcome(Array("??".utf8), type: "image/x-new") == "1 of 2")
        #expect(await outcome(html, type: "text/html") == "1 of 0")
        #expect(await outcome(html, type: nil) == "1 of 0")
        #expect(await outcome(html, type: "application/octet-stream") == "1 of 0")
        #expect(
            await outcome(html, type: "text/plain") == "is text/plain, neither a page nor a picture"
        )
        #expect(
            await outcome(Array("hello".utf8), type: nil) == "is text, neither a page nor a picture"
        )
        #expect(
            await outcome([0, 1, 2, 3], type: nil) == "is binary data, neither a page nor a picture"
        )
        #expect(await outcome([], type: "text/html") == "the page is empty")
        #expect(await outcome(Array("<p>x".utf8), type: "text/html") == "no pictures found")
        #expect(
            await outcome(Array("{}".utf8), type: "application/json")
                == "is application/json, neither a page nor a picture")
    }

    @Test("a fetch error is passed on, and a reload bypasses the cache")
    func errors() async {
        let fetcher = InstantFetcher([:])
        let generation = CacheGeneration.next()
        guard case .failure(.fetch(.status(404))) = await load(fetcher, generation: generation)
        else {
            Issue.record("no 404")
            return
        }
        #expect(fetcher.requests == [Request(address, for: .page, generation: generation)])
    }

    @Test("a cancellation is reported once, whatever arrives later")
    func cancel() async {
        let gate = Gate()
        let fetcher = InstantFetcher(
            [address: response(Array("<img src=1.jpg>".utf8), type: "text/html")], gate: gate)
        let loader = GalleryLoader(fetcher: fetcher)
        let told = Locked<[String]>([])
        await withCheckedContinuation { continuation in
            let load = loader.load(Request(address, for: .page)) { result in
                if case .failure(.cancelled) = result {
                    told.withLock { $0.append("cancelled") }
                } else {
                    told.withLock { $0.append("other") }
                }
                continuation.resume()
            }
            load.cancel()
            load.cancel()
            gate.open()
        }
        #expect(told.withLock { $0 } == ["cancelled"])
    }

    @Test("cancelling during a load never reports twice, in a hundred attempts")
    func races() async {
        let html = Array(("<main>" + (1...50).map { "<img src=\($0).jpg>" }.joined()).utf8)
        let loader = GalleryLoader(
            fetcher: InstantFetcher([address: response(html, type: "text/html")]))
        for _ in 0..<100 {
            // A second resume of a checked continuation traps.
            await withCheckedContinuation { continuation in
                let load = loader.load(Request(address, for: .page)) { _ in
                    continuation.resume()
                }
                load.setPriority(.prefetch)
                load.cancel()
            }
        }
    }

    @Test("a folder is read from disk without the fetcher")
    func folder() async throws {
        let fetcher = InstantFetcher([:])
        let loader = GalleryLoader(fetcher: fetcher)
        let here = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        let result = await withCheckedContinuation { continuation in
            _ = loader.load(Request(Address(path: here, isFolder: true), for: .page)) {
                continuation.resume(returning: $0)
            }
        }
        guard case .failure(.noPictures) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fetcher.requests.isEmpty)
    }

    @Test("the disk is accessed on a worker, never on the calling thread")
    func disk() async throws {
        // The folder does not exist when the load begins: whether it is one is determined later, on a worker.
        let scratch = try ScratchFolder()
        let folder = Address(path: scratch.path + "/album", isFolder: true)
        let workers = DispatchQueue(
            label: "test", attributes: [.concurrent, .initiallyInactive])
        let fetcher = InstantFetcher([:])
        let loader = GalleryLoader(fetcher: fetcher, workers: workers)
        var picture = Picture(
            variants: [.init(address: Address(path: "/x.jpg"))], page: Address(path: "/"),
            title: "")
        picture.link = folder
        let outcomes = try await withCheckedThrowingContinuation { continuation in
            let outcomes = Locked<[String]>([])
            let tell: @Sendable (String) -> Void = { outcome in
                let all = outcomes.withLock { $0 + [outcome] }
                outcomes.withLock { $0 = all }
                if all.count == 2 { continuation.resume(returning: all.sorted()) }
            }
            _ = loader.load(Request(folder, for: .page)) { result in
                tell((try? result.get()).map { "\($0.pictures.count) picture" } ?? "no page")
            }
            _ = loader.loadDetail(of: picture, rule: nil, generation: .any, priority: .urgent) {
                result in
                tell("\((try? result.get()) == .album)")
            }
            do {
                try scratch.write([0xFF, 0xD8, 0xFF], to: "album/1.jpg")
            } catch {
                continuation.resume(throwing: error)
            }
            workers.activate()
        }
        #expect(outcomes == ["1 picture", "true"])
        #expect(fetcher.requests.isEmpty)
    }

    @Test("a folder named by a remote page is not read but left to the fetcher's rules")
    func folderNamedFromAfar() async throws {
        let fetcher = InstantFetcher([:])
        let loader = GalleryLoader(fetcher: fetcher)
        let page = try #require(Address("https://example.org/"))
        let folder = Address(path: "/usr", isFolder: true)
        await withCheckedContinuation { continuation in
            _ = loader.load(Request(folder, for: .page, referer: page)) { _ in continuation.resume()
            }
        }
        #expect(fetcher.requests.map(\.referer) == [page])
    }
}
