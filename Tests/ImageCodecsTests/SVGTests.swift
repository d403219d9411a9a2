import Raster
import Testing

@testable import ImageCodecs

/// Drawings by librsvg; `shapes.rgba` is CairoSVG's rendering of `shapes.svg`.
@Suite("SVG", .enabled(if: ImageFormat.svg.isReadable, "needs librsvg"))
struct SVGTests {
    private let decoder = ImageDecoder()

    private func draw(_ document: String, _ width: Int = 64) throws -> DecodedImage {
        try decoder.decode(
            Array(document.utf8), covering: PixelSize(width: width, height: width))
    }

    private static func document(_ content: String, _ attributes: String = "") -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
            + "viewBox='0 0 10 10' \(attributes)>\(content)</svg>"
    }

    @Test("a drawing matches the reference rendering at the requested size")
    func reference() throws {
        let size = PixelSize(width: 128, height: 96)
        let file = try Fixture.read("shapes.svg")
        let image = try decoder.decode(file, covering: size)
        let reference = PixelBuffer(
            size: size, bytes: try Fixture.read("shapes.rgba"), isOpaque: false)
        #expect(image.pixels.size == size && image.format == .svg && !image.isPartial)
        // Edges are anti-aliased differently.
        #expect(image.pixels.meanDifference(from: reference) < 0.7)
        #expect(image.pixels.pixel(125, 95)[3] == 0)
        let small = try decoder.decode(file, covering: PixelSize(width: 32, height: 24)).pixels
        #expect(small.size == PixelSize(width: 32, height: 24))
    }

    @Test(
        "the size has the drawing's proportions and is large enough for the screen",
        arguments: [
            ("width='24' height='12'", 2048, 1024), ("width='3000' height='1500'", 3000, 1500),
            ("width='1e6' height='1e6'", 4096, 4096), ("width='10mm' height='2cm'", 1024, 2048),
            ("viewBox='0 0 200 100'", 2048, 1024),
            ("height='50' viewBox='-5,-5,40,20'", 2048, 1024),
            ("", 2048, 1024), ("width='100%' height='-5'", 2048, 1024),
        ])
    func sizes(attributes: String, width: Int, height: Int) {
        let file = Array(
            "<!-- <svg> -->\n<svg \(attributes) xmlns='http://www.w3.org/2000/svg'/>".utf8)
        #expect(ImageFormat(sniffing: file) == .svg)
        #expect(ImageHeader(of: file)?.size == PixelSize(width: width, height: height))
    }

    @Test("images within a drawing are omitted, however they are written")
    func pictures() throws {
        // A black PNG of one pixel.
        let black =
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
        let ground = "<rect width='10' height='10' fill='red'/>"
        let ways = [
            "<image width='10' height='10' xlink:href='\(black)'/>",
            "<image\nwidth='10' height='10' href='\(black)'></image>",
            "<s:image xmlns:s='http://www.w3.org/2000/svg' width='10' height='10' href='\(black)'/>",
            "<filter id='f'><feImage href='\(black)'/></filter><rect width='0' height='0' filter='url(#f)'/>",
            "<image width='10' height='10' href='file:///etc/hostname'/>",
            "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='\(#filePath)' parse='text'/>",
        ]
        for way in ways {
            let image = try draw(Self.document(ground + way))
            #expect(image.pixels.pixel(32, 32) == [255, 0, 0, 255], "\(way)")
            #expect(image.isPartial)
        }
    }

    @Test("entities that contain markup or multiply are refused, plain ones are accepted")
    func entities() throws {
        func document(_ entities: String, _ content: String = "") -> [UInt8] {
            Array("<!DOCTYPE svg [\(entities)]>\(Self.document(content))".utf8)
        }
        let laughs = (1...9).map { "<!ENTITY a\($0) '&a\($0 - 1);&a\($0 - 1);'>" }.joined()
        let hostile = [
            document("<!ENTITY a0 'ha'>\(laughs)", "<text>&a9;</text>"),
            document("<!ENTITY a '<image/>'>", "&a;"),
            document("<!ENTITY a '&#60;image/>'>", "&a;"),
            document("<!ENTITY a SYSTEM 'file:///etc/passwd'>", "&a;"),
            document("<!ENTITY % a 'b'>"),
            document(
                "<!ENTITY a '\(String(repeating: "x", count: 10_000))'>",
                String(repeating: "&a;", count: 10_000)),
        ]
        for file in hostile {
            #expect(throws: DecodeError.self) { try decoder.decode(file, covering: nil) }
        }
        let plain = document(
            "<!ENTITY red 'fill:red'>", "<rect width='9' height='9' style='&red;'/>")
        let image = try decoder.decode(plain, covering: PixelSize(width: 64, height: 64))
        #expect(image.pixels.pixel(20, 20) == [255, 0, 0, 255])
    }

    @Test("excessive effects are dropped, and excessive elements refused")
    func numbers() throws {
        let effect = "<feGaussianBlur stdDeviation='3'/>"
        let blurred = { (count: Int) in
            Self.document(
                "<filter id='f'>\(String(repeating: effect, count: count))</filter>"
                    + "<rect width='10' height='10' fill='red' filter='url(#f)'/>")
        }
        #expect(!(try draw(blurred(1)).isPartial))
        #expect(try draw(blurred(1000)).isPartial)
        let many = Self.document(String(repeating: "<g/>", count: 300_000))
        #expect(throws: DecodeError.self) { try draw(many) }
        // Each copy contains the previous one ten times.
        let copies = (1...9).map { level in
            "<g id='c\(level)'>"
                + String(repeating: "<use xlink:href='#c\(level - 1)'/>", count: 10) + "</g>"
        }
        let laughs = Self.document(
            "<defs><g id='c0'><path d='M0 0h1'/></g>\(copies.joined())</defs><use xlink:href='#c9'/>"
        )
        #expect(throws: DecodeError.self) { try draw(laughs) }
    }

    @Test("the octaves of noise are limited, however they are written")
    func octaves() throws {
        let ways = [
            "numOctaves='1000000'", "numOctaves = \"1000000\"", "xnumOctaves='1' numOctaves\n='88'",
            "a='>' numOctaves='88'",
        ]
        for way in ways {
            let text = Self.document("<filter id='f'><feTurbulence \(way)/></filter>")
            let screened = try SVGScreen(Array(text.utf8))
            let said = String(decoding: screened.bytes, as: UTF8.self)
            #expect(said.contains("0009") || said.contains("09"), "\(said)")
            #expect(!said.contains("1000000") && !said.contains("88") && !screened.isPartial)
        }
        for sound in ["numOctaves='4'", "numOctaves=''"] {
            let text = Self.document("<feTurbulence \(sound)/>")
            #expect(try SVGScreen(Array(text.utf8)).bytes == Array(text.utf8))
        }
    }

    @Test("encodings that could hide markup are refused")
    func encodings() {
        for name in ["UTF-7", "UTF-16", "EBCDIC-US"] {
            let file = Array("<?xml version='1.0' encoding='\(name)'?>\(Self.document(""))".utf8)
            #expect(throws: DecodeError.self) { try decoder.decode(file, covering: nil) }
        }
    }

    @Test("corrupted drawings never crash")
    func mutations() throws {
        let file = try Fixture.read("shapes.svg")
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let bytes = mutated(file, &random)
            do throws(DecodeError) {
                _ = try decoder.decode(bytes, covering: PixelSize(width: 16, height: 16))
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
