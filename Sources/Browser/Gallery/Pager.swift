import Basics
public import Gallery
public import Network
public import Pipeline

/// The pages of one section, loaded one at a time: decides which is next and when there are no more.
///
/// Ends at a page without a next one, at a page already visited, at a page with nothing new, and at the page limit, so that a
/// gallery whose last page links to its first one terminates.
@MainActor public final class Pager {
    enum State {
        /// Another page is known but has not been requested.
        case idle(next: Address)
        case loading(Address)
        /// A page failed to load; `retry` requests it again.
        case failed(PageFailure)
        case exhausted
    }

    private(set) var state: State
    private(set) var isWithoutPictures = false
    /// Why pictures of the last page are missing; nil if none are known to be.
    private(set) var shortfall: String?
    /// Whether a page had nothing at all, rather than nothing new.
    public private(set) var hasFoundNothing = false
    var hasLoadedPage: Bool { pageCount > 0 && !isWithoutPictures }

    /// Receives a page reduced to what is new; `replacing` means that it replaces everything loaded so far.
    public var takePage: (_ page: Page, _ replacing: Bool) -> Void = { _, _ in }
    /// Called when the state has changed.
    public var stateChanged: () -> Void = {}
    /// What is being done for the page that is loading, in one line; empty if that is nothing out of the ordinary.
    public private(set) var activity = ""
    /// Why the last page could not be loaded; nil if it could.
    public var failure: PageFailure? {
        if case .failed(let failure) = state { failure } else { nil }
    }

    private let first: Address
    /// The page that linked to the first one; nil if the user named it.
    private let opener: Address?
    private var referer: Address?
    private let limit: Int
    private let pages: any PageLoading
    /// Loads the pages after the last one instead.
    private var continuation: (any PageLoading)?
    private let main: any MainScheduling
    private var visited = VisitedPages()
    private var pageCount = 0
    /// Whether the next page to arrive replaces everything loaded so far, as the first of a reload does.
    var replacesAll = false
    /// The minimum cache generation of every page and picture of the current pass through the section.
    private(set) var generation = CacheGeneration.any
    /// Whether what is being loaded has changed meanwhile.
    private(set) var isStale = false
    /// When the current pass through the section began; files changed later are not what was loaded.
    private(set) var began = realtimeNanoseconds()
    private var request: MainRequest?

    /// Creates a pager for at most `limit` pages (nil: all); `opener` is the page that linked to the first one, nil if the user named it.
    public init(
        first: Address, opener: Address?, limit: Int?, pages: any PageLoading,
        main: any MainScheduling
    ) {
        self.first = first
        self.opener = opener
        referer = opener
        self.limit = max(1, limit ?? .max)
        self.pages = pages
        self.main = main
        state = .idle(next: first)
    }

    /// Loads the next page unless one is loading, the last could not be, or there is none.
    public func advance() {
        guard case .idle(let next) = state else { return }
        load(next, generation: generation)
    }

    func retry() {
        guard case .failed(let failure) = state else { return }
        load(failure.address, generation: .next())
    }

    /// Starts over, bypassing the cache; what is loaded stays until the first page has loaded again.
    func restart() {
        cancel()
        generation = .next()
        reread()
    }

    /// Loads the first page again; until then, what is loaded stays.
    ///
    /// Its pictures are as fresh as before.
    func reread() {
        guard !isLoading else { return isStale = true }
        began = realtimeNanoseconds()
        replacesAll = true
        referer = opener
        load(first, generation: generation)
    }

    /// Cancels a load that says what it does, which then counts as failed; returns false if there is none.
    func stop() -> Bool {
        guard case .loading(let address) = state, !activity.isEmpty else { return false }
        cancel()
        state = .failed(PageFailure(address: address, reason: "stopped", isStopped: true))
        stateChanged()
        return true
    }

    /// Whether a page is being loaded.
    public var isLoading: Bool { if case .loading = state { true } else { false } }

    /// Cancels the load in flight, for example when its album is closed.
    func cancel() {
        request?.cancel()
        activity = ""
        if case .loading(let address) = state { state = .idle(next: address) }
    }

    private func load(_ address: Address, generation: CacheGeneration) {
        state = .loading(address)
        let pages = replacesAll ? pages : continuation ?? pages
        request = MainRequest(on: main) { answer in
            pages.load(
                Request(address, for: .page, referer: referer, generation: generation),
                completion: answer)
        } receive: { [weak self] result in
            self?.receive(result, for: address)
        }
        stateChanged()
    }

    private func receive(_ result: Result<Page, PageError>, for address: Address) {
        activity = (try? result.get().activity) ?? ""
        if !activity.isEmpty { return stateChanged() }
        defer {
            if isStale {
                isStale = false
                reread()
            }
        }
        switch result {
        case .success(let page): take(page, from: address)
        case .failure(.cancelled): state = .idle(next: address)
        case .failure(.noPictures):
            hasFoundNothing = true
            take(Page(address: address, title: "", pictures: []), from: address)
        case .failure(let error):
            state = .failed(PageFailure(address: address, reason: error.description))
        }
        stateChanged()
    }

    private func take(_ page: Page, from address: Address) {
        let replacing = replacesAll
        if replacing {
            visited = VisitedPages()
            pageCount = 0
        }
        replacesAll = false
        pageCount += 1
        referer = page.address
        continuation = page.continuation
        shortfall = page.shortfall
        isWithoutPictures = (pageCount == 1 || isWithoutPictures) && page.isWithoutPictures
        var page = page
        let next: Address?
        (page.pictures, next) = visited.admit(page, requested: address)
        if !page.isPart {
            state = next.map { pageCount < limit ? .idle(next: $0) : .exhausted } ?? .exhausted
        }
        takePage(page, replacing)
    }
}

/// Why a page could not be loaded.
public struct PageFailure: Hashable {
    var address: Address
    /// The reason, in one line or more.
    public var reason: String
    /// Whether that is the user's wish.
    var isStopped = false
}
