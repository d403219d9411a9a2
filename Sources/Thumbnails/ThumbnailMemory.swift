import Basics
import Dispatch
import Network
import Pipeline
import Raster
import Synchronization
import Trace

/// Reduced pictures and thumbnails in memory; usable from any thread.
///
/// There are two budgets, as a few large pictures in the viewer would otherwise evict thousands of tiles. Memory pressure is checked after
/// insertions, not by a timer: an idle program must not wake up.
///
/// Until a reload has something to show, older entries stay valid, so that nothing flashes; from then on no older entry of that file is
/// used, whatever still arrives.
final class ThumbnailMemory: Sendable {
    private struct ReducedKey: Hashable {
        var address: Address
        var reduction: ReducedSize
    }

    /// The approximate cost of an entry besides its pixels or cells: the key, the facts, the cache's own tables.
    private static let overhead = 500
    /// The size in bytes of the largest picture that is kept together with its neighbours: a screen's pixels in 4K, or a detail.
    private static let largest = 64 << 20
    /// The growth of the process in bytes before free heap pages are returned, which takes some milliseconds.
    private static let slack = 16 << 20
    /// The maximum number of recent reductions; each costs a look-up for every picture not in memory.
    private static let maxRecent = 6

    private let reduced: MemoryCache<ReducedKey, ReducedPicture>
    /// Cells, and the generation of the picture that they show.
    private let cells:
        MemoryCache<ThumbnailRequest, (thumbnail: Thumbnail, generation: CacheGeneration)>
    private let pressure: MemoryPressure
    private let tracer: Tracer
    /// The latest generation shown of each file that was ever reloaded.
    private let newest = Locked<[Address: CacheGeneration]>([:])
    /// The reductions in use, most recent first: a grid's tiles have one, its list's another, the viewer a third.
    private let recent = Locked<[ReducedSize]>([])
    private let insertions = Atomic<Int>(0)
    /// Not nice: returning free pages holds locks of the heap that the main thread may want.
    let housekeeping = DispatchQueue(label: "halftone.housekeeping", qos: .userInitiated)
    /// Resident bytes after the last return of free pages; initially those of a program that shows a screenful of pictures.
    private let settled = Atomic<Int>(100 << 20)

    init(_ options: ThumbnailOptions, tracer: Tracer) {
        reduced = MemoryCache(capacity: options.reducedBytes, largestEntry: Self.largest)
        cells = MemoryCache(capacity: options.cellsBytes, largestEntry: Self.largest)
        pressure = options.pressure
        self.tracer = tracer
        tracer.count("hits cells", 0)
    }

    var cost: Int { reduced.cost + cells.cost }

    /// Returns `request` with the oldest generation that may answer it by now.
    func current(_ request: ThumbnailRequest) -> ThumbnailRequest {
        var request = request
        request.generation = max(request.generation, shownGeneration(of: request.address))
        return request
    }

    func thumbnail(for request: ThumbnailRequest) -> Thumbnail? {
        guard let entry = cells.value(for: key(of: request)),
            entry.generation >= request.generation
        else { return nil }
        tracer.tally("hits cells")
        return entry.thumbnail
    }

    /// Returns a picture from which the request can be drawn as well as from its file: reduced for it, or for another box and fine enough,
    /// or not reduced at all; where both will do, the picture itself is preferred to one embedded in its file.
    func picture(for request: ThumbnailRequest) -> ReducedPicture? {
        let own = ReducedSize(for: request)
        let others = recent.withLock { $0.filter { $0 != own } }
        let found = ([own] + others).lazy.compactMap { [reduced] reduction -> ReducedPicture? in
            guard
                let picture = reduced.value(
                    for: ReducedKey(address: request.address, reduction: reduction)),
                picture.generation >= request.generation,
                request.mayBeEmbedded || !picture.isEmbedded,
                reduction == own
                    || ReducedSize.suffices(
                        picture.pixels.size, of: picture.facts.size, for: request)
            else { return nil }
            return picture
        }
        let picture = found.first { !$0.isEmbedded } ?? found.first
        if picture != nil { tracer.tally("hits reduced") }
        return picture
    }

    /// Returns a picture of `address` at any size, preferring the most recent reduction.
    func picture(of address: Address) -> ReducedPicture? {
        recent.current.lazy.compactMap { [reduced] in
            reduced.value(for: ReducedKey(address: address, reduction: $0))
        }.first
    }

    /// Inserts a thumbnail drawn from a picture of `generation`, which is shown from now on.
    func insert(
        _ thumbnail: Thumbnail, of generation: CacheGeneration, for request: ThumbnailRequest
    ) {
        guard generation >= shownGeneration(of: request.address) else { return }
        let cost =
            thumbnail.cells.cells.count * MemoryLayout<Cell>.stride
            + (thumbnail.pixels?.byteCount ?? 0) + Self.overhead
        cells.insert((thumbnail, generation), for: key(of: request), cost: cost)
        if generation > .any {
            newest.withLock { $0[request.address] = max($0[request.address] ?? .any, generation) }
        }
        countInsertion()
    }

    func insert(_ picture: ReducedPicture, _ reduction: ReducedSize, of address: Address) {
        guard picture.generation >= shownGeneration(of: address) else { return }
        recent.withLock { recent in
            guard recent.first != reduction else { return }
            let others = recent.filter { $0 != reduction }
            recent = [reduction] + others.prefix(Self.maxRecent - 1)
        }
        reduced.insert(
            picture, for: ReducedKey(address: address, reduction: reduction),
            cost: picture.pixels.bytes.count + Self.overhead)
        countInsertion()
    }

    func pin(_ requests: [ThumbnailRequest]) {
        cells.pin(Set(requests.map(key)))
        reduced.pin(
            Set(requests.map { ReducedKey(address: $0.address, reduction: ReducedSize(for: $0)) }))
    }

    /// Shrinks to at most `bytes`, or to the pinned entries: pictures go first, as cells are needed for the next frame.
    func drop(to bytes: Int) {
        reduced.trim(to: max(0, bytes - cells.cost))
        cells.trim(to: bytes)
    }

    private func key(of request: ThumbnailRequest) -> ThumbnailRequest {
        var key = request.cellKey
        key.generation = .any
        return key
    }

    private func shownGeneration(of address: Address) -> CacheGeneration {
        newest.withLock { $0[address] } ?? .any
    }

    private func countInsertion() {
        let count = insertions.next()
        guard count % MemoryPressure.insertionsPerLook == 1 else { return }
        housekeeping.asyncGuarded { self.checkPressure() }
    }

    private func checkPressure() {
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

    /// Returns free pages: otherwise the process would stay as large, and the caches would be halved until nothing is left.
    private func giveBack() {
        Heap.giveBack()
        settled.store(MemoryPressure.residentBytes, ordering: .relaxed)
    }
}
