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

    /// A picture at least as detailed as `extent` asks for: reduced to it or less, or not reduced at all.
    func picture(for ask: Ask, _ extent: Extent) -> ReducedPicture? {
        for candidate in Extent.steps {
            let key = ReducedKey(address: ask.address, extent: candidate)
            if let picture = reduced.value(for: key), picture.edition >= ask.oldestUsable,
                candidate >= extent || picture.isWhole
            {
                hits.wrappingAdd(1, ordering: .relaxed)
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
