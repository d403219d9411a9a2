import Basics
import Browser
import Collector
import Gallery
import Network
import Pipeline

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
@MainActor struct SectionWalk {
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
    /// Blocks until each page has loaded. Sections load at once, or `inTurn`, one after the other. A failed section is reported in one line on
    /// standard error; the others continue.
    func forEachGroup(
        inTurn: Bool = false, _ print: Print, afterPage: () throws(OutputError) -> Void = {}
    ) throws(OutputError) -> Bool {
        if !inTurn { readers.forEach { $0.advance() } }
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
        var isFirst = true
        var hasLoaded = false
        func printWaiting() throws(OutputError) {
            if showsSizes || order.needsSizes || order.needsCamera {
                let files = waiting.indices.filter { waiting[$0].largest.isFile }
                let known = readFacts(
                    files.map { waiting[$0].largest }, order.grouping == .alike)
                for case (let index, let facts?) in zip(files, known) {
                    waiting[index].adopt(facts)
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
        while let page = reader.next() {
            if let shortfall = page.shortfall { complain("\(name): \(shortfall)") }
            if isFirst { group.title = page.title.isEmpty ? name : page.title }
            isFirst = false
            hasLoaded = hasLoaded || reader.hasNews || !page.isWithoutPictures
            waiting += page.pictures
            if !order.needsAll { try printWaiting() }
            try afterPage()
        }
        if let failure = reader.failure { complain("\(name): \(failure.reason)") }
        try afterPage()
        try printWaiting()
        if hasLoaded, group.firstIndex == 1, !order.filter.isEmpty {
            complain("\(name): no picture matches \(order.filter)")
        }
        // Single pages without pictures are not failures if they link to further pages.
        if !hasLoaded, reader.failure == nil { complain("\(name): \(PageError.noPictures)") }
        return hasLoaded
    }
}

/// Loads one section's pages while others are printed; they are taken one by one, in order.
@MainActor final class SectionReader {
    let source: Source
    private let pager: Pager
    private let waitForArrivals: () -> Void
    private var ready: [Page] = []
    /// The number of pages read ahead of the printer: enough to hide network latency, few enough to bound memory.
    private static let ahead = 2

    /// Creates a reader whose pages arrive by way of `main`; `waitForArrivals` blocks until something has.
    init(
        source: Source, pages: any PageLoading, pageLimit: Int, main: any MainScheduling,
        waitForArrivals: @escaping () -> Void
    ) {
        self.source = source
        self.waitForArrivals = waitForArrivals
        pager = Pager(
            first: source.address, opener: nil, limit: pageLimit, pages: pages, main: main)
        pager.takePage = { [weak self] page, _ in self?.ready.append(page) }
        pager.stateChanged = { [weak self] in self?.advance() }
    }

    /// Whether it may well have nothing, as a followed gallery without anything new.
    var hasNews: Bool { source.isNews && !pager.hasFoundNothing }

    /// Why the page after those taken could not be loaded.
    var failure: PageFailure? { pager.failure }

    /// Loads the next page unless one is loading, enough are ready, or the end has been reached.
    func advance() { if ready.count < Self.ahead { pager.advance() } }

    /// Returns the next page with what is new on it; nil after the last page.
    ///
    /// Blocks until the page has loaded.
    func next() -> Page? {
        advance()
        while ready.isEmpty, pager.isLoading { waitForArrivals() }
        return ready.isEmpty ? nil : ready.removeFirst()
    }
}

/// Text output; each method returns whether any section could be loaded.
extension SectionWalk {
    /// Prints the address or local path of each picture's largest size, page by page; an empty line is between groups of pictures alike.
    func printAddresses(
        asPaths: Bool, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        var isFirst = true
        return try forEachGroup { group throws(OutputError) in
            if order.grouping == .alike, !isFirst { try output.write(line: "") }
            isFirst = false
            for picture in group.pictures where picture.kind == .picture {
                let path = asPaths ? picture.image.filePath : nil
                try output.write(line: path ?? picture.image.text)
            }
            try output.flush()
        }
    }

    /// Prints one JSON object per picture, page by page.
    func printRecords(to output: inout StandardOutput) throws(OutputError) -> Bool {
        try forEachGroup { group throws(OutputError) in
            for (index, picture) in group.pictures.enumerated() {
                try output.write(
                    line: PictureRecord(
                        picture, section: group.section, index: group.firstIndex + index,
                        others: [("group", order.grouping == .none ? nil : group.title)]
                    ).line)
            }
            try output.flush()
            group.pictures.forEach { followed?.markSeen($0) {} }
        }
    }

    /// Prints how each page was read (its candidates, groups and next pages, with the deciding rules), or the recipe made from it; if
    /// `areRecipes`, one that cannot be made is a failure.
    func printExplanations(
        _ explanations: Locked<[String]>, areRecipes: Bool, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        var isAny = false
        // Explanations come in the order in which pages are read.
        let hasLoaded = try forEachGroup(inTurn: true) { _ in
        } afterPage: { () throws(OutputError) in
            for explanation in explanations.exchange([]) {
                try output.write(line: explanation)
                isAny = true
            }
            try output.flush()
        }
        guard areRecipes, hasLoaded, !isAny else { return hasLoaded }
        complain("no recipe: the pictures are not in a page's markup")
        return false
    }
}

/// Lines that are added on any thread and taken on the main one, such as explanations of how pages were read.
extension Locked<[String]> {
    @Sendable func add(_ line: String) { withLock { $0.append(line) } }
}
