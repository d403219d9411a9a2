import Network
import Pipeline
import Thumbnails

extension PictureRequests {
    /// A picture that is wanted.
    struct Want {
        /// Which.
        var id: PictureID
        /// Its largest image, or the guess that is tried: tells whether older cells are of the same picture.
        var identity: Address
        /// What to draw.
        var request: ThumbnailRequest
        /// How urgently.
        var priority: Priority
    }

    /// What there is of a picture.
    enum State {
        /// Not asked for, or given up.
        case wanted
        /// On its way.
        case loading
        /// There.
        case ready(Thumbnail)
        /// Did not come.
        case failed(ThumbnailError)
    }
}
