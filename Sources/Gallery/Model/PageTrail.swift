public import Network

/// Which pages and pictures of its gallery a section has seen.
///
/// Decides what of a page is new and where the gallery ends.
public struct PageTrail: Sendable {
    private var visited: Set<Address> = []
    private var seen = AddressSet()
    private var emptyPages = 0

    /// Pages without a picture that are passed over in a row: some galleries open with a title page, but a site whose every page
    /// names another must not be read for ever.
    private static let maxEmptyPages = 4

    /// Makes the trail of a section that has seen nothing.
    public init() {}

    /// Takes a page in: the pictures not seen before, in page order, and the page to go on with.
    ///
    /// The next page is nil at the end: none named, one already visited, or a page with pictures of which none is new.
    /// - Parameter requested: the address asked for, which redirects may have changed.
    public mutating func admit(_ page: Page, requested: Address) -> (
        new: PictureList, next: Address?
    ) {
        visited.insert(requested)
        visited.insert(page.address)
        let new = page.pictures.unseen(by: &seen)
        emptyPages = page.pictures.isEmpty ? emptyPages + 1 : 0
        let goesOn = page.pictures.isEmpty ? emptyPages <= Self.maxEmptyPages : !new.isEmpty
        guard goesOn, let next = page.next, !visited.contains(next) else { return (new, nil) }
        return (new, next)
    }
}

/// Addresses that have been seen, eight bytes each: a section of a million pictures must stay below 300 MB (`make bench`).
///
/// Keeps their hashes only: 64 bits under a key drawn anew in every process, so that no page can make two agree, and of
/// a million addresses any two agree by chance once in 30 million runs (the picture would then be left out).
public struct AddressSet: Sendable {
    private var hashes: Set<Int> = []

    /// Makes an empty set.
    public init() {}

    /// Adds an address; whether it is new.
    public mutating func insert(_ address: Address) -> Bool {
        var text = address.text
        return text.withUTF8 { insert($0) }
    }

    /// Adds the address with this text; whether it is new.
    mutating func insert(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        return hashes.insert(hasher.finalize()).inserted
    }
}
