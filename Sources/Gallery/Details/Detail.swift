public import Network
public import Pipeline

/// What the page behind a thumbnail turned out to be.
public enum Detail: Hashable, Sendable {
    /// The page of one picture: where that is in full, and how it was found there.
    case picture(Picture.Variant, DetailRule)
    /// A gallery of its own.
    case album
}

/// By what the full picture was found on a detail page: the pages of one gallery are made alike.
public enum DetailRule: Hashable, Sendable {
    /// The link led to the picture itself.
    case itself
    /// A link that offers it for download.
    case download
    /// An element of that shape (`main > div.photo > img`).
    case element(String)
    /// The page's JSON-LD.
    case linkedData
    /// The picture that the page names for others (`og:image`).
    case openGraph
}

/// Finds the full picture that a thumbnail stands for.
public protocol DetailLoading: Sendable {
    /// Asks the page that `picture` links to; callable on any thread. Asking twice for the same page costs one request.
    ///
    /// `completion` runs exactly once, on no particular queue; cancelling tells it `cancelled`, a picture without a link
    /// `noPictures`.
    /// - Parameters:
    ///   - rule: what found the picture on another page of the same gallery; tried before everything else.
    ///   - generation: what the cache may answer with.
    func loadDetail(
        of picture: Picture, rule: DetailRule?, generation: CacheGeneration, priority: Priority,
        completion: @escaping @Sendable (Result<Detail, PageError>) -> Void
    ) -> Subscription
}
