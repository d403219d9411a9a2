import Basics
import ImageCodecs
import Network
import Pipeline
import Raster
import Trace

/// Reduced pictures on disk, so that a gallery seen before is drawn without decoding or even reading the original files.
///
/// They share a folder and a budget with the files they were made from, and LRU eviction: revisiting a gallery touches these small files
/// and not the large ones. Everything here can be recreated.
struct ReducedPictureStore {
    /// The maximum size in bytes of pixels: a picture that fills a large terminal, or a tile of 120 columns.
    ///
    /// Larger ones are parts of a picture in the viewer, which has decoded the file anyway.
    private static let largest = 512 << 10

    let store: DiskStore
    let maxPixels: Int
    let tracer: Tracer

    /// Reads the picture derived from `content` for `request`; must be called on the disk queue.
    func read(
        _ content: ContentHash, _ reduction: ReducedSize, for request: ThumbnailRequest,
        since asked: Stopwatch
    ) -> ReducedPicture? {
        guard let entry = store.cache?.read(reduction.key(of: content, request.address.page)),
            var picture = ReducedPictureEntry.picture(entry, generation: request.generation),
            request.mayBeEmbedded || !picture.isEmbedded,
            // Another run may have had a higher limit.
            picture.facts.size.count <= maxPixels
        else { return nil }
        picture.facts.timings.origin = .disk
        picture.facts.timings.queue = asked.microseconds
        tracer.tally("hits derived")
        return picture
    }

    /// Writes `picture`, made from bytes with that hash, when nothing more urgent is pending.
    ///
    /// Skips pictures whose file is smaller than their pixels, as decoding takes no longer, and partial ones, which may be due to the
    /// decoder's time limit and not the file.
    @PipelineActor func keep(
        _ picture: ReducedPicture, _ reduction: ReducedSize, page: Int?, hash: LazyContentHash
    ) {
        let bytes = picture.pixels.size.count * (picture.pixels.isOpaque ? 3 : 4)
        let fileBytes = picture.facts.byteCount
        guard !picture.facts.isPartial, bytes <= Self.largest, bytes < fileBytes else { return }
        // The file is retained as well, until its hash is known.
        store.later(holding: bytes + (hash.known == nil ? fileBytes : 0)) { disk in
            disk.write(
                ReducedPictureEntry.make(of: picture), for: reduction.key(of: hash.value, page))
        }
    }
}

extension ReducedSize {
    /// The version of the decoding code.
    ///
    /// Raise it whenever decoding, shrinking, `ReducedSize` or the form of `ReducedPictureEntry` changes the output; older entries are then no
    /// longer found, and age out by LRU.
    private static let decoderVersion = 3

    /// Returns the key of a reduced picture on disk: the content of its file, the reduction, the decoder's version and, of a document
    /// of many pages, the page's number.
    func key(of content: ContentHash, _ page: Int?) -> String {
        let size =
            switch self {
            case .whole(let box, let aspect, let grid, let crop):
                "whole \(box.columns)x\(box.rows) \(aspect)"
                    + (crop == .none ? "" : crop == .box ? " filled" : " strips")
                    + (grid.map { " \($0.width)x\($0.height)" } ?? "")
            case .detail(let side): "detail \(side)"
            }
        return "derived \(Self.decoderVersion) \(content.text) \(size)"
            + (page.map { " page \($0)" } ?? "")
    }
}

/// A reduced picture in the disk cache: facts as metadata, and raw pixels, three bytes each if it is opaque.
///
/// Not compressed: 14 KB for a tile of 24 columns. As PNG or lossless WebP, photographs of that size take 54 and 45 % of that, and longer
/// to decompress than everything else a tile needs from here on.
enum ReducedPictureEntry {
    static func make(of picture: ReducedPicture) -> DiskCache.Entry {
        let pixels = picture.pixels
        let size = pixels.size
        let facts = picture.facts
        let dominant = facts.dominant
        let camera = cameraFields.compactMap { field in
            facts.camera?[keyPath: field.path].map { (field.name, $0) }
        }
        return DiskCache.Entry(
            metadata: [
                ("pixels", "\(size.width) \(size.height) \(pixels.isOpaque ? 3 : 4)"),
                ("source", "\(facts.size.width) \(facts.size.height)"),
                ("format", facts.format.rawValue),
                ("bytes", "\(facts.byteCount)"),
                ("dominant", "\(dominant.red) \(dominant.green) \(dominant.blue)"),
                ("frames", "\(facts.frameCount)"), ("seconds", "\(facts.seconds)"),
                ("embedded", "\(picture.isEmbedded)"),
            ] + camera,
            body: pixels.isOpaque ? repacked(pixels.bytes, from: 4, to: 3) : pixels.bytes)
    }

    private static let cameraFields:
        [(name: String, path: any WritableKeyPath<CameraFacts, String?> & Sendable)] = [
            ("camera", \.camera), ("lens", \.lens), ("exposure", \.exposure), ("taken", \.date),
            ("position", \.position), ("about", \.about),
        ]

    /// Parses an entry; nil if its form is invalid, since anybody who can write to the folder can change files.
    static func picture(
        _ entry: DiskCache.Entry, generation: CacheGeneration
    ) -> ReducedPicture? {
        func value(_ name: String) -> String? { entry.metadata[name] }
        func numbers(_ name: String, _ count: Int) -> [Int]? {
            let numbers = value(name)?.split(separator: " ").compactMap { Int(bounded: $0) }
            return numbers?.count == count && numbers?.allSatisfy { $0 >= 0 } == true
                ? numbers : nil
        }
        guard let pixels = numbers("pixels", 3), let source = numbers("source", 2),
            source.allSatisfy({ $0 <= Int32.max }),
            let byteCount = numbers("bytes", 1)?[0], let frameCount = numbers("frames", 1)?[0],
            let dominant = numbers("dominant", 3)?.map({ UInt8(clamping: $0) }),
            let format = value("format").flatMap(ImageFormat.init),
            [3, 4].contains(pixels[2]),
            let buffer = PixelBuffer(
                checked: PixelSize(width: pixels[0], height: pixels[1]),
                pixels[2] == 3 ? repacked(entry.body, from: 3, to: 4) : entry.body,
                isOpaque: pixels[2] == 3)
        else { return nil }
        var facts = PictureFacts(
            size: PixelSize(width: source[0], height: source[1]), format: format,
            byteCount: byteCount,
            dominant: RGB(red: dominant[0], green: dominant[1], blue: dominant[2]),
            frameCount: frameCount)
        facts.seconds = numbers("seconds", 1)?[0] ?? 0
        var camera = CameraFacts()
        for field in cameraFields {
            camera[keyPath: field.path] = value(field.name)?.oneLine(limit: 500)
        }
        facts.camera = camera == CameraFacts() ? nil : camera
        return ReducedPicture(
            buffer, facts, isEmbedded: value("embedded") == "true", generation: generation)
    }

    /// Repacks opaque pixels with another number of bytes each, dropping or restoring alpha.
    private static func repacked(_ bytes: [UInt8], from old: Int, to new: Int) -> [UInt8] {
        let count = bytes.count / old
        return [UInt8](unsafeUninitializedCapacity: count * new) { repacked, repackedCount in
            for pixel in 0..<count {
                for channel in 0..<3 {
                    repacked[pixel * new + channel] = bytes[pixel * old + channel]
                }
                if new == 4 { repacked[pixel * new + 3] = 255 }
            }
            repackedCount = count * new
        }
    }
}
