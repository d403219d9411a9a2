import ImageEncoders
import Raster
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
}
