public import Network
public import Pipeline

/// What the page behind a thumbnail is.
public enum Detail: Hashable, Sendable {
    /// A page about one picture: the full picture, and the rule that found it.
    case picture(Picture.Variant, DetailRule)
    /// A gallery of its own.
    case album
}

/// The rule that found the full picture on a detail page; the pages of one gallery are built alike.
public enum DetailRule: Hashable, Sendable {
    /// The link leads to the picture itself.
    case itself
    /// A download link.
    case download
    /// An element with this path (`main > div.photo > img`).
    case element(String)
    /// The page's JSON-LD.
    case linkedData
    /// The page's preview picture for other sites (`og:image`).
    case openGraph
}

/// Finds the full picture behind a thumbnail.
public protocol DetailLoading: Sendable {
    /// Loads the page that `picture` links to; callable on any thread. Loading the same page twice costs one request.
    ///
    /// `completion` runs exactly once, on no particular queue; with `cancelled` after cancelling, and with `noPictures` for a picture
    /// without a link.
    /// - Parameters:
    ///   - rule: the rule that found the picture on another page of the same gallery, tried first.
    ///   - generation: the cache generation that limits which cached responses may be used.
    func loadDetail(
        of picture: Picture, rule: DetailRule?, generation: CacheGeneration, priority: Priority,
        completion: @escaping @Sendable (Result<Detail, PageError>) -> Void
    ) -> Subscription
}
