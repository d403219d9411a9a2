import ImageCodecs
import ImageEncoders
import Raster
import Testing

@Suite("Decoding at reduced size")
struct ReductionTests {
    private let decoder = ImageDecoder()

    /// Every file is only encoded once, as that takes most of these tests' time.
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
        "a reduced picture covers the requested size and is less than twice as large",
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
            // Boxes have at most 128 pixels per side, and JPEG scales down to an eighth at most.
            #expect(isTight || size.width == 1, "\(file.name): \(pixels.size)")
        }
    }

    @Test("a target at least as large as the picture gives the whole picture")
    func noEnlarging() throws {
        for file in Self.files {
            for target in [(640, 400), (641, 10), (5000, 5000), (10, 4000)] {
                let size = PixelSize(width: target.0, height: target.1)
                let image = try decoder.decode(file.bytes, covering: size)
                #expect(image.pixels.size == PixelSize(width: 640, height: 400), "\(file.name)")
            }
        }
    }

    @Test("the aspect ratio is kept to within a pixel")
    func aspect() throws {
        for file in Self.files {
            let size = try decoder.decode(
                file.bytes, covering: PixelSize(width: 48, height: 48)
            ).pixels.size
            #expect(abs(size.width * 400 - size.height * 640) <= 640, "\(file.name): \(size)")
        }
    }

    @Test("a reduced picture matches the average of the whole one")
    func sameContent() throws {
        for file in Self.files {
            let whole = try decoder.decode(file.bytes, covering: nil).pixels
            let small = try decoder.decode(
                file.bytes, covering: PixelSize(width: 40, height: 25)
            ).pixels
            let means = whole.resampled(to: small.size)
            for (x, y) in [(1, 1), (20, 12), (38, 3), (5, 22)] {
                let mean = means.pixel(x, y).map(Int.init)
                let found = small.pixel(x, y).map(Int.init)
                let isNear = zip(mean, found).allSatisfy { abs($0 - $1) < 6 }
                #expect(isNear, "\(file.name) at \(x), \(y): \(found) for \(mean)")
            }
        }
    }

    @Test("fine texture is as bright from JPEG and WebP, reduced by the codec, as from PNG")
    func texture() throws {
        let moss = TestPictures.moss(width: 1200, height: 800)
        let files = [
            try ImageEncoder.png(moss), try ImageEncoder.jpeg(moss, .init(quality: 90)),
            try ImageEncoder.webp(moss, .init(quality: 90)),
        ]
        for file in files {
            let small = try decoder.decode(file, covering: PixelSize(width: 192, height: 128))
            #expect(abs(small.pixels.lightness - moss.lightness) < 1.2)
        }
    }

    @Test("transparent pixels do not bleed into their neighbours")
    func noBleeding() throws {
        // Transparent pixels are bright green, which must not show.
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

    /// An odd size, so that boxes start and end within pixels; dark, as shrinking bright areas further does not average light alone.
    @Test(
        "row-by-row averaging gives the area mean in linear light",
        arguments: [(101, 67), (64, 48), (40, 10), (7, 7)], [true, false])
    func meansOfLight(target: (Int, Int), isOpaque: Bool) throws {
        let pixels = TestPictures.make(width: 211, height: 139) { x, y in
            let level: UInt8 = (x / 3 + y / 5).isMultiple(of: 2) ? 120 : 4
            return (
                level, UInt8(x / 2), UInt8(y / 2), isOpaque ? 255 : UInt8((x * 7 + y * 3) % 256)
            )
        }
        let size = PixelSize(width: target.0, height: target.1)
        let small = try decoder.decode(ImageEncoder.png(pixels), covering: size).pixels
        let wanted = pixels.resampled(to: small.size)
        #expect(small.size.width < 211)
        #expect(small.greatestDifference(from: wanted) <= 1)
    }

    @Test("the mean of black and white is computed in linear light")
    func checkers() throws {
        let pixels = TestPictures.make(width: 64, height: 64) { x, y in
            (x + y).isMultiple(of: 2) ? (255, 255, 255, 255) : (0, 0, 0, 255)
        }
        for file in [
            try ImageEncoder.png(pixels), try ImageEncoder.png(pixels, .init(kind: .rgb)),
            try ImageEncoder.gif(pixels),
        ] {
            let small = try decoder.decode(file, covering: PixelSize(width: 8, height: 8)).pixels
            #expect(small.pixel(3, 3) == [188, 188, 188, 255])
        }
    }
}

extension PixelBuffer {
    /// Returns the greatest difference of a channel, with colours weighted by alpha.
    fileprivate func greatestDifference(from other: PixelBuffer) -> Int {
        zip(bytes, other.bytes).enumerated().map { index, pair in
            let difference = abs(Int(pair.0) - Int(pair.1))
            guard index % 4 < 3 else { return difference }
            return difference * Int(bytes[index / 4 * 4 + 3]) / 255
        }.max() ?? 0
    }
}
