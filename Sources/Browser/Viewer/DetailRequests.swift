import Gallery
import Network
import Pipeline

/// The pages behind thumbnails that the viewer wants, and what they turned out to be.
///
/// Told once a frame which pictures are looked at; asks for the pages not asked for yet and gives up those no longer
/// wanted. What one page of a section taught is tried first on the next.
@MainActor final class DetailRequests {
    /// What there is of a page.
    enum State {
        /// On its way.
        case loading
        /// Told to `changed`.
        case found
        /// It did not come, or has no picture.
        case failed(PageError)
    }

    private struct Slot {
        var state: State
        var subscription: Subscription?
        /// Names the request under way; an answer with another number is stale.
        var ticket: Int

        var isFound: Bool { if case .found = state { true } else { false } }
    }

    /// Told what the page behind a picture is.
    var changed: (PictureID, Detail?) -> Void = { _, _ in }

    private let loading: any DetailLoading
    private let main: any MainScheduling
    private var slots: [PictureID: (link: Address, slot: Slot)] = [:]
    private var rules: [Int: DetailRule] = [:]
    private var lastTicket = 0

    /// Makes requests to `loading`; wants nothing yet.
    init(loading: any DetailLoading, main: any MainScheduling) {
        self.loading = loading
        self.main = main
    }

    /// Makes `wants` all that is wanted; pages that are there stay known.
    func update(_ wants: [(id: PictureID, picture: Picture, priority: Priority)]) {
        let wanted = Set(wants.map(\.id))
        for (id, entry) in slots where !wanted.contains(id) {
            guard case .loading = entry.slot.state else { continue }
            entry.slot.subscription?.cancel()
            slots[id] = nil
        }
        for want in wants {
            guard let link = want.picture.link else { continue }
            switch slots[want.id] {
            case let entry? where entry.link == link && !entry.slot.isFound:
                entry.slot.subscription?.setPriority(want.priority)
            // A picture that was found and is wanted again has been replaced by a reload.
            default: ask(want.id, want.picture, link, want.priority)
            }
        }
    }

    /// What there is of the page behind a picture; nil if it was not asked for.
    func state(of id: PictureID) -> State? { slots[id]?.slot.state }

    /// Asks again for the pages of `ids` that failed; answers how many.
    func retry(_ ids: some Sequence<PictureID>) -> Int {
        var count = 0
        for id in ids {
            guard case .failed = state(of: id) else { continue }
            slots[id] = nil
            count += 1
        }
        return count
    }

    private func ask(
        _ id: PictureID, _ picture: Picture, _ link: Address, _ priority: Priority
    ) {
        slots[id]?.slot.subscription?.cancel()
        lastTicket += 1
        let ticket = lastTicket
        let main = main
        slots[id] = (link, Slot(state: .loading, subscription: nil, ticket: ticket))
        slots[id]?.slot.subscription = loading.loadDetail(
            of: picture, rule: rules[id.section], priority: priority
        ) { [weak self] result in
            main.post { self?.receive(result, for: id, ticket: ticket) }
        }
    }

    private func receive(_ result: Result<Detail, PageError>, for id: PictureID, ticket: Int) {
        guard slots[id]?.slot.ticket == ticket else { return }
        slots[id]?.slot.subscription = nil
        switch result {
        case .success(let detail):
            slots[id]?.slot.state = .found
            if case .picture(_, let rule) = detail { rules[id.section] = rule }
            changed(id, detail)
        case .failure(.cancelled):
            // Somebody else's doing: it is wanted again.
            slots[id] = nil
            changed(id, nil)
        case .failure(let error):
            slots[id]?.slot.state = .failed(error)
            changed(id, nil)
        }
    }
}
