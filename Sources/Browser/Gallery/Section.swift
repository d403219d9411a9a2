import Basics
import Dispatch
import Gallery
import Network
import Pipeline
import Raster
import Thumbnails

/// A heading and the pictures below it: of a SOURCE, of an album, or related ones found on another section's pages.
@MainActor final class Section: ContextSharing {
    /// Never reused during a run.
    let id: Int
    /// The section whose pages fill this one; nil if it has its own.
    let owner: Int?
    let address: Address
    /// Loads the section's pages; nil for related pictures.
    let pager: Pager?
    private(set) var title: String
    /// All pictures in page order, without duplicates.
    private(set) var pictures = PictureList()
    /// The shown pictures in their order; still the previous arrangement while the one for `order` is being computed.
    private(set) var arrangement: Arrangement
    private(set) var order: PictureOrder
    /// Whether it has only what is new in a followed gallery.
    var isNews = false
    /// The number of consecutive pages that added nothing shown, for example under a filter.
    var fruitlessPages = 0
    /// The minimum cache generation of its pictures; grows with each reload.
    private(set) var generation: CacheGeneration
    /// The cache generations of files that have been written since.
    private var writtenFiles: [Address: CacheGeneration] = [:]
    /// Hears of changes of its files.
    var watching: MainRequest?

    /// The images of related pictures already added; for a section's own pages, its pager removes duplicates.
    private var known = AddressSet()
    private var hasPageTitle = false
    private var arranging: MainRequest?
    /// What is known of the files of pictures by index, held back until the order or filter changes, so that nothing moves while the
    /// user looks.
    private var newFacts: [Int: FileFacts] = [:]
    /// Counts the changes of facts, and up to which of them the arrangement was computed.
    private var factsRevision = 0
    private var arrangedRevision = 0
    private var checking: MainRequest?
    let context: BrowserContext
    /// Called when another arrangement is complete.
    var rearranged: @MainActor () -> Void = {}
    private var readingFacts: MainRequest?
    /// The number of pictures, from the first, whose files' facts have been read or are being read.
    private var readFactsCount = 0
    /// The shapes of the pictures, in page order, as far as they are known and rows have been laid out.
    var shapes: [JustifiedRows.Shape] = []
    /// The number of albums among the pictures; those of very long pages are not counted.
    private var albumCount = 0

    init(
        id: Int, address: Address, title: String, pager: Pager?, owner: Section? = nil,
        context: BrowserContext
    ) {
        self.context = context
        generation = owner?.generation ?? .any
        order = owner?.order ?? PictureOrder()
        arrangement = Arrangement(order)
        self.id = id
        self.address = address
        self.title = title
        self.pager = pager
        self.owner = owner?.id
        if let owner { rearranged = owner.rearranged }
    }

    /// The path of the folder that it shows; nil for anything else, such as a list of files.
    var folder: String? { address.text.hasSuffix("/") ? address.filePath : nil }

    /// Where its first page was looked for, and where it was found.
    var firstPages: [Address] { [address] + pictures.prefix(1).map(\.page) }

    /// The whole gallery as an album.
    var album: Picture {
        Picture(
            variants: [Picture.Variant(address: address)], link: address, page: address,
            title: title, kind: .album)
    }

    /// Returns the minimum cache generation of one of its pictures.
    func generation(of picture: Picture) -> CacheGeneration {
        max(generation, writtenFiles[picture.image] ?? .any)
    }

    /// Reads the files again, since `change` has been made there.
    func follow(_ change: FolderWatch.Change) {
        guard case .files(let paths, _) = change else { return pager?.restart() ?? () }
        let now = CacheGeneration.next()
        for path in paths { writtenFiles[Address(path: path)] = now }
        pager?.reread()
    }

    /// Reads again what holds the files at `paths`, which have been changed.
    func follow(_ paths: [String]) {
        guard let path = address.filePath else { return }
        let own = Set(paths.filter { $0.hasPrefix(path) })
        if !own.isEmpty { follow(.files(own, renamed: [:])) }
    }

    func adopt(title: String) {
        guard !hasPageTitle, !title.isEmpty else { return }
        self.title = title
        hasPageTitle = true
    }

    /// Appends those of `pictures`, in order, whose largest image is not in the section yet.
    func append(related pictures: [Picture]) {
        append(PictureList(pictures.filter { known.insert($0.image) }))
    }

    /// Appends pictures that are not in the section yet, in order.
    func append(_ pictures: PictureList) {
        self.pictures.append(contentsOf: pictures)
        if pictures.count <= Self.few { albumCount += pictures.count { $0.kind == .album } }
        let shownBefore = arrangement.count
        arrangement.append(self.pictures)
        fruitlessPages = arrangement.count == shownBefore ? fruitlessPages + 1 : 0
        readFacts()
    }

    func adopt(_ detail: Detail, at index: Int) {
        guard pictures.indices.contains(index) else { return }
        switch detail {
        case .picture(let variant, _): pictures[index].full = variant
        case .album:
            albumCount += pictures[index].kind == .album ? 0 : 1
            pictures[index].kind = .album
        }
    }

    func adopt(guessed variant: Picture.Variant, at index: Int) {
        guard pictures.indices.contains(index) else { return }
        pictures[index].full = variant
        pictures[index].isFullGuessed = true
    }

    /// Marks a picture as new no longer.
    func unmark(_ image: Address, near index: Int) {
        if let index = pictures.index(of: image, near: index) { pictures[index].isNew = false }
        rearranged()
    }

    /// Records the decoded size of a picture whose largest image is at `address`, and looks for one of the web on this machine.
    func record(_ facts: PictureFacts, of address: Address, at index: Int) {
        guard let picture = picture(at: index), picture.kind == .picture else { return }
        let size = facts.size
        if picture.largest == address, self.size(at: index) != size {
            learn(at: index) {
                $0.width = Pixels(size.width)
                $0.height = Pixels(size.height)
            }
        }
        if picture.image.isFile { return }
        services.index?.find(facts.fingerprint) { [weak self, main = context.main] twin in
            main.post { self?.adopt(twin, of: picture.image, size, at: index) }
        }
    }

    private func adopt(
        _ found: IndexedPicture, of image: Address, _ size: PixelSize, at index: Int
    ) {
        // The section may have been loaded again.
        guard let picture = picture(at: index), picture.image == image else { return }
        var twin = found
        // In another size it may have looked like a smaller one.
        if let known = picture.twin, known.pixelCount > twin.pixelCount { twin = known }
        // A larger file of it may have been decoded before.
        twin.isSmaller = twin.pixelCount < max(size.count, self.size(at: index)?.count ?? 0)
        guard twin != picture.twin else { return }
        learn(at: index) { $0.twin = twin }
        display.needsDisplay = true
    }

    /// Holds back what has become known of a picture, along with what else is known of it.
    private func learn(at index: Int, _ change: (inout FileFacts) -> Void) {
        let picture = pictures[index]
        let known = FileFacts(width: picture.width, height: picture.height, camera: picture.camera)
        change(&newFacts[index, default: known])
    }

    /// Returns a picture, along with what is held back of it.
    func picture(at index: Int) -> Picture? {
        guard pictures.indices.contains(index) else { return nil }
        var picture = pictures[index]
        newFacts[index].map { picture.adopt($0) }
        return picture
    }

    /// Returns the shapes of the pictures shown at `places`.
    func shapes(at places: Range<Int>) -> [JustifiedRows.Shape] {
        shapes += repeatElement(JustifiedRows.unknown, count: pictures.count - shapes.count)
        return places.map { shapes[arrangement.number(at: $0)] }
    }

    /// Returns the size of a picture; nil if it is unknown.
    func size(at index: Int) -> PixelSize? {
        guard let picture = picture(at: index), let width = picture.width,
            let height = picture.height
        else { return nil }
        return PixelSize(width: width.count, height: height.count)
    }

    /// Applies the sizes of decoded pictures, unless the pictures are sorted by size and would then be out of order.
    func adoptSizes() {
        if arrangement.order.key != .pixels { takeFacts() }
    }

    private func takeFacts() {
        guard !newFacts.isEmpty else { return }
        for (index, facts) in newFacts { pictures[index].adopt(facts) }
        newFacts = [:]
        factsRevision += 1
    }

    /// Stops reading what files say, as nobody needs it.
    func stopReading() {
        readingFacts?.cancel()
        readingFacts = nil
        readFactsCount = 0
    }

    func empty() {
        pictures = PictureList()
        shapes = []
        albumCount = 0
        newFacts = [:]
        known = AddressSet()
        arranging?.cancel()
        stopReading()
        arrangement = Arrangement(order)
        fruitlessPages = 0
        hasPageTitle = false
        if let pager, pager.generation != generation {
            generation = pager.generation
            writtenFiles = [:]
        }
    }

    /// Up to this many pictures take about 5 ms to sort, less than a frame, and are arranged synchronously.
    private static let few = 4_000

    /// Arranges the pictures in another order; calls `rearranged` once that is complete, synchronously unless there are very many.
    ///
    /// Large sections are arranged on a background queue: sorting a million titles takes seconds.
    func arrange(_ order: PictureOrder) {
        defer { readFacts() }
        if order.grouping != self.order.grouping { stopReading() }
        self.order = order
        fruitlessPages = 0
        arranging?.cancel()
        takeFacts()
        let known = arrangedRevision == factsRevision ? arrangement : nil
        guard pictures.count > Self.few, !order.isPageOrder else {
            arrangement = Arrangement(order, of: pictures, narrowing: known)
            arrangedRevision = factsRevision
            return rearranged()
        }
        arranging = MainRequest(on: context.main) { [pictures, factsRevision] answer in
            // Users type faster than a million titles can be filtered.
            DispatchQueue.userInitiated.cancellable { _ in
                answer((Arrangement(order, of: pictures, narrowing: known), factsRevision))
            }
        } receive: { [weak self] (arrangement: Arrangement, revision: Int) in
            guard let self else { return }
            self.arrangement = arrangement
            arrangedRevision = revision
            // More pages may have arrived in the meantime.
            self.arrangement.append(pictures)
            rearranged()
        }
    }

    /// If the pictures are to be compared by what their files say, reads that of local ones in the background, and arranges anew as it
    /// becomes known.
    private func readFacts() {
        let range = readFactsCount..<pictures.count
        guard order.needsSizes || order.needsCamera, readingFacts == nil, !range.isEmpty,
            let readFacts = services.readFacts
        else { return }
        let compares = order.grouping == .alike
        readFactsCount = range.upperBound
        readingFacts = MainRequest(on: context.main) { [pictures] answer in
            DispatchQueue(label: "halftone.facts", qos: .userInitiated).cancellable { isCancelled in
                var facts: [Int: FileFacts] = [:]
                // Ever longer, as arranging many pictures takes time, too.
                var pause = 0.25
                var nextAnswer = SteadyClock.now + pause
                let files = range.filter { pictures[$0].largest.isFile }
                // Enough for one transaction, few enough to be cancelled soon.
                let step = compares ? .max : 64
                for start in stride(from: 0, to: files.count, by: step) {
                    if isCancelled() { return }
                    let batch = files[start...].prefix(step)
                    let known = readFacts(
                        batch.map { pictures[$0].largest }, compares, isCancelled)
                    for (index, known) in zip(batch, known) { facts[index] = known }
                    if SteadyClock.now > nextAnswer {
                        answer((facts, false))
                        facts = [:]
                        pause *= 2
                        nextAnswer = SteadyClock.now + pause
                    }
                }
                answer((facts, true))
            }
        } receive: { [weak self] (facts: [Int: FileFacts], isComplete: Bool) in
            guard let self else { return }
            newFacts.merge(facts) { _, new in new }
            if isComplete { readingFacts = nil }
            guard newFacts.isEmpty else { return arrange(order) }
            rearranged()
            self.readFacts()
        }
    }

    var isLoading: Bool { pager?.isLoading == true }

    var mayGrow: Bool {
        switch pager?.state {
        case .idle, .loading: true
        default: false
        }
    }

    /// The failed page that the section is stuck at, if any.
    var failure: PageFailure? { pager?.failure }

    /// The line shown where pictures are missing, and whether it is an error; nil if nothing is missing.
    ///
    /// It stays while more pages may follow, so that nothing moves when a load starts or ends.
    var note: (text: String, isFailure: Bool)? {
        guard let pager, !isNews || !pictures.isEmpty else { return nil }
        switch pager.state {
        case .loading: return (pager.activity.isEmpty ? "loading…" : pager.activity, false)
        case .idle:
            let more = isFilteredOut ? "nothing matches so far: G loads more" : "more"
            return (pictures.isEmpty ? "not loaded yet" : more, false)
        case .failed(let failure): return ("\(failure.reason.oneLine()): r tries again", true)
        case .exhausted:
            if let shortfall = pager.shortfall { return (shortfall.oneLine(), true) }
            guard arrangement.count == 0 else { return nil }
            let filter = order.filter.oneLine(limit: 40)
            return (
                isFilteredOut
                    ? "nothing matches \(filter): Esc shows all"
                    : "no pictures found: Backspace goes back or up, :open elsewhere, q quits",
                false
            )
        }
    }

    var hasNote: Bool { note != nil }

    private var isFilteredOut: Bool { arrangement.count == 0 && !pictures.isEmpty }

    /// Loads the section again if its folder or page, or one of `files`, has changed since it was loaded; looks in the background.
    func reloadIfChanged(_ files: [Address]) {
        // What was piped in cannot be read again.
        guard let pager, let path = address.filePath, !isLoading, !address.isPipedIn else { return }
        let paths = [path] + files.compactMap(\.filePath)
        checking = MainRequest(on: context.main) { [began = pager.began] answer in
            DispatchQueue.userInitiated.cancellable { _ in
                answer(paths.contains { hasFileChanged($0, since: began) })
            }
        } receive: { [weak pager] (hasChanged: Bool) in
            if hasChanged { pager?.restart() }
        }
    }

    var detail: String {
        if pictures.isEmpty {
            if let failure { return isNews ? failure.reason.oneLine() : "failed" }
            if isLoading { return "loading" }
            return mayGrow ? "" : isNews ? "nothing new" : "no pictures"
        }
        let filter = arrangement.order.filter
        let others = pictures.count - albumCount
        var text: String
        if !filter.isEmpty {
            let total = counted(pictures.count, "picture")
            text = "\(filter.oneLine().truncated(to: 20)): \(arrangement.count) of \(total)"
        } else if isNews {
            text = "\(others) new"
        } else {
            text = [(albumCount, "album"), (others, "picture")].filter { $0.0 > 0 }
                .map { counted($0, $1) }.joined(separator: ", ")
        }
        if readingFacts != nil {
            text += ", reading files"
        } else if arrangement.unknownSizes > 0 {
            text += ", \(arrangement.unknownSizes) unmeasured"
        }
        guard arrangement.order != order else { return text }
        return text + (order.key == arrangement.order.key ? ", filtering" : ", sorting")
    }

    /// Returns a number so far, such as "1 album" or "48+ pictures".
    private func counted(_ count: Int, _ noun: String) -> String {
        mayGrow ? "\(count)+ \(noun)s" : "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
