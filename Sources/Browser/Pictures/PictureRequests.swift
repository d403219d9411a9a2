import Gallery
import Network
import Pipeline
import Thumbnails
import Trace

/// The pictures currently wanted, and their state.
///
/// Each update receives the wanted pictures, requests new ones, cancels those no longer wanted and updates the priority of the rest.
/// Memory is used only for wanted pictures: one that comes back is found in the loader's memory.
///
/// During fast scrolling, a picture is requested only once it has been visible for a moment; those in memory are shown at once.
/// The disk is not read either: decoding tiles that are already gone would delay those on which the user stops.
@MainActor final class PictureRequests: WantedRequests<Thumbnail, ThumbnailError> {
    struct Want {
        var id: PictureID
        /// Its largest image or the guess being tried; determines whether older cells show the same picture.
        var identity: Address
        var request: ThumbnailRequest
        var priority: Priority
    }

    private struct Entry {
        var want: Want
        var ready: Thumbnail?
        /// Older cells of the same picture, shown until the new ones are ready.
        var previous: Thumbnail?
        /// The facts of the file decoded last.
        var file: (address: Address, facts: PictureFacts)?
        /// Its way to the screen, for the trace.
        var flow = Flow.none
        /// Since when it has been visible; nil if it is not.
        var seenSince: Double?
    }

    /// Called when a wanted picture is ready or has failed.
    var changed: (PictureID) -> Void = { _ in }
    /// Called for each wanted picture that is ready, loaded or cached, with the request and the file's facts.
    var found: (Want, PictureFacts) -> Void = { _, _ in }
    /// The mean file size; zero before the first file.
    private(set) var bytesPerPicture = 0
    /// When to request the first picture that waits for scrolling to stop; nil if none does.
    private(set) var settleDue: Double?
    /// The visible ones of the pictures wanted last.
    private(set) var seen: [ThumbnailRequest] = []

    private let context: BrowserContext
    private var entries: [PictureID: Entry] = [:]

    init(_ context: BrowserContext) {
        self.context = context
        super.init(context.main)
    }

    /// Replaces the wanted pictures by `wants`, in this order.
    ///
    /// `restDue` is when the current fast move counts as finished; nil if there is none.
    func update(_ wants: [Want], restDue: Double? = nil) {
        let replaced = wants.compactMap(keep)
        let wanted = Set(wants.map(\.id))
        for id in entries.keys where !wanted.contains(id) { entries[id] = nil }
        for _ in 0..<cancel(except: wanted) { context.tracer.tally("given up") }
        let now = context.clock()
        let dues = wants.compactMap { begin($0, at: now, restDue: restDue) }
        settleDue = dues.min()
        context.tracer.count("settling", dues.count)
        seen = wants.filter { $0.priority.level >= .visible }.map(\.request)
        // Cancelled last, so that resources needed by old and new requests, such as the file, are not fetched twice.
        replaced.forEach { $0.cancel() }
    }

    func want(of id: PictureID) -> Want? { entries[id]?.want }

    /// Whether a picture is wanted but not requested.
    func isWanted(_ id: PictureID) -> Bool {
        entries[id]?.ready == nil && entries[id] != nil && !isLoading(id) && failure(of: id) == nil
    }

    /// Returns the cells of a picture as it is wanted now.
    func ready(_ id: PictureID) -> Thumbnail? { entries[id]?.ready }

    /// Returns the cells of a picture, or older ones that stand in.
    func thumbnail(of id: PictureID) -> Thumbnail? { ready(id) ?? entries[id]?.previous }

    /// Returns the facts of the picture's largest file if that was decoded last; only that has the picture's own dimensions.
    func facts(of id: PictureID, _ picture: Picture) -> PictureFacts? {
        entries[id]?.file.flatMap { $0.address == picture.largest ? $0.facts : nil }
    }

    /// Returns why a wanted picture cannot be shown.
    func failure(of id: PictureID) -> ThumbnailError? {
        entries[id].flatMap { failure(of: id, as: $0.want.identity) }
    }

    /// Tells once more what is known of each picture that is there.
    func findAgain() {
        for entry in entries.values { entry.ready.map { found(entry.want, $0.facts) } }
    }

    /// Whether a visible picture is loading and nothing stands in for it.
    var hasVisiblePlaceholder: Bool {
        requests.keys.contains { entries[$0]?.seenSince != nil && thumbnail(of: $0) == nil }
    }

    /// Returns what to show: the cells or older ones, a mark if it failed, else a placeholder.
    func pictureScene(of id: PictureID) -> PictureScene {
        if let thumbnail = thumbnail(of: id) { return .ready(thumbnail) }
        return failure(of: id) != nil ? .failed : .placeholder(isLoading: isLoading(id))
    }

    /// Notes what is wanted of a picture; returns its old request if it has to be drawn differently.
    private func keep(_ want: Want) -> MainRequest? {
        guard var entry = entries[want.id] else { return nil }
        defer { entries[want.id] = entry }
        let old = entry.want
        entry.want = want
        if old.request == want.request {
            if old.priority != want.priority, let request = requests[want.id] {
                request.setPriority(want.priority)
                context.tracer.tally("priority changes")
            }
            return nil
        }
        let isSame = old.identity == want.identity
        entry.file = isSame ? entry.file : nil
        entry.previous = (entry.ready ?? entry.previous).flatMap {
            // A tile that is a little larger shows its middle for a moment.
            isSame && (want.request.keptBox != nil || $0.fits(want.request.box)) ? $0 : nil
        }
        entry.ready = nil
        return take(want.id)
    }

    /// Requests a picture unless it is there; returns when to do so if that waits for scrolling to stop.
    private func begin(_ want: Want, at now: Double, restDue: Double?) -> Double? {
        let id = want.id
        var entry = entries[id] ?? Entry(want: want)
        entry.seenSince = want.priority.level >= .visible ? entry.seenSince ?? now : nil
        entries[id] = entry
        guard isWanted(id) else { return nil }
        var request = want.request
        request.generation = generation(of: id, atLeast: request.generation)
        if let thumbnail = context.thumbnails.cached(request) {
            adopt(thumbnail, for: id)
        } else if let restDue,
            case let due = entry.seenSince.map({ min(restDue, $0 + ScrollVelocity.settleTime) })
                ?? restDue, due > now
        {
            return due
        } else {
            let flow = Flow(context.tracer, at: "main")
            entries[id]?.flow = flow
            begin(id, as: want.identity) { answer in
                context.thumbnails.load(
                    request, priority: want.priority, flow: flow, completion: answer)
            }
        }
        return nil
    }

    private func adopt(_ thumbnail: Thumbnail, for id: PictureID) {
        guard var entry = entries[id] else { return }
        entry.ready = thumbnail
        entry.previous = nil
        entry.file = (entry.want.request.address, thumbnail.facts)
        entries[id] = entry
        found(entry.want, thumbnail.facts)
    }

    override func receive(_ thumbnail: Thumbnail?, for id: PictureID) {
        entries[id]?.flow.end("main")
        if let thumbnail {
            let bytes = thumbnail.facts.byteCount
            bytesPerPicture += bytesPerPicture == 0 ? bytes : (bytes - bytesPerPicture) / 8
            adopt(thumbnail, for: id)
        }
        changed(id)
    }
}
