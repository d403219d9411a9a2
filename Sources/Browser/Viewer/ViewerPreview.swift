import Network
import Thumbnails

/// The viewer's picture as far as it has come, while the rest is on its way.
@MainActor final class ViewerPreview {
    /// What there is to see of the picture; nil before the first of it.
    private(set) var thumbnail: Thumbnail?

    private let context: BrowserContext
    private var wanted: ThumbnailRequest?
    private var request: MainRequest?

    init(_ context: BrowserContext) { self.context = context }

    /// Looks at `wanted` from now on; nil ends looking.
    func show(_ wanted: ThumbnailRequest?) {
        guard wanted != self.wanted else { return }
        request?.cancel()
        (self.wanted, thumbnail) = (wanted, nil)
        request = wanted.map { wanted in
            MainRequest(on: context.main) { [context] answer in
                context.thumbnails.preview(wanted, receive: answer)
            } receive: { [weak self, context] thumbnail in
                self?.thumbnail = thumbnail
                context.display.needsDisplay = true
            }
        }
    }

    /// How much of the picture has come; nil if that is not known.
    var progress: FetchProgress? { wanted.flatMap { context.thumbnails.progress(of: $0) } }
}
