import ImageCodecs
import ImageEncoders
import Raster
import Testing

@Suite("Decoding of every format")
struct FormatTests {
    private let decoder = ImageDecoder()
    private let picture = TestPictures.quadrants(width: 60, height: 40)

    @Test("a plain file of every format is decoded", arguments: ImageFormat.everywhere)
    func plain(format: ImageFormat) throws {
        let image = try decoder.decode(format.file(of: picture), covering: nil)
        #expect(image.format == format)
        #expect(image.sourceSize == picture.size)
        #expect(image.pixels.size == picture.size)
        #expect(image.pixels.corners == "RG/BW")
        #expect(image.pixels.isOpaque)
        #expect(!image.isPartial)
        #expect(image.frameCount == 1)
    }

    @Test(
        "a JPEG in every colour space is decoded to the right colours",
        arguments: [JPEGOptions.Colors.color, .cmyk, .ycck], [false, true])
    func jpegColors(colors: JPEGOptions.Colors, isProgressive: Bool) throws {
        let options = JPEGOptions(isProgressive: isProgressive, colors: colors)
        // Quarters of whole 16 × 16 blocks, over which chroma is averaged at 1/8.
        let aligned = TestPictures.quadrants(width: 96, height: 64)
        let file = try ImageEncoder.jpeg(aligned, options)
        let whole = try decoder.decode(file, covering: nil)
        #expect(whole.pixels.corners == "RG/BW")
        let small = try decoder.decode(file, covering: PixelSize(width: 12, height: 8))
        #expect(small.pixels.size == PixelSize(width: 12, height: 8))
        #expect(small.pixels.corners == "RG/BW")
    }

    @Test("a greyscale JPEG is grey", arguments: [false, true])
    func grayJPEG(isProgressive: Bool) throws {
        let options = JPEGOptions(isProgressive: isProgressive, colors: .gray)
        let image = try decoder.decode(ImageEncoder.jpeg(picture, options), covering: nil)
        let red = image.pixels.pixel(15, 10)
        #expect(red[0] == red[1] && red[1] == red[2])
        #expect(abs(Int(red[0]) - 87) < 5)
        #expect(image.pixels.isOpaque)
    }

    @Test(
        "a colour PNG of every kind is decoded to the exact pixels",
        arguments: [PNGOptions.Kind.rgba, .rgb, .rgba16, .palette], [false, true])
    func exactPNG(kind: PNGOptions.Kind, isInterlaced: Bool) throws {
        let options = PNGOptions(kind: kind, isInterlaced: isInterlaced)
        let image = try decoder.decode(ImageEncoder.png(picture, options), covering: nil)
        #expect(image.pixels == picture)
    }

    @Test("our own PNG encoder's files decode to the exact pixels, even for noise, the worst case")
    func ownPNG() throws {
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 301, height: 97)] {
            var random = SeededGenerator(seed: 1)
            let bytes = (0..<size.width * size.height).flatMap { _ -> [UInt8] in
                let bits = random.next()
                return [UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255), 255]
            }
            let noise = PixelBuffer(size: size, bytes: bytes, isOpaque: true)
            #expect(try decoder.decode(noise.pngFile, covering: nil).pixels == noise)
        }
    }

    @Test(
        "a greyscale PNG of every depth is decoded to its brightness",
        arguments: [PNGOptions.Kind.gray, .gray16, .grayAlpha, .bilevel])
    func grayPNG(kind: PNGOptions.Kind) throws {
        let image = try decoder.decode(ImageEncoder.png(picture, .init(kind: kind)), covering: nil)
        let red = image.pixels.pixel(15, 10)
        #expect(red == (kind == .bilevel ? [0, 0, 0, 255] : [87, 87, 87, 255]))
        #expect(image.pixels.pixel(45, 30) == [255, 255, 255, 255])
        #expect(image.pixels.isOpaque)
    }

    @Test(
        "alpha is kept unpremultiplied",
        arguments: [PNGOptions.Kind.rgba, .rgba16, .palette, .grayAlpha])
    func alphaPNG(kind: PNGOptions.Kind) throws {
        let clear = TestPictures.quadrants(width: 60, height: 40, alpha: 77)
        let file = try ImageEncoder.png(clear, .init(kind: kind))
        let image = try decoder.decode(file, covering: nil)
        #expect(!image.pixels.isOpaque)
        #expect(image.pixels.pixel(15, 10)[3] == 77)
        let small = try decoder.decode(file, covering: PixelSize(width: 6, height: 4))
        #expect(small.pixels.pixel(1, 1)[3] == 77)
        if kind != .grayAlpha {
            #expect(small.pixels.corners == "RG/BW")
        }
    }

    @Test("a lossless WebP is decoded to the exact pixels, including alpha", arguments: [255, 77])
    func losslessWebP(alpha: UInt8) throws {
        let pixels = TestPictures.quadrants(width: 60, height: 40, alpha: alpha)
        let file = try ImageEncoder.webp(pixels, .init(isLossless: true))
        #expect(try decoder.decode(file, covering: nil).pixels == pixels)
    }

    @Test("an animated WebP or GIF shows its first frame and reports the number of frames")
    func animated() throws {
        let second = TestPictures.quadrants(width: 60, height: 40, alpha: 0)
        for file in [
            try ImageEncoder.webp(animating: [picture, second]),
            try ImageEncoder.gif(animating: [picture, second]),
        ] {
            for target in [nil, PixelSize(width: 12, height: 8)] {
                let image = try decoder.decode(file, covering: target)
                #expect(image.frameCount == 2)
                #expect(!image.isPartial)
                #expect(image.pixels.corners == "RG/BW")
                #expect(image.pixels.isOpaque)
            }
        }
    }

    @Test("a GIF's frame is placed on its transparent canvas", arguments: [false, true])
    func canvas(isInterlaced: Bool) throws {
        let canvas = PixelSize(width: 100, height: 90)
        let options = GIFOptions(isInterlaced: isInterlaced, canvas: canvas, left: 10, top: 20)
        let image = try decoder.decode(ImageEncoder.gif(picture, options), covering: nil)
        #expect(image.sourceSize == canvas)
        #expect(!image.pixels.isOpaque)
        #expect(image.pixels.pixel(9, 20)[3] == 0)
        #expect(image.pixels.pixel(10, 19)[3] == 0)
        #expect(image.pixels.pixel(10, 20) == picture.pixel(0, 0))
        #expect(image.pixels.pixel(69, 59) == picture.pixel(59, 39))
        #expect(image.pixels.pixel(70, 60)[3] == 0)
    }

    @Test("a GIF's transparent colour is transparent")
    func clearGIF() throws {
        let pixels = TestPictures.make(width: 20, height: 20) { x, _ in
            (200, 100, 50, x < 10 ? 0 : 255)
        }
        let image = try decoder.decode(ImageEncoder.gif(pixels), covering: nil)
        #expect(image.pixels.pixel(5, 5) == [0, 0, 0, 0])
        #expect(image.pixels.pixel(15, 5) == [200, 100, 50, 255])
        #expect(!image.pixels.isOpaque)
    }

    @Test("a GIF frame beyond its canvas enlarges the canvas")
    func smallCanvas() throws {
        let options = GIFOptions(canvas: PixelSize(width: 5, height: 5))
        let file = try ImageEncoder.gif(picture, options)
        #expect(ImageHeader(of: file)?.size == picture.size)
        let image = try decoder.decode(file, covering: nil)
        #expect(image.pixels.size == picture.size)
        #expect(image.pixels.corners == "RG/BW")
    }

    @Test(
        "tiny and very narrow pictures of every format are decoded",
        arguments: ImageFormat.everywhere, [(1, 1), (5000, 1), (1, 5000), (7, 3)])
    func smallest(format: ImageFormat, side: (Int, Int)) throws {
        let pixels = TestPictures.make(width: side.0, height: side.1) { _, _ in
            (200, 200, 200, 255)
        }
        let file = try format.file(of: pixels)
        for target in [nil, PixelSize(width: 64, height: 64), PixelSize(width: 1, height: 1)] {
            let image = try decoder.decode(file, covering: target)
            #expect(image.sourceSize == pixels.size)
            #expect(image.pixels.pixel(0, 0).allSatisfy { $0 > 190 })
            #expect(image.pixels.isOpaque)
        }
    }

    @Test("a PNG whose transparent colour precedes its palette is read without it")
    func clearBeforePalette() throws {
        var file = try ImageEncoder.png(picture, .init(kind: .rgb))
        let head = [0, 0, 0, 6] + Array("tRNS".utf8) + [0, 220, 0, 30, 0, 30, 0, 0, 0, 0]
        let palette = [0, 0, 0, 3] + Array("PLTE".utf8) + [1, 2, 3, 0, 0, 0, 0]
        file.insert(contentsOf: head + palette, at: 33)
        let image = try decoder.decode(file, covering: nil)
        #expect(image.pixels.corners == "RG/BW" && image.pixels.isOpaque)
    }

    @Test(
        "a BigTIFF is read, in both orders of bytes",
        .enabled(if: ImageFormat.tiff.isReadable, "needs libtiff"), arguments: [false, true])
    func bigTIFF(isBig: Bool) throws {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isBig ? bytes.reversed() : bytes
        }
        // A red and a blue pixel behind the directory of nine tags.
        let tags = [
            (256, 2), (257, 1), (258, 8), (259, 1), (262, 2), (273, 16 + 8 + 9 * 20 + 8), (277, 3),
            (278, 1), (279, 6),
        ]
        var file = Array((isBig ? "MM" : "II").utf8) + number(43, 2) + number(8, 2) + number(0, 2)
        file += number(16, 8) + number(tags.count, 8)
        for (tag, value) in tags {
            let count = tag == 258 ? 3 : 1
            file += number(tag, 2) + number(3, 2) + number(count, 8)
            let values = (0..<count).flatMap { _ in number(value, 2) }
            file += values + [UInt8](repeating: 0, count: 8 - values.count)
        }
        file += number(0, 8) + [255, 0, 0, 0, 0, 255]
        let image = try decoder.decode(file, covering: nil)
        #expect(image.format == .tiff && image.sourceSize == PixelSize(width: 2, height: 1))
        #expect(image.pixels.pixel(0, 0) == [255, 0, 0, 255])
        #expect(image.pixels.pixel(1, 0) == [0, 0, 255, 255])
    }
}
