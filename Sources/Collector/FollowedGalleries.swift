import Basics
import Dispatch
public import Gallery
public import Network
public import Pipeline
public import State
import Trace

/// The galleries that the user follows, and what is new in them: pictures of which neither the address nor the contents were seen before.
///
/// Usable from any thread. A picture that was seen counts as such at once, in other programs and later runs, too, but is still marked as new
/// in this one until the next look.
public final class FollowedGalleries: Sendable {
    private let state: StateStore
    private let fetcher: any Fetching
    /// The addresses of the galleries since the last look, so that pages need not wait for the disk; nil if they are to be read anew.
    private let followed = Locked<Set<String>?>(nil)
    /// What is still to be hashed.
    private let work = DispatchGroup()
    /// The galleries whose further pages are at these addresses.
    private let galleries = Locked<[Address: String]>([:])
    /// The new pictures that have been seen since the last look, which stay marked.
    private let justSeen = Locked<Set<Address>>([])

    /// Creates the galleries that `state` has kept; `fetcher` has their pictures.
    public init(state: StateStore, fetcher: any Fetching) {
        self.state = state
        self.fetcher = fetcher
    }

    /// Begins another look; `completion` gets the galleries, as sections of what is new in them, on any thread.
    public func look(completion: @escaping Receiver<[Source]>) {
        DispatchQueue.global().asyncGuarded { [self] in
            justSeen.withLock { $0 = [] }
            followed.withLock { $0 = nil }
            completion(state.news)
        }
    }

    /// Follows a gallery, whose `pictures` count as seen, or no longer; `completion` is told which, on any thread.
    public func toggle(
        _ gallery: String, seen pictures: PictureList, completion: @escaping Receiver<Bool>
    ) {
        DispatchQueue.global().asyncGuarded { [self] in
            let isFollowed = !follows(gallery)
            state.setFollowed(gallery, isFollowed)
            followed.withLock { $0 = nil }
            if isFollowed {
                state.keep(seen: pictures.map(\.image.text))
                hash(pictures) { [state] in state.keep(seen: $0.values) }
            }
            completion(isFollowed)
        }
    }

    /// Marks the new pictures of a page requested at `address`, if its gallery is followed; `completion` gets it, on any thread.
    ///
    /// With `isReduced`, it has nothing but these, judged by their contents as well. Blocks on the disk.
    public func markNew(
        _ page: Page, at address: Address, isReduced: Bool, completion: @escaping Receiver<Page>
    ) {
        let gallery = galleries.withLock { $0[address] } ?? address.text
        guard follows(gallery) else { return completion(page) }
        if let next = page.next { galleries.withLock { $0[next] = gallery } }
        let images = page.pictures.map(\.image)
        let seen = state.seen(among: images.map(\.text))
        let justSeen = justSeen.current
        let new = images.indices.filter { index in
            let image = images[index]
            return !seen.contains(image.text) || justSeen.contains(image)
        }
        var page = page
        for index in new { page.pictures[index].isNew = true }
        guard isReduced else { return completion(page) }
        page.pictures = PictureList(new.map { page.pictures[$0] })
        hash(page.pictures.filter { !justSeen.contains($0.image) }) { [state, page] hashes in
            let seen = state.seen(among: hashes.values)
            let moved = hashes.filter { seen.contains($0.value) }.keys
            state.keep(seen: moved.map(\.text))
            var page = page
            page.pictures.removeAll { moved.contains($0.image) }
            // Where something was seen, further pages are older.
            if page.pictures.count < images.count { page.next = nil }
            completion(page)
        }
    }

    /// Counts a picture as seen; calls `moved`, on any thread, if its contents were seen elsewhere before.
    public func markSeen(_ picture: Picture, moved: @escaping Action) {
        guard justSeen.withLock({ $0.insert(picture.image).inserted }) else { return }
        state.keep(seen: [picture.image.text])
        hash([picture]) { [self] hashes in
            if !state.seen(among: hashes.values).isEmpty {
                justSeen.withLock { _ = $0.remove(picture.image) }
                moved()
            }
            state.keep(seen: hashes.values)
        }
    }

    /// Waits until what was seen has been hashed, unless servers keep it waiting.
    public func finish() { _ = work.wait(timeout: .now() + 0.3) }

    private func follows(_ gallery: String) -> Bool {
        followed.withLock { followed in
            let known = followed ?? Set(state.followed)
            followed = known
            return known.contains(gallery)
        }
    }

    /// Finds the hashes of what stands for pictures in the grid, by their images; those in the cache are known without being read.
    private func hash(
        _ pictures: some Sequence<Picture>, completion: @escaping Receiver<[Address: String]>
    ) {
        let hashes = Locked<[Address: String]>([:])
        let group = DispatchGroup()
        // One picture after the other is read and hashed.
        let queue = DispatchQueue(label: "halftone.followed")
        // More than there are on most pages, yet fetched in a minute.
        for picture in pictures.prefix(1000) where picture.isDrawable {
            group.enter()
            PipelineActor.perform { [fetcher] in
                _ = fetcher.find(
                    Request(picture.thumbnail, for: .picture, referer: picture.page),
                    priority: .prefetch, flow: .none
                ) {
                    $0
                } completion: { result in
                    queue.asyncGuarded {
                        let hash: ContentHash? =
                            switch try? result.get() {
                            case .derived(let hash): hash
                            case .body(let response): response.hash.value
                            case .stored(let read): read()?.hash.value
                            case nil: nil
                            }
                        hashes.withLock { $0[picture.image] = hash?.text }
                        group.leave()
                    }
                }
            }
        }
        work.enter()
        group.notify(queue: queue) { [work] in
            completion(hashes.current)
            work.leave()
        }
    }
}

extension StateStore {
    /// The followed galleries, as sections of what is new in them.
    ///
    /// Blocks on the disk.
    public var news: [Source] {
        followed.compactMap { Address($0) }.map { address in
            var source = Source(argument: address.text, address: address)
            source.isNews = true
            return source
        }
    }
}
