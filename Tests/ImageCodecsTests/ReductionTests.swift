import ImageCodecs
import ImageEncoders
import Raster
import Testing

@Suite("A picture is decoded no larger than it must be")
struct ReductionTests {
    private let decoder = ImageDecoder()

    /// Every file is made once: encoding is what these tests would spend their time on.
    private static let files: [(name: String, bytes: [UInt8])] = {
        let scene = TestPictures.scene(width: 640, height: 400)
        let files: [(String, [UInt8]?)] = [
            ("JPEG", try? ImageEncoder.jpeg(scene)),
            ("progressive", try? ImageEncoder.jpeg(scene, .init(isProgressive: true))),
            ("inks", try? ImageEncoder.jpeg(scene, .init(colors: .cmyk))),
            ("PNG", try? ImageEncoder.png(scene, .init(kind: .rgb))),
            ("interlaced", try? ImageEncoder.png(scene, .init(isInterlaced: true))),
            ("WebP", try? ImageEncoder.webp(scene)),
            ("GIF", try? ImageEncoder.gif(scene)),
        ]
        return files.map { ($0.0, $0.1 ?? []) }
    }()

    @Test(
        "it covers the size asked for in both directions, and is less than twice that",
        arguments: [(64, 64), (48, 48), (80, 50), (1, 1), (200, 10), (10, 200), (319, 199)])
    func covers(target: (Int, Int)) throws {
        let size = PixelSize(width: target.0, height: target.1)
        for file in Self.files {
            let pixels = try decoder.decode(file.bytes, covering: size).pixels
            #expect(pixels.size.width >= size.width, "\(file.name)")
            #expect(pixels.size.height >= size.height, "\(file.name)")
            let isTight =
                pixels.size.width < size.width * 2 + 2
                || pixels.size.height < size.height * 2 + 2
            // Boxes have at most 128 pixels a side, and JPEG's least is an eighth.
            #expect(isTight || size.width == 1, "\(file.name): \(pixels.size)")
        }
    }

    @Test("a target as large as the picture, or larger, gives the whole")
    func noEnlarging() throws {
        for file in Self.files {
            for target in [(640, 400), (641, 10), (5000, 5000), (10, 4000)] {
                let size = PixelSize(width: target.0, height: target.1)
                let image = try decoder.decode(file.bytes, covering: size)
                #expect(image.pixels.size == PixelSize(width: 640, height: 400), "\(file.name)")
            }
        }
    }

    @Test("the aspect ratio is kept to a pixel")
    func aspect() throws {
        for file in Self.files {
            let size = try decoder.decode(
                file.bytes, covering: PixelSize(width: 48, height: 48)
            ).pixels.size
            #expect(abs(size.width * 400 - size.height * 640) <= 640, "\(file.name): \(size)")
        }
    }

    @Test("a reduced picture looks like the whole one, averaged")
    func sameContent() throws {
        for file in Self.files {
            let whole = try decoder.decode(file.bytes, covering: nil).pixels
            let small = try decoder.decode(
                file.bytes, covering: PixelSize(width: 40, height: 25)
            ).pixels
            for (x, y) in [(1, 1), (20, 12), (38, 3), (5, 22)] {
                let mean = whole.mean(ofBox: x, y, of: small.size)
                let found = small.pixel(x, y).map(Double.init)
                let isNear = zip(mean, found).allSatisfy { abs($0 - $1) < 6 }
                #expect(isNear, "\(file.name) at \(x), \(y): \(found) for \(mean)")
            }
        }
    }

    @Test("transparent pixels do not colour their neighbours")
    func noBleeding() throws {
        // Bright green where transparent: it must not show.
        let pixels = TestPictures.make(width: 64, height: 64) { x, y in
            (x + y).isMultiple(of: 2) ? (200, 0, 0, 255) : (0, 255, 0, 0)
        }
        for file in [
            try ImageEncoder.png(pixels), try ImageEncoder.png(pixels, .init(isInterlaced: true)),
            try ImageEncoder.gif(pixels),
        ] {
            let small = try decoder.decode(file, covering: PixelSize(width: 8, height: 8)).pixels
            #expect(small.size == PixelSize(width: 8, height: 8))
            #expect(small.pixel(3, 3) == [200, 0, 0, 128])
        }
    }
}

extension PixelBuffer {
    /// The mean of the pixels that fall on pixel (`x`, `y`) of a picture reduced to `small`.
    fileprivate func mean(ofBox x: Int, _ y: Int, of small: PixelSize) -> [Double] {
        let columns = x * size.width / small.width..<(x + 1) * size.width / small.width
        let rows = y * size.height / small.height..<(y + 1) * size.height / small.height
        var sums = [Double](repeating: 0, count: 4)
        for row in rows {
            for column in columns {
                for (channel, value) in pixel(column, row).enumerated() {
                    sums[channel] += Double(value)
                }
            }
        }
        return sums.map { $0 / Double(columns.count * rows.count) }
    }
}
