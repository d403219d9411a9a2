import Network

/// A request with the generation that answers it.
struct Ask: Sendable {
    var request: ThumbnailRequest

    var edition: CacheGeneration { request.generation }
    var oldestUsable: CacheGeneration { request.generation }
    var address: Address { request.address }

    func key<Key>(_ key: Key) -> Edition<Key> {
        Edition(key: key, number: edition)
    }
}
