import ImageEncoders
import Raster
import TestSupport
import Testing

@testable import ImageCodecs

/// Raw files are built here around JPEGs of our own, as published descriptions say; no camera's files were at hand.
@Suite("Camera raw files")
struct CameraRawTests {
    private let decoder = ImageDecoder()
    private static let size = PixelSize(width: 480, height: 320)

    private static func picture(_ width: Int, _ height: Int) throws -> [UInt8] {
        try ImageEncoder.jpeg(TestPictures.quadrants(width: width, height: height))
    }

    /// A frame of a lossless JPEG, larger than the previews; its data do not matter.
    private static let sensor: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC3, 0, 11, 14, 3, 0xE8, 3, 0xE8, 1, 1, 0x11, 0]
        + [UInt8](repeating: 0xFF, count: 99)

    /// Returns a file with TIFF's layout: tags of the camera, a thumbnail as in EXIF, and below it a preview in one strip, and the sensor's data.
    static func file(
        _ start: String = "II*\0", orientation: Int = 6, photometric: Int = 32803,
        previews: [[UInt8]]
    ) -> [UInt8] {
        let pictures = previews + [sensor]
        let (main, second) = (64, 512)
        var place = 2048
        let places = pictures.map { bytes in
            defer { place += bytes.count }
            return place
        }
        let below = pictures.indices.map { 1024 + 256 * $0 }
        var bytes = Array(start.utf8) + ExifBlock.little(main, 4)
        func put(_ part: [UInt8], at start: Int) {
            bytes += Array(repeating: 0, count: max(0, start + part.count - bytes.count))
            bytes.replaceSubrange(start..<start + part.count, with: part)
        }
        var head = ExifBlock.directory(
            [
                ExifBlock.text(0x010F, "Halftone"), ExifBlock.text(0x0110, "Tester"),
                ExifBlock.number(0x0112, orientation),
                (0x014A, 4, below.count - 1, below.dropFirst().flatMap { ExifBlock.little($0, 4) }),
                ExifBlock.number(0x8769, 768),
            ], at: main)
        // The next directory's place follows the entries.
        head.replaceSubrange(2 + 5 * 12..<6 + 5 * 12, with: ExifBlock.little(second, 4))
        put(head, at: main)
        put(
            ExifBlock.directory(
                [
                    ExifBlock.number(0x0201, places[0]),
                    ExifBlock.number(0x0202, pictures[0].count),
                ], at: second), at: second)
        put(ExifBlock.directory([ExifBlock.number(0x8827, 800)], at: 768), at: 768)
        for index in pictures.indices.dropFirst() {
            let isSensor = index == pictures.count - 1
            let entries = [
                ExifBlock.number(0x00FE, isSensor ? 0 : 1), ExifBlock.number(0x0103, 7),
                ExifBlock.number(0x0106, isSensor ? photometric : 6),
                ExifBlock.number(0x0111, places[index]),
                ExifBlock.number(0x0117, pictures[index].count),
            ]
            put(ExifBlock.directory(entries, at: below[index]), at: below[index])
        }
        for (place, picture) in zip(places, pictures) { put(picture, at: place) }
        return bytes
    }

    static func sample(_ start: String = "II*\0", orientation: Int = 6) throws -> [UInt8] {
        file(
            start, orientation: orientation,
            previews: [try picture(160, 120), try picture(size.width, size.height)])
    }

    @Test("a DNG shows its largest preview, upright, and has its camera's facts")
    func preview() throws {
        let file = try Self.sample()
        #expect(ImageFormat(sniffing: file) == .raw)
        let image = try decoder.decode(file, covering: nil)
        let upright = PixelSize(width: Self.size.height, height: Self.size.width)
        #expect(image.pixels.size == upright && image.sourceSize == upright)
        #expect(ImageHeader(of: file)?.size == upright)
        // A quarter turn clockwise.
        #expect(image.pixels.corners == "BR/WG" && image.format == .raw && !image.isPartial)
        let facts = CameraFacts(of: file)
        #expect(facts?.camera == "Halftone Tester" && facts?.sensitivity == 800)
    }

    @Test("a tile is made from the smallest preview that suffices")
    func tile() throws {
        let file = Self.file(
            orientation: 1,
            previews: [
                try Self.picture(150, 100), try Self.picture(300, 200), try Self.picture(600, 400),
            ])
        for (least, width) in [(100, 150), (151, 300)] {
            let image = decoder.decodeEmbedded(
                FileBytes(file), covering: nil,
                ofAtLeast: PixelSize(width: least, height: least * 2 / 3))
            #expect(image?.pixels.size.width == width && image?.pixels.corners == "RG/BW")
            #expect(image?.sourceSize == PixelSize(width: 600, height: 400))
        }
        #expect(
            decoder.decodeEmbedded(
                FileBytes(file), covering: nil, ofAtLeast: PixelSize(width: 500, height: 300))
                == nil)
    }

    @Test("a TIFF without a sensor's data stays a TIFF, whatever else it has")
    func plainTIFF() throws {
        let file = Self.file(photometric: 2, previews: [try Self.picture(60, 40)])
        #expect(ImageFormat(sniffing: file) == .tiff)
        for name in ["tiff-lzw.tiff", "tiff-tiles.tiff", "tiff-turned.tiff"] {
            #expect(ImageFormat(sniffing: try Fixture.read(name)) == .tiff)
        }
    }

    @Test(
        "RW2 and ORF have TIFF's layout, with their previews somewhere near the beginning",
        arguments: ["IIU\0", "IIRO", "IIRS"])
    func others(start: String) throws {
        let file = try Self.sample(start, orientation: 1)
        #expect(ImageFormat(sniffing: file) == .raw)
        let image = try decoder.decode(file + Self.sensor, covering: nil)
        #expect(image.sourceSize == Self.size && image.pixels.corners == "RG/BW")
        #expect(CameraFacts(of: file)?.camera == "Halftone Tester")
    }

    @Test("RAF and CR3 have a JPEG with the camera's tags, or a block of them")
    func boxes() throws {
        let main = try Self.picture(Self.size.width, Self.size.height)
        let tags = ExifBlock.tiff(
            [ExifBlock.text(0x0110, "Tester"), ExifBlock.number(0x0112, 3)], [], [])
        let fuji = joined(
            Array("FUJIFILMCCD-RAW 0201".utf8), [UInt8](repeating: 0, count: 128),
            Array(main[..<2]), ExifBlock.segment(tags), Array(main[2...]), Self.sensor)
        let canon = joined(
            [0, 0, 0, 24], Array("ftypcrx \0\0\0\u{1}crx isom".utf8), [0, 0, 0x40, 0],
            Array("moov".utf8), tags, try Self.picture(160, 120), main, Self.sensor)
        for file in [fuji, canon] {
            #expect(ImageFormat(sniffing: file) == .raw)
            let image = try decoder.decode(file, covering: nil)
            #expect(image.sourceSize == Self.size && image.pixels.corners == "WB/GR")
            #expect(CameraFacts(of: file)?.camera == "Tester")
        }
    }

    @Test("a raw file without a preview, or cut off before it, says so")
    func missing() throws {
        for file in [
            Self.file(previews: [[1, 2, 3], [4, 5, 6]]), Array(try Self.sample().prefix(2048)),
        ] {
            let error = #expect(throws: DecodeError.self) {
                try decoder.decode(file, covering: nil)
            }
            #expect(error?.description == "broken camera raw: it has no preview")
        }
        let file = try Self.sample()
        let cut = try decoder.decode(Array(file.prefix(file.count - 2500)), covering: nil)
        #expect(cut.isPartial)
    }

    @Test("corrupted raw files never crash, and directories in a circle end")
    func mutations() throws {
        var file = try Self.sample()
        var random = SeededGenerator(seed: 4)
        for _ in 0..<400 {
            let bytes = mutated(file, &random)
            _ = try? decoder.decode(bytes, covering: PixelSize(width: 5, height: 5))
            _ = CameraFacts(of: bytes)
        }
        // The second directory is followed by the first.
        file.replaceSubrange(512 + 2 + 24..<512 + 2 + 28, with: ExifBlock.little(64, 4))
        #expect(try decoder.decode(file, covering: nil).pixels.corners == "BR/WG")
        let start = Array("IIRO".utf8) + [8, 0, 0, 0]
        let marks = Array(repeating: [0xFF, 0xD8, 0xFF] as [UInt8], count: 1 << 20).joined()
        #expect(throws: DecodeError.self) { try decoder.decode(start + marks, covering: nil) }
    }
}
