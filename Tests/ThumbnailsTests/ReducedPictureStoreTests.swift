import Dispatch
import Glibc
import ImageCodecs
import ImageEncoders
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Trace

@testable import Thumbnails

/// Reduced pictures on disk, with a real server, a real cache and real files.
@Suite struct ReducedPictureStoreTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer
    private let box = CellSize(columns: 24, rows: 12)

    init() throws {
        folder = try ScratchFolder()
        server = try LoopbackServer()
    }

    /// One run of the program with the shared cache.
    private final class Visit: Sendable {
        let fetcher: FetchStage
        let pipeline: ThumbnailPipeline
        let reader: TraceReader

        init(
            _ folder: ScratchFolder, _ change: (inout NetworkOptions) -> Void = { _ in },
            drawing: ThumbnailOptions = .test
        ) throws {
            reader = try TraceReader()
            var options = NetworkOptions()
            options.cacheFolder = folder.path + "/cache"
            options.timeout = 600
            change(&options)
            fetcher = FetchStage(options: options, tracer: reader.tracer)
            pipeline = ThumbnailPipeline(
                fetcher: fetcher, store: fetcher.store,
                options: drawing, tracer: reader.tracer)
        }

        func load(_ request: ThumbnailRequest) throws -> Thumbnail {
            let answer = Answer()
            _ = pipeline.load(request, priority: .visible, flow: .none) { answer.give($0) }
            return try answer.thumbnail()
        }

        /// Ends the run: everything is written to disk, and the trace shows what was done.
        func end() throws -> [String] {
            fetcher.store.finishWriting(milliseconds: 600_000)
            return try reader.spanNames()
        }
    }

    private func jpeg(_ color: RGB = RGB(0xC0_4020)) throws -> [UInt8] {
        // Noise makes the file larger than its derived picture.
        var pixels = PixelBuffer(filledWith: color, size: PixelSize(width: 600, height: 400))
        var state: UInt64 = 1
        for index in pixels.bytes.indices where index % 4 == 1 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            pixels.bytes[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
        return try ImageEncoder.jpeg(pixels)
    }

    private func request(_ path: String, generation: CacheGeneration = .any) throws
        -> ThumbnailRequest
    {
        .tile(try #require(Address(server.url(path))), generation: generation)
    }

    private var cacheFiles: [(path: String, size: Int)] {
        guard let stream = opendir(folder.path + "/cache") else { return [] }
        defer { closedir(stream) }
        var files: [(path: String, size: Int)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            let path = "\(folder.path)/cache/\(name)"
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                files.append((path, Int(status.st_size)))
            }
        }
        return files
    }

    @Test("a picture seen before is drawn identically without decoding, or even having, its file")
    func warm() throws {
        let bytes = try jpeg()
        server.route("/a.jpg") { _ in .bytes(bytes, type: "image/jpeg") }
        let first = try Visit(folder)
        let cold = try first.load(request("/a.jpg"))
        #expect(try first.end().contains("decode"))
        // Deletes the large body and keeps everything small.
        let large = cacheFiles.filter { $0.size >= bytes.count }
        #expect(large.count == 1)
        large.forEach { unlink($0.path) }
        let second = try Visit(folder)
        let warm = try second.load(request("/a.jpg"))
        #expect(warm.cells == cold.cells)
        #expect(warm.facts.size == PixelSize(width: 600, height: 400))
        #expect(warm.facts.format == .jpeg)
        #expect(warm.facts.byteCount == bytes.count)
        #expect(warm.facts.dominant == cold.facts.dominant)
        #expect(warm.facts.tint == cold.facts.tint)
        let spans = try second.end()
        #expect(!spans.contains("decode"))
        #expect(!spans.contains("fetch"))
        #expect(server.count(of: "/a.jpg") == 1)
        // Another size was never derived, so the file is needed again.
        let third = try Visit(folder)
        _ = try third.load(
            ThumbnailRequest(
                address: try #require(Address(server.url("/a.jpg"))),
                box: CellSize(columns: 40, rows: 20), style: RenderStyle()))
        #expect(try third.end().contains("decode"))
        #expect(server.count(of: "/a.jpg") == 2)
    }

    @Test("transparent pictures are restored unchanged")
    func transparency() throws {
        var pixels = PixelBuffer(
            filledWith: RGB(0x10_1010), size: PixelSize(width: 300, height: 300))
        var state: UInt64 = 1
        for index in pixels.bytes.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            pixels.bytes[index] =
                index % 4 == 3 ? (index / 4 % 300 < 150 ? 0 : 255) : UInt8(state >> 60)
        }
        let file = try ImageEncoder.png(
            PixelBuffer(size: pixels.size, bytes: pixels.bytes, isOpaque: false))
        server.route("/a.png") { _ in .bytes(file, type: "image/png") }
        let first = try Visit(folder)
        let cold = try first.load(request("/a.png"))
        _ = try first.end()
        let second = try Visit(folder)
        let warm = try second.load(request("/a.png"))
        #expect(warm.cells == cold.cells)
        #expect(warm.facts.tint == cold.facts.tint)
        #expect(try !second.end().contains("decode"))
    }

    @Test("a stale picture is shown once its server has revalidated it without resending it")
    func revalidated() throws {
        let bytes = try jpeg()
        server.route("/a.jpg") {
            .validated(
                bytes, type: "image/jpeg", tag: "\"1\"", for: $0,
                headers: [("Cache-Control", "max-age=0")])
        }
        let first = try Visit(folder)
        let cold = try first.load(request("/a.jpg"))
        _ = try first.end()
        cacheFiles.filter { $0.size >= bytes.count }.forEach { unlink($0.path) }
        let second = try Visit(folder)
        #expect(try second.load(request("/a.jpg")).cells == cold.cells)
        #expect(try !second.end().contains("decode"))
        #expect(server.requests.map { $0.header("if-none-match") } == [nil, "\"1\""])
        // Offline mode contacts no server and shows it all the same.
        let third = try Visit(folder, { $0.isOffline = true })
        #expect(try third.load(request("/a.jpg")).cells == cold.cells)
        #expect(server.requests.count == 2)
    }

    @Test("a picture changed at its server is decoded again")
    func changed() throws {
        let (old, new) = (try jpeg(RGB(0xD0_1010)), try jpeg(RGB(0x10_10D0)))
        server.route("/a.jpg") { request in
            .validated(
                request.number == 1 ? old : new, type: "image/jpeg", tag: "\"\(request.number)\"",
                for: request, headers: [("Cache-Control", "no-cache")])
        }
        let first = try Visit(folder)
        let cold = try first.load(request("/a.jpg"))
        _ = try first.end()
        let second = try Visit(folder)
        let fresh = try second.load(request("/a.jpg"))
        #expect(fresh.facts.dominant != cold.facts.dominant)
        #expect(try second.end().contains("decode"))
    }

    @Test("a reload bypasses and replaces the derived picture")
    func reload() throws {
        let (old, new) = (try jpeg(RGB(0xD0_1010)), try jpeg(RGB(0x10_10D0)))
        server.route("/a.jpg") { .bytes($0.number == 1 ? old : new, type: "image/jpeg") }
        let first = try Visit(folder)
        let cold = try first.load(request("/a.jpg"))
        _ = try first.end()
        let second = try Visit(folder)
        #expect(try second.load(request("/a.jpg")).cells == cold.cells)
        let reloaded = try second.load(request("/a.jpg", generation: .next()))
        #expect(reloaded.facts.dominant != cold.facts.dominant)
        _ = try second.end()
        let third = try Visit(folder)
        #expect(try third.load(request("/a.jpg")).cells == reloaded.cells)
        #expect(try !third.end().contains("decode"))
    }

    @Test("an unchanged local file is neither read nor decoded again, a changed one is")
    func files() throws {
        let path = try folder.write(try jpeg(RGB(0xD0_1010)), to: "a.jpg")
        let tile = ThumbnailRequest.tile(Address(path: path))
        let first = try Visit(folder)
        let cold = try first.load(tile)
        _ = try first.end()
        // The file has just been written, so it is not trusted.
        let second = try Visit(folder)
        _ = try second.load(tile)
        #expect(try second.end().contains("decode"))
        // An older file takes its place; the executable itself would do if it were a picture.
        let old = try #require(Self.shipped)
        let fresh = try Visit(folder)
        let picture = try fresh.load(.tile(Address(path: old)))
        #expect(picture.cells != cold.cells)
        _ = try fresh.end()
        let last = try Visit(folder)
        #expect(try last.load(.tile(Address(path: old))).cells == picture.cells)
        let spans = try last.end()
        #expect(!spans.contains("decode"))
        #expect(!spans.contains("fetch"))
    }

    /// A picture of the shipped gallery.
    private static let shipped: String? = {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let photos = root + "/Resources/Gallery/photos"
        guard let stream = opendir(photos) else { return nil }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            if name.hasSuffix(".jpg"), stat(photos + "/" + name, &status) == 0,
                status.st_size > 30_000
            {
                return photos + "/" + name
            }
        }
        return nil
    }()

    @Test("damaged, foreign and oversized entries are skipped")
    func damaged() throws {
        let bytes = try jpeg()
        server.route("/a.jpg") { _ in .bytes(bytes, type: "image/jpeg") }
        let first = try Visit(folder)
        let cold = try first.load(request("/a.jpg"))
        let key = ReducedSize(for: try request("/a.jpg")).key(of: ContentHash(of: bytes), nil)
        _ = try first.end()
        let disk = try #require(first.fetcher.store.cache)
        let good = try #require(disk.read(key))
        var bad: [DiskCache.Entry] = []
        for index in good.metadata.indices {
            for value in ["", "x", "-1 -1 3", "9223372036854775807 9223372036854775807 3", "0 0 3"]
            {
                var entry = good
                entry.metadata[index].value = value
                bad.append(entry)
            }
            var entry = good
            entry.metadata.remove(at: index)
            bad.append(entry)
        }
        bad.append(DiskCache.Entry(metadata: good.metadata, body: good.body.dropLast()))
        bad.append(DiskCache.Entry(metadata: [], body: []))
        for entry in bad {
            // Harmless numbers may yield a picture, but must not crash.
            _ = ReducedPictureEntry.picture(entry, generation: .any)
        }
        disk.write(bad[0], for: key)
        let second = try Visit(folder)
        #expect(try second.load(request("/a.jpg")).cells == cold.cells)
        #expect(try second.end().contains("decode"))
        // The entry is repaired by now; but a run with a lower pixel limit rejects it, as it would the file.
        #expect(disk.read(key)?.body == good.body)
        var drawing = ThumbnailOptions.test
        drawing.decodeLimits.maxPixels = 1000
        let strict = try Visit(folder, drawing: drawing)
        #expect(throws: (any Error).self) { try strict.load(request("/a.jpg")) }
    }

    @Test("a picture embedded in its file is kept for tiles, until the picture itself is")
    func embedded() throws {
        let blue = PixelBuffer(
            filledWith: RGB(0x20_40C0), size: PixelSize(width: 150, height: 100))
        let bytes = ImageEncoder.jpeg(try jpeg(), thumbnail: try ImageEncoder.jpeg(blue))
        server.route("/a.jpg") { _ in .bytes(bytes, type: "image/jpeg") }
        for (mayBeEmbedded, isEmbedded, isDecoded) in [
            (true, true, true), (true, true, false), (false, false, true), (true, false, false),
        ] {
            let visit = try Visit(folder)
            var request = try request("/a.jpg")
            request.mayBeEmbedded = mayBeEmbedded
            let color = try visit.load(request).facts.dominant
            #expect((color.blue > color.red) == isEmbedded)
            #expect(try visit.end().contains("decode") == isDecoded)
        }
    }

    @Test("camera metadata is stored with the picture")
    func camera() throws {
        var camera = CameraFacts()
        (camera.camera, camera.lens, camera.exposure) = ("Maker One", "50 mm", "1/250 s, f/2.8")
        (camera.date, camera.position) = ("2024-06-01T10:11:12", "52.52000, 13.40500")
        let pixels = PixelBuffer(
            filledWith: RGB(0x20_4060), size: PixelSize(width: 4, height: 3))
        var facts = PictureFacts(
            size: pixels.size, format: .jpeg, byteCount: 1, dominant: RGB(0x20_4060))
        facts.camera = camera
        let picture = ReducedPicture(pixels, facts, isEmbedded: false, generation: .any)
        let entry = ReducedPictureEntry.make(of: picture)
        let kept = ReducedPictureEntry.picture(entry, generation: .any)
        #expect(kept?.facts.camera == camera)
    }

    @Test("truncated pictures, and those smaller than their reduction, are not stored")
    func notKept() throws {
        let bytes = try jpeg()
        let small = try ImageEncoder.jpeg(
            PixelBuffer(filledWith: RGB(0x20_4060), size: PixelSize(width: 100, height: 80)))
        server.route("/cut.jpg") { _ in
            .bytes(Array(bytes.prefix(bytes.count / 2)), type: "image/jpeg")
        }
        server.route("/small.jpg") { _ in .bytes(small, type: "image/jpeg") }
        for path in ["/cut.jpg", "/small.jpg"] {
            for _ in 0..<2 {
                let visit = try Visit(folder)
                _ = try visit.load(request(path))
                #expect(try visit.end().contains("decode"))
            }
            #expect(server.count(of: path) == 1)
        }
    }

    @Test("without a cache folder nothing is written")
    func noFolder() throws {
        let bytes = try jpeg()
        server.route("/a.jpg") { _ in .bytes(bytes, type: "image/jpeg") }
        let visit = try Visit(folder, { $0.cacheFolder = nil })
        _ = try visit.load(request("/a.jpg"))
        _ = try visit.end()
        #expect(cacheFiles.isEmpty)
    }

    @Test("the trace counts each tier's hits")
    func tally() throws {
        let bytes = try jpeg()
        server.route("/a.jpg") { _ in .bytes(bytes, type: "image/jpeg") }
        let first = try Visit(folder)
        _ = try first.load(request("/a.jpg"))
        _ = first.pipeline.cached(try request("/a.jpg"))
        _ = try first.load(
            .tile(try #require(Address(server.url("/a.jpg"))), style: RenderStyle(blocks: .ascii)))
        fflush(nil)
        first.fetcher.store.finishWriting(milliseconds: 600_000)
        let cold = try first.reader.counters()
        #expect(cold["from network"] == 1)
        #expect(cold["hits cells"] == 1)
        #expect(cold["hits reduced"] == 1)
        #expect(cold["hits derived"] == nil)
        let second = try Visit(folder)
        _ = try second.load(request("/a.jpg"))
        let warm = try second.reader.counters()
        #expect(warm["hits derived"] == 1)
        #expect(warm["from network"] == nil)
        #expect(warm["hits raw disk"] == nil)
    }
}
