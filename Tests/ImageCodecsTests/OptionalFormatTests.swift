import ImageEncoders
import Raster
import TestSupport
import Testing

@testable import ImageCodecs

/// Formats with optional libraries: files encoded by another program are compared with other decoders.
@Suite("Formats with optional libraries")
struct OptionalFormatTests {
    private let decoder = ImageDecoder()
    private static let size = PixelSize(width: 32, height: 24)

    static let tiffs: [Fixture] =
        ["lzw", "deflate", "gray", "palette", "bits", "strips", "tiles", "planes"]
        .map { Fixture(name: "tiff-\($0).tiff") }
        + [
            // The library premultiplies by alpha, and the result is divided again.
            Fixture(name: "tiff-alpha.tiff", tolerance: 2),
            Fixture(name: "tiff-wide.tiff", tolerance: 1),
            Fixture(name: "tiff-inks.tiff", tolerance: 3),
        ]
    static let bitmaps: [Fixture] =
        ["plain", "palette", "bits", "alpha", "falling"].map { Fixture(name: "bmp-\($0).bmp") }
        // Five bits are expanded to eight by repeating the highest bits, or by multiplying.
        + [Fixture(name: "bmp-small.bmp", tolerance: 8)]

    private func check(
        _ fixture: Fixture, size: PixelSize = size, frames: Int = 1
    ) throws {
        let file = try fixture.bytes
        let image = try decoder.decode(file, covering: nil)
        #expect(image.sourceSize == size && ImageHeader(of: file)?.size == size)
        let reference = try fixture.reference(size)
        let difference = image.pixels.greatestVisibleDifference(from: reference)
        #expect(difference ?? 255 <= fixture.tolerance)
        #expect(!image.isPartial && image.frameCount == frames)
        // Averaging is shared by all formats; a misplaced row would show.
        guard size.width.isMultiple(of: 2) else { return }
        let target = PixelSize(width: size.width / 2, height: size.height / 2)
        let half = try decoder.decode(fixture.bytes, covering: target).pixels
        #expect(half.size == target)
        #expect(half.meanDifference(from: reference.averaged(2)) < 3)
    }

    @Test(
        "TIFF matches the reference decoder",
        .enabled(if: ImageFormat.tiff.isReadable, "needs libtiff"),
        arguments: tiffs)
    func tiff(fixture: Fixture) throws {
        try check(fixture)
    }

    @Test(
        "TIFF is rotated according to its orientation",
        .enabled(if: ImageFormat.tiff.isReadable, "needs libtiff"))
    func turned() throws {
        let image = try decoder.decode(try Fixture.read("tiff-turned.tiff"), covering: nil)
        let stored = try decoder.decode(try Fixture.read("tiff-lzw.tiff"), covering: nil).pixels
        #expect(image.sourceSize == PixelSize(width: 24, height: 32))
        // A quarter turn clockwise: the first row becomes the last column.
        #expect(image.pixels.pixel(23, 0) == stored.pixel(0, 0))
        #expect(image.pixels.pixel(23, 31) == stored.pixel(31, 0))
        #expect(image.pixels.pixel(0, 0) == stored.pixel(0, 23))
    }

    @Test(
        "bitmaps match the reference decoder",
        .enabled(if: ImageFormat.bmp.isReadable, "needs FFmpeg's libraries"), arguments: bitmaps)
    func bitmap(fixture: Fixture) throws {
        try check(fixture)
    }

    @Test(
        "colours missing from a bitmap's palette are black, not leftover memory",
        .enabled(if: ImageFormat.bmp.isReadable, "needs FFmpeg's libraries"))
    func shortPalette() throws {
        // 256 pixels of 8 bits with only the first in the palette.
        let header: [UInt8] = [40, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 8, 0]
        let zeros = [UInt8](repeating: 0, count: 16)
        let file = joined(
            Array("BM".utf8), Array(zeros[..<8]), [58, 0, 0, 0], header, zeros, [1, 0, 0, 0],
            Array(zeros[..<4]), [10, 20, 30, 0], Array(0...255))
        let pixels = try decoder.decode(file, covering: nil).pixels
        #expect(pixels.pixel(0, 0) == [30, 20, 10, 255])
        for x in 1..<256 { #expect(pixels.pixel(x, 0) == [0, 0, 0, 0]) }
    }

    /// Returns a bitmap of 4 × 2 pixels: red, green, blue and white above their reverse.
    private static func bitmap(
        header: [UInt8], bits: UInt8, compression: UInt8 = 0, after: [UInt8] = [], _ rows: [UInt8]
    ) -> [UInt8] {
        let length = Int(header[0])
        var fields = header + [UInt8](repeating: 0, count: length - header.count)
        if length == 12 {
            fields[4...11] = [4, 0, 2, 0, 1, 0, bits, 0]
        } else {
            fields[4...19] = [4, 0, 0, 0, 2, 0, 0, 0, 1, 0, bits, 0, compression, 0, 0, 0]
            fields[20] = UInt8(rows.count)
        }
        let offset = UInt8(14 + length + after.count)
        return joined(
            Array("BM".utf8), [0, 0, 0, 0, 0, 0, 0, 0, offset, 0, 0, 0], fields, after, rows)
    }

    @Test(
        "rarer bitmaps are read, and those that end early shown as far as they go",
        .enabled(if: ImageFormat.bmp.isReadable, "needs FFmpeg's libraries"))
    func rareBitmaps() throws {
        // Blue, green, red of red, green, blue and white.
        let colors: [[UInt8]] = [[0, 0, 255], [0, 255, 0], [255, 0, 0], [255, 255, 255]]
        let indices: [UInt8] = [3, 2, 1, 0, 0, 1, 2, 3]
        let wide: [UInt8] = indices.flatMap { colors[Int($0)] }
        let deep: [[UInt8]] = [[0, 0xF8], [0xE0, 7], [0x1F, 0], [0xFF, 0xFF]]
        let short: [UInt8] = indices.flatMap { deep[Int($0)] }
        let palette: [UInt8] = colors.flatMap { $0 + [0] }
        let masks: [UInt8] = [0, 0xF8, 0, 0, 0xE0, 7, 0, 0, 0x1F, 0, 0, 0]
        // Each row: four indices as they are, and its end.
        let packed: [UInt8] = [0, 4, 3, 2, 1, 0, 0, 0, 0, 4, 0, 1, 2, 3, 0, 1]
        func header(_ length: UInt8, _ fields: [UInt8], at place: Int) -> [UInt8] {
            [length] + [UInt8](repeating: 0, count: place - 1) + fields
        }
        let paletted = header(40, [4], at: 32)
        let files: [[UInt8]] = [
            Self.bitmap(header: [12], bits: 24, wide),
            Self.bitmap(header: [40], bits: 24, after: [1, 2, 3, 4], wide),
            Self.bitmap(header: header(52, masks, at: 40), bits: 16, compression: 3, short),
            Self.bitmap(header: header(56, masks, at: 40), bits: 16, compression: 3, short),
            Self.bitmap(header: paletted, bits: 8, after: palette, indices),
            Self.bitmap(header: paletted, bits: 8, compression: 1, after: palette, packed),
            Self.bitmap(header: header(64, [4], at: 32), bits: 8, after: palette, indices),
        ]
        for (number, file) in files.enumerated() {
            let image = try decoder.decode(file, covering: nil)
            let rows = (0..<2).map { y in (0..<4).map { Array(image.pixels.pixel($0, y)[..<3]) } }
            let row: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
            #expect(rows == [row, row.reversed()] && !image.isPartial, "\(number) \(rows)")
            // Rows are stored from the bottom up.
            let cut = try decoder.decode(Array(file.dropLast(5)), covering: nil)
            #expect(cut.isPartial && cut.pixels.size == PixelSize(width: 4, height: 2), "\(number)")
            #expect(Array(cut.pixels.pixel(0, 1)[..<3]) == [255, 255, 255], "\(number)")
        }
    }

    @Test(
        "a truncated file shows what it contains and is marked as partial",
        arguments: ["tiff-strips.tiff", "bmp-plain.bmp"])
    func cut(name: String) throws {
        let file = try Fixture.read(name)
        guard let format = ImageFormat(sniffing: file), format.isReadable else { return }
        // The TIFF's directory is at its end, so its rows are corrupted instead.
        var bytes = file
        if format == .tiff {
            bytes.replaceSubrange(100..<140, with: repeatElement(0xFF, count: 40))
        } else {
            bytes.removeLast(bytes.count / 3)
        }
        let image = try decoder.decode(bytes, covering: nil)
        #expect(image.isPartial)
        #expect(image.pixels.size == Self.size)
    }

    static let avifs: [Fixture] =
        ["lossless", "alpha", "moving"].map { Fixture(name: "avif-\($0).avif") }
        + [
            Fixture(name: "avif-lossy.avif", tolerance: 8),
            Fixture(name: "avif-gray.avif", tolerance: 1),
            Fixture(name: "avif-deep.avif", tolerance: 1),
            Fixture(name: "avif-premultiplied.avif", tolerance: 2),
            Fixture(name: "avif-p3.avif", tolerance: 1),
        ]
    static let jpegXLs: [Fixture] =
        ["lossless", "container", "alpha", "gray"].map { Fixture(name: "jxl-\($0).jxl") }
        + [
            // Its colour space is not the screen's: at edges of saturated red, libjxl's own tool is as far off.
            Fixture(name: "jxl-lossy.jxl", tolerance: 28),
            Fixture(name: "jxl-p3.jxl", tolerance: 1),
            Fixture(name: "jxl-turned.jxl", tolerance: 3),
        ]

    @Test(
        "AVIF matches the reference decoder",
        .enabled(if: ImageFormat.avif.isReadable, "needs libavif"),
        arguments: avifs)
    func avif(fixture: Fixture) throws {
        try check(fixture, frames: fixture.name == "avif-moving.avif" ? 3 : 1)
    }

    static let heics: [Fixture] = [
        Fixture(name: "heic-lossless.heic", tolerance: 1),
        Fixture(name: "heic-alpha.heic", tolerance: 1),
        // Decoding is off by one, which the profile enlarges at the edge of sRGB.
        Fixture(name: "heic-p3.heic", tolerance: 4),
        Fixture(name: "heic-lossy.heic", tolerance: 3),
        Fixture(name: "heic-deep.heic", tolerance: 3),
        // Cropped from a larger one by the library.
        Fixture(name: "heic-odd.heic", tolerance: 1),
    ]

    @Test(
        "HEIC matches the drawing",
        .enabled(if: ImageFormat.heic.isReadable, "needs libheif"), arguments: heics)
    func heic(fixture: Fixture) throws {
        let isOdd = fixture.name == "heic-odd.heic"
        try check(fixture, size: isOdd ? PixelSize(width: 31, height: 23) : Self.size)
    }

    @Test(
        "HEIC made of tiles is rotated and mirrored as specified",
        .enabled(if: ImageFormat.heic.isReadable, "needs libheif"), arguments: 0..<4,
        [nil, 0, 1])
    func turnedTiles(turns: Int, axis: Int?) throws {
        // Anticlockwise: the last column becomes the first row.
        var rows = ["RG/BW", "GW/RB", "WB/GR", "BR/WG"][turns].split(separator: "/").map(
            String.init)
        if axis == 0 { rows.reverse() }
        if axis == 1 { rows = rows.map { String($0.reversed()) } }
        let file = try Fixture.read("heic-turned\(turns)\(axis.map(String.init) ?? "").heic")
        let image = try decoder.decode(file, covering: nil)
        #expect(image.pixels.corners == rows.joined(separator: "/"))
        let upright = PixelSize(width: 100, height: 90)
        let size = turns % 2 == 0 ? upright : PixelSize(width: 90, height: 100)
        #expect(image.pixels.size == size && image.sourceSize == size)
        #expect(ImageHeader(of: file)?.size == size)
    }

    @Test(
        "a HEIC's thumbnail is decoded where it is large enough",
        .enabled(if: ImageFormat.heic.isReadable, "needs libheif"))
    func heicThumbnail() throws {
        let file = try Fixture.read("heic-large.heic")
        let size = PixelSize(width: 256, height: 192)
        let drawing = try Fixture(name: "heic-lossless.heic").reference(Self.size)
        for (side, width) in [(64, 64), (65, 85), (256, 256)] {
            let target = PixelSize(width: side, height: side * 3 / 4)
            let image = try decoder.decode(file, covering: target)
            #expect(image.pixels.size.width == width && image.sourceSize == size, "\(side)")
            let small = image.pixels.averaged(width / 32)
            if width % 32 == 0 { #expect(small.meanDifference(from: drawing) < 4, "\(side)") }
        }
        // A thumbnail without its data: the picture itself is decoded.
        var broken = file
        let start = try #require(
            broken.indices.first { broken[$0...].starts(with: Array("mdat".utf8)) })
        broken.replaceSubrange((broken.count - 60)..., with: repeatElement(0, count: 60))
        let image = try? decoder.decode(broken, covering: PixelSize(width: 32, height: 24))
        #expect(start > 0 && (image == nil || image?.sourceSize == size))
    }

    @Test("a sequence of HEVC says what it is")
    func sequence() throws {
        let file = [0, 0, 0, 28] + Array("ftyphevc\0\0\0\0hevciso8msf1".utf8)
        let error = #expect(throws: DecodeError.self) { try decoder.decode(file, covering: nil) }
        #expect(error?.description == "is in the format HEIF sequence, which cannot be read")
        // AVIF declares the same container.
        let start = { (brands: String) in [0, 0, 0, 24] + Array("ftyp\(brands)".utf8) }
        #expect(ImageFormat(sniffing: start("mif1\0\0\0\0mif1avif")) == .avif)
        #expect(ImageFormat(sniffing: start("mif1\0\0\0\0mif1heic")) == .heic)
        #expect(ImageFormat(sniffing: start("msf1\0\0\0\0msf1heic")) == .heic)
        #expect(ImageFormat(sniffing: start("msf1\0\0\0\0msf1hevc")) == nil)
    }

    @Test(
        "a HEIC that ends early is broken",
        .enabled(if: ImageFormat.heic.isReadable, "needs libheif"))
    func cutHEIC() throws {
        let file = try Fixture.read("heic-lossless.heic")
        for share in [4, 3, 2] {
            let error = #expect(throws: DecodeError.self) {
                try decoder.decode(Array(file.prefix(file.count / share)), covering: nil)
            }
            #expect(error?.description.hasPrefix("broken HEIC: ") == true)
        }
    }

    @Test(
        "AVIF is rotated and mirrored as specified",
        .enabled(if: ImageFormat.avif.isReadable, "needs libavif"), arguments: 0..<4,
        [nil, 0, 1])
    func turned(turns: Int, axis: Int?) throws {
        let name = "avif-turned\(turns)\(axis.map(String.init) ?? "").avif"
        var expected = try decoder.decode(try Fixture.read("avif-lossless.avif"), covering: nil)
            .pixels
        for _ in 0..<turns {
            // Anticlockwise: the last column becomes the first row.
            let last = expected
            expected = TestPictures.make(width: last.size.height, height: last.size.width) { x, y in
                last.channels(last.size.width - 1 - y, x)
            }
        }
        if let axis {
            let last = expected
            expected = TestPictures.make(width: last.size.width, height: last.size.height) { x, y in
                axis == 0
                    ? last.channels(x, last.size.height - 1 - y)
                    : last.channels(last.size.width - 1 - x, y)
            }
        }
        let image = try decoder.decode(try Fixture.read(name), covering: nil)
        #expect(image.pixels == expected)
        #expect(image.sourceSize == expected.size)
    }

    @Test(
        "AVIF may be wider than its library's default limit",
        .enabled(if: ImageFormat.avif.isReadable, "needs libavif"))
    func wide() throws {
        let image = try decoder.decode(
            try Fixture.read("avif-wide.avif"), covering: PixelSize(width: 40, height: 1))
        #expect(image.sourceSize == PixelSize(width: 40_000, height: 4))
        let row = image.pixels
        #expect(row.pixel(0, 0)[0] < 8 && row.pixel(row.size.width - 1, 0)[0] > 247)
    }

    /// 203 cd/m² is reference white, 1000 the peak of highlights (ITU-R BT.2408).
    @Test(
        "high dynamic range is tone-mapped to the screen's range",
        .enabled(
            if: ImageFormat.avif.isReadable && ImageFormat.heic.isReadable,
            "needs libavif and libheif"),
        arguments: ["avif", "heic"])
    func highRange(format: String) throws {
        let greys = try ["pq", "hlg"].map { name in
            let file = try Fixture.read("\(format)-\(name).\(format)")
            let pixels = try decoder.decode(file, covering: nil).pixels
            return (0..<4).map { pixels.pixel($0 * 16 + 8, 8).map(Int.init) }
        }
        for grey in greys.joined() {
            #expect((grey[0...2].max() ?? 0) - (grey[0...2].min() ?? 0) <= 2)
        }
        // White keeps 0.816 of its light, and five times as much nearly reaches the screen's white; half the code value of white is 8.9
        // cd/m², which stays unchanged.
        let pq = greys[0].map { $0[0] }
        #expect(abs(pq[0] - 232) <= 2 && pq[1] >= 254 && abs(pq[2] - 59) <= 1 && pq[3] == 0)
        let hlg = greys[1].map { $0[0] }
        #expect(hlg[1] > hlg[0] && hlg[0] > hlg[2] && hlg[2] > 0 && hlg[3] == 0)
        #expect(abs(hlg[1] - 232) <= 4)
    }

    @Test(
        "JPEG XL matches the reference decoder",
        .enabled(if: ImageFormat.jpegXL.isReadable, "needs libjxl"), arguments: jpegXLs)
    func jpegXL(fixture: Fixture) throws {
        let isTurned = fixture.name == "jxl-turned.jxl"
        try check(fixture, size: isTurned ? PixelSize(width: 24, height: 32) : Self.size)
    }

    @Test(
        "an animated JPEG XL shows its first frame and reports the number of frames",
        .enabled(if: ImageFormat.jpegXL.isReadable, "needs libjxl"))
    func movingJPEGXL() throws {
        let image = try decoder.decode(try Fixture.read("jxl-moving.jxl"), covering: nil)
        #expect(image.frameCount == 3 && image.pixels.size == Self.size)
        #expect(throws: DecodeError.self) { try Animation(try Fixture.read("jxl-moving.jxl")) }
    }

    @Test(
        "a large JPEG XL is decoded at an eighth where that suffices",
        .enabled(if: ImageFormat.jpegXL.isReadable, "needs libjxl"))
    func coarseJPEGXL() throws {
        let file = try Fixture.read("jxl-large.jxl")
        let target = PixelSize(width: 32, height: 24)
        let small = try decoder.decode(file, covering: target).pixels
        let reference = try Fixture(name: "jxl-lossless.jxl").reference(Self.size)
        #expect(small.size == target)
        #expect(small.meanDifference(from: reference) < 3)
        // So the truncated end of the file does not even matter.
        let cut = try decoder.decode(Array(file.prefix(file.count * 9 / 10)), covering: target)
        #expect(cut.pixels == small && !cut.isPartial)
        let whole = try? decoder.decode(Array(file.prefix(file.count * 9 / 10)), covering: nil)
        #expect(whole?.isPartial != false)
    }

    @Test(
        "corrupted files never crash",
        arguments: [
            "tiff-lzw.tiff", "tiff-tiles.tiff", "tiff-bits.tiff", "bmp-palette.bmp",
            "bmp-small.bmp", "avif-alpha.avif", "avif-turned11.avif", "jxl-container.jxl",
            "jxl-lossy.jxl", "heic-lossy.heic", "heic-turned11.heic", "heic-large.heic",
        ])
    func mutations(name: String) throws {
        let file = try Fixture.read(name)
        guard ImageFormat(sniffing: file)?.isReadable == true else { return }
        var limits = DecodeLimits()
        limits.maxPixels = 1_000_000
        limits.maxFramePixels = 1_000_000
        let decoder = ImageDecoder(limits: limits)
        var random = SeededGenerator(seed: UInt64(name.utf8.count))
        for round in 0..<400 {
            let bytes = mutated(file, &random)
            let target = round.isMultiple(of: 2) ? nil : PixelSize(width: 5, height: 5)
            do throws(DecodeError) {
                let image = try decoder.decode(bytes, covering: target)
                #expect(image.pixels.size.width <= image.sourceSize.width)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test("it compiles without any optional header", arguments: ["CLazyLibraries", "CImageCodecs"])
    func withoutHeaders(target: String) throws {
        let sources =
            #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Sources"
        try Tool.run(
            "sh",
            [
                "-c",
                """
                cd "$1" && exec "$(dirname "$(realpath "$(command -v swift)")")/clang" -fsyntax-only -Wall -Werror \
                    -ICLazyLibraries/include -ICImageCodecs/include -D'__has_include(header)=0' \
                    -Wno-builtin-macro-redefined "$2"/*.c
                """, "sh", sources, target,
            ])
    }

    @Test("only readable formats are requested")
    func mediaTypes() {
        let types = ImageFormat.readableMediaTypes
        #expect(types.starts(with: ["image/jpeg", "image/png", "image/webp", "image/gif"]))
        #expect(ImageFormat.allCases.allSatisfy { $0.isReadable || !types.contains($0.mediaType) })
    }
}

extension PixelBuffer {
    /// Returns red, green, blue and alpha of a pixel.
    fileprivate func channels(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8) {
        let pixel = pixel(x, y)
        return (pixel[0], pixel[1], pixel[2], pixel[3])
    }
}
