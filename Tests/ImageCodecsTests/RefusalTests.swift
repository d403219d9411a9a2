import ImageCodecs
import ImageEncoders
import Raster
import Testing

@Suite("Files that are not pictures are refused")
struct RefusalTests {
    private let decoder = ImageDecoder()

    static let foreign: [(String, [UInt8])] = [
        ("is empty", []),
        ("is HTML, not a picture", Array("\n <!DOCTYPE html><title>404</title>".utf8)),
        ("is HTML, not a picture", Array("<html lang=en>".utf8)),
        ("is HTML, not a picture", Array("<p>A drawing: <svg width='1'/>".utf8)),
        ("is XML, not a picture", Array("<?xml version='1.0'?><rss/>".utf8)),
        ("is JSON, not a picture", Array(#"{"error": 404}"#.utf8)),
        ("is text, not a picture", Array("Not found".utf8)),
        (
            "is in the format HEIF sequence, which cannot be read",
            [0, 0, 0, 24] + Array("ftypmsf1".utf8)
        ),
        ("is text, not a picture", Array("#EXTM3U\n#EXT-X-VERSION:3\n/etc/passwd\n".utf8)),
        ("is text, not a picture", Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8)),
        ("is text, not a picture", Array("BMW and others".utf8)),
        ("is not a picture in a known format", [1, 2, 3, 4, 0xFF, 0xFE]),
    ]

    @Test("the error names their kind", arguments: foreign)
    func named(words: String, bytes: [UInt8]) {
        let error = #expect(throws: DecodeError.self) {
            try decoder.decode(bytes, covering: nil)
        }
        #expect(error?.description == words)
        #expect(ImageHeader(of: bytes)?.size == nil)
        #expect(ImageFormat(sniffing: bytes) == nil)
    }

    @Test("a file cut after its header is broken", arguments: ImageFormat.everywhere)
    func headOnly(format: ImageFormat) throws {
        let file = try format.file(of: TestPictures.quadrants(width: 60, height: 40))
        let error = #expect(throws: DecodeError.self) {
            try decoder.decode(Array(file.prefix(16)), covering: nil)
        }
        guard case .broken(format, let words)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!words.isEmpty)
        #expect(error?.description == "broken \(format.rawValue): \(words)")
    }

    @Test("numbers in messages use digit grouping")
    func description() {
        let size = PixelSize(width: 61_000, height: 50_000)
        #expect(
            DecodeError.tooLarge(size, maxPixels: 100_000_000).description
                == "61 000 × 50 000 pixels, more than the 100 megapixels allowed")
        #expect(
            DecodeError.tooLarge(PixelSize(width: 999, height: 1000), maxPixels: 1500).description
                == "999 × 1 000 pixels, more than the 1 500 pixels allowed")
        #expect(DecodeError.tooSlow.description == "takes too long to decode")
        // Without libheif's headers no library would help.
        #expect(
            DecodeError.unknownFormat("HEIC").description
                == "is in the format HEIC, which cannot be read"
                + (ImageFormat.heic.hasLateLibrary ? " without libheif1" : ""))
    }
}
