import Basics
import Gallery
import Network
import Pipeline

/// The stable identity of a picture: its section, and its index in the section's page order.
struct PictureID: Hashable, Sendable {
    var section: Int
    var index: Int
}

/// The ordered sections of one gallery; related sections follow the one whose pages fill them.
@MainActor final class SectionList {
    private(set) var sections: [Section] = []
    private var places: [Int: Int] = [:]
    private let factory: SectionFactory

    init(factory: SectionFactory) { self.factory = factory }

    func append(_ section: Section) {
        places[section.id] = sections.count
        sections.append(section)
    }

    func place(of id: Int) -> Int? { places[id] }

    func section(_ id: Int) -> Section? { places[id].map { sections[$0] } }

    /// Returns a picture, along with what is held back of it: the one on this machine that looks the same.
    func picture(_ id: PictureID) -> Picture? { section(id.section)?.picture(at: id.index) }

    var mayGrow: Bool { sections.contains(where: \.mayGrow) }

    func take(_ page: Page, into section: Section, replacing: Bool) {
        if replacing {
            sections.removeAll { $0.owner == section.id }
            renumber()
            section.empty()
        }
        section.adopt(title: page.title)
        section.append(page.pictures)
        if section.isNews, !section.pictures.isEmpty {
            var album = section.album
            // Its cover is the first picture.
            album.variants = [section.pictures[0].variants[0]]
            section.append(related: [album])
        }
        for related in page.related where !section.isNews && !related.pictures.isEmpty {
            let existing = sections.first { $0.owner == section.id && $0.title == related.title }
            let target = existing ?? insertRelated(titled: related.title, after: section)
            target.append(related: related.pictures)
        }
    }

    private func insertRelated(titled title: String, after section: Section) -> Section {
        let related = factory.related(to: section, title: title)
        var place = (places[section.id] ?? sections.count - 1) + 1
        while place < sections.count, sections[place].owner == section.id { place += 1 }
        sections.insert(related, at: place)
        renumber()
        return related
    }

    private func renumber() {
        places = [:]
        for (place, section) in sections.enumerated() { places[section.id] = place }
    }
}

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
        let related = Section(
            id: lastID, address: section.address, title: title, pager: nil, owner: section.id,
            order: section.order, generation: section.generation, context: context)
        related.rearranged = section.rearranged
        return related
    }
}
