public import Network

/// The pages and pictures of a gallery that its section has already seen.
///
/// Determines which pictures of a page are new and where the gallery ends.
public struct VisitedPages: Sendable {
    private var visited: Set<Address> = []
    private var seen = AddressSet()
    private var emptyPages = 0

    /// Consecutive pages without pictures to skip: some galleries open with a title page, but a site whose every page names another must
    /// not be read endlessly.
    private static let maxEmptyPages = 4

    /// Creates the record of a section that has seen nothing.
    public init() {}

    /// Records a page; returns the pictures not seen before, in page order, and the next page to load.
    ///
    /// The next page is nil at the end: none is named, it was already visited, or the page has pictures but no new ones.
    /// - Parameter requested: the requested address, which redirects may have changed.
    public mutating func admit(_ page: Page, requested: Address) -> (
        new: PictureList, next: Address?
    ) {
        visited.formUnion([requested, page.address])
        let new = page.pictures.unseen(by: &seen)
        emptyPages = page.pictures.isEmpty ? emptyPages + 1 : 0
        let goesOn = page.pictures.isEmpty ? emptyPages <= Self.maxEmptyPages : !new.isEmpty
        return (new, page.next.flatMap { goesOn && !visited.contains($0) ? $0 : nil })
    }
}

/// A set of addresses in eight bytes each: a section of a million pictures must stay below 390 MB (`make bench`).
///
/// Stores 64-bit hashes only, with a per-process random key, so that no page can provoke collisions; among a million addresses two collide
/// by chance once in 30 million runs (and a picture is then left out).
public struct AddressSet: Sendable {
    private var hashes: Set<Int> = []

    /// Creates an empty set.
    public init() {}

    /// Inserts an address; returns whether it is new.
    public mutating func insert(_ address: Address) -> Bool {
        hashes.insert(address.hashValue).inserted
    }
}
