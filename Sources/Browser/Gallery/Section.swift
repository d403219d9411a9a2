import Basics
import Dispatch
import Gallery
import Network
import Pipeline
import Raster

/// A heading and the pictures below it: of a SOURCE, of an album, or related ones found on another section's pages.
@MainActor final class Section {
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
    /// The number of consecutive pages that added nothing shown, for example under a filter.
    var fruitlessPages = 0
    /// The minimum cache generation of its pictures; grows with each reload.
    private(set) var generation: CacheGeneration

    /// The images of related pictures already added; for a section's own pages, the pager's trail removes duplicates.
    private var known = AddressSet()
    private var hasPageTitle = false
    private var arranging: MainRequest?
    /// The sizes of decoded pictures by index, held back until the order or filter changes, so that nothing moves while the user looks.
    private var decodedSizes: [Int: PixelSize] = [:]
    /// Whether the arrangement was computed from outdated sizes.
    private var isArrangementOutdated = false

    init(
        id: Int, address: Address, title: String, pager: Pager?, owner: Int? = nil,
        order: PictureOrder = PictureOrder(), generation: CacheGeneration = .any
    ) {
        self.generation = generation
        arrangement = Arrangement(order)
        self.order = order
        self.id = id
        self.address = address
        self.title = title
        self.pager = pager
        self.owner = owner
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
        let shownBefore = arrangement.count
        arrangement.append(self.pictures)
        fruitlessPages = arrangement.count == shownBefore ? fruitlessPages + 1 : 0
    }

    func adopt(_ detail: Detail, at index: Int) {
        guard pictures.indices.contains(index) else { return }
        switch detail {
        case .picture(let variant, _): pictures[index].full = variant
        case .album: pictures[index].kind = .album
        }
    }

    func adopt(guessed variant: Picture.Variant, at index: Int) {
        guard pictures.indices.contains(index) else { return }
        pictures[index].full = variant
        pictures[index].isFullGuessed = true
    }

    /// Records the decoded size of a picture whose largest image is at `address`.
    func note(_ size: PixelSize, of address: Address, at index: Int) {
        guard pictures.indices.contains(index) else { return }
        let picture = pictures[index]
        let isNew = picture.width?.count != size.width || picture.height?.count != size.height
        if isNew, picture.kind == .picture, picture.largest == address {
            decodedSizes[index] = size
        }
    }

    /// Applies the sizes of decoded pictures, unless the pictures are sorted by size and would then be out of order.
    func adoptSizes() {
        if arrangement.order.key != .pixels { takeSizes() }
    }

    private func takeSizes() {
        guard !decodedSizes.isEmpty else { return }
        pictures.update(decodedSizes.keys) { [decodedSizes] index, picture in
            picture.width = decodedSizes[index].flatMap { Pixels($0.width) }
            picture.height = decodedSizes[index].flatMap { Pixels($0.height) }
        }
        decodedSizes = [:]
        isArrangementOutdated = true
    }

    func empty() {
        pictures = PictureList()
        decodedSizes = [:]
        known = AddressSet()
        arranging?.cancel()
        arrangement = Arrangement(order)
        fruitlessPages = 0
        hasPageTitle = false
        generation = pager?.generation ?? generation
    }

    /// Up to this many pictures take about 5 ms to sort, less than a frame, and are arranged synchronously.
    private static let few = 4_000

    /// Arranges the pictures in another order; `done` is called once that is complete, synchronously unless there are very many.
    ///
    /// Large sections are arranged on a background queue: sorting a million titles takes seconds.
    func arrange(
        _ order: PictureOrder, main: any MainScheduling, done: @escaping @MainActor () -> Void
    ) {
        self.order = order
        fruitlessPages = 0
        arranging?.cancel()
        takeSizes()
        let known = isArrangementOutdated ? nil : arrangement
        guard pictures.count > Self.few, !order.isPageOrder else {
            arrangement = Arrangement(order, of: pictures, narrowing: known)
            isArrangementOutdated = false
            return done()
        }
        arranging = MainRequest(on: main) { [pictures] answer in
            let isCancelled = Locked(false)
            DispatchQueue.global(qos: .userInitiated).asyncGuarded {
                // Users type faster than a million titles can be filtered.
                guard !isCancelled.withLock(\.self) else { return }
                answer(Arrangement(order, of: pictures, narrowing: known))
            }
            return Subscription(onCancel: { isCancelled.withLock { $0 = true } })
        } receive: { [weak self] (arrangement: Arrangement) in
            guard let self else { return }
            self.arrangement = arrangement
            isArrangementOutdated = false
            // More pages may have arrived in the meantime.
            self.arrangement.append(pictures)
            done()
        }
    }

    var isArranging: Bool { arrangement.order != order }

    var isLoading: Bool {
        if case .loading = pager?.state { true } else { false }
    }

    var mayGrow: Bool {
        switch pager?.state {
        case .idle, .loading: true
        default: false
        }
    }

    /// The failed page that the section is stuck at, if any.
    var failure: PageFailure? {
        if case .failed(let failure) = pager?.state { failure } else { nil }
    }

    /// The line shown where pictures are missing, and whether it is an error; nil if nothing is missing.
    ///
    /// It stays while more pages may follow, so that nothing moves when a load starts or ends.
    var note: (text: String, isFailure: Bool)? {
        guard hasNote, let pager else { return nil }
        switch pager.state {
        case .loading: return ("loading…", false)
        case .idle: return (pictures.isEmpty ? "not loaded yet" : "more", false)
        case .failed(let failure): return ("\(failure.reason.oneLine()): r tries again", true)
        case .exhausted:
            return pager.shortfall.map { ($0.oneLine(), true) } ?? ("no pictures found", false)
        }
    }

    /// Whether there is a note; cheap enough for the layout.
    var hasNote: Bool {
        switch pager?.state {
        case .none: false
        case .exhausted: pictures.isEmpty || pager?.shortfall != nil
        case .idle, .loading, .failed: true
        }
    }

    var detail: String {
        if pictures.isEmpty {
            if failure != nil { return "failed" }
            if isLoading { return "loading" }
            return mayGrow ? "" : "no pictures"
        }
        return countText
    }

    var countText: String {
        let total = "\(pictures.count)\(mayGrow ? "+" : "")"
        let isFiltered = !arrangement.order.filter.isEmpty
        let filter = arrangement.order.filter.oneLine(limit: 20)
        let count = isFiltered ? "\(filter): \(arrangement.count) of \(total)" : total
        let text = pictures.count == 1 && !mayGrow ? "\(count) picture" : "\(count) pictures"
        guard isArranging else { return text }
        return text + (order.key == arrangement.order.key ? ", filtering" : ", sorting")
    }
}
