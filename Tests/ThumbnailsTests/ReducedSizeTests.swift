import ImageCodecs
import ImageEncoders
import Network
import Raster
import TestSupport
import Testing

@testable import Thumbnails

/// The sizes at which decoded pictures are kept.
@Suite("Reductions") struct ReducedSizeTests {
    private func request(
        columns: Int, rows: Int, _ blocks: BlockSet = .half, aspect: Double = 2
    ) -> ThumbnailRequest {
        ThumbnailRequest(
            address: Address(path: "/p.png"), box: CellSize(columns: columns, rows: rows),
            style: RenderStyle(blocks: blocks, cellAspect: aspect))
    }

    @Test(
        "a whole picture is stored at a multiple of every block set's sub-pixel grid",
        arguments: [(24, 8), (40, 20), (13, 57), (200, 58)], BlockSet.allCases)
    func multiples(box: (columns: Int, rows: Int), blocks: BlockSet) {
        let request = request(columns: box.columns, rows: box.rows, blocks, aspect: 2.1)
        let source = PixelSize(width: 4001, height: 2999)
        let size = ReducedSize(for: request).size(of: source)
        let fit = Fit(source, into: request.box, style: request.style)
        #expect(size.width % fit.pixels.width == 0 && size.height % fit.pixels.height == 0)
        #expect(ReducedSize.suffices(size, of: source, for: request))
    }

    @Test(
        "pixels are as fine as the cells, or as a screen in 4K if they have more, for a whole screen, half of it, and a tile",
        arguments: [(8, 16), (10, 20), (16, 32), (20, 40)], [Graphics.kitty, .sixel, .iterm])
    func pixels(cell: (width: Int, height: Int), graphics: Graphics) {
        let form = PixelForm(graphics, cell: PixelSize(width: cell.width, height: cell.height))
        let source = PixelSize(width: 12_000, height: 8000)
        for box in [(240, 67), (120, 67), (24, 9)] {
            var request = request(columns: box.0, rows: box.1)
            request.style.pixels = form
            let cells = request.fit(source).cells
            let (place, size) = (cells.pixels(each: form.cell), form.size(of: cells))
            let most = 3840 * 2160
            #expect(
                place.count <= most ? size == place : (4_000_000...most).contains(size.count))
            // The reduced picture has just these.
            #expect(ReducedSize(for: request).size(of: source) == size)
            #expect(ReducedSize.suffices(size, of: source, for: request))
        }
    }

    @Test(
        "each protocol's picture covers its cells: sixels by repeating pixels, others by the terminal"
    )
    func coded() {
        let cells = CellSize(columns: 300, rows: 100)
        for graphics in [Graphics.kitty, .sixel, .iterm] {
            var style = RenderStyle()
            style.pixels = PixelForm(graphics, cell: PixelSize(width: 12, height: 24))
            let fit = Fit(PixelSize(width: 3600, height: 2400), into: cells, style: style)
            let facts = PictureFacts(
                size: fit.pixels, format: .png, byteCount: 1, dominant: RGB(0))
            let picture = Thumbnail(fitting: fit, style: style, facts: facts) {
                PixelBuffer(filledWith: RGB(0x4080C0), size: $0)
            }.pixels
            let place = fit.cells.pixels(each: PixelSize(width: 12, height: 24))
            #expect(fit.cells == cells && place.count == 8_640_000)
            let size = PixelSize(width: 11 * 300, height: 23 * 100)
            #expect(picture?.size == (graphics == .sixel ? place : size))
            #expect(picture?.sixels.isEmpty == (graphics != .sixel))
        }
    }

    @Test("nothing is enlarged, and a strip of one pixel stays one pixel wide")
    func strips() {
        let reduction = ReducedSize(for: request(columns: 24, rows: 12))
        for (width, height) in [(20_000, 1), (1, 20_000), (1, 1), (30, 4000)] {
            let source = PixelSize(width: width, height: height)
            let size = reduction.size(of: source)
            #expect((1...width).contains(size.width) && (1...height).contains(size.height))
            let decoded = reduction.decodedSize(of: source)
            #expect((1...width).contains(decoded.width) && (1...height).contains(decoded.height))
        }
    }

    @Test(
        "a picture that fills its box is reduced to a size that covers it, and cropped to its shape"
    )
    func cropping() throws {
        var request = request(columns: 24, rows: 9)
        request.style.crop = .box
        for (width, height) in [(3000, 2000), (2000, 3000), (2400, 1800), (9000, 500)] {
            let source = PixelSize(width: width, height: height)
            let size = ReducedSize(for: request).size(of: source)
            // A strip would be enlarged without end.
            #expect(width == 9000 || (size.width >= 47 && size.height >= 9 * 12 - 1), "\(size)")
            #expect(size.width * size.height < 20 * 48 * 108)
        }
        let studio = Studio()
        let address = try #require(Address("https://example.org/wide.png"))
        // The box is 4 by 3: of 300 × 40 pixels the middle 53 are seen.
        var wide = PixelBuffer(filledWith: RGB(0xFF0000), size: PixelSize(width: 300, height: 40))
        for y in 0..<40 {
            for x in 126..<174 {
                wide.bytes.replaceSubrange(
                    (y * 300 + x) * 4..<(y * 300 + x) * 4 + 3, with: [0, 0, 255])
            }
        }
        studio.fetcher.answer(address, with: try ImageEncoder.png(wide))
        request.address = address
        let cells = try studio.load(request).answer.thumbnail().cells
        #expect(cells.size == request.box)
        let row = (0..<24).map { cells[$0, 4].background.rgb?.blue ?? 0 }
        #expect(row.count { $0 > 128 } == 22 && row[0] < 128 && row[23] < 128, "\(row)")
        request.style.crop = .none
        #expect(try studio.load(request).answer.thumbnail().cells.size.rows < 5)
    }

    @Test("of a strip tiles show the top at a width that can be seen, the viewer all of it")
    func tops() throws {
        let studio = Studio()
        let address = try #require(Address("https://example.org/strip.png"))
        var strip = PixelBuffer(
            filledWith: RGB(0xFF), size: PixelSize(width: 100, height: 1000))
        for pixel in 0..<100 * 200 {
            strip.bytes.replaceSubrange(pixel * 4..<pixel * 4 + 3, with: [255, 0, 0])
        }
        studio.fetcher.answer(address, with: try ImageEncoder.png(strip))
        var request = request(columns: 24, rows: 9)
        request.address = address
        #expect(try studio.load(request).answer.thumbnail().cells.size.columns == 2)
        for crop in [Crop.strips, .box] {
            request.style.crop = crop
            let cells = try studio.load(request).answer.thumbnail().cells
            #expect(cells.size == CellSize(columns: crop == .box ? 24 : 7, rows: 9))
            let red = cells.cells.prefix(cells.size.columns * 7)
            #expect(red.allSatisfy { $0.upper.distance(to: CellColor(RGB(0xFF0000))) <= 3 })
        }
        #expect(Fit.excess(of: PixelSize(width: 1080, height: 2400)) == 1, "a phone's screen")
    }

    @Test("tiles of other sizes are drawn from the kept pixels, as well as from the file")
    func kept() throws {
        let studio = Studio()
        let picture = PixelBuffer.waves(PixelSize(width: 640, height: 480))
        let address = try #require(Address("https://example.org/waves.png"))
        studio.fetcher.answer(address, with: try ImageEncoder.png(picture))
        for columns in [24, 26, 28, 31] {
            var request = ThumbnailRequest.tile(address, columns: columns, rows: columns * 3 / 8)
            request.style.crop = .box
            request.keptBox = CellSize(columns: 32, rows: 12)
            let drawn = try studio.load(request).answer.thumbnail().cells
            #expect(drawn.size == request.box && studio.fetcher.requests.count == 1)
            let wanted = BlockArt(style: RenderStyle()).cells(
                from: picture.resampled(
                    request.part(of: picture.size),
                    to: drawn.size.pixels(each: PixelSize(width: 1, height: 2))))
            // The file's waves are finer than cells, which photographs are not.
            let distances = zip(drawn.cells, wanted.cells).map { $0.upper.distance(to: $1.upper) }
            #expect(distances.reduce(0, +) <= 4 * distances.count, "\(distances)")
        }
    }

    @Test("a non-integer ratio suffices only if it is large")
    func sufficiency() {
        let source = PixelSize(width: 3000, height: 2000)
        let kept = ReducedSize(for: request(columns: 48, rows: 16)).size(of: source)
        #expect(kept == PixelSize(width: 96, height: 192))
        #expect(ReducedSize.suffices(kept, of: source, for: request(columns: 24, rows: 8, .octant)))
        #expect(ReducedSize.suffices(kept, of: source, for: request(columns: 21, rows: 7)))
        #expect(!ReducedSize.suffices(kept, of: source, for: request(columns: 36, rows: 12)))
        #expect(!ReducedSize.suffices(kept, of: source, for: request(columns: 90, rows: 30)))
        #expect(ReducedSize.suffices(source, of: source, for: request(columns: 96, rows: 32)))
    }

    @Test("tiles drawn by the pipeline match the file shrunk in one step")
    func fidelity() throws {
        let studio = Studio()
        let picture = PixelBuffer.waves(PixelSize(width: 640, height: 640))
        let address = try #require(Address("https://example.org/waves.png"))
        studio.fetcher.answer(address, with: try ImageEncoder.png(picture))
        let drawn = try studio.load(.tile(address, columns: 40, rows: 20)).answer.thumbnail().cells
        let wanted = BlockArt(style: RenderStyle()).cells(
            from: picture.resampled(to: PixelSize(width: 40, height: 40)))
        for (one, other) in zip(drawn.cells, wanted.cells) {
            #expect(one.upper.distance(to: other.upper) <= 3)
            #expect(one.lower.distance(to: other.lower) <= 3)
        }
    }
}

extension Cell {
    /// The colour of the upper half; either half block may have been chosen.
    fileprivate var upper: CellColor {
        "▀█".unicodeScalars.contains { $0.value == glyph } ? foreground : background
    }

    /// The colour of the lower half.
    fileprivate var lower: CellColor {
        "▄█".unicodeScalars.contains { $0.value == glyph } ? foreground : background
    }
}

extension CellColor {
    /// Returns the largest difference of a channel; 255 if either colour is not 24-bit.
    fileprivate func distance(to other: CellColor) -> Int {
        guard let one = rgb, let other = other.rgb else { return 255 }
        return max(
            abs(Int(one.red) - Int(other.red)), abs(Int(one.green) - Int(other.green)),
            abs(Int(one.blue) - Int(other.blue)))
    }
}

extension PixelBuffer {
    /// Returns rings that get finer outwards, but never finer than a cell.
    fileprivate static func waves(_ size: PixelSize) -> PixelBuffer {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let square = x * x + y * y
                let level = UInt8(truncatingIfNeeded: square / 2048)
                bytes += [level < 128 ? level * 2 : 255 - (level - 128) * 2, level, 90, 255]
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }
}
