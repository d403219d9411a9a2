import Network
import Pipeline
import TestSupport
import Testing
import Trace

@testable import Gallery

/// Requests for the page behind a thumbnail.
@Suite struct DetailLoadingTests {
    private let page = Address("https://photos.example/gallery/") ?? Address(path: "/")

    private func picture(link: String?) -> Picture {
        Picture(
            variants: [Picture.Variant(address: page)], link: link.flatMap { Address($0) },
            page: page,
            title: "")
    }

    private func load(
        _ loader: GalleryLoader, _ picture: Picture
    ) async -> Result<Detail, PageError> {
        await withCheckedContinuation { continuation in
            _ = loader.loadDetail(of: picture, rule: nil, generation: .any, priority: .urgent) {
                continuation.resume(returning: $0)
            }
        }
    }

    @Test("a detail request carries the linking page as referer and equals an album request")
    func request() async throws {
        let link = "https://photos.example/photo/1/"
        let fetcher = InstantFetcher([:])
        let loader = GalleryLoader(fetcher: fetcher)
        let result = await load(loader, picture(link: link))
        #expect(throws: PageError.self) { try result.get() }
        let address = try #require(Address(link))
        await withCheckedContinuation { continuation in
            _ = loader.load(Request(address, for: .page, referer: page)) { _ in
                continuation.resume()
            }
        }
        #expect(fetcher.requests == [fetcher.requests[0], fetcher.requests[0]])
        #expect(fetcher.requests[0].referer == page)
        #expect(fetcher.requests[0].purpose == .page)
    }

    @Test("a picture without a link has no detail page, and nothing is requested")
    func noLink() async {
        let fetcher = InstantFetcher([:])
        let result = await load(GalleryLoader(fetcher: fetcher), picture(link: nil))
        #expect(throws: PageError.self) { try result.get() }
        #expect(fetcher.requests.isEmpty)
    }

    @Test("a remote page's link to a local folder yields nothing")
    func folder() async throws {
        let fetcher = InstantFetcher([:])
        let result = await load(GalleryLoader(fetcher: fetcher), picture(link: "file:///tmp/"))
        // The fetcher refuses file requests from network pages; nothing is read before that.
        #expect(fetcher.requests.map(\.referer) == [page])
        #expect(throws: PageError.self) { try result.get() }
    }

    @Test("cancelling reports the cancellation once")
    func cancelling() async {
        let gate = Gate()
        let loader = GalleryLoader(fetcher: InstantFetcher([:], gate: gate))
        let result = await withCheckedContinuation { continuation in
            loader.loadDetail(
                of: picture(link: "https://photos.example/photo/1/"), rule: nil, generation: .any,
                priority: .visible
            ) {
                continuation.resume(returning: $0)
            }.cancel()
        }
        gate.open()
        guard case .failure(.cancelled) = result else {
            Issue.record("\(result)")
            return
        }
    }
}
