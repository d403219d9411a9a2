import Gallery
import Network
import Pipeline

/// The detail pages behind thumbnails wanted by the viewer, and their results.
///
/// Each update receives the pictures being viewed, requests pages not requested yet and cancels those no longer wanted. The rule
/// that worked last in a section is tried first on its next page.
@MainActor final class DetailRequests {
    struct Want {
        var id: PictureID
        var picture: Picture
        var generation: CacheGeneration
        var priority: Priority
    }

    private struct Entry {
        let link: Address
        var request: MainRequest?
        /// Why the page failed to load, or that it has no picture.
        var failure: PageError?
    }

    var changed: (PictureID, Detail?) -> Void = { _, _ in }

    private let loading: any DetailLoading
    private let main: any MainScheduling
    private var entries: [PictureID: Entry] = [:]
    /// Cache generations for retrying failed pages, since the cached copy may be the broken one.
    private var retries: [PictureID: CacheGeneration] = [:]
    /// The rule that worked last in each section.
    private var rules: [Int: DetailRule] = [:]

    init(loading: any DetailLoading, main: any MainScheduling) {
        self.loading = loading
        self.main = main
    }

    /// Replaces the set of wanted pages; loaded pages stay known.
    func update(_ wants: [Want]) {
        let wanted = Set(wants.map(\.id))
        for (id, entry) in entries where !wanted.contains(id) && entry.request != nil { forget(id) }
        for want in wants {
            guard let link = want.picture.link else { continue }
            if let entry = entries[want.id], entry.link == link {
                entry.request?.setPriority(want.priority)
            } else {
                load(want, link)
            }
        }
    }

    func isLoading(_ id: PictureID) -> Bool { entries[id]?.request != nil }

    /// Returns why the detail page gave no full picture; the one named by the gallery's page is then shown.
    func failure(of id: PictureID) -> PageError? { entries[id]?.failure }

    /// Retries the failed pages of `ids`; returns their number.
    func retry(_ ids: some Sequence<PictureID>) -> Int {
        let failed = ids.filter { failure(of: $0) != nil }
        let generation = CacheGeneration.next()
        for id in failed {
            forget(id)
            retries[id] = generation
        }
        return failed.count
    }

    func forget(section: Int) {
        entries.keys.filter { $0.section == section }.forEach(forget)
        retries = retries.filter { $0.key.section != section }
        rules[section] = nil
    }

    private func forget(_ id: PictureID) { entries.removeValue(forKey: id)?.request?.cancel() }

    private func load(_ want: Want, _ link: Address) {
        let id = want.id
        forget(id)
        entries[id] = Entry(link: link)
        entries[id]?.request = MainRequest(on: main) { answer in
            loading.loadDetail(
                of: want.picture, rule: rules[id.section],
                generation: max(want.generation, retries[id] ?? .any), priority: want.priority,
                completion: answer)
        } receive: { [weak self] result in
            self?.receive(result, for: id)
        }
    }

    private func receive(_ result: Result<Detail, PageError>, for id: PictureID) {
        entries[id]?.request = nil
        switch result {
        case .success(let detail):
            if case .picture(_, let rule) = detail { rules[id.section] = rule }
        case .failure(.cancelled):
            // Cancelled elsewhere (results of requests cancelled here are dropped), so the page is still wanted.
            entries[id] = nil
        case .failure(let error):
            entries[id]?.failure = error
        }
        changed(id, try? result.get())
    }
}
