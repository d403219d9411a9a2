import Basics
import Browser
import Dispatch
import Gallery
import Network
import Pipeline
import Rendering

/// The pages of galleries, of which a browser draws those that show nothing without their scripts.
final class RenderedPages: PageLoading {
    fileprivate let galleries: GalleryLoader
    fileprivate let renderer: PageRenderer
    private let network: NetworkOptions
    /// The pages that the user wants drawn.
    private let wanted = Locked<Set<Address>>([])

    init(galleries: GalleryLoader, renderer: PageRenderer, network: NetworkOptions) {
        (self.galleries, self.renderer, self.network) = (galleries, renderer, network)
    }

    /// Has these pages drawn from now on, or no longer; returns which.
    @Sendable func toggle(_ pages: [Address]) -> Bool {
        wanted.withLock { wanted in
            let isDrawn = wanted.isDisjoint(with: pages)
            if isDrawn { wanted.formUnion(pages) } else { wanted.subtract(pages) }
            return isDrawn
        }
    }

    func load(
        _ address: Address, referer: Address?, generation: CacheGeneration,
        completion: @escaping Receiver<Result<Page, PageError>>
    ) -> Subscription {
        let mode = network.at(address.host).rendering
        let isWanted = wanted.withLock { $0.contains(address) }
        guard address.isOnWeb, !network.isOffline, isWanted || mode != .never else {
            return galleries.load(
                address, referer: referer, generation: generation, completion: completion)
        }
        if isWanted || mode == .always { return draw(address, referer, completion) }
        return galleries.load(
            address, referer: referer, generation: generation
        ) { [self] result in
            guard result.isWithoutPictures else { return completion(result) }
            // What is cancelled from here on is drawn to its end, and its result dropped by who asked.
            _ = draw(address, referer) { drawn in
                switch drawn {
                case .success: completion(drawn)
                case .failure(let reason):
                    // Of a page that only lacks pictures, nobody need know that a browser could not help.
                    guard case .failure(.needsScripts) = result, reason != .noPictures else {
                        return completion(result)
                    }
                    completion(.failure(.document("\(PageError.needsScripts): \(reason)")))
                }
            }
        }
    }

    fileprivate func draw(
        _ address: Address, _ referer: Address?,
        _ completion: @escaping Receiver<Result<Page, PageError>>
    ) -> Subscription {
        var part = Page(address: address, title: "", pictures: [])
        (part.isPart, part.activity) = (true, "the browser is drawing the page…")
        completion(.success(part))
        let page = DrawnPage(address, referer: referer, of: self)
        return page.perform(completion) { page, _ throws(PageError) in try page.first() }
    }
}

/// A page that a browser draws, and what comes when it is scrolled on: each part that brings new pictures is a page of the gallery.
private final class DrawnPage: PageLoading {
    private let pages: RenderedPages
    private let address: Address
    private let referer: Address?
    /// The page in the browser, nil before it is opened or if it has failed, and what has been on it.
    private let state = Locked((tab: Tab?.none, seen: VisitedPages()))

    /// After so many attempts at the page's end that bring nothing, or attempts at all, there is no more.
    private static let maxVain = 2, maxAttempts = 50

    init(_ address: Address, referer: Address?, of pages: RenderedPages) {
        (self.address, self.referer, self.pages) = (address, referer, pages)
    }

    func load(
        _ address: Address, referer: Address?, generation: CacheGeneration,
        completion: @escaping Receiver<Result<Page, PageError>>
    ) -> Subscription {
        // Without a number it is a page that this one links to.
        guard address.page != nil else { return pages.draw(address, referer, completion) }
        return perform(completion) { drawn, isCancelled throws(PageError) in
            try drawn.following(at: address, isCancelled)
        }
    }

    /// Works for a page on a thread of its own, as the browser is waited for.
    func perform(
        _ completion: @escaping Receiver<Result<Page, PageError>>,
        _ work: @escaping @Sendable (DrawnPage, _ isCancelled: () -> Bool) throws(PageError) -> Page
    ) -> Subscription {
        DispatchQueue(label: "halftone.render").cancellable { [self] isCancelled in
            let result = Result { () throws(PageError) in try work(self, isCancelled) }
            completion(isCancelled() ? .failure(.cancelled) : result)
        }
    }

    /// Opens the page; returns what is on it at first, as the part with this number.
    func first(number: Int = 1) throws(PageError) -> Page {
        let tab: Tab
        let response: Response
        do {
            (tab, response) = try pages.renderer.open(address, referer: referer)
        } catch {
            throw .fetch(error)
        }
        state.withLock { $0.tab = tab }
        return adopt(try pages.galleries.page(of: response).get(), number: number)
    }

    /// Scrolls on until there is something new; returns that, or an empty page at the end.
    private func following(
        at address: Address, _ isCancelled: () -> Bool
    ) throws(PageError) -> Page {
        let number = address.page ?? 1
        var vain = 0
        for _ in 0..<Self.maxAttempts where vain < Self.maxVain && !isCancelled() {
            guard let tab = state.withLock(\.tab) else {
                let page = try first(number: number)
                if page.isWithoutPictures { continue }
                return page
            }
            do {
                let (response, isAtEnd) = try tab.advance()
                if let response, let page = try? pages.galleries.page(of: response).get() {
                    let new = adopt(page, number: number)
                    if !new.isWithoutPictures { return new }
                }
                if isAtEnd { vain += 1 }
            } catch {
                state.withLock { $0.tab = nil }
                throw .fetch(error)
            }
        }
        return Page(address: address, title: "", pictures: [])
    }

    /// Returns a part of the page without what has been on it before.
    private func adopt(_ page: Page, number: Int) -> Page {
        var page = page
        page.pictures = state.withLock { $0.seen.admit(page, requested: address).new }
        if number > 1 { page.related = [] }
        page.next = page.next ?? page.address.page(number + 1)
        page.continuation = self
        return page
    }
}
