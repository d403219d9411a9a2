/// The bodies that broke off, for as long as there is room: least recently kept first out.
///
/// In memory only. What a reader scrolls past and comes back to is a matter of seconds, and a disk would have to be
/// told of every cancelled thumbnail.
struct PartialStore {
    /// What equal requests have in common.
    struct Key: Hashable {
        /// After redirects.
        var address: Address
        /// Servers choose by the `Accept` header.
        var purpose: Request.Purpose
    }

    /// A large photograph that all but arrived, or a screen of thumbnails; in bytes.
    static let capacity = 16 << 20
    /// One look through all of them must cost nothing.
    static let mostEntries = 64

    private(set) var byteCount = 0
    private var entries: [(key: Key, partial: Partial)] = []

    var count: Int { entries.count }

    /// Keeps a part, in place of an older one.
    mutating func keep(_ partial: Partial, for key: Key) {
        _ = take(key)
        guard partial.body.count <= Self.capacity else { return }
        entries.append((key, partial))
        byteCount += partial.body.count
        while byteCount > Self.capacity || entries.count > Self.mostEntries {
            byteCount -= entries.removeFirst().partial.body.count
        }
    }

    /// Hands a part out, to one asker only: two could not both go on with it.
    mutating func take(_ key: Key) -> Partial? {
        guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let partial = entries.remove(at: place).partial
        byteCount -= partial.body.count
        return partial
    }
}
