public import Network
public import Pipeline

/// Loads and reads pages of galleries.
public protocol PageLoading: Sendable {
    /// Loads the page, folder, listing or picture at `address`; callable on any thread.
    ///
    /// `completion` runs exactly once, on no particular queue; cancelling tells it `cancelled`.
    /// - Parameters:
    ///   - referer: the page that named the address, which decides what may be reached; nil if the reader did.
    ///   - generation: what the cache may answer with.
    func load(
        _ address: Address, referer: Address?, generation: CacheGeneration,
        completion: @escaping @Sendable (Result<Page, PageError>) -> Void
    ) -> Subscription
}
