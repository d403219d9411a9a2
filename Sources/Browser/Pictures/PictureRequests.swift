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

    private struct Entry {
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
    private var entries: [PictureID: Entry] = [:]
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
        for (id, entry) in entries where entry.round != round {
            entries[id] = nil
            guard let request = entry.request else { continue }
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

    func want(of id: PictureID) -> Want? { entries[id]?.want }

    func state(of id: PictureID) -> State { entries[id]?.state ?? .wanted }

    /// Whether a picture is wanted but not requested.
    func isWanted(_ id: PictureID) -> Bool {
        if case .wanted? = entries[id]?.state { true } else { false }
    }

    /// Returns the cells of a picture, or older ones that stand in.
    func thumbnail(of id: PictureID) -> Thumbnail? { entries[id]?.thumbnail }

    /// Returns the facts of the file at `address` if that was decoded last; only the largest size has the picture's own dimensions.
    func facts(of id: PictureID, at address: Address) -> PictureFacts? {
        entries[id]?.file.flatMap { $0.address == address ? $0.facts : nil }
    }

    func failure(of id: PictureID) -> ThumbnailError? {
        if case .failed(let error) = state(of: id) { error } else { nil }
    }

    /// Tells once more what is known of each picture that is there.
    func findAgain() {
        for entry in entries.values {
            if case .ready(let thumbnail) = entry.state { found(entry.want, thumbnail.facts) }
        }
    }

    func isLoading(_ id: PictureID) -> Bool { entries[id]?.request != nil }

    /// Whether a visible picture is loading and nothing stands in for it.
    var hasVisiblePlaceholder: Bool {
        entries.values.contains { $0.request != nil && $0.seenSince != nil && $0.previous == nil }
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
            entries[id]?.state = .wanted
            retries[id] = generation
            count += 1
        }
        return count
    }

    /// Forgets a failure because another address is to be tried.
    func forgetFailure(of id: PictureID) { failures[id] = nil }

    /// Forgets the failures of a section, whose pictures are then requested again.
    func forget(section: Int) {
        for id in failures.keys where id.section == section { entries[id]?.state = .wanted }
        failures = failures.filter { $0.key.section != section }
        retries = retries.filter { $0.key.section != section }
    }

    /// Marks an entry as still wanted; returns its old request if the picture has to be drawn differently.
    private func keep(_ want: Want) -> MainRequest? {
        guard var entry = entries[want.id] else { return nil }
        var replaced: MainRequest?
        entry.round = round
        if entry.want.request != want.request {
            replaced = entry.request
            entry.request = nil
            let isSame = entry.want.identity == want.identity
            entry.file = isSame ? entry.file : nil
            entry.previous = entry.thumbnail.flatMap {
                // A tile that is a little larger shows its middle for a moment.
                isSame && (want.request.keptBox != nil || $0.fits(want.request.box)) ? $0 : nil
            }
            entry.state = .wanted
        } else if let request = entry.request, entry.want.priority != want.priority {
            request.setPriority(want.priority)
            tally.priorityChanges += 1
            context.tracer.count("priority changes", tally.priorityChanges)
        }
        entry.want = want
        entries[want.id] = entry
        return replaced
    }

    private func begin(_ want: Want, at now: Double, restDue: Double?) {
        var entry = entries[want.id] ?? Entry(want: want, round: round)
        defer { entries[want.id] = entry }
        entry.seenSince = want.priority.level >= .visible ? entry.seenSince ?? now : nil
        guard case .wanted = entry.state else { return }
        var request = want.request
        request.generation = max(request.generation, retries[want.id] ?? .any)
        if let failure = failures[want.id], failure.identity == want.identity {
            entry.state = .failed(failure.error)
        } else if let thumbnail = context.thumbnails.cached(request) {
            entry.state = .ready(thumbnail)
            entry.file = (want.request.address, thumbnail.facts)
            found(want, thumbnail.facts)
        } else if let due = due(entry, restDue: restDue), due > now {
            settleDue = min(settleDue ?? due, due)
            tally.settling += 1
        } else {
            load(request, for: &entry)
        }
    }

    /// Returns when a picture has been visible for long enough or scrolling has stopped; nil if it need not wait.
    private func due(_ entry: Entry, restDue: Double?) -> Double? {
        guard let restDue else { return nil }
        return entry.seenSince.map { min(restDue, $0 + ScrollVelocity.settleTime) } ?? restDue
    }

    private func load(_ request: ThumbnailRequest, for entry: inout Entry) {
        let (id, priority) = (entry.want.id, entry.want.priority)
        let flow = Flow(context.tracer, at: "main")
        entry.state = .loading
        entry.request = MainRequest(on: context.main) { answer in
            context.thumbnails.load(request, priority: priority, flow: flow, completion: answer)
        } receive: { [weak self] result in
            flow.end("main")
            self?.receive(result, for: id)
        }
    }

    private func receive(_ result: Result<Thumbnail, ThumbnailError>, for id: PictureID) {
        guard var entry = entries[id] else { return }
        entry.request = nil
        switch result {
        case .success(let thumbnail):
            let (bytes, timings) = (thumbnail.facts.byteCount, thumbnail.facts.timings)
            bytesPerPicture += bytesPerPicture == 0 ? bytes : (bytes - bytesPerPicture) / 8
            // Queueing time is left out, since a larger window would only lengthen it.
            latency.record(Double(timings.fetching + timings.decode + timings.draw) / 1e6)
            context.tracer.count("picture latency us", Int(latency.expected * 1e6))
            entry.state = .ready(thumbnail)
            entry.file = (entry.want.request.address, thumbnail.facts)
            found(entry.want, thumbnail.facts)
            entry.previous = nil
            retries[id] = nil
        case .failure(.cancelled):
            // Cancelled elsewhere (results of requests cancelled here are dropped), so the picture is still wanted.
            entry.state = .wanted
        case .failure(let error):
            entry.state = .failed(error)
            retries[id] = nil
            failures[id] = (entry.want.identity, error)
        }
        entries[id] = entry
        changed(id)
    }
}
