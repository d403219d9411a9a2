import Basics
import Network
import Pipeline
import Raster
import Synchronization
import Trace

/// Reduced pictures and thumbnails in memory; any thread.
///
/// Two budgets, as a few large pictures of the viewer would otherwise push thousands of tiles out. Memory pressure is looked after when
/// something is put in, not by a timer: an idle program must not wake up.
///
/// Until a reload has something to show, what is older stays good, so that nothing flashes; from then on nothing older
/// of that file is used, whatever still comes in.
final class ThumbnailMemory: Sendable {
    private struct Drawn: Sendable {
        var thumbnail: Thumbnail
        var generation: CacheGeneration
    }

    /// What an entry costs beside its pixels or cells, about: key, facts, the cache's own tables.
    private static let overhead = 500
    /// Insertions between looks at the pressure, from the first one: 64 tiles are a screen, and a look costs less than a
    /// tenth of drawing one.
    private static let insertionsPerLook = 64
    /// Bytes by which the process grows before free memory between what is in use is given back: that takes some milliseconds.
    private static let slack = 16 << 20
    /// Each is a look-up for every picture that is not there.
    private static let mostRecent = 6

    private let reduced: MemoryCache<PixelStage.Key, ReducedPicture>
    private let drawn: MemoryCache<ThumbnailRequest, Drawn>
    private let pressure: MemoryPressure
    private let tracer: Tracer
    /// The generation shown last of each file that was ever reloaded.
    private let newest = Locked<[Address: CacheGeneration]>([:])
    /// The reductions in use, the latest first: a grid's tiles have one, its list's another, the viewer a third.
    private let recent = Locked<[Reduction]>([])
    private let insertions = Atomic<Int>(0)
    /// Resident bytes after free memory was given back; those of a program that shows a screen of pictures, before.
    private let settled = Atomic<Int>(100 << 20)

    init(_ options: ThumbnailOptions, tracer: Tracer) {
        reduced = MemoryCache(capacity: options.reducedBytes)
        drawn = MemoryCache(capacity: options.cellsBytes)
        pressure = options.pressure
        self.tracer = tracer
        tracer.count("hits cells", 0)
    }

    var cost: Int { reduced.cost + drawn.cost }

    /// `request` with the generation that it must be answered from by now.
    func current(_ request: ThumbnailRequest) -> ThumbnailRequest {
        var request = request
        let shown = newest.withLock { $0[request.address] } ?? .any
        request.generation = max(request.generation, shown)
        return request
    }

    func thumbnail(for request: ThumbnailRequest) -> Thumbnail? {
        guard let entry = drawn.value(for: request.memoryKey),
            entry.generation >= request.generation
        else { return nil }
        tracer.tally("hits cells")
        return entry.thumbnail
    }

    /// A picture from which the request can be drawn as well as from its file: reduced for it, or for another box and
    /// fine enough, or not reduced at all.
    func picture(for request: ThumbnailRequest) -> ReducedPicture? {
        let own = Reduction(for: request)
        let others = recent.withLock { $0.filter { $0 != own } }
        for isEmbedded in request.mayBeEmbedded ? [false, true] : [false] {
            for reduction in [own] + others {
                guard let picture = reduced.value(for: key(request.address, reduction, isEmbedded)),
                    picture.generation >= request.generation,
                    reduction == own
                        || Reduction.suffices(
                            picture.pixels.size, of: picture.facts.size, for: request)
                else { continue }
                tracer.tally("hits reduced")
                return picture
            }
        }
        return nil
    }

    /// Any picture of `address`, of whatever size: the one reduced in the way used last.
    func picture(of address: Address) -> ReducedPicture? {
        for reduction in recent.withLock(\.self) {
            for isEmbedded in [false, true] {
                if let picture = reduced.value(for: key(address, reduction, isEmbedded)) {
                    return picture
                }
            }
        }
        return nil
    }

    /// Keeps what was drawn from a picture of `generation`, which is shown from now on.
    func insert(
        _ thumbnail: Thumbnail, of generation: CacheGeneration, for request: ThumbnailRequest
    ) {
        guard isNewest(generation, of: request.address) else { return }
        let cost =
            thumbnail.cells.cells.count * MemoryLayout<Cell>.stride
            + (thumbnail.pixels?.byteCount ?? 0) + Self.overhead
        drawn.insert(
            Drawn(thumbnail: thumbnail, generation: generation), for: request.memoryKey, cost: cost)
        if generation > .any {
            newest.withLock { $0[request.address] = max($0[request.address] ?? .any, generation) }
        }
        lookAtPressure()
    }

    func insert(_ picture: ReducedPicture, _ reduction: Reduction, of address: Address) {
        guard isNewest(picture.generation, of: address) else { return }
        recent.withLock { recent in
            guard recent.first != reduction else { return }
            recent.removeAll { $0 == reduction }
            recent.insert(reduction, at: 0)
            recent = Array(recent.prefix(Self.mostRecent))
        }
        reduced.insert(
            picture, for: key(address, reduction, picture.isEmbedded),
            cost: picture.pixels.bytes.count + Self.overhead)
        lookAtPressure()
    }

    func pin(_ requests: [ThumbnailRequest]) {
        drawn.pin(Set(requests.map(\.memoryKey)))
        let keys = requests.flatMap { request in
            [false, true].map { key(request.address, Reduction(for: request), $0) }
        }
        reduced.pin(Set(keys))
    }

    /// Shrinks to at most `bytes`, or what is pinned: pictures first, as cells are what the next frame needs.
    func drop(to bytes: Int) {
        reduced.trim(to: max(0, bytes - drawn.cost))
        drawn.trim(to: bytes)
    }

    private func key(
        _ address: Address, _ reduction: Reduction, _ isEmbedded: Bool
    ) -> PixelStage.Key {
        PixelStage.Key(address: address, reduction: reduction, mayBeEmbedded: isEmbedded)
    }

    private func isNewest(_ generation: CacheGeneration, of address: Address) -> Bool {
        generation >= newest.withLock { $0[address] } ?? .any
    }

    private func lookAtPressure() {
        let count = insertions.wrappingAdd(1, ordering: .relaxed).newValue
        guard count % Self.insertionsPerLook == 1 else { return }
        let resident = MemoryPressure.residentBytes
        if pressure.isHigh(resident: resident) {
            drop(to: cost / 2)
            giveBack()
            tracer.mark("memory pressure")
        } else if resident > settled.load(ordering: .relaxed) + Self.slack {
            giveBack()
        }
        tracer.count("cached bytes", cost)
        tracer.count("resident bytes", MemoryPressure.residentBytes)
    }

    /// Or the process would stay as large as before, and what it has cached would go by halves until nothing is left.
    private func giveBack() {
        Heap.giveBack()
        settled.store(MemoryPressure.residentBytes, ordering: .relaxed)
    }
}
