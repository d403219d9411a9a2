public import Network

/// What a section has seen of its gallery: which pages, which pictures.
///
/// Decides what of a page is new and where the gallery ends.
public struct PageTrail: Sendable {
    private var visited: Set<Address> = []
    private var seen = AddressSet()

    /// Makes the trail of a section that has seen nothing.
    public init() {}

    /// Whether `address` was a page of this section before: following it again would loop.
    public func hasVisited(_ address: Address) -> Bool {
        visited.contains(address)
    }

    /// Takes a page in: the pictures not seen before, in page order, and the page to go on with.
    ///
    /// The next page is nil at the end: none named, one already visited, or a page that brought nothing new.
    /// - Parameter requested: the address asked for, which redirects may have changed.
    public mutating func admit(_ page: Page, requested: Address) -> (
        new: PictureList, next: Address?
    ) {
        visited.insert(requested)
        visited.insert(page.address)
        let new = page.pictures.unseen(by: &seen)
        guard let next = page.next, !new.isEmpty, !visited.contains(next) else {
            return (new, nil)
        }
        return (new, next)
    }
}
