import Network
import Pipeline
import Raster
import Thumbnails
import Trace

/// The pictures currently wanted, and their state.
///
/// Each update receives the wanted pictures, requests new ones, cancels those no longer wanted and updates the priority of the rest.
/// Memory is used only for wanted pictures: one that comes back is found in the loader's memory.
///
/// During fast scrolling, a picture is requested only once it has been visible for a moment; those in memory are shown at once.
/// The disk is not read either: decoding tiles that are already gone would delay those on which the user stops.
@MainActor final class PictureRequests {
    struct Want {
        var id: PictureID
        /// Its largest image or the guess being tried; determines whether older cells show the same picture.
        var identity: Address
        var request: ThumbnailRequest
        var priority: Priority
    }

    enum State {
        /// Not requested, or cancelled.
        case wanted
        /// Requested.
        case loading
        case ready(Thumbnail)
        case failed(ThumbnailError)
    }

    private struct Slot {
        var want: Want
        var state = State.wanted
        /// Older cells of the same picture, shown until the new ones are ready.
        var previous: Thumbnail?
        /// The facts of the file decoded last.
        var file: (address: Address, facts: PictureFacts)?
        var request: MainRequest?
        /// The last update in which it was wanted.
        var round: Int
        /// Since when it has been visible; nil if it is not.
        var seenSince: Double?

        var thumbnail: Thumbnail? {
            if case .ready(let thumbnail) = state { thumbnail } else { previous }
        }
    }

    /// Called when a wanted picture is ready or has failed.
    var changed: (PictureID) -> Void = { _ in }
    /// Called for each wanted picture that is ready, loaded or cached, with the request and the file's facts.
    var found: (Want, PictureFacts) -> Void = { _, _ in }
    private(set) var latency = Latency()
    /// The mean file size; zero before the first file.
    private(set) var bytesPerPicture = 0
    /// When to request the first picture that waits for scrolling to stop; nil if none does.
    private(set) var settleDue: Double?
    /// The visible ones of the pictures wanted last.
    private(set) var seen: [ThumbnailRequest] = []

    private let context: BrowserContext
    private var slots: [PictureID: Slot] = [:]
    /// Failures outlive the window, so that scrolling back and forth does not keep asking a dead server.
    private var failures: [PictureID: (identity: Address, error: ThumbnailError)] = [:]
    /// Cache generations for retrying failed pictures, since the cached copy may be the broken one.
    private var retries: [PictureID: CacheGeneration] = [:]
    private var round = 0
    /// For the trace: pictures waiting for scrolling to stop, and the total cancellations and priority changes.
    private var tally = (settling: 0, givenUp: 0, priorityChanges: 0)

    init(_ context: BrowserContext) { self.context = context }

    /// Replaces the wanted pictures by `wants`, in this order.
    ///
    /// `restDue` is when the current fast move counts as finished; nil if there is none.
    func update(_ wants: [Want], restDue: Double? = nil) {
        round += 1
        settleDue = nil
        tally.settling = 0
        let replaced = wants.compactMap(keep)
        for (id, slot) in slots where slot.round != round {
            slots[id] = nil
            guard let request = slot.request else { continue }
            request.cancel()
            tally.givenUp += 1
            context.tracer.count("given up", tally.givenUp)
        }
        let now = context.clock()
        for want in wants { begin(want, at: now, restDue: restDue) }
        seen = wants.filter { $0.priority.level >= .visible }.map(\.request)
        // Cancelled last, so that resources needed by old and new requests, such as the file, are not fetched twice.
        replaced.forEach { $0.cancel() }
        context.tracer.count("settling", tally.settling)
    }

    func want(of id: PictureID) -> Want? { slots[id]?.want }

    func state(of id: PictureID) -> State { slots[id]?.state ?? .wanted }

    /// Whether a picture is wanted but not requested.
    func isWanted(_ id: PictureID) -> Bool {
        if case .wanted? = slots[id]?.state { true } else { false }
    }

    /// Returns the cells of a picture, or older ones that stand in.
    func thumbnail(of id: PictureID) -> Thumbnail? { slots[id]?.thumbnail }

    /// Returns the facts of the file at `address` if that was decoded last; only the largest size has the picture's own dimensions.
    func facts(of id: PictureID, at address: Address) -> PictureFacts? {
        slots[id]?.file.flatMap { $0.address == address ? $0.facts : nil }
    }

    func failure(of id: PictureID) -> ThumbnailError? {
        if case .failed(let error) = state(of: id) { error } else { nil }
    }

    func isLoading(_ id: PictureID) -> Bool { slots[id]?.request != nil }

    /// Whether a visible picture is loading and nothing stands in for it.
    var hasVisiblePlaceholder: Bool {
        slots.values.contains { $0.request != nil && $0.seenSince != nil && $0.previous == nil }
    }

    /// Returns what to show: the cells or older ones, a mark if it failed, else a placeholder.
    func pictureScene(of id: PictureID) -> PictureScene {
        if let thumbnail = thumbnail(of: id) { return .ready(thumbnail) }
        return failure(of: id) != nil ? .failed : .placeholder(isLoading: isLoading(id))
    }

    func retry(_ ids: some Sequence<PictureID>) -> Int {
        let generation = CacheGeneration.next()
        var count = 0
        for id in ids where failures.removeValue(forKey: id) != nil {
            slots[id]?.state = .wanted
            retries[id] = generation
            count += 1
        }
        return count
    }

    /// Forgets a failure because another address is to be tried.
    func forgetFailure(of id: PictureID) { failures[id] = nil }

    func forget(section: Int) {
        failures = failures.filter { $0.key.section != section }
        retries = retries.filter { $0.key.section != section }
    }

    /// Marks a slot as still wanted; returns its old request if the picture has to be drawn differently.
    private func keep(_ want: Want) -> MainRequest? {
        guard var slot = slots[want.id] else { return nil }
        var replaced: MainRequest?
        slot.round = round
        if slot.want.request != want.request {
            replaced = slot.request
            slot.request = nil
            let isSame = slot.want.identity == want.identity
            slot.file = isSame ? slot.file : nil
            slot.previous = slot.thumbnail.flatMap {
                isSame && $0.fits(want.request.box) ? $0 : nil
            }
            slot.state = .wanted
        } else if let request = slot.request, slot.want.priority != want.priority {
            request.setPriority(want.priority)
            tally.priorityChanges += 1
            context.tracer.count("priority changes", tally.priorityChanges)
        }
        slot.want = want
        slots[want.id] = slot
        return replaced
    }

    private func begin(_ want: Want, at now: Double, restDue: Double?) {
        var slot = slots[want.id] ?? Slot(want: want, round: round)
        defer { slots[want.id] = slot }
        slot.seenSince = want.priority.level >= .visible ? slot.seenSince ?? now : nil
        guard case .wanted = slot.state else { return }
        var request = want.request
        request.generation = max(request.generation, retries[want.id] ?? .any)
        if let failure = failures[want.id], failure.identity == want.identity {
            slot.state = .failed(failure.error)
        } else if let thumbnail = context.thumbnails.cached(request) {
            slot.state = .ready(thumbnail)
            slot.file = (want.request.address, thumbnail.facts)
            found(want, thumbnail.facts)
        } else if let due = due(slot, restDue: restDue), due > now {
            settleDue = min(settleDue ?? due, due)
            tally.settling += 1
        } else {
            load(request, for: &slot)
        }
    }

    /// Returns when a picture has been visible for long enough or scrolling has stopped; nil if it need not wait.
    private func due(_ slot: Slot, restDue: Double?) -> Double? {
        guard let restDue else { return nil }
        return slot.seenSince.map { min(restDue, $0 + ScrollVelocity.settleTime) } ?? restDue
    }

    private func load(_ request: ThumbnailRequest, for slot: inout Slot) {
        let (id, priority) = (slot.want.id, slot.want.priority)
        let flow = Flow(context.tracer, at: "main")
        slot.state = .loading
        slot.request = MainRequest(on: context.main) { answer in
            context.thumbnails.load(request, priority: priority, flow: flow, completion: answer)
        } receive: { [weak self] result in
            flow.end("main")
            self?.receive(result, for: id)
        }
    }

    private func receive(_ result: Result<Thumbnail, ThumbnailError>, for id: PictureID) {
        guard var slot = slots[id] else { return }
        slot.request = nil
        switch result {
        case .success(let thumbnail):
            let (bytes, timings) = (thumbnail.facts.byteCount, thumbnail.facts.timings)
            bytesPerPicture += bytesPerPicture == 0 ? bytes : (bytes - bytesPerPicture) / 8
            // Queueing time is left out, since a larger window would only lengthen it.
            latency.record(Double(timings.fetching + timings.decode + timings.draw) / 1e6)
            context.tracer.count("picture latency us", Int(latency.expected * 1e6))
            slot.state = .ready(thumbnail)
            slot.file = (slot.want.request.address, thumbnail.facts)
            found(slot.want, thumbnail.facts)
            slot.previous = nil
            retries[id] = nil
        case .failure(.cancelled):
            // Cancelled elsewhere (results of requests cancelled here are dropped), so the picture is still wanted.
            slot.state = .wanted
        case .failure(let error):
            slot.state = .failed(error)
            retries[id] = nil
            failures[id] = (slot.want.identity, error)
        }
        slots[id] = slot
        changed(id)
    }
}
