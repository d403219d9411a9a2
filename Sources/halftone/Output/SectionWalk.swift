import Basics
import Collector
import Dispatch
import Gallery
import Network
import Pipeline
import Raster

/// Pictures of one section that are printed together: those of one of its pages.
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
    /// Whether local pictures need their sizes, even if they are not compared.
    var showsSizes = false
    var readFacts: ([Address], _ compares: Bool) -> [FileFacts?] = { _, _ in [] }
    /// Counts as seen what is printed; nil if nothing does.
    var followed: FollowedGalleries?

    typealias Print = (PrintedGroup) throws(OutputError) -> Void

    /// Passes each group to `print`, except what a page recommends; returns whether any section could be loaded.
    ///
    /// Blocks until each page has loaded. A failed section is reported in one line on standard error; the others continue.
    func forEachGroup(
        _ print: Print, afterPage: () throws(OutputError) -> Void = {}
    ) throws(OutputError) -> Bool {
        var hasLoaded = false
        for (index, reader) in readers.enumerated() {
            if try walk(reader, number: index + 1, print: print, afterPage: afterPage) {
                hasLoaded = true
            }
        }
        return hasLoaded
    }

    /// Prints one section, page by page unless sorting needs all of it; returns whether any page with pictures was loaded.
    private func walk(
        _ reader: SectionReader, number: Int, print: Print,
        afterPage: () throws(OutputError) -> Void
    ) throws(OutputError) -> Bool {
        let name = reader.source.argument
        var group = PrintedGroup(section: number, pictures: [])
        var waiting: [Picture] = []
        var (isFirst, hasLoaded, hasFailed) = (true, false, false)
        func printWaiting() throws(OutputError) {
            if showsSizes || order.needsSizes || order.needsCamera {
                let files = waiting.indices.filter { waiting[$0].largest.isFile }
                let known = readFacts(
                    files.map { waiting[$0].largest }, order.grouping == .alike)
                for (index, facts) in zip(files, known) {
                    if let facts { waiting[index].adopt(facts) }
                }
                let unknown = waiting.count { $0.isSizeUnknown }
                if order.needsSizes, unknown > 0 {
                    complain("\(name): \(unknown) of \(waiting.count) pictures are of unknown size")
                }
            }
            var rest = order.applied(to: waiting)[...]
            waiting = []
            while let first = rest.first {
                let heading = order.heading(of: first)
                group.pictures = Array(rest.prefix { order.heading(of: $0) == heading })
                rest = rest.dropFirst(group.pictures.count)
                group.title = heading.isEmpty ? group.title : heading
                try print(group)
                group.firstIndex += group.pictures.count
                group.title = nil
            }
        }
        while let step = reader.next() {
            switch step {
            case .success(let page):
                if let shortfall = page.shortfall { complain("\(name): \(shortfall)") }
                if isFirst { group.title = page.title.isEmpty ? name : page.title }
                isFirst = false
                hasLoaded = hasLoaded || reader.source.isNews || !page.isWithoutPictures
                waiting += page.pictures
                if !order.needsAll { try printWaiting() }
            case .failure(let error):
                hasFailed = true
                complain("\(name): \(error)")
            }
            try afterPage()
        }
        try printWaiting()
        if hasLoaded, group.firstIndex == 1, !order.filter.isEmpty {
            complain("\(name): no picture matches \(order.filter)")
        }
        // Single pages without pictures are not failures if they link to further pages.
        if !hasLoaded, !hasFailed { complain("\(name): \(PageError.noPictures)") }
        return hasLoaded
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
            state.isLoading = (try? result.get().isPart) ?? false
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
