public import ImageCodecs
public import Network
public import Pipeline
public import Trace

/// Draws pictures: bytes → pixels → cells.
public protocol ThumbnailLoading: Sendable {
    /// Returns the finished thumbnail if it is in memory; callable from any thread, never waits for work.
    func cached(_ request: ThumbnailRequest) -> Thumbnail?

    /// Makes the thumbnail; callable from any thread. Requests with the same key for a stage share its work.
    ///
    /// `completion` runs exactly once on the pipeline's queue, after cancelling with `cancelled`. `flow` traces the hand-offs.
    func load(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        completion: @escaping Completion<Thumbnail, ThumbnailError>
    ) -> Subscription

    /// Returns a player for the animated picture of `request` with these facts; nil where animations are not played.
    ///
    /// Costs nothing before the first frame is requested.
    func player(of request: ThumbnailRequest, facts: PictureFacts) -> (any FramePlaying)?

    /// Draws the part of a picture that has arrived while the rest is in flight, whoever loads it; callable from any thread.
    ///
    /// `receive` is called at most a few times, on the pipeline's queue, until the subscription is cancelled. Its thumbnails are never
    /// cached; they lack the rest of the file, or fine detail.
    func preview(
        _ request: ThumbnailRequest,
        receive: @escaping PipelineReceiver<Thumbnail>
    ) -> Subscription

    /// Returns how much of a previewed picture has arrived; nil if unknown. Callable from any thread.
    func progress(of request: ThumbnailRequest) -> FetchProgress?

    /// Pins `requests`, and nothing else, in memory: those on the screen; callable from any thread.
    func pin(_ requests: [ThumbnailRequest])

    /// The number of transfers in flight; readable from any thread.
    var transfersInFlight: Int { get }
}

/// The reason why a picture stays a placeholder; the description is one line in plain words.
public enum ThumbnailError: CancellableError, Hashable, CustomStringConvertible {
    /// The request was cancelled.
    case cancelled
    /// The bytes could not be fetched.
    case fetch(FetchError)
    /// The bytes could not be decoded.
    case decode(DecodeError)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .fetch(let error): error.description
        case .decode(let error): error.description
        }
    }

    init(_ error: FetchError) { self = error == .cancelled ? .cancelled : .fetch(error) }
}
