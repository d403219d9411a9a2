import Basics
import Browser
import Gallery
import ImageEncoders
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails
import Trace

@testable import Network

/// Previews of the viewer's picture while it is loading.
@MainActor @Suite("Preview") struct PreviewTests {
    @Test("only the picture being viewed gets previews, and only while it is loading")
    func watched() {
        let rig = Rig()
        rig.loadPages()
        rig.loadPictures()
        #expect(rig.thumbnails.previewed.isEmpty)
        rig.press(.enter)
        rig.settle()
        #expect(rig.thumbnails.previewed.map(\.address) == [Rig.image(0, 0, 0)])
        rig.type("n")
        rig.settle()
        #expect(rig.thumbnails.previewed.map(\.address) == [Rig.image(0, 0, 1)])
        rig.loadPictures()
        #expect(rig.thumbnails.previewed.isEmpty)
        rig.type("nn")
        rig.settle()
        #expect(rig.thumbnails.previewed.map(\.address) == [Rig.image(0, 0, 3)])
        rig.press(.escape)
        rig.settle()
        #expect(rig.thumbnails.previewed.isEmpty)
    }

    @Test("a preview replaces the thumbnail until the picture has loaded, with the progress")
    func shown() {
        let rig = Rig()
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.settle()
        #expect(rig.draw().bottom.progress == "")
        rig.thumbnails.arrive(
            Rig.image(0, 0, 0), FetchProgress(received: 1_234_567, total: 4_800_000))
        #expect(glyph(rig) == 0x20)
        rig.settle()
        #expect(glyph(rig) == 0x21)
        #expect(rig.viewer?.isLoading == true)
        #expect(rig.draw().bottom.progress == "1.2 of 4.8 MB")
        rig.thumbnails.arrive(Rig.image(0, 0, 0), FetchProgress(received: 34, total: 640))
        rig.settle()
        #expect(rig.draw().bottom.progress == "34 of 640 bytes")
        rig.loadPictures()
        #expect(glyph(rig) == 0x20)
        #expect(rig.viewer?.isLoading == false)
        #expect(rig.draw().bottom.progress == "")
    }

    @Test("a late preview is dropped")
    func stale() {
        let rig = Rig()
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.settle()
        rig.thumbnails.arrive(Rig.image(0, 0, 0), FetchProgress(received: 5, total: nil))
        rig.type("n")
        // The next picture is opened before the posted preview is read.
        rig.draw()
        rig.settle()
        #expect(glyph(rig) == 0x20)
        rig.type("p")
        rig.thumbnails.releaseAll()
        rig.settle()
        #expect(glyph(rig) == 0x20)
    }

    private func glyph(_ rig: Rig) -> UInt32? {
        guard case .ready(let thumbnail)? = rig.viewer?.picture else { return nil }
        return thumbnail.cells.cells.first?.glyph
    }

    // MARK: With a server and the whole pipeline

    @Test(
        "for a progressive JPEG the viewer shows the scans received so far, then the whole picture")
    func progressive() throws {
        let gallery = try SlowGallery(isProgressive: true)
        let thumbnail = try gallery.openViewer()
        let preview = try gallery.cells { $0.size.columns > thumbnail.size.columns }
        #expect(gallery.viewer?.isLoading == true)
        gallery.rest.open()
        let final = try gallery.whole()
        #expect(gallery.viewer?.isLoading == false)
        #expect(preview.size == final.size)
        // The whole picture was visible, only less sharp.
        for row in 0..<final.size.rows {
            #expect(Self.distance(preview, final, row: row) < 40)
        }
        #expect((0..<final.size.rows).contains { Self.distance(preview, final, row: $0) > 0 })
    }

    @Test("for a baseline JPEG the viewer shows the rows received so far over the thumbnail")
    func baseline() throws {
        let gallery = try SlowGallery(isProgressive: false)
        let thumbnail = try gallery.openViewer()
        let preview = try gallery.cells { $0.size.columns > thumbnail.size.columns }
        gallery.rest.open()
        let final = try gallery.whole()
        let last = final.size.rows - 1
        // At least an eighth of the file has arrived: noise makes all rows take about as many bytes.
        #expect(Self.distance(preview, final, row: 0) < 8)
        #expect(Self.distance(preview, final, row: last) > 20)
        #expect(Self.distance(preview, of: SlowGallery.thumbnailColor, row: last) < 8)
    }

    /// Returns the mean difference of a row's backgrounds, 0…255.
    private static func distance(_ left: CellGrid, _ right: CellGrid, row: Int) -> Int {
        let columns = left.size.columns
        let places = row * columns..<(row + 1) * columns
        return places.reduce(0) { sum, place in
            sum + difference(left.cells[place].background.rgb, right.cells[place].background.rgb)
        } / columns
    }

    private static func distance(_ grid: CellGrid, of color: RGB, row: Int) -> Int {
        let columns = grid.size.columns
        return (row * columns..<(row + 1) * columns).reduce(0) {
            $0 + difference(grid.cells[$1].background.rgb, color)
        } / columns
    }

    private static func difference(_ left: RGB?, _ right: RGB?) -> Int {
        guard let left, let right else { return 255 }
        return [(left.red, right.red), (left.green, right.green), (left.blue, right.blue)]
            .map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}

/// A browser with a server whose only picture arrives in two parts.
@MainActor private struct SlowGallery {
    static let thumbnailColor = RGB(0x30_90_F0)

    let server: LoopbackServer
    let rest = Gate()
    let main = ManualMain()
    let model: BrowserModel

    init(isProgressive: Bool) throws {
        let server = try LoopbackServer()
        self.server = server
        let size = PixelSize(width: 1200, height: 800)
        let full = try ImageEncoder.jpeg(
            Self.noise(size), JPEGOptions(quality: 90, isProgressive: isProgressive))
        let thumbnail = try ImageEncoder.jpeg(
            PixelBuffer(filledWith: Self.thumbnailColor, size: PixelSize(width: 102, height: 68)))
        let rest = rest
        server.route("/thumbnail.jpg") { _ in .bytes(thumbnail, type: "image/jpeg") }
        server.route("/full.jpg") { _ in
            .bytes(full, type: "image/jpeg").delivered(.gated(after: full.count * 3 / 8, rest))
        }
        let page = try #require(Address(server.url("/")))
        let variants = try ["/thumbnail.jpg", "/full.jpg"].map {
            Picture.Variant(
                address: try #require(Address(server.url($0))),
                width: $0 == "/full.jpg" ? 1200 : 100)
        }
        let pages = GatedPages()
        pages.open()
        pages.set(
            .success(
                Page(
                    address: page, title: "slow",
                    pictures: [Picture(variants: variants, page: page, title: "a")])), at: page)
        var options = NetworkOptions()
        options.timeout = 600
        options.sources = [page]
        let pipeline = ThumbnailPipeline(
            fetcher: FetchStage(options: options), options: .test)
        model = BrowserModel(
            sources: [Source(argument: "slow", address: page)], options: BrowserOptions(),
            pages: pages, thumbnails: pipeline, main: main, tracer: .disabled)
        model.resize(to: CellSize(columns: 80, rows: 24), cellAspect: 2)
        model.start()
    }

    var viewer: ViewerScene? {
        if case .viewer(let viewer) = model.draw().body { viewer } else { nil }
    }

    /// Opens the picture once its thumbnail has loaded; returns the thumbnail's cells.
    func openViewer() throws -> CellGrid {
        try wait {
            guard case .gallery(let gallery) = model.draw().body else { return false }
            return gallery.tiles.first?.picture.isReady == true
        }
        model.handle(.key(.enter))
        guard case .ready(let thumbnail)? = viewer?.picture else { throw NothingShown() }
        return thumbnail.cells
    }

    /// Waits until the viewer shows cells that satisfy the condition.
    func cells(_ isRight: (CellGrid) -> Bool) throws -> CellGrid {
        var found: CellGrid?
        try wait {
            if case .ready(let thumbnail)? = viewer?.picture, isRight(thumbnail.cells) {
                found = thumbnail.cells
            }
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until the whole picture has loaded.
    func whole() throws -> CellGrid {
        try wait { viewer?.isLoading == false }
        return try cells { _ in true }
    }

    private func wait(until isDone: () -> Bool) throws {
        while !isDone() {
            try #require(main.waitForPost(), "nothing more comes")
            main.drain()
        }
    }

    private struct NothingShown: Error {}

    /// Creates a ramp from dark red to bright yellow with noise, so that all rows take about as many bytes.
    private static func noise(_ size: PixelSize) -> PixelBuffer {
        var picture = PixelBuffer(filledWith: RGB(0), size: size)
        var random: UInt32 = 1
        for pixel in 0..<size.width * size.height {
            random = random &* 1_664_525 &+ 1_013_904_223
            let ramp = pixel / size.width * 100 / size.height
            let noise = Int(random >> 26)
            picture.bytes[pixel * 4] = UInt8(clamping: 130 + ramp + noise - 32)
            picture.bytes[pixel * 4 + 1] = UInt8(clamping: 40 + ramp * 3 / 2 + noise - 32)
            picture.bytes[pixel * 4 + 2] = UInt8(clamping: 20 + noise / 4)
        }
        return picture
    }
}
