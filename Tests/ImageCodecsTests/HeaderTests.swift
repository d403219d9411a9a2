import Basics
import ImageEncoders
import Raster
import TestSupport
import Testing

@testable import ImageCodecs

@Suite("Headers give format and size without decoding")
struct HeaderTests {
    private let picture = TestPictures.quadrants(width: 70, height: 50, alpha: 200)

    @Test("every kind of file is recognised from its first bytes")
    func everyKind() throws {
        let files: [(ImageFormat, [UInt8])] = [
            (.jpeg, try ImageEncoder.jpeg(picture)),
            (.jpeg, try ImageEncoder.jpeg(picture, .init(isProgressive: true, colors: .cmyk))),
            (.png, try ImageEncoder.png(picture, .init(kind: .palette))),
            (.webp, try ImageEncoder.webp(picture)),
            (.webp, try ImageEncoder.webp(picture, .init(isLossless: true))),
            (
                .webp,
                try ImageEncoder.webp(TestPictures.quadrants(width: 70, height: 50))
            ),
            (.gif, try ImageEncoder.gif(picture)),
        ]
        for (format, file) in files {
            let header = try #require(ImageHeader(of: Array(file.prefix(1000))))
            #expect(header.format == format)
            #expect(header.size == picture.size)
            #expect(header.frameCount == 1)
            #expect(header.orientation == Turn())
        }
    }

    @Test("an animated WebP and an animated PNG report their frames")
    func animated() throws {
        let webp = try ImageEncoder.webp(animating: [picture, picture])
        #expect(ImageHeader(of: webp)?.frameCount == 2)
        var png = try ImageEncoder.png(picture)
        // acTL, 8 bytes: frames and plays; the header parser ignores its checksum.
        png.insert(
            contentsOf: [0, 0, 0, 8] + Array("acTL".utf8) + [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0],
            at: 33)
        #expect(ImageHeader(of: png)?.frameCount == 2)
    }

    @Test("the magic bytes alone identify the format", arguments: ImageFormat.everywhere)
    func sniffing(format: ImageFormat) throws {
        let file = try format.file(of: picture)
        #expect(ImageFormat(sniffing: file.prefix(32)) == format)
        #expect(ImageFormat(sniffing: file.prefix(2)) == nil)
        #expect(ImageFormat(sniffing: [0] + file) == nil)
    }

    @Test("a file's header is the same from the pieces that are read of it")
    func pieces() throws {
        let folder = try ScratchFolder()
        let names = [
            "one-jpg.jpg", "progressive.jpg", "cmyk-icc.jpg", "deep-rgb.png", "moving-png.png",
            "adobe-rgb-lossy.webp", "moving-webp.webp", "one-gif.gif", "interlaced-gif.gif",
            "tiff-turned.tiff", "tiff-tiles.tiff", "bmp-falling.bmp", "avif-turned11.avif",
            "avif-wide.avif", "jxl-lossless.jxl", "jxl-turned.jxl", "jxl-container.jxl",
            "jxl-large.jxl", "jxl-moving.jxl", "heic-odd.heic", "heic-turned11.heic",
            "heic-large.heic", "shapes.svg",
        ]
        for name in names {
            let bytes = try Fixture.read(name)
            let file = try #require(OpenFile(try folder.write(bytes, to: name)))
            let header = try #require(ImageHeader(of: file), "\(name)")
            #expect(header == ImageHeader(of: bytes), "\(name)")
            guard header.format.isReadable else { continue }
            let image = try ImageDecoder().decode(bytes, covering: nil)
            #expect(header.format == .svg || header.size == image.sourceSize, "\(name)")
        }
        let text = try folder.write(String(repeating: "no picture ", count: 100_000), to: "text")
        #expect(try ImageHeader(of: #require(OpenFile(text))) == nil)
        #expect(try ImageHeader(of: #require(OpenFile(folder.write("", to: "empty")))) == nil)
    }

    @Test("a photograph's size is found behind metadata of any length, and upright")
    func longMetadata() throws {
        var file = try ImageEncoder.jpeg(picture)
        let exif = ExifBlock.segment(ExifBlock.tiff([ExifBlock.number(0x0112, 6)], [], []))
        let filler = [0xFF, 0xE2, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 0xFFFD)
        file.insert(contentsOf: exif + (0..<60).flatMap { _ in filler }, at: 2)
        let folder = try ScratchFolder()
        let header = ImageHeader(of: try #require(OpenFile(folder.write(file, to: "photograph"))))
        #expect(header?.size == PixelSize(width: picture.size.height, height: picture.size.width))
        // A directory at the end, as many programs write it.
        let tiff = try Fixture.read("tiff-turned.tiff")
        #expect(ImageHeader(of: tiff)?.orientation != Turn())
        var frames = try ImageEncoder.gif(animating: Array(repeating: picture, count: 600))
        frames.insert(contentsOf: [0x21, 0xFE, 3, 1, 2, 3, 0], at: frames.count - 1)
        let moving = ImageHeader(of: try #require(OpenFile(folder.write(frames, to: "moving"))))
        #expect(moving?.size == picture.size && moving?.frameCount ?? 0 > 1)
    }

    @Test("a size of zero is rejected")
    func noSize() throws {
        var png = try ImageEncoder.png(picture)
        png.replaceSubrange(16..<20, with: [0, 0, 0, 0])
        #expect(ImageHeader(of: png) == nil)
        var jpeg = try ImageEncoder.jpeg(picture)
        let start = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
        jpeg.replaceSubrange(start + 5..<start + 7, with: [0, 0])
        #expect(ImageHeader(of: jpeg) == nil)
        #expect(throws: DecodeError.broken(.jpeg, "its size is missing")) {
            try ImageDecoder().decode(jpeg, covering: nil)
        }
    }

    @Test("the EXIF block that ImageMagick packs into a PNG's text turns it")
    func packedProfile() {
        let exif = Array("Exif\0\0".utf8) + ExifBlock.tiff([ExifBlock.number(0x0112, 6)], [], [])
        let hex = "0123456789abcdef".utf8.map { $0 }
        var text = Array("\nexif\n    \(exif.count)\n".utf8)
        for (place, byte) in exif.enumerated() {
            text += [hex[Int(byte >> 4)], hex[Int(byte & 15)]] + (place % 36 == 35 ? [10] : [])
        }
        func big(_ value: Int, _ count: Int) -> [UInt8] {
            ExifBlock.little(value, count).reversed()
        }
        // One block that is stored as it is (RFC 1950, RFC 1951), and its sums.
        let sums = text.reduce((1, 0)) { sums, byte in
            let first = (sums.0 + Int(byte)) % 65521
            return (first, (sums.1 + first) % 65521)
        }
        let lengths = ExifBlock.little(text.count, 2) + ExifBlock.little(~text.count, 2)
        let packed = [0x78, 1, 1] + lengths + text + big(sums.1, 2) + big(sums.0, 2)
        func png(_ packed: [UInt8]) -> [UInt8] {
            var file = "\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) }
            file += big(13, 4) + Array("IHDR".utf8) + big(8, 4) + big(4, 4) + [8, 2, 0, 0, 0]
            file += big(0, 4) + big(23 + packed.count, 4)
            return file + Array("zTXtRaw profile type exif\0\0".utf8) + packed + big(0, 4)
        }
        let turned = PixelSize(width: 4, height: 8)
        #expect(ImageHeader(of: FileBytes(png(packed)))?.size == turned)
        for length in stride(from: 0, to: packed.count, by: 61) {
            let header = ImageHeader(of: FileBytes(png(Array(packed.prefix(length)))))
            #expect(header?.size == PixelSize(width: 8, height: 4))
        }
    }
}
