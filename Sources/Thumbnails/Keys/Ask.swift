import Network

/// A request in the edition of its file that answers it.
struct Ask: Sendable {
    var request: ThumbnailRequest
    /// The edition that jobs for it make.
    var edition: Int
    /// The oldest edition that answers it from memory.
    var oldestUsable: Int

    var address: Address { request.address }

    func key<Key>(_ key: Key) -> Edition<Key> {
        Edition(key: key, number: edition)
    }
}
