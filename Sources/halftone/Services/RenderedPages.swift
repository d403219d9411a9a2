import Basics
import Browser
import Dispatch
import Gallery
import Network
import Pipeline
import Rendering

/// The pages of galleries, of which a browser draws those that show nothing without their scripts.
struct RenderedPages: PageLoading {
    let galleries: GalleryLoader
    let renderer: PageRenderer
    let network: NetworkOptions
    /// The pages that the user wants drawn.
    private let wanted = Locked<Set<Address>>([])
    /// The pages that have a tab, the one used last at the end.
    private let recent = Locked<[Recent]>([])

    private struct Recent {
        weak var page: DrawnPage?
    }

    /// Each takes a hundred megabytes of the browser's.
    private static let maxTabs = 8

    /// Has these pages drawn from now on, or no longer; returns which.
    @Sendable func toggle(_ pages: [Address]) -> Bool {
        wanted.withLock { wanted in
            let isDrawn = wanted.isDisjoint(with: pages)
            if isDrawn { wanted.formUnion(pages) } else { wanted.subtract(pages) }
            return isDrawn
        }
    }

    func load(
        _ request: Request, completion: @escaping LoadReceiver<Page>
    ) -> Subscription {
        let (address, referer) = (request.address, request.referer)
        let mode = network.at(address.host).rendering
        let isWanted = wanted.withLock { $0.contains(address) }
        guard address.isOnWeb, !network.isOffline, isWanted || mode != .never else {
            return galleries.load(request, completion: completion)
        }
        if isWanted || mode == .always { return draw(address, referer, completion) }
        return galleries.load(request) { result in
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

    /// Notes that a page's tab is used; of too many, the one used least recently is closed until its page is wanted again.
    fileprivate func uses(_ page: DrawnPage) {
        let oldest = recent.withLock { recent -> DrawnPage? in
            recent = recent.filter { $0.page != nil && $0.page !== page } + [Recent(page: page)]
            return recent.count > Self.maxTabs ? recent.removeFirst().page : nil
        }
        oldest?.state.withLock { $0.tab = nil }
    }

    fileprivate func draw(
        _ address: Address, _ referer: Address?,
        _ completion: @escaping LoadReceiver<Page>
    ) -> Subscription {
        DrawnPage(address, referer: referer, of: self).load(part: 1, completion)
    }
}

/// A page that a browser draws, and what comes when it is scrolled on: each part that brings new pictures is a page of the gallery.
private final class DrawnPage: PageLoading {
    private let pages: RenderedPages
    private let address: Address
    private let referer: Address?
    /// The page in the browser, nil before it is opened or if it has failed, and what has been on it.
    fileprivate let state = Locked((tab: Tab?.none, seen: AddressSet()))

    /// After so many attempts that bring nothing, or attempts at all, there is no more.
    private static let maxVain = 2, maxAttempts = 50

    init(_ address: Address, referer: Address?, of pages: RenderedPages) {
        self.address = address
        self.referer = referer
        self.pages = pages
    }

    func load(
        _ request: Request, completion: @escaping LoadReceiver<Page>
    ) -> Subscription {
        // Without a number it is a page that this one links to.
        guard let number = request.address.page else {
            return pages.draw(request.address, request.referer, completion)
        }
        return load(part: number, completion)
    }

    /// Loads a part, numbered from 1, on a thread of its own, as the browser is waited for.
    func load(
        part number: Int, _ completion: @escaping LoadReceiver<Page>
    ) -> Subscription {
        var drawing = Page(address: address, title: "", pictures: [])
        drawing.isPart = true
        drawing.activity = "the browser is drawing the page…"
        completion(.success(drawing))
        return DispatchQueue(label: "halftone.render").cancellable { [self] isCancelled in
            let result = Result { () throws(PageError) in try part(number, isCancelled) }
            completion(isCancelled() ? .failure(.cancelled) : result)
        }
    }

    /// Returns what is new on the page, at first all of it, then what comes when it is scrolled on; an empty page at the end.
    private func part(_ number: Int, _ isCancelled: () -> Bool) throws(PageError) -> Page {
        var vain = 0
        for _ in 0..<Self.maxAttempts where vain < Self.maxVain && !isCancelled() {
            let response: Response?
            let isAtEnd: Bool
            do throws(FetchError) {
                let open = state.withLock(\.tab)
                let tab =
                    if let open { open } else {
                        try pages.renderer.tab(for: address, referer: referer)
                    }
                state.withLock { $0.tab = tab }
                pages.uses(self)
                (response, isAtEnd) = try tab.advance()
            } catch {
                state.withLock { $0.tab = nil }
                throw .fetch(error)
            }
            if isAtEnd || response == nil { vain += 1 }
            guard let response else { continue }
            var page: Page
            do throws(PageError) {
                page = try pages.galleries.page(of: response).get()
            } catch {
                if number == 1 { throw error }
                continue
            }
            page.pictures = state.withLock { page.pictures.unseen(by: &$0.seen) }
            if number > 1 {
                if page.isWithoutPictures { continue }
                page.related = []
            }
            page.next = page.next ?? page.address.page(number + 1)
            page.continuation = self
            return page
        }
        return Page(address: address.page(number), title: "", pictures: [])
    }
}
