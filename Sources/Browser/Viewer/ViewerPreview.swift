import Network
import Thumbnails

/// A preview of the viewer's picture while it is still loading.
@MainActor final class ViewerPreview {
    /// The part received so far; nil before the first preview.
    private(set) var thumbnail: Thumbnail?

    private let context: BrowserContext
    private var wanted: ThumbnailRequest?
    private var request: MainRequest?

    init(_ context: BrowserContext) { self.context = context }

    /// Starts the preview of `wanted`; nil stops it.
    func show(_ wanted: ThumbnailRequest?) {
        guard wanted != self.wanted else { return }
        request?.cancel()
        self.wanted = wanted
        thumbnail = nil
        request = wanted.map { wanted in
            MainRequest(on: context.main) { [context] answer in
                context.thumbnails.preview(wanted, receive: answer)
            } receive: { [weak self, context] thumbnail in
                self?.thumbnail = thumbnail
                context.display.needsDisplay = true
            }
        }
    }

    /// The progress of the transfer; nil if unknown.
    var progress: FetchProgress? { wanted.flatMap { context.thumbnails.progress(of: $0) } }
}
