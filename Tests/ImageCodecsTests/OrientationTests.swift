import ImageEncoders
import Raster
import Testing

@testable import ImageCodecs

@Suite("EXIF orientation turns the picture upright")
struct OrientationTests {
    /// The quarters red, green / blue, white after each of the orientations 1…8.
    static let upright = [
        (1, "RG/BW"), (2, "GR/WB"), (3, "WB/GR"), (4, "BW/RG"), (5, "RB/GW"), (6, "BR/WG"),
        (7, "WG/BR"), (8, "GW/RB"),
    ]
    private let decoder = ImageDecoder()
    private let picture = TestPictures.quadrants(width: 64, height: 32)

    @Test("JPEG, PNG and WebP are turned, both whole and reduced", arguments: upright)
    func turned(orientation: Int, corners: String) throws {
        let swaps = orientation >= 5
        let size = swaps ? PixelSize(width: 32, height: 64) : PixelSize(width: 64, height: 32)
        let target = swaps ? PixelSize(width: 8, height: 16) : PixelSize(width: 16, height: 8)
        for file in [
            try ImageEncoder.jpeg(picture, .init(orientation: orientation)),
            try ImageEncoder.png(picture, .init(orientation: orientation)),
            try ImageEncoder.webp(picture, .init(orientation: orientation)),
            try ImageEncoder.webp(picture, .init(isLossless: true, orientation: orientation)),
        ] {
            #expect(ImageHeader(of: file)?.orientation == Turn(orientation: orientation))
            #expect(ImageHeader(of: file)?.size == size)
            let whole = try decoder.decode(file, covering: nil)
            #expect(whole.sourceSize == size)
            #expect(whole.pixels.size == size)
            #expect(whole.pixels.corners == corners)
            let small = try decoder.decode(file, covering: target)
            #expect(small.pixels.size == target)
            #expect(small.pixels.corners == corners)
        }
    }

    @Test("little-endian EXIF is read like big-endian")
    func littleEndian() throws {
        var file = try ImageEncoder.jpeg(picture, .init(orientation: 6))
        let big: [UInt8] = [0x4D, 0x4D, 0, 42]
        let start = try #require(file.indices.first { file[$0...].starts(with: big) })
        let little: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0,
        ]
        file.replaceSubrange(start..<start + little.count, with: little)
        #expect(ImageHeader(of: file)?.orientation == Turn(quarters: 1))
        #expect(try decoder.decode(file, covering: nil).pixels.corners == "BR/WG")
    }

    @Test("an orientation out of range, of another type or truncated is ignored")
    func nonsense() throws {
        let file = try ImageEncoder.jpeg(picture, .init(orientation: 6))
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]
        let start = try #require(file.indices.first { file[$0...].starts(with: entry) })
        for (offset, value) in [(9, 0), (9, 9), (3, 4), (0, 2)] as [(Int, UInt8)] {
            var changed = file
            changed[start + offset] = value
            #expect(ImageHeader(of: changed)?.orientation == Turn())
            #expect(try decoder.decode(changed, covering: nil).pixels.corners == "RG/BW")
        }
        var far = file
        far[start - 6] = 0x7F  // the directory's offset
        #expect(try decoder.decode(far, covering: nil).pixels.corners == "RG/BW")
    }
}
