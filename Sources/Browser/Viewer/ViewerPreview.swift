import Network
import Pipeline
import Thumbnails

/// The viewer's picture as far as it has come, while the rest is on its way.
@MainActor final class ViewerPreview {
    var changed: () -> Void = {}
    /// What there is to see of the picture; nil before the first of it.
    private(set) var thumbnail: Thumbnail?

    private let thumbnails: any ThumbnailLoading
    private let main: any MainScheduling
    private var request: ThumbnailRequest?
    private var subscription: Subscription?
    /// Names what is looked at; whatever answers another number is stale.
    private var ticket = 0

    init(thumbnails: any ThumbnailLoading, main: any MainScheduling) {
        self.thumbnails = thumbnails
        self.main = main
    }

    /// Looks at `request` from now on; nil ends looking.
    func show(_ request: ThumbnailRequest?) {
        guard request != self.request else { return }
        subscription?.cancel()
        subscription = nil
        thumbnail = nil
        ticket += 1
        self.request = request
        guard let request else { return }
        let (ticket, main) = (ticket, main)
        subscription = thumbnails.preview(request) { [weak self] thumbnail in
            main.post { self?.receive(thumbnail, ticket: ticket) }
        }
    }

    /// How much of the picture has come; nil if that is not known.
    var progress: FetchProgress? { request.flatMap { thumbnails.progress(of: $0) } }

    private func receive(_ thumbnail: Thumbnail, ticket: Int) {
        guard ticket == self.ticket else { return }
        self.thumbnail = thumbnail
        changed()
    }
}
