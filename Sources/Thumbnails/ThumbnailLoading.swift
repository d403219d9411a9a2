import Basics
public import ImageCodecs
public import Network
public import Pipeline
public import Trace

/// Draws pictures: bytes → pixels → cells.
public protocol ThumbnailLoading: Sendable {
    /// The finished thumbnail if it is in memory; any thread, never waits for work.
    func cached(_ request: ThumbnailRequest) -> Thumbnail?

    /// Makes the thumbnail; callable on any thread. Requests that share a stage share its work.
    ///
    /// `completion` runs exactly once on the coordinator's queue; cancelling tells it `cancelled`. `flow` is shown its way.
    func load(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        completion: @escaping @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    ) -> Subscription

    /// What plays the animated picture of `request`, of which `facts` are known; nil where pictures stand still.
    ///
    /// Costs nothing before its first frame is asked for.
    func player(of request: ThumbnailRequest, facts: PictureFacts) -> (any FramePlaying)?

    /// Draws what has come of a picture while the rest is on its way, whatever it is loaded for; any thread.
    ///
    /// `receive` is called a few times at most, on the coordinator's queue, until this is cancelled. What it is told is not a result: never
    /// kept, and the rest of the file is missing, or fine detail.
    func preview(
        _ request: ThumbnailRequest, receive: @escaping @Sendable (Thumbnail) -> Void
    ) -> Subscription

    /// How much has come of a picture that is previewed; nil if that is not known. Any thread.
    func progress(of request: ThumbnailRequest) -> FetchProgress?

    /// Makes `requests` all that is on the screen and must stay in memory; any thread.
    func pin(_ requests: [ThumbnailRequest])

    /// Transfers under way at this moment; any thread.
    var transfersInFlight: Int { get }
}

/// Why a picture stays a placeholder; the description is one line in plain words.
public enum ThumbnailError: CancellableError, Hashable, CustomStringConvertible {
    /// The request was given up.
    case cancelled
    /// The bytes did not come.
    case fetch(FetchError)
    /// The bytes are no picture that can be read.
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

/// Microseconds since it was made.
struct Stopwatch: Sendable {
    private let start = SteadyClock.nanoseconds()

    var microseconds: Int { Int((SteadyClock.nanoseconds() - start) / 1000) }
}
