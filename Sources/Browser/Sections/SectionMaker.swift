import Gallery
import Network
import Pipeline

/// Makes sections with pages: what all of them share, and the numbers that tell them apart.
@MainActor final class SectionMaker {
    private let pages: any PageLoading
    private let main: any MainScheduling
    private let limit: Int?
    private var lastID = 0

    /// Makes a maker of sections that follow at most `limit` pages each.
    init(pages: any PageLoading, main: any MainScheduling, limit: Int?) {
        self.pages = pages
        self.main = main
        self.limit = limit
    }

    /// A number no section has yet.
    func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// A section whose first page is at `address`.
    func section(at address: Address, title: String, opener: Address? = nil) -> Section {
        let pager = Pager(first: address, opener: opener, limit: limit, pages: pages, main: main)
        return Section(
            id: nextID(), address: address, title: OneLine.text(title), pager: pager)
    }
}
