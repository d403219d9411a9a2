import Gallery
import Network
import Pipeline

/// The pages behind thumbnails that the viewer wants, and what they turned out to be.
///
/// Told at each update which pictures are looked at; asks for the pages not asked for yet and gives up those no longer
/// wanted. What one page of a section taught is tried first on the next.
@MainActor final class DetailRequests {
    struct Want {
        var id: PictureID
        var picture: Picture
        var generation: CacheGeneration
        var priority: Priority
    }

    private struct Slot {
        let link: Address
        var request: MainRequest?
        /// It did not come, or has no picture.
        var failure: PageError?
    }

    var changed: (PictureID, Detail?) -> Void = { _, _ in }

    private let loading: any DetailLoading
    private let main: any MainScheduling
    private var slots: [PictureID: Slot] = [:]
    /// Failed pages that are to be asked for again: what is cached may be what is broken.
    private var retries: [PictureID: CacheGeneration] = [:]
    /// What worked last in each section.
    private var rules: [Int: DetailRule] = [:]

    init(loading: any DetailLoading, main: any MainScheduling) {
        self.loading = loading
        self.main = main
    }

    /// Makes `wants` all that is wanted; pages that are there stay known.
    func update(_ wants: [Want]) {
        let wanted = Set(wants.map(\.id))
        for (id, slot) in slots where !wanted.contains(id) && slot.request != nil { forget(id) }
        for want in wants {
            guard let link = want.picture.link else { continue }
            if let slot = slots[want.id], slot.link == link {
                slot.request?.setPriority(want.priority)
            } else {
                ask(want, link)
            }
        }
    }

    func isLoading(_ id: PictureID) -> Bool { slots[id]?.request != nil }

    /// Why the page behind a picture gave no full one; what the gallery's page names is then shown.
    func failure(of id: PictureID) -> PageError? { slots[id]?.failure }

    /// Asks again for the pages of `ids` that failed; answers how many.
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
        slots.keys.filter { $0.section == section }.forEach(forget)
        retries = retries.filter { $0.key.section != section }
        rules[section] = nil
    }

    private func forget(_ id: PictureID) { slots.removeValue(forKey: id)?.request?.cancel() }

    private func ask(_ want: Want, _ link: Address) {
        let id = want.id
        forget(id)
        slots[id] = Slot(link: link)
        slots[id]?.request = MainRequest(on: main) { answer in
            loading.loadDetail(
                of: want.picture, rule: rules[id.section],
                generation: max(want.generation, retries[id] ?? .any), priority: want.priority,
                completion: answer)
        } receive: { [weak self] result in
            self?.receive(result, for: id)
        }
    }

    private func receive(_ result: Result<Detail, PageError>, for id: PictureID) {
        slots[id]?.request = nil
        switch result {
        case .success(let detail):
            if case .picture(_, let rule) = detail { rules[id.section] = rule }
            changed(id, detail)
        case .failure(.cancelled):
            // Not by this class, whose own requests are then dropped: it is wanted again.
            slots[id] = nil
            changed(id, nil)
        case .failure(let error):
            slots[id]?.failure = error
            changed(id, nil)
        }
    }
}

/// Which addresses have been tried for full pictures that no page names, and what that has taught.
///
/// Each is tried once. What worked in a section is tried first there, and what failed twice in a row no more: a gallery
/// is not asked again and again for files that it does not have.
@MainActor final class FullSizeGuesses {
    private struct Lessons {
        var proven: FullSizeGuess.Rule?
        /// How often each rule has missed since it worked.
        var misses: [FullSizeGuess.Rule: Int] = [:]
        /// What has missed, by the picture's index.
        var tried: [Int: Set<FullSizeGuess>] = [:]
    }

    /// Misses of one rule in a row after which it is given up for a section.
    private static let patience = 2

    private var lessons: [Int: Lessons] = [:]

    /// What to try for `picture` now; nil if nothing is known of its address, or nothing is left.
    func guess(for id: PictureID, _ picture: Picture) -> FullSizeGuess? {
        let lessons = lessons[id.section] ?? Lessons()
        let likely = FullSizeGuess.guesses(for: picture).filter {
            lessons.misses[$0.rule] ?? 0 < Self.patience
                && lessons.tried[id.index]?.contains($0) != true
        }
        return likely.first { $0.rule == lessons.proven } ?? likely.first
    }

    /// Notes that the guess gave no larger picture; only with `isEvidence` does that count against its rule.
    func miss(_ guess: FullSizeGuess, for id: PictureID, isEvidence: Bool) {
        lessons[id.section, default: Lessons()].tried[id.index, default: []].insert(guess)
        if isEvidence { lessons[id.section]?.misses[guess.rule, default: 0] += 1 }
    }

    func hit(_ guess: FullSizeGuess, in section: Int) {
        lessons[section, default: Lessons()].proven = guess.rule
        lessons[section]?.misses[guess.rule] = nil
    }

    func forget(section: Int) { lessons[section] = nil }
}
