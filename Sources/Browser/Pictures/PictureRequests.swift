import Network
import Pipeline
import Raster
import Thumbnails
import Trace

/// The pictures wanted at this moment, and how far each has got.
///
/// Told at each update which pictures are wanted; asks for the new ones, gives up those no longer wanted, and changes the urgency of the
/// rest. Costs memory for what is wanted, not for what was ever shown: a picture that comes back is found in the loader's memory.
///
/// While the user moves fast, only what has been seen for a moment is asked for; what is in memory is there all the same. The disk is not
/// asked either: reading and decoding for tiles that are gone again would keep those waiting on which the user stops.
@MainActor final class PictureRequests {
    struct Want {
        var id: PictureID
        /// Its largest image, or the guess that is tried: tells whether older cells are of the same picture.
        var identity: Address
        var request: ThumbnailRequest
        var priority: Priority
    }

    enum State {
        /// Not asked for, or given up.
        case wanted
        /// On its way.
        case loading
        case ready(Thumbnail)
        case failed(ThumbnailError)
    }

    private struct Slot {
        var want: Want
        var state = State.wanted
        /// Cells of the same picture, drawn another way, shown until the new ones are there.
        var previous: Thumbnail?
        /// What the file told that was decoded last.
        var file: (address: Address, facts: PictureFacts)?
        var request: MainRequest?
        /// The last round in which it was wanted.
        var round: Int
        /// Since when it has been on the screen; nil if it is not.
        var seenSince: Double?

        var thumbnail: Thumbnail? {
            if case .ready(let thumbnail) = state { thumbnail } else { previous }
        }
    }

    /// Told when a wanted picture is ready or has failed.
    var changed: (PictureID) -> Void = { _ in }
    /// Told of each wanted picture that is there, come or kept: what was asked for, and what its file tells.
    var found: (Want, PictureFacts) -> Void = { _, _ in }
    private(set) var latency = Latency()
    /// The mean size of a file; zero before the first one.
    private(set) var bytesPerPicture = 0
    /// When the first of those is to be asked for that wait until the user has stopped; nil if none does.
    private(set) var settleDue: Double?
    /// What is on the screen of what was wanted last.
    private(set) var seen: [ThumbnailRequest] = []

    private let context: BrowserContext
    private var slots: [PictureID: Slot] = [:]
    /// Failures outlive the window, so that scrolling back and forth does not ask a dead server again and again.
    private var failures: [PictureID: (identity: Address, error: ThumbnailError)] = [:]
    /// Failed pictures that are to be asked for again: what is cached may be what is broken.
    private var retries: [PictureID: CacheGeneration] = [:]
    private var round = 0
    /// For the trace: pictures that wait until the user has stopped, and since the start requests given up, and changes of urgency.
    private var tally = (settling: 0, givenUp: 0, priorityChanges: 0)

    init(_ context: BrowserContext) { self.context = context }

    /// Makes `wants`, in this order, all that is wanted.
    ///
    /// `restDue` is when the user, who moves fast, will be taken to have stopped; nil if that is so already.
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
        // Only now, so that what both need, such as the file, is not given up and fetched anew.
        replaced.forEach { $0.cancel() }
        context.tracer.count("settling", tally.settling)
    }

    func want(of id: PictureID) -> Want? { slots[id]?.want }

    func state(of id: PictureID) -> State { slots[id]?.state ?? .wanted }

    /// Whether a picture is wanted and not on its way.
    func isWanted(_ id: PictureID) -> Bool {
        if case .wanted? = slots[id]?.state { true } else { false }
    }

    /// What can be shown of a picture: its cells, or older ones that stand in.
    func thumbnail(of id: PictureID) -> Thumbnail? { slots[id]?.thumbnail }

    /// What the file at `address` tells, if that is the one that was decoded: of several sizes only the largest tells the picture's own.
    func facts(of id: PictureID, at address: Address) -> PictureFacts? {
        slots[id]?.file.flatMap { $0.address == address ? $0.facts : nil }
    }

    func failure(of id: PictureID) -> ThumbnailError? {
        if case .failed(let error) = state(of: id) { error } else { nil }
    }

    func isLoading(_ id: PictureID) -> Bool { slots[id]?.request != nil }

    /// Whether a picture that is seen is on its way, and nothing stands in for it.
    var hasVisiblePlaceholder: Bool {
        slots.values.contains { $0.request != nil && $0.seenSince != nil && $0.previous == nil }
    }

    /// What is to be seen of a picture: its cells or older ones of it, a mark if it failed, else a placeholder.
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

    /// Forgets that a picture failed, since another address is tried for it.
    func forgetFailure(of id: PictureID) { failures[id] = nil }

    func forget(section: Int) {
        failures = failures.filter { $0.key.section != section }
        retries = retries.filter { $0.key.section != section }
    }

    /// Marks a slot as wanted still; if it is to be drawn differently, the request that is given up for that.
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
            ask(request, for: &slot)
        }
    }

    /// When a picture has been seen for long enough, or the user stopped; nil if it need not wait.
    private func due(_ slot: Slot, restDue: Double?) -> Double? {
        guard let restDue else { return nil }
        return slot.seenSince.map { min(restDue, $0 + ScrollVelocity.settleTime) } ?? restDue
    }

    private func ask(_ request: ThumbnailRequest, for slot: inout Slot) {
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
            note(thumbnail.facts)
            slot.state = .ready(thumbnail)
            slot.file = (slot.want.request.address, thumbnail.facts)
            found(slot.want, thumbnail.facts)
            slot.previous = nil
            retries[id] = nil
        case .failure(.cancelled):
            // Not by this class, whose own requests are then dropped: it is wanted again.
            slot.state = .wanted
        case .failure(let error):
            slot.state = .failed(error)
            retries[id] = nil
            failures[id] = (slot.want.identity, error)
        }
        slots[id] = slot
        changed(id)
    }

    /// Takes a picture's time and size into account.
    ///
    /// Not the time in which it waited for others: that a larger window would only make longer.
    private func note(_ facts: PictureFacts) {
        let bytes = facts.byteCount
        bytesPerPicture += bytesPerPicture == 0 ? bytes : (bytes - bytesPerPicture) / 8
        let timings = facts.timings
        latency.note(Double(timings.fetching + timings.decode + timings.draw) / 1e6)
        context.tracer.count("picture latency us", Int(latency.expected * 1e6))
    }
}
