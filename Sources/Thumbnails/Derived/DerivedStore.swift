import Network
import Pipeline
import Raster
import Synchronization
import Trace

/// Reduced pictures on disk, so that a gallery seen before is drawn without decoding, and without reading what was decoded.
///
/// They lie in the folder of the bytes they were made from, within the same budget, and go by the same rule, the least recently used first:
/// whoever comes back touches these small files and not the large ones, which therefore go before them. Everything here can be made again and
/// may be deleted at any time. All methods on the coordinator's queue; the disk is read and written on a line of its own, as a tile should not
/// wait for a file of megabytes.
final class DerivedStore: Sendable {
    /// Bytes of pixels: a picture that fills a large terminal, or a tile of 120 columns.
    ///
    /// Larger ones are parts of a picture seen in the viewer,
    /// which has decoded the file anyway.
    private static let largest = 512 << 10

    private let disk: DiskCache
    private let line: WorkQueue
    private let maxPixels: Int
    private let tracer: Tracer
    private let hits = Atomic<Int>(0)

    init(disk: DiskCache, coordinator: Coordinator, maxPixels: Int, tracer: Tracer) {
        self.disk = disk
        line = WorkQueue(label: "halftone.derived", width: 1, coordinator: coordinator)
        self.maxPixels = maxPixels
        self.tracer = tracer
    }

    /// Reads what was made of `content` for `ask` as a part of `job`, whose urgency and end it follows; nil if nothing was.
    ///
    /// A picture itself goes before one that was embedded in its file, where both will do.
    func read(
        _ content: ContentHash, _ reduction: Reduction, for ask: Ask, since asked: Stopwatch,
        job: Job<ReducedPicture, ThumbnailError>,
        then: @escaping @Sendable (ReducedPicture?) -> Void
    ) {
        let kinds = ask.request.mayBeEmbedded ? [false, true] : [false]
        let ticket = line.enqueue(priority: job.priority) { [self] () -> ReducedPicture? in
            for isEmbedded in kinds {
                let key = DerivedKey(
                    content: content, reduction: reduction, isEmbedded: isEmbedded)
                if let picture = read(key, edition: ask.edition, since: asked) { return picture }
            }
            return nil
        } then: { picture in
            if !job.isEnded { then(picture) }
        }
        job.onCancel { ticket.cancel() }
        job.onPriorityChange { ticket.setPriority($0) }
    }

    /// Writes `picture`, made from bytes called `hash`, when nothing more urgent is to do; any thread.
    ///
    /// Not one of a file that is smaller than the picture's pixels: decoding that takes no longer. Nor one cut short, as it may have been the
    /// decoder's time that ran out and not the file.
    func keep(
        _ picture: ReducedPicture, _ reduction: Reduction, hash: LazyContentHash,
        on coordinator: Coordinator
    ) {
        let size = picture.pixels.size
        let bytes = size.width * size.height * (picture.pixels.isOpaque ? 3 : 4)
        guard !picture.isPartial, bytes <= Self.largest, bytes < picture.byteCount else { return }
        coordinator.perform { [self] in
            line.enqueue(priority: .idle) { [self] in
                let key = DerivedKey(
                    content: hash.value, reduction: reduction, isEmbedded: picture.isEmbedded)
                disk.write(DerivedEntry.make(of: picture), for: key.text)
            } then: { _ in
            }
        }
    }

    /// Calls `then` when everything kept so far is written.
    func afterWriting(_ then: @escaping @Sendable () -> Void) {
        line.enqueue(priority: .idle, work: {}, then: then)
    }

    /// On the line.
    private func read(_ key: DerivedKey, edition: CacheGeneration, since asked: Stopwatch)
        -> ReducedPicture?
    {
        guard let entry = disk.read(key.text) else { return nil }
        var timings = PictureTimings(origin: .disk)
        timings.queue = asked.microseconds
        guard
            let picture = DerivedEntry.picture(
                entry, isEmbedded: key.isEmbedded, edition: edition, timings: timings),
            // Another run may have been allowed more.
            picture.sourceSize.width <= maxPixels / max(1, picture.sourceSize.height)
        else { return nil }
        tracer.count("hits derived", hits.wrappingAdd(1, ordering: .relaxed).newValue)
        return picture
    }
}
