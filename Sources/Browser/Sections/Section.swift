import Gallery
import Network

/// A heading and the pictures under it: those of one SOURCE, of an album, or the related ones of another section's
/// pages.
@MainActor final class Section {
    /// Never used twice in a run.
    let id: Int
    /// The section whose pages fill this one; nil if it has pages of its own.
    let owner: Int?
    /// Where its first page is.
    let address: Address
    /// Loads its pages; nil for related pictures.
    let pager: Pager?
    /// The heading.
    private(set) var title: String
    /// The pictures in page order, each once.
    private(set) var pictures: [Picture] = []
    /// Which of them are shown, and in what order.
    private(set) var arrangement: Arrangement
    /// Pages in a row that added nothing to what is shown, as under a filter.
    private(set) var fruitlessPages = 0
    /// Grows with each reload: pictures loaded in an earlier epoch are asked for past the cache.
    private(set) var epoch = 0

    private var known: Set<Address> = []
    private var hasPageTitle = false

    /// Makes an empty section.
    ///
    /// `title` stands until a page brings its own.
    init(
        id: Int, address: Address, title: String, pager: Pager?, owner: Int? = nil,
        order: PictureOrder = PictureOrder()
    ) {
        arrangement = Arrangement(order)
        self.id = id
        self.address = address
        self.title = title
        self.pager = pager
        self.owner = owner
    }

    /// Takes the title of the section's first page, if it has one.
    func adopt(title: String) {
        guard !hasPageTitle, !title.isEmpty else { return }
        self.title = title
        hasPageTitle = true
    }

    /// Adds those of `pictures` whose largest image is not here yet, in order.
    func append(_ pictures: [Picture]) {
        let before = self.pictures.count
        for picture in pictures where known.insert(picture.image).inserted {
            self.pictures.append(picture)
        }
        let shownBefore = arrangement.count
        arrangement.append(self.pictures[before...])
        fruitlessPages = arrangement.count == shownBefore ? fruitlessPages + 1 : 0
    }

    /// Forgets the pictures, to be filled anew by a reload.
    func empty() {
        pictures = []
        known = []
        arrangement = Arrangement(arrangement.order)
        fruitlessPages = 0
        hasPageTitle = false
        epoch += 1
    }

    /// Shows the pictures in another order.
    func arrange(_ order: PictureOrder) {
        arrangement = Arrangement(order)
        arrangement.append(pictures[...])
        fruitlessPages = 0
    }

    /// Forgets that pages brought nothing, as when the reader asks for more.
    func expectMore() {
        fruitlessPages = 0
    }

    /// Whether a page is on its way.
    var isLoading: Bool {
        if case .loading = pager?.state { true } else { false }
    }

    /// Whether there may be more pictures than are loaded.
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
}
