import Basics
import Gallery
import Network

/// The stable identity of a picture: its section, and its index in the section's page order.
struct PictureID: Hashable, Sendable {
    var section: Int
    var index: Int
}

/// Makes sections, each with an identifier of its own.
@MainActor final class SectionFactory {
    private let pages: any PageLoading
    private let context: BrowserContext
    private var lastID = 0

    init(pages: any PageLoading, context: BrowserContext) {
        self.pages = pages
        self.context = context
    }

    /// Creates the section of a source; the picture that it starts at is there at once, until the page takes its place.
    func section(of source: Source) -> Section {
        let section = section(
            at: source.address, title: source.argument,
            from: source.isNews ? context.services.news : nil)
        section.isNews = source.isNews
        if let start = source.start {
            section.append(PictureList([start]))
            section.pager?.replacesAll = true
        }
        return section
    }

    /// Creates a section whose first page is at `address`; `opener` is the page that linked to it, nil if the user named it.
    func section(
        at address: Address, title: String, opener: Address? = nil,
        from pages: (any PageLoading)? = nil
    ) -> Section {
        let pager = Pager(
            first: address, opener: opener, limit: context.options.pageLimit,
            pages: pages ?? self.pages,
            main: context.main)
        lastID += 1
        return Section(
            id: lastID, address: address, title: title.oneLine(), pager: pager, context: context)
    }

    /// Creates a section for the related pictures on `section`'s pages.
    func related(to section: Section, title: String) -> Section {
        lastID += 1
        return Section(
            id: lastID, address: section.address, title: title, pager: nil, owner: section,
            context: context)
    }
}
