import Dispatch
import Gallery
import Network
import Pipeline

/// Pictures of one section that are printed together: one of its pages, or its related pictures.
struct PrintedGroup {
    /// The section's number in printing order, from 1.
    var section: Int
    /// The section's title for its first group; nil for later pages.
    var title: String?
    /// The number of the group's first picture within the section, from 1.
    var firstIndex = 1
    var pictures: [Picture]
}

/// Visits the sections in order, whatever the order in which their pages arrive.
struct SectionWalk {
    let readers: [SectionReader]
    let order: PictureOrder

    typealias Print = (PrintedGroup) throws(StandardOutput.Failure) -> Void

    /// Passes each group to `print`; returns whether any section could be loaded.
    ///
    /// Blocks until each page has loaded. A failed section is reported in one line on standard error; the others continue.
    func forEachGroup(
        _ print: Print, afterPage: () throws(StandardOutput.Failure) -> Void = {}
    ) throws(StandardOutput.Failure) -> Bool {
        var section = 0
        var hasLoaded = false
        for reader in readers {
            section += 1
            var related = RelatedSections()
            if try walk(reader, section, &related, print, afterPage) { hasLoaded = true }
            for other in related.sections {
                section += 1
                try print(
                    PrintedGroup(
                        section: section, title: other.title,
                        pictures: order.applied(to: other.pictures)))
            }
        }
        return hasLoaded
    }

    /// Prints one section, page by page unless sorting needs all of it; returns whether any page with pictures was loaded.
    private func walk(
        _ reader: SectionReader, _ section: Int, _ related: inout RelatedSections, _ print: Print,
        _ afterPage: () throws(StandardOutput.Failure) -> Void
    ) throws(StandardOutput.Failure) -> Bool {
        var group = PrintedGroup(section: section, pictures: [])
        var waiting: [Picture] = []
        var (isFirst, hasLoaded, hasFailed) = (true, false, false)
        while let step = reader.next() {
            switch step {
            case .success(let page):
                if let shortfall = page.shortfall {
                    complain("\(reader.source.argument): \(shortfall)")
                }
                if isFirst {
                    group.title = page.title.isEmpty ? reader.source.argument : page.title
                    isFirst = false
                }
                hasLoaded = hasLoaded || !page.isWithoutPictures
                related.add(page.related)
                waiting += page.pictures
                if !order.needsAll { try take(&waiting, into: &group, print) }
            case .failure(let error):
                hasFailed = true
                complain("\(reader.source.argument): \(error)")
            }
            try afterPage()
        }
        // Single pages without pictures are not failures if they link to further pages.
        if !hasLoaded, !hasFailed { complain("\(reader.source.argument): \(PageError.noPictures)") }
        if !waiting.isEmpty { try take(&waiting, into: &group, print) }
        return hasLoaded
    }

    private func take(
        _ pictures: inout [Picture], into group: inout PrintedGroup, _ print: Print
    ) throws(StandardOutput.Failure) {
        group.pictures = order.applied(to: pictures)
        pictures = []
        try print(group)
        group.firstIndex += group.pictures.count
        group.title = nil
    }
}

/// The related sections of all pages of a gallery: one per title, without duplicate pictures.
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

/// Loads one section's pages in the background; the printing thread takes them one by one, in order.
///
/// Sections load concurrently; each pauses once it is two pages ahead of its reader.
final class SectionReader: Sendable {
    /// One page's new pictures, or its error; nil ends the section.
    typealias Step = Result<Page, PageError>

    let source: Source

    private struct State {
        var visited = VisitedPages()
        var next: Address?
        /// The page that linked to the next one; nil for the first page, which the user named.
        var referer: Address?
        var remaining: Int
        var ready: [Step] = []
        var isLoading = false
    }

    private let pages: any PageLoading
    private let state: Locked<State>
    private let arrived = DispatchSemaphore(value: 0)
    /// The number of pages read ahead of the printer: enough to hide network latency, few enough to bound memory.
    private static let ahead = 2

    init(source: Source, pages: any PageLoading, pageLimit: Int) {
        self.source = source
        self.pages = pages
        state = Locked(State(next: source.address, remaining: pageLimit))
    }

    /// Loads the next page unless one is loading, enough are ready, or the end has been reached.
    ///
    /// May be called on any thread.
    func advance() {
        let step: (address: Address, referer: Address?)? = state.withLock { state in
            guard !state.isLoading, state.ready.count < Self.ahead, state.remaining > 0,
                let address = state.next
            else { return nil }
            state.isLoading = true
            state.remaining -= 1
            return (address, state.referer)
        }
        guard let step else { return }
        _ = pages.load(step.address, referer: step.referer, generation: .any) { [self] result in
            receive(result, of: step.address)
            advance()
        }
    }

    private func receive(_ result: Result<Page, PageError>, of address: Address) {
        state.withLock { state in
            state.isLoading = false
            state.next = nil
            state.ready.append(
                result.map { page in
                    var page = page
                    (page.pictures, state.next) = state.visited.admit(page, requested: address)
                    state.referer = page.address
                    return page
                })
        }
        arrived.signal()
    }

    /// Returns the next page with what is new on it; nil after the last page.
    ///
    /// Blocks until the page has loaded.
    func next() -> Step? {
        while true {
            advance()
            let (step, isLoading): (Step?, Bool) = state.withLock { state in
                (state.ready.isEmpty ? nil : state.ready.removeFirst(), state.isLoading)
            }
            if step != nil || !isLoading { return step }
            arrived.wait()
        }
    }
}
