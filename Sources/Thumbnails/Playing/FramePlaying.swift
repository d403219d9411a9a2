public import Pipeline

/// Draws an animated picture frame by frame.
public protocol FramePlaying: Sendable {
    /// Draws frame `number`, counted from 0 on through every repetition; callable on any thread.
    ///
    /// The number must be 0 at first, then that of the frame asked for last, to have it drawn otherwise, or the next one.
    /// `completion` runs exactly once on the coordinator's queue; it is told nil where the animation is over, and
    /// `cancelled` after cancelling.
    func frame(
        _ number: Int, for request: ThumbnailRequest,
        completion: @escaping @Sendable (Result<PlayedFrame?, ThumbnailError>) -> Void
    ) -> Subscription
}

/// A frame of an animation, drawn.
public struct PlayedFrame: Sendable {
    /// Its cells, and what is known of the picture.
    public var thumbnail: Thumbnail
    /// How long it is to be seen, at least 20.
    public var milliseconds: Int

    /// Makes a frame.
    public init(thumbnail: Thumbnail, milliseconds: Int) {
        self.thumbnail = thumbnail
        self.milliseconds = milliseconds
    }
}
