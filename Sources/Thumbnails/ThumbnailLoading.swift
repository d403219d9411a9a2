public import Pipeline

/// Draws pictures: fetch → decode → shrink → cells.
public protocol ThumbnailLoading: Sendable {
    /// The finished thumbnail if it is in memory; any thread, never waits for work.
    func cached(_ request: ThumbnailRequest) -> Thumbnail?

    /// Makes the thumbnail; callable on any thread. Requests that share a stage share its work.
    ///
    /// `completion` runs exactly once on the coordinator's queue; cancelling tells it `cancelled`.
    func load(
        _ request: ThumbnailRequest, priority: Priority,
        completion: @escaping @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    ) -> Subscription

    /// What plays the animated picture of `request`, of which `facts` are known; nil where pictures stand still.
    ///
    /// Costs nothing before its first frame is asked for.
    func player(of request: ThumbnailRequest, facts: PictureFacts) -> (any FramePlaying)?

    /// Makes `requests` all that is on the screen and must stay in memory; any thread.
    func pin(_ requests: [ThumbnailRequest])

    /// Transfers under way at this moment; any thread.
    var transfersInFlight: Int { get }
}

extension ThumbnailLoading {
    /// Nothing is kept, nothing stays.
    public func pin(_ requests: [ThumbnailRequest]) {}

    /// Nothing plays.
    public func player(
        of request: ThumbnailRequest, facts: PictureFacts
    ) -> (any FramePlaying)? { nil }
}
