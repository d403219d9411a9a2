import Glibc
import ImageEncoders
import Raster
import Testing

@testable import ImageCodecs

@Suite("Oversized files are refused")
struct BombTests {
    private let decoder = ImageDecoder()

    /// Files of 8 × 8 pixels whose header is patched to claim 50,000 × 50,000.
    static func bombs() throws -> [(name: String, bytes: [UInt8])] {
        let small = TestPictures.quadrants(width: 8, height: 8)
        var png = try ImageEncoder.png(small, .init(kind: .bilevel))
        png.replaceSubrange(16..<24, with: [0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50])
        var gif = try ImageEncoder.gif(small)
        gif.replaceSubrange(6..<10, with: [0x50, 0xC3, 0x50, 0xC3])
        var files = [("PNG", png), ("GIF", gif)]
        for isProgressive in [false, true] {
            var jpeg = try ImageEncoder.jpeg(small, .init(isProgressive: isProgressive))
            let marker: [UInt8] = [0xFF, isProgressive ? 0xC2 : 0xC0]
            let start = try #require(jpeg.indices.first { jpeg[$0...].starts(with: marker) })
            jpeg.replaceSubrange(start + 5..<start + 9, with: [0xC3, 0x50, 0xC3, 0x50])
            files.append(("JPEG", jpeg))
        }
        return files
    }

    @Test("they are refused by their headers before memory is allocated")
    func headers() throws {
        for bomb in try Self.bombs() {
            let before = residentBytes()
            let error = #expect(throws: DecodeError.self) {
                try decoder.decode(bomb.bytes, covering: nil)
            }
            let size = PixelSize(width: 50_000, height: 50_000)
            let most = bomb.name == "GIF" ? 40_000_000 : 100_000_000
            #expect(error == .tooLarge(size, maxPixels: most), "\(bomb.name)")
            #expect(residentBytes() - before < 50 << 20, "\(bomb.name)")
            #expect(ImageHeader(of: bomb.bytes)?.size == size)
        }
    }

    @Test("interlaced files have a lower limit because they must be held completely")
    func interlaced() throws {
        let picture = TestPictures.quadrants(width: 50, height: 40)
        var strict = ImageDecoder()
        strict.limits.maxFramePixels = 1999
        for file in [
            try ImageEncoder.png(picture, .init(isInterlaced: true)),
            try ImageEncoder.gif(picture, .init(isInterlaced: true)),
        ] {
            #expect(throws: DecodeError.tooLarge(picture.size, maxPixels: 1999)) {
                try strict.decode(file, covering: nil)
            }
        }
        #expect(throws: Never.self) {
            try strict.decode(ImageEncoder.png(picture), covering: nil)
        }
    }

    @Test("a picture of exactly the allowed number of pixels is decoded, one more is not")
    func limit() throws {
        let picture = TestPictures.quadrants(width: 50, height: 40)
        for format in ImageFormat.everywhere {
            let file = try format.file(of: picture)
            var limits = DecodeLimits()
            limits.maxPixels = 2000
            #expect(throws: Never.self) {
                try ImageDecoder(limits: limits).decode(file, covering: nil)
            }
            limits.maxPixels = 1999
            #expect(throws: DecodeError.tooLarge(picture.size, maxPixels: 1999)) {
                try ImageDecoder(limits: limits).decode(file, covering: nil)
            }
        }
    }

    @Test("a progressive JPEG needing too much memory is reported as broken, without a crash")
    func memory() throws {
        let picture = TestPictures.scene(width: 400, height: 400)
        var strict = ImageDecoder()
        strict.limits.maxMemory = 100_000
        let error = #expect(throws: DecodeError.self) {
            try strict.decode(
                ImageEncoder.jpeg(picture, .init(isProgressive: true)), covering: nil)
        }
        #expect(error == .broken(.jpeg, "it needs too much memory"))
        #expect(throws: Never.self) { try strict.decode(ImageEncoder.jpeg(picture), covering: nil) }
    }

    @Test("a progressive JPEG with 600 extra scans is shown as of its first 50")
    func scans() throws {
        let file = try Self.repeatingLastScan(600, width: 200, height: 200)
        let image = try decoder.decode(file, covering: nil)
        #expect(image.isPartial)
        #expect(image.pixels.corners == "RG/BW")
        let small = try decoder.decode(file, covering: PixelSize(width: 20, height: 20))
        #expect(!small.isPartial)
        #expect(small.pixels.corners == "RG/BW")
    }

    @Test("no more scans are read than allowed")
    func fewScans() throws {
        let file = try ImageEncoder.jpeg(
            TestPictures.quadrants(width: 64, height: 64), .init(isProgressive: true))
        var strict = ImageDecoder()
        strict.limits.maxScans = 3
        #expect(try strict.decode(file, covering: nil).isPartial)
        #expect(try !decoder.decode(file, covering: nil).isPartial)
    }

    @Test("a decode that exceeds the time limit is abandoned")
    func deadline() throws {
        var strict = ImageDecoder()
        strict.limits.seconds = 0
        let scene = TestPictures.scene(width: 300, height: 300)
        for file in [
            try ImageEncoder.jpeg(scene, .init(isProgressive: true)), try ImageEncoder.jpeg(scene),
            try ImageEncoder.png(scene), try ImageEncoder.png(scene, .init(isInterlaced: true)),
            try ImageEncoder.webp(scene), try ImageEncoder.gif(scene),
        ] {
            #expect(throws: DecodeError.tooSlow) { try strict.decode(file, covering: nil) }
        }
    }

    /// libavif searches all items for each one: 60,000 of them take seconds, and it cannot be interrupted.
    @Test(
        "an AVIF or HEIC with a size and very many items is refused before its library reads it",
        arguments: ["avif", "heic"])
    func items(brand: String) throws {
        func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
            bigEndian(8 + payload.count) + Array(kind.utf8) + payload
        }
        func bigEndian(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
        }
        func file(items: Int) -> [UInt8] {
            let entries = (1...items).flatMap { item in
                box("infe", bigEndian(3 << 24) + bigEndian(item) + [0, 0] + Array("av01\0".utf8))
            }
            let size = box("ispe", bigEndian(0) + bigEndian(32) + bigEndian(24))
            let meta =
                box("pitm", [0, 0, 0, 0, 0, 1])
                + box("iinf", bigEndian(1 << 24) + bigEndian(items) + entries)
                + box("iprp", box("ipco", size))
            return box("ftyp", Array("\(brand)\0\0\0\0mif1".utf8))
                + box("meta", bigEndian(0) + meta)
        }
        #expect(ImageHeader(of: file(items: 100))?.size == PixelSize(width: 32, height: 24))
        #expect(ImageHeader(of: file(items: 60_000))?.size == nil)
        #expect(throws: DecodeError.self) {
            try decoder.decode(file(items: 60_000), covering: nil)
        }
    }

    /// Returns a progressive JPEG with its last scan repeated `count` more times.
    static func repeatingLastScan(_ count: Int, width: Int, height: Int) throws -> [UInt8] {
        let file = try ImageEncoder.jpeg(
            TestPictures.quadrants(width: width, height: height), .init(isProgressive: true))
        let startOfScan: [UInt8] = [0xFF, 0xDA]
        let start = try #require(file.indices.last { file[$0...].starts(with: startOfScan) })
        let end = file.count - 2  // EOI
        let copies = [[UInt8]](repeating: Array(file[start..<end]), count: count)
        return joined(Array(file[..<end]), copies.flatMap(\.self), Array(file[end...]))
    }
}

/// Returns this process's resident memory, in bytes; 0 where /proc is missing.
private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 100)
    fgets(&line, 100, file)
    let fields = line.split(separator: CChar(UInt8(ascii: " ")))
    let pages = fields.dropFirst().first.flatMap { field in
        Int(String(decoding: field.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return (pages ?? 0) * 4096
}
