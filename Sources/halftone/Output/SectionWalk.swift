import Gallery

/// Pictures of one section that are printed together: a page of it, or what is related to it.
struct PrintedGroup {
    /// The section's number, from 1, in the order of printing.
    var section: Int
    /// The section's title if the group opens it; nil for its further pages.
    var title: String?
    /// The number within the section of the group's first picture, from 1.
    var firstIndex: Int
    /// The pictures, in page order.
    var pictures: [Picture]
}

/// Goes through the sections in order, whatever order their pages arrive in.
struct SectionWalk {
    /// The sections of the command line.
    let readers: [SectionReader]
    /// In which order each section's pictures are printed, and which of them.
    let order: PictureOrder

    /// Hands every group to `print`, and says whether any section could be loaded.
    ///
    /// Blocks for each page in its turn. A section that fails is one line on standard error; the others go on.
    func forEachGroup(
        _ print: (PrintedGroup) throws(StandardOutput.Failure) -> Void
    ) throws(StandardOutput.Failure) -> Bool {
        var section = 0
        var hasLoaded = false
        for reader in readers {
            section += 1
            var group = PrintedGroup(section: section, firstIndex: 1, pictures: [])
            var related = RelatedSections()
            var kept: [Picture] = []
            var isFirst = true
            while let step = reader.next() {
                switch step {
                case .success(let page):
                    let title = page.title.isEmpty ? reader.source.argument : page.title
                    if isFirst {
                        group.title = title
                        isFirst = false
                    }
                    hasLoaded = hasLoaded || !page.isWithoutPictures
                    related.add(page.related)
                    kept += page.pictures
                    if !order.needsAll {
                        try take(&kept, into: &group, print)
                    }
                case .failure(let error):
                    complain("\(reader.source.argument): \(error)")
                }
            }
            if !kept.isEmpty {
                try take(&kept, into: &group, print)
            }
            for other in related.sections {
                section += 1
                try print(
                    PrintedGroup(
                        section: section, title: other.title, firstIndex: 1,
                        pictures: order.applied(to: other.pictures)))
            }
        }
        return hasLoaded
    }

    private func take(
        _ pictures: inout [Picture], into group: inout PrintedGroup,
        _ print: (PrintedGroup) throws(StandardOutput.Failure) -> Void
    ) throws(StandardOutput.Failure) {
        group.pictures = order.applied(to: pictures)
        pictures = []
        try print(group)
        group.firstIndex += group.pictures.count
        group.title = nil
    }
}

/// Related sections of all pages of a gallery: one for each title, each picture once.
private struct RelatedSections {
    private(set) var sections: [Page.Related] = []

    mutating func add(_ more: [Page.Related]) {
        for section in more {
            guard let place = sections.firstIndex(where: { $0.title == section.title }) else {
                sections.append(section)
                continue
            }
            let known = Set(sections[place].pictures.map(\.image))
            sections[place].pictures += section.pictures.filter { !known.contains($0.image) }
        }
    }
}
