import Network
import Pipeline
import Raster
import Synchronization
import Trace

/// Reduced pictures and thumbnails in memory, each with a budget of its own; any thread.
///
/// Two budgets, as a few large pictures of the viewer would otherwise push thousands of tiles out. Looks after memory pressure when something
/// is put in, not by a timer: an idle program must not wake up.
final class ThumbnailMemory: Sendable {
    private struct Drawn: Sendable {
        var thumbnail: Thumbnail
        /// Which edition of the file it was drawn from.
        var edition: CacheGeneration
    }

    /// What an entry costs beside its pixels or cells, about: key, facts, the cache's own tables.
    private static let overhead = 500
    /// Insertions between looks at the pressure, from the first one: 64 tiles are a screen, and a look costs less than a
    /// tenth of drawing one.
    private static let insertionsPerLook = 64

    private let reduced: MemoryCache<ReducedKey, ReducedPicture>
    private let drawn: MemoryCache<CellsKey, Drawn>
    private let pressure: MemoryPressure
    private let tracer: Tracer
    /// The reductions in use, the latest first: a grid's tiles have one, its list's another, the viewer a third.
    private let recent = Locked<[Reduction]>([])
    /// Each is a look-up for every picture that is not there.
    private static let mostRecent = 6
    private let insertions = Atomic<Int>(0)
    private let cellHits = Atomic<Int>(0)
    private let reducedHits = Atomic<Int>(0)

    init(_ options: ThumbnailOptions, tracer: Tracer) {
        reduced = MemoryCache(capacity: options.reducedBytes)
        drawn = MemoryCache(capacity: options.cellsBytes)
        pressure = options.pressure
        self.tracer = tracer
    }

    /// Bytes kept.
    var cost: Int { reduced.cost + drawn.cost }

    /// The thumbnail, unless it was drawn from an edition older than `oldest`.
    func thumbnail(for key: CellsKey, since oldest: CacheGeneration) -> Thumbnail? {
        guard let entry = drawn.value(for: key), entry.edition >= oldest else { return nil }
        cellHits.wrappingAdd(1, ordering: .relaxed)
        return entry.thumbnail
    }

    /// A picture from which the request can be drawn as well as from its file: reduced for it, or for another box and
    /// fine enough, or not reduced at all.
    func picture(for ask: Ask, _ reduction: Reduction) -> ReducedPicture? {
        let others = recent.withLock { $0.filter { $0 != reduction } }
        let kinds = ask.request.mayBeEmbedded ? [false, true] : [false]
        let candidates = kinds.flatMap { isEmbedded in
            ([reduction] + others).map {
                ReducedKey(address: ask.address, reduction: $0, mayBeEmbedded: isEmbedded)
            }
        }
        for candidate in candidates {
            guard let picture = reduced.value(for: candidate),
                picture.edition >= ask.oldestUsable,
                candidate.reduction == reduction
                    || Reduction.suffices(
                        picture.pixels.size, of: picture.sourceSize, for: ask.request)
            else { continue }
            reducedHits.wrappingAdd(1, ordering: .relaxed)
            return picture
        }
        return nil
    }

    /// Any picture of `address`, of whatever size: the one reduced in the way used last.
    func picture(of address: Address) -> ReducedPicture? {
        recent.withLock(\.self).lazy.flatMap { reduction in
            [false, true].lazy.map {
                ReducedKey(address: address, reduction: reduction, mayBeEmbedded: $0)
            }
        }.compactMap { self.reduced.value(for: $0) }.first
    }

    func insert(_ thumbnail: Thumbnail, edition: CacheGeneration, for key: CellsKey) {
        let cost = thumbnail.cells.cells.count * MemoryLayout<Cell>.stride + Self.overhead
        drawn.insert(Drawn(thumbnail: thumbnail, edition: edition), for: key, cost: cost)
        lookAtPressure()
    }

    func insert(_ picture: ReducedPicture, for key: ReducedKey) {
        let cost = picture.pixels.bytes.count + Self.overhead
        recent.withLock { recent in
            guard recent.first != key.reduction else { return }
            recent.removeAll { $0 == key.reduction }
            recent.insert(key.reduction, at: 0)
            recent = Array(recent.prefix(Self.mostRecent))
        }
        reduced.insert(picture, for: key, cost: cost)
        lookAtPressure()
    }

    /// Makes `requests` all that neither `insert` nor `drop` evicts.
    func pin(_ requests: [ThumbnailRequest]) {
        drawn.pin(Set(requests.map { CellsKey($0) }))
        reduced.pin(
            Set(
                requests.flatMap { request in
                    [false, true].map {
                        ReducedKey(
                            address: request.address, reduction: Reduction(for: request),
                            mayBeEmbedded: $0)
                    }
                }))
    }

    /// Writes how often memory had the answer, frames included.
    func traceHits() {
        tracer.count("hits cells", cellHits.load(ordering: .relaxed))
        tracer.count("hits reduced", reducedHits.load(ordering: .relaxed))
    }

    /// Shrinks to at most `bytes`, or what is pinned: pictures first, as cells are what the next frame needs.
    func drop(to bytes: Int) {
        reduced.trim(to: max(0, bytes - drawn.cost))
        drawn.trim(to: bytes)
    }

    private func lookAtPressure() {
        let count = insertions.wrappingAdd(1, ordering: .relaxed).newValue
        guard count % Self.insertionsPerLook == 1 else { return }
        if pressure.isHigh {
            drop(to: cost / 2)
            tracer.mark("memory pressure")
        }
        tracer.count("cached bytes", cost)
        tracer.count("resident bytes", MemoryPressure.residentBytes)
    }
}
