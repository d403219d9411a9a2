import Raster
import TestSupport
import Testing

@testable import ImageCodecs

/// Pages of documents, by poppler.
@Suite("PDF", .enabled(if: ImageFormat.pdf.isReadable, "needs libpoppler-glib8"))
struct PDFTests {
    private func draw(_ file: [UInt8], page: Int = 1, _ width: Int = 100) throws -> DecodedImage {
        try ImageDecoder().decode(
            FileBytes(file), covering: PixelSize(width: width, height: width / 2), page: page)
    }

    @Test("each page is drawn by itself, and they are counted without drawing one")
    func pages() throws {
        let file = PDFFile.make([.filled(1, 0, 0), .filled(0, 1, 0), .filled(0, 0, 1)])
        let colors = try (1...3).map { try draw(file, page: $0).pixels.pixel(50, 25) }
        #expect(colors == [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]])
        let counted = try draw(file, page: 0)
        #expect(counted.frameCount == 3 && counted.pixels.size.count == 1)
        #expect(try draw(file).frameCount == 1 && draw(file).format == .pdf)
        #expect(throws: DecodeError.broken(.pdf, "it has no such page")) {
            try draw(file, page: 4)
        }
    }

    @Test("text is dark on white, and sharper the larger the page is drawn")
    func text() throws {
        let file = PDFFile.make([.saying("Halftone")])
        func darkest(_ width: Int) throws -> (dark: Int, light: Int) {
            let pixels = try draw(file, width).pixels
            let greens = stride(from: 1, to: pixels.bytes.count, by: 4).map {
                Int(pixels.bytes[$0])
            }
            return (greens.min() ?? 255, greens.max() ?? 0)
        }
        #expect(try darkest(800) == (0, 255))
        #expect(try darkest(20).dark > 60)
    }

    @Test(
        "a page has the size at which it is printed, within bounds",
        arguments: [
            (595, 842, 2479, 3508), (200, 100, 2048, 1024), (1_000_000, 500_000, 6000, 3000),
        ])
    func sizes(width: Int, height: Int, pixels: Int, rows: Int) throws {
        let file = PDFFile.make([.init(width: width, height: height, "1 0 0 rg 0 0 9 9 re f")])
        #expect(try draw(file).sourceSize == PixelSize(width: pixels, height: rows))
    }

    @Test("what cannot be read says why, and a truncated document shows what is left of it")
    func broken() throws {
        let red = PDFFile.Page.filled(1, 0, 0)
        let secret = PDFFile.make([red], trailer: PDFFile.encrypted)
        let error = #expect(throws: DecodeError.self) { try draw(secret) }
        #expect(error?.description == "needs a password")
        let loop = PDFFile.make([red], tree: "/Parent 2 0 R/Count 9/Kids[2 0 R]")
        #expect(throws: DecodeError.self) { try draw(loop, page: 9) }
        #expect(throws: DecodeError.self) { try draw(Array("%PDF-1.7\nnothing".utf8)) }
        let whole = PDFFile.make([red, red])
        #expect(try draw(Array(whole.dropLast(15))).pixels.pixel(50, 25) == [255, 0, 0, 255])
    }

    @Test("a document may begin anywhere in its first kilobyte")
    func preceded() throws {
        let file = PDFFile.make([.filled(1, 0, 0)])
        for length in [1, 1000] {
            let image = try draw([UInt8](repeating: 10, count: length) + file)
            #expect(image.format == .pdf && image.pixels.pixel(50, 25) == [255, 0, 0, 255])
        }
        #expect(ImageFormat(sniffing: [UInt8](repeating: 10, count: 1024) + file) == nil)
    }
}
