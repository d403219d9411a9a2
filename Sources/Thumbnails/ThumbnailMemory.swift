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
        var edition: Int
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
    private let hits = Atomic<Int>(0)

    init(_ options: ThumbnailOptions, tracer: Tracer) {
        reduced = MemoryCache(capacity: options.reducedBytes)
        drawn = MemoryCache(capacity: options.cellsBytes)
        pressure = MemoryPressure(residentLimit: options.residentLimit)
        self.tracer = tracer
    }

    /// Bytes kept.
    var cost: Int { reduced.cost + drawn.cost }

    /// The thumbnail, unless it was drawn from an edition older than `oldest`.
    func thumbnail(for key: CellsKey, since oldest: Int) -> Thumbnail? {
        guard let entry = drawn.value(for: key), entry.edition >= oldest else { return nil }
        hits.wrappingAdd(1, ordering: .relaxed)
        return entry.thumbnail
    }

    /// A picture from which the request can be drawn as well as from its file: reduced for it, or for another box and
    /// fine enough, or not reduced at all.
    func picture(for ask: Ask, _ reduction: Reduction) -> ReducedPicture? {
        let others = recent.withLock { $0.filter { $0 != reduction } }
        for candidate in [reduction] + others {
            let key = ReducedKey(address: ask.address, reduction: candidate)
            guard let picture = reduced.value(for: key), picture.edition >= ask.oldestUsable,
                candidate == reduction
                    || Reduction.suffices(
                        picture.pixels.size, of: picture.sourceSize, for: ask.request)
            else { continue }
            hits.wrappingAdd(1, ordering: .relaxed)
            return picture
        }
        return nil
    }

    /// Any picture of `address`, of whatever size: the one reduced in the way used last.
    func picture(of address: Address) -> ReducedPicture? {
        for reduction in recent.withLock(\.self) {
            if let picture = reduced.value(for: ReducedKey(address: address, reduction: reduction))
            {
                return picture
            }
        }
        return nil
    }

    func insert(_ thumbnail: Thumbnail, edition: Int, for key: CellsKey) {
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

    /// Writes how often memory had the answer, frames included.
    func traceHits() {
        tracer.count("cache hits", hits.load(ordering: .relaxed))
    }

    /// Shrinks to at most `bytes`: pictures first, as cells are what the next frame needs.
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
