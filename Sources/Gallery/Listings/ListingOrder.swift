import Network

/// The order of a listing, whatever order the server gave it.
enum ListingOrder {
    /// Folders first, each kind in natural order, each address once, thumbnails with their pictures.
    static func sorted(_ pictures: [Picture]) -> [Picture] {
        var seen = Set<Address>()
        let unique = pictures.filter { seen.insert($0.thumbnail).inserted }
        let paired = ThumbnailPairs.joined(unique)
        return paired.sorted { left, right in
            left.kind == right.kind
                ? NaturalOrder.precedes(left.title, right.title) : left.kind == .album
        }
    }
}
