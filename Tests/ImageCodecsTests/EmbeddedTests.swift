import ImageEncoders
import Raster
import Testing

@testable import ImageCodecs

@Suite("Pictures embedded in JPEG files")
struct EmbeddedTests {
    private let decoder = ImageDecoder()
    private static let size = PixelSize(width: 640, height: 480)
    private static let least = PixelSize(width: 96, height: 64)

    /// The main picture is a scene; embedded ones have other colours, to tell them apart.
    private static func main(_ size: PixelSize = size) throws -> [UInt8] {
        try ImageEncoder.jpeg(TestPictures.scene(width: size.width, height: size.height))
    }

    private static func small(_ width: Int, _ height: Int) throws -> [UInt8] {
        try ImageEncoder.jpeg(TestPictures.quadrants(width: width, height: height))
    }

    private func embedded(_ file: [UInt8], least: PixelSize = least) -> DecodedImage? {
        decoder.decodeEmbedded(file, covering: nil, ofAtLeast: least)
    }

    @Test("EXIF's thumbnail represents the picture, with the picture's size and format")
    func thumbnail() throws {
        let file = ImageEncoder.jpeg(try Self.main(), thumbnail: try Self.small(160, 120))
        let image = try #require(embedded(file))
        #expect(image.pixels.size == PixelSize(width: 160, height: 120))
        #expect(image.pixels.corners == "RG/BW")
        #expect(image.sourceSize == Self.size && image.format == .jpeg && image.isEmbedded)
        let whole = try decoder.decode(file, covering: Self.least)
        #expect(whole.pixels.corners != "RG/BW" && !whole.isEmbedded)
    }

    @Test("previews after the picture are found, and the smallest sufficient one is used")
    func previews() throws {
        let file = ImageEncoder.jpeg(
            try Self.main(), thumbnail: try Self.small(160, 120),
            previews: [try Self.small(320, 240), try Self.small(480, 360)])
        for (least, width) in [(100, 160), (160, 160), (161, 320), (321, 480)] {
            let image = embedded(file, least: PixelSize(width: least, height: least * 3 / 4))
            #expect(image?.pixels.size.width == width)
            #expect(image?.pixels.corners == "RG/BW")
        }
        #expect(embedded(file, least: PixelSize(width: 500, height: 100)) == nil)
    }

    @Test(
        "other images of a multi-picture file, such as gain maps, are not used",
        arguments: [
            0x00_0000, 0x02_0001, 0x02_0002, 0x05_0000,
        ])
    func others(kind: Int) throws {
        var file = ImageEncoder.jpeg(try Self.main(), previews: [try Self.small(320, 240)])
        #expect(embedded(file)?.pixels.size.width == 320)
        // The attributes of the second entry, which follows the main picture's entry of 16 bytes.
        let mark = Array("0100".utf8)
        let start = try #require(file.indices.first { file[$0...].starts(with: mark) })
        let entry = try #require(
            file[start...].indices.first {
                file[$0...].starts(with: [0, 1, 0, 1]) && $0 > start + 40
            })
        file.replaceSubrange(
            entry..<entry + 4,
            with: [0, UInt8(kind >> 16), UInt8(kind >> 8 & 255), UInt8(kind & 255)])
        #expect(embedded(file) == nil)
    }

    @Test("endless lists of previews are limited")
    func manyLists() throws {
        let (main, small) = (try Self.main(), try Self.small(160, 120))
        let (lists, length) = (100, 4 + 4 + 26 + 256)
        var file: [UInt8] = [0xFF, 0xD8]
        for _ in 0..<lists {
            let block = file.count + 8
            file += [0xFF, 0xE2, UInt8((length - 2) >> 8), UInt8((length - 2) & 255)]
            // One directory of one tag, whose value follows it.
            file += Array("MPF\0II*\0".utf8) + [8, 0, 0, 0, 1, 0]
            file += [2, 0xB0, 7, 0, 0, 1, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
            let place = 2 + lists * length + main.count - 2 - block
            let entry = [0x01_0001, small.count, place, 0].flatMap { number in
                (0..<4).map { UInt8(number >> ($0 * 8) & 255) }
            }
            file += (0..<16).flatMap { _ in entry }
        }
        file += main.dropFirst(2) + small
        let found = EmbeddedJPEG.all(in: FileBytes(file), of: Self.size)
        #expect((1...32).contains(found.count), "\(found.count)")
    }

    @Test("the start of a file suffices for its thumbnail, but not for what follows the picture")
    func head() throws {
        let picture = try Self.main()
        let preview = try Self.small(320, 240)
        let file = ImageEncoder.jpeg(
            picture, thumbnail: try Self.small(160, 120), previews: [preview])
        let head = Array(file.dropLast(preview.count + picture.count / 2))
        #expect(embedded(head)?.pixels.size.width == 160)
        #expect(embedded(head, least: PixelSize(width: 200, height: 100)) == nil)
        // Does not even reach the main picture's data: its profile may still follow.
        #expect(embedded(Array(file.prefix(400))) == nil)
    }

    @Test("an embedded picture gets the main picture's orientation", arguments: 1...8)
    func orientation(_ orientation: Int) throws {
        let small = TestPictures.quadrants(width: 160, height: 120)
        let file = ImageEncoder.jpeg(
            try Self.main(), thumbnail: try ImageEncoder.jpeg(small), orientation: orientation)
        let turned = try decoder.decode(
            try ImageEncoder.jpeg(small, .init(orientation: orientation)), covering: nil)
        let least = orientation < 5 ? Self.least : PixelSize(width: 64, height: 96)
        let image = try #require(embedded(file, least: least))
        #expect(image.pixels == turned.pixels)
        let swaps = orientation >= 5
        #expect(image.sourceSize == PixelSize(width: swaps ? 480 : 640, height: swaps ? 640 : 480))
    }

    @Test("an embedded picture uses the main picture's colour profile")
    func profile() throws {
        let main = try Fixture.read("p3-jpeg.jpg")
        let size = try #require(ImageHeader(of: main)?.size)
        let red = TestPictures.make(width: size.width / 2, height: size.height / 2) { _, _ in
            (200, 60, 60, 255)
        }
        let file = ImageEncoder.jpeg(main, thumbnail: try ImageEncoder.jpeg(red))
        let image = try #require(embedded(file, least: PixelSize(width: 1, height: 1)))
        let pixel = image.pixels.pixel(1, 1)
        // Display P3's red is more saturated than sRGB's.
        #expect(pixel[0] > 208 && pixel[1] < 55)
    }

    @Test("black bars are cropped; any other difference in shape rules an embedded picture out")
    func bars() throws {
        let wide = PixelSize(width: 600, height: 400)
        func framed(_ bar: UInt8) throws -> [UInt8] {
            let picture = TestPictures.make(width: 160, height: 120) { x, y in
                guard (7..<113).contains(y) else { return (bar, bar, bar, 255) }
                return x < 80 ? (220, 30, 30, 255) : (30, 200, 30, 255)
            }
            return ImageEncoder.jpeg(
                try Self.main(wide), thumbnail: try ImageEncoder.jpeg(picture))
        }
        let image = try #require(embedded(try framed(0)))
        #expect(image.pixels.size == PixelSize(width: 160, height: 106))
        #expect(image.pixels.pixel(20, 0)[0] > 150 && image.pixels.pixel(140, 105)[1] > 130)
        #expect(embedded(try framed(90)) == nil)
        let square = ImageEncoder.jpeg(try Self.main(wide), thumbnail: try Self.small(120, 120))
        #expect(embedded(square) == nil)
    }

    @Test("anything but a smaller copy of the picture is not used")
    func refusals() throws {
        let main = try Self.main()
        let clear = TestPictures.quadrants(width: 160, height: 120)
        let good = try Self.small(160, 120)
        let refused: [(String, [UInt8])] = [
            ("PNG", try ImageEncoder.png(clear)), ("empty", []), ("two bytes", [0xFF, 0xD8]),
            ("as large as the picture", try Self.main()),
            ("inks", try ImageEncoder.jpeg(clear, .init(colors: .cmyk))),
            ("cut", Array(good.prefix(good.count / 2))),
            ("noise", [0xFF, 0xD8, 0xFF] + (0..<999).map { UInt8(truncatingIfNeeded: $0 * 7) }),
            (
                "one within another",
                ImageEncoder.jpeg(try Self.small(40, 30), thumbnail: good)
            ),
        ]
        for (name, thumbnail) in refused {
            let file = ImageEncoder.jpeg(main, thumbnail: thumbnail)
            #expect(embedded(file) == nil, "\(name)")
            #expect(try decoder.decode(file, covering: nil).pixels.size == Self.size, "\(name)")
        }
    }

    @Test("arbitrary offsets are handled")
    func mutations() throws {
        let file = ImageEncoder.jpeg(
            try Self.main(PixelSize(width: 200, height: 150)),
            thumbnail: try Self.small(80, 60), previews: [try Self.small(100, 75)])
        var random = SeededGenerator(seed: 42)
        let least = PixelSize(width: 20, height: 20)
        for _ in 0..<3000 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                // Mostly the directories at the beginning, occasionally the data they point to.
                let end = Int.random(in: 0..<4, using: &random) > 0 ? 130 : bytes.count
                let place = Int.random(in: 0..<end, using: &random)
                let values: [UInt8] = [
                    0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random),
                ]
                bytes[place] = values.randomElement(using: &random) ?? 0
            }
            if let image = embedded(bytes, least: least) {
                #expect(image.pixels.size.width <= image.sourceSize.width)
                #expect(image.isEmbedded)
            }
        }
    }
}
