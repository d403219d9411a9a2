import Basics
import Dispatch
import Gallery
import Network
import Pipeline
import Raster

/// A heading and the pictures under it: those of one SOURCE, of an album, or the related ones of another section's pages.
@MainActor final class Section {
    /// Never used twice in a run.
    let id: Int
    /// The section whose pages fill this one; nil if it has pages of its own.
    let owner: Int?
    let address: Address
    /// Loads its pages; nil for related pictures.
    let pager: Pager?
    private(set) var title: String
    /// In page order, each once.
    private(set) var pictures = PictureList()
    /// Which pictures are shown, and in what order: as of `order`, or as before while that is being worked out.
    private(set) var arrangement: Arrangement
    private(set) var order: PictureOrder
    /// Pages in a row that added nothing to what is shown, as under a filter.
    var fruitlessPages = 0
    /// What its pictures are at least as recent as: grows with each reload.
    private(set) var generation: CacheGeneration

    /// The related pictures that are here; those of pages of its own are told apart by the pager's trail.
    private var known = AddressSet()
    private var hasPageTitle = false
    private var arranging: MainRequest?
    /// The true sizes of decoded pictures by index, until order or filter are given anew: nothing moves under the user's eyes.
    private var decodedSizes: [Int: PixelSize] = [:]
    /// Whether the arrangement is of other sizes.
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

    /// Adds those of `pictures` whose largest image is not here yet, in order.
    func append(related pictures: [Picture]) {
        append(PictureList(pictures.filter { known.insert($0.image) }))
    }

    /// Adds pictures that are not here yet, in order.
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

    /// Notes how large a picture is whose largest size, at `address`, was decoded.
    func note(_ size: PixelSize, of address: Address, at index: Int) {
        guard pictures.indices.contains(index) else { return }
        let picture = pictures[index]
        let isNew = picture.width?.count != size.width || picture.height?.count != size.height
        if isNew, picture.kind == .picture, picture.largest == address {
            decodedSizes[index] = size
        }
    }

    /// Takes the sizes of decoded pictures for true; not while they would be in the wrong order then.
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

    /// Up to this many pictures take about 5 ms to sort, less than a frame: those are arranged at once.
    private static let few = 4_000

    /// Shows the pictures in another order; `done` is called when they are, at once unless they are very many.
    ///
    /// Beside the main thread then: sorting a million titles takes seconds.
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
            DispatchQueue.global(qos: .utility).asyncGuarded {
                // A user types faster than a million titles are filtered.
                guard !isCancelled.withLock(\.self) else { return }
                answer(Arrangement(order, of: pictures, narrowing: known))
            }
            return Subscription(onCancel: { isCancelled.withLock { $0 = true } })
        } receive: { [weak self] (arrangement: Arrangement) in
            guard let self else { return }
            self.arrangement = arrangement
            isArrangementOutdated = false
            // Pages may have come meanwhile.
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

    /// The page that did not come, if the section stands still for it.
    var failure: PageFailure? {
        if case .failed(let failure) = pager?.state { failure } else { nil }
    }

    /// A line in the section where pictures are missing, with whether it tells of a failure; nil if nothing is missing.
    ///
    /// It stays while more pages may come, so that nothing moves when a load starts or ends.
    var note: (text: String, isFailure: Bool)? {
        guard hasNote, let pager else { return nil }
        switch pager.state {
        case .loading: return ("loading…", false)
        case .idle: return (pictures.isEmpty ? "not loaded yet" : "more", false)
        case .failed(let failure): return ("\(failure.reason.oneLine()): r tries again", true)
        case .exhausted: return ("no pictures on this page", false)
        }
    }

    /// Costs nothing, for the layout.
    var hasNote: Bool {
        switch pager?.state {
        case .none: false
        case .exhausted: pictures.isEmpty
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
