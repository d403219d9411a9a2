public import Network
public import Pipeline

/// Loads and reads pages of galleries.
public protocol PageLoading: Sendable {
    /// Loads the page, folder, listing or picture at `address`; callable on any thread.
    ///
    /// `completion` runs exactly once, on no particular queue; cancelling tells it `cancelled`.
    /// - Parameter reload: go past the cache.
    func load(
        _ address: Address, reload: Bool,
        completion: @escaping @Sendable (Result<Page, PageError>) -> Void
    ) -> Subscription
}
