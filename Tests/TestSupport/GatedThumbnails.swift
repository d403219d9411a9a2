import Basics
import ImageCodecs
public import Network
public import Pipeline
public import Raster
public import Thumbnails
public import Trace

/// A thumbnail loader whose answers wait until the test releases them; answered thumbnails stay in its memory.
public final class GatedThumbnails: ThumbnailLoading {
    /// A load in flight.
    public struct Load: Sendable {
        /// The request.
        public var request: ThumbnailRequest
        /// The current priority.
        public var priority: Priority
        fileprivate var number: Int
        fileprivate var complete:
            @PipelineActor @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    }

    private struct State {
        var waiting: [Int: Load] = [:]
        /// The answers, by request with any generation.
        var memory: [ThumbnailRequest: (thumbnail: Thumbnail, generation: CacheGeneration)] = [:]
        var failures: [Address: ThumbnailError] = [:]
        var requests: [ThumbnailRequest] = []
        var cachedCalls = 0
        var cancelledCount = 0
        var sharedCount = 0
        var remembers = true
        /// The duration of each frame of animated pictures, in milliseconds.
        var delays: [Address: [Int]] = [:]
        var sizes: [Address: PixelSize] = [:]
        var contents: [Address: UnitRect] = [:]
        var previews:
            [Int: (
                request: ThumbnailRequest, receive: @PipelineActor @Sendable (Thumbnail) -> Void
            )] =
                [:]
        var lastPreview = 0
        var progress: [Address: FetchProgress] = [:]
        var bytes = 123_456
        var pinned: [ThumbnailRequest] = []
    }
    private let state = Locked(State())

    /// Creates a loader with an empty memory.
    /// - Parameter remembers: Whether `cached` returns earlier answers.
    public init(remembers: Bool = true) {
        state.withLock { $0.remembers = remembers }
    }

    /// Makes every answer for `address` this failure; nil removes it.
    public func fail(_ address: Address, with error: ThumbnailError?) {
        state.withLock { $0.failures[address] = error }
    }

    /// Sets the size of the picture at `address`, in pixels; the default is 1200 × 800.
    public func size(_ address: Address, _ size: PixelSize) {
        state.withLock { $0.sizes[address] = size }
    }

    /// Sets the part of the picture at `address` that is inside borders.
    public func content(_ address: Address, _ content: UnitRect) {
        state.withLock { $0.contents[address] = content }
    }

    /// Sets the size of all files.
    public func setSize(bytes: Int) { state.withLock { $0.bytes = bytes } }

    /// The pinned requests.
    public var pinned: [ThumbnailRequest] { state.withLock(\.pinned) }

    /// Records the pinned requests.
    public func pin(_ requests: [ThumbnailRequest]) {
        state.withLock { $0.pinned = requests }
    }

    /// The player of all animations.
    public let frames = GatedFrames()

    /// Makes `address` an animation whose frames last `delays` milliseconds each, repeated `plays` times, endlessly if nil.
    public func animate(_ address: Address, delays: [Int], plays: Int? = nil) {
        state.withLock { $0.delays[address] = delays }
        frames.animate(address, delays: delays, plays: plays)
    }

    /// Returns a player for pictures that `animate` made animations.
    public func player(
        of request: ThumbnailRequest, facts: PictureFacts
    ) -> (any FramePlaying)? {
        state.withLock { $0.delays[request.address] } == nil ? nil : frames
    }

    /// The requests being previewed.
    public var previewed: [ThumbnailRequest] {
        state.withLock { $0.previews.values.map(\.request) }
    }

    /// Sends a preview full of exclamation marks to previews of `address`, and sets its progress.
    public func arrive(_ address: Address, _ progress: FetchProgress) {
        let watching = state.withLock { state in
            state.progress[address] = progress
            return state.previews.values.filter { $0.request.address == address }
        }
        for (request, receive) in watching {
            let thumbnail = Self.thumbnail(for: request, frameCount: 1, glyph: 0x21)
            PipelineActor.confined { receive(thumbnail) }
        }
    }

    /// Records the preview.
    public func preview(
        _ request: ThumbnailRequest, receive: @escaping @PipelineActor @Sendable (Thumbnail) -> Void
    ) -> Subscription {
        let number = state.withLock { state in
            state.lastPreview += 1
            state.previews[state.lastPreview] = (request, receive)
            return state.lastPreview
        }
        return Subscription(
            onCancel: { [weak self] in
                self?.state.withLock { _ = $0.previews.removeValue(forKey: number) }
            }, onPriority: { _ in })
    }

    /// Returns the progress set by `arrive`.
    public func progress(of request: ThumbnailRequest) -> FetchProgress? {
        state.withLock { $0.progress[request.address] }
    }

    /// The loads in flight, in the order requested.
    public var waiting: [Load] {
        state.withLock { $0.waiting.values.sorted { $0.number < $1.number } }
    }

    /// Returns the load of `address` in flight.
    public func waiting(for address: Address) -> Load? {
        waiting.first { $0.request.address == address }
    }

    /// Every request ever made, in order.
    public var requests: [ThumbnailRequest] { state.withLock(\.requests) }
    /// The number of look-ups in memory.
    public var cachedCalls: Int { state.withLock(\.cachedCalls) }
    /// The number of loads cancelled before they were answered.
    public var cancelledCount: Int { state.withLock(\.cancelledCount) }
    /// The number of loads made while another of the same file was in flight, whose work they could share.
    public var sharedCount: Int { state.withLock(\.sharedCount) }
    /// The number of loads in flight.
    public var transfersInFlight: Int { state.withLock(\.waiting.count) }

    /// Answers every load of `address`; returns false if there is none.
    @discardableResult
    public func release(_ address: Address) -> Bool {
        let loads = waiting.filter { $0.request.address == address }
        loads.forEach(answer)
        return !loads.isEmpty
    }

    /// Answers all pending loads in the order requested.
    public func releaseAll() {
        waiting.forEach(answer)
    }

    /// Answers all pending loads as if another client had cancelled them.
    public func cancelAll() {
        for load in waiting {
            cancel(load.number)
        }
    }

    /// Returns the thumbnail in memory.
    public func cached(_ request: ThumbnailRequest) -> Thumbnail? {
        state.withLock { state in
            state.cachedCalls += 1
            var key = request
            key.generation = .any
            guard let entry = state.memory[key], entry.generation >= request.generation else {
                return nil
            }
            return entry.thumbnail
        }
    }

    /// Records the load and keeps its completion until it is released or cancelled.
    public func load(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        completion: @escaping @PipelineActor @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    ) -> Subscription {
        let number = state.withLock { state in
            state.requests.append(request)
            let isShared = state.waiting.values.contains { $0.request.address == request.address }
            state.sharedCount += isShared ? 1 : 0
            let number = state.requests.count
            state.waiting[number] = Load(
                request: request, priority: priority, number: number, complete: completion)
            return number
        }
        return Subscription(
            onCancel: { [weak self] in self?.cancel(number) },
            onPriority: { [weak self] priority in
                self?.state.withLock { $0.waiting[number]?.priority = priority }
            })
    }

    private func cancel(_ number: Int) {
        let load = state.withLock { state -> Load? in
            let load = state.waiting.removeValue(forKey: number)
            state.cancelledCount += load == nil ? 0 : 1
            return load
        }
        if let load { PipelineActor.confined { load.complete(.failure(.cancelled)) } }
    }

    private func answer(_ load: Load) {
        let result = state.withLock { state -> Result<Thumbnail, ThumbnailError>? in
            guard state.waiting.removeValue(forKey: load.number) != nil else { return nil }
            if let error = state.failures[load.request.address] { return .failure(error) }
            let count = state.delays[load.request.address]?.count ?? 1
            var thumbnail = Self.thumbnail(for: load.request, frameCount: count)
            if let size = state.sizes[load.request.address] { thumbnail.facts.size = size }
            thumbnail.facts.content = state.contents[load.request.address] ?? .whole
            thumbnail.facts.byteCount = state.bytes
            var key = load.request
            key.generation = .any
            state.memory[key] = state.remembers ? (thumbnail, load.request.generation) : nil
            return .success(thumbnail)
        }
        if let result { PipelineActor.confined { load.complete(result) } }
    }

    /// Returns a thumbnail of a picture of 1200 × 800 pixels whose cells fill the box.
    static func thumbnail(
        for request: ThumbnailRequest, frameCount: Int, glyph: UInt32 = 0x20
    ) -> Thumbnail {
        Thumbnail(
            cells: CellGrid(size: request.box, filledWith: Cell(glyph: glyph)),
            facts: PictureFacts(
                size: PixelSize(width: 1200, height: 800), format: frameCount > 1 ? .gif : .jpeg,
                byteCount: 123_456,
                dominant: RGB(0x336699), tint: RGB(0x112233), frameCount: frameCount),
            pixels: request.style.pixels.map { _ in
                CodedPicture(.png([]), size: PixelSize(width: 4, height: 4), cells: request.box)
            })
    }
}
