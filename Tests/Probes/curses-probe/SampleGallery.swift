import Browser
import Gallery
import ImageCodecs
import Network
import Pipeline
import Raster
import TestSupport
import Thumbnails
import Trace

/// A gallery without network and disk, whose pictures are in memory at once: for tests of the loop.
enum SampleGallery {
    @MainActor static func model(main: any MainScheduling, style: RenderStyle) -> BrowserModel? {
        guard let address = Address("https://example.org/gallery") else { return nil }
        let pages = GatedPages()
        pages.set(.success(page(at: address)), at: address)
        pages.open()
        var options = BrowserOptions()
        options.style = style
        return BrowserModel(
            sources: [Source(argument: "gallery", address: address)], options: options,
            pages: pages,
            thumbnails: ReadyThumbnails(), main: main, tracer: .disabled)
    }

    private static func page(at address: Address) -> Page {
        let pictures = (1...60).compactMap { index -> Picture? in
            guard let file = Address("https://example.org/\(index).jpg") else { return nil }
            return Picture(
                variants: [.init(address: file)], page: address, title: "picture \(index)")
        }
        return Page(address: address, title: "Samples", pictures: pictures)
    }
}

/// Thumbnails of one colour, made while one waits.
private struct ReadyThumbnails: ThumbnailLoading {
    var transfersInFlight: Int { 0 }

    func cached(_ request: ThumbnailRequest) -> Thumbnail? {
        let color = RGB(
            UInt32(truncatingIfNeeded: request.address.text.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
        let cell = Cell(glyph: 0x2580, foreground: request.style.depth.nearest(to: color))
        return Thumbnail(
            cells: CellGrid(size: request.box, filledWith: cell),
            facts: PictureFacts(
                size: PixelSize(width: 400, height: 300), format: .jpeg, byteCount: 1000,
                dominant: color, tint: color.tint(on: request.style.background)))
    }

    func load(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        completion: @escaping @PipelineActor @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    ) -> Subscription {
        let result = cached(request).map(Result.success) ?? .failure(ThumbnailError.cancelled)
        PipelineActor.perform { completion(result) }
        return .ended
    }

    func player(
        of request: ThumbnailRequest, facts: PictureFacts
    ) -> (any FramePlaying)? { nil }

    func preview(
        _ request: ThumbnailRequest,
        receive: @escaping @PipelineActor @Sendable (Thumbnail) -> Void
    ) -> Subscription { .ended }

    func progress(of request: ThumbnailRequest) -> FetchProgress? { nil }

    func pin(_ requests: [ThumbnailRequest]) {}
}
