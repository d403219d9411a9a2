import Gallery

/// The sections of one gallery in their order; related ones follow the section whose pages fill them.
@MainActor final class SectionList {
    /// All sections, from top to bottom.
    private(set) var sections: [Section] = []
    private var places: [Int: Int] = [:]
    private let nextID: () -> Int

    /// Makes an empty list; `nextID` numbers related sections.
    init(nextID: @escaping () -> Int) {
        self.nextID = nextID
    }

    /// Adds a section at the end.
    func append(_ section: Section) {
        places[section.id] = sections.count
        sections.append(section)
    }

    /// The place of the section with this id.
    func place(of id: Int) -> Int? { places[id] }

    /// The section with this id.
    func section(_ id: Int) -> Section? {
        places[id].map { sections[$0] }
    }

    /// The picture `id` stands for, while it exists.
    func picture(_ id: PictureID) -> Picture? {
        guard let section = section(id.section), section.pictures.indices.contains(id.index) else {
            return nil
        }
        return section.pictures[id.index]
    }

    /// Puts a page's pictures into `section` and its related ones into theirs.
    func take(_ page: Page, into section: Section, replacing: Bool) {
        if replacing {
            removeRelated(of: section.id)
            section.empty()
        }
        section.adopt(title: page.title)
        section.append(page.pictures)
        for related in page.related where !related.pictures.isEmpty {
            add(related, after: section)
        }
    }

    private func add(_ related: Page.Related, after section: Section) {
        let existing = sections.first { $0.owner == section.id && $0.title == related.title }
        let target = existing ?? insertRelated(titled: related.title, after: section)
        target.append(related: related.pictures)
    }

    private func insertRelated(titled title: String, after section: Section) -> Section {
        let related = Section(
            id: nextID(), address: section.address, title: title, pager: nil, owner: section.id,
            order: section.order, generation: section.generation)
        var place = (places[section.id] ?? sections.count - 1) + 1
        while place < sections.count, sections[place].owner == section.id {
            place += 1
        }
        sections.insert(related, at: place)
        renumber()
        return related
    }

    private func removeRelated(of id: Int) {
        sections.removeAll { $0.owner == id }
        renumber()
    }

    private func renumber() {
        places = [:]
        for (place, section) in sections.enumerated() {
            places[section.id] = place
        }
    }
}
