import ImageEncoders
import Raster
import TestSupport
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

    @Test("a drawing is known by its first tag, whatever comes before it")
    func recognised() {
        let box = PixelSize(width: 2048, height: 1024)
        let drawings = [
            "\u{FEFF}<?xml version='1.0' encoding='ISO-8859-1'?><!-- <html> --><svg width='2' height='1'/>",
            "<!DOCTYPE svg [<!ENTITY s 'http://www.w3.org/2000/svg'>]>\n<svg xmlns='&s;' viewBox='0 0 2 1'>",
            "<v:svg xmlns:v='http://www.w3.org/2000/svg' width='2' height='1' a='&#x41;>'><html/>",
        ]
        for text in drawings {
            #expect(ImageFormat(sniffing: Array(text.utf8)) == .svg, "\(text)")
            #expect(ImageHeader(of: Array(text.utf8))?.size == box, "\(text)")
        }
        for text in ["<html><svg/>", "svg <svg/>", "<svgs/>", "<!-- <svg/>", "<!DOCTYPE svg ["] {
            #expect(ImageFormat(sniffing: Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test("pictures embedded in a drawing are shown")
    func embedded() throws {
        let image = try draw(
            Self.document("<image width='10' height='10' xlink:href='\(squares)'/>"))
        #expect(image.pixels.pixel(2, 2) == [255, 0, 0, 255])
        #expect(image.pixels.pixel(61, 2) == [0, 128, 0, 255])
        #expect(image.pixels.pixel(2, 61) == [0, 0, 255, 255])
        #expect(image.pixels.pixel(61, 61) == [255, 255, 0, 255])
        #expect(!image.isPartial)
    }

    @Test("a drawing that refers to other files and addresses is drawn without them")
    func references() throws {
        let folder = try ScratchFolder()
        let blue = PixelBuffer(filledWith: RGB(0x00_00FF), size: PixelSize(width: 8, height: 8))
        let picture = try folder.write(try ImageEncoder.png(blue), to: "blue.png")
        let drawing = try folder.write(
            Self.document("<rect id='r' width='10' height='10' fill='blue'/>"), to: "blue.svg")
        let style = try folder.write("rect { fill: blue !important }", to: "blue.css")
        let markup = try folder.write("<rect width='10' height='10' fill='blue'/>", to: "blue.xml")
        let ground = "<rect width='10' height='10' fill='red'/>"
        let pictures =
            [picture, "file://\(picture)", "blue.png", "http://127.0.0.1:9/blue.png"].flatMap {
                [
                    "<image width='10' height='10' xlink:href='\($0)'/>",
                    "<filter id='f'><feImage href='\($0)'/></filter><rect width='9' height='9' filter='url(#f)'/>",
                ]
            }
        let drawings = [drawing, "file://\(drawing)"].flatMap {
            ["<image width='10' height='10' href='\($0)'/>", "<use href='\($0)#r'/>"]
        }
        let ways =
            pictures + drawings
            + [markup, "file://\(markup)"].map {
                "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='\($0)'/>"
            }
            + ["file://\(style)", style].map { "<style>@import url('\($0)');</style>" }
        let files =
            ways.map { Self.document(ground + $0) }
            + [markup, "file://\(markup)"].map {
                "<!DOCTYPE svg [<!ENTITY a SYSTEM '\($0)'>]>\(Self.document(ground + "&a;"))"
            }
            + ["file://\(style)", style].map {
                "<?xml-stylesheet type='text/css' href='\($0)'?>\(Self.document(ground))"
            }
        for file in files {
            guard let image = try? draw(file) else { continue }
            #expect(image.pixels.pixel(32, 32) == [255, 0, 0, 255], "\(file)")
        }
        #expect(throws: Never.self) { try draw(files[0]) }
    }

    @Test("entities and elements that multiply are refused, plain ones are accepted")
    func multiplied() throws {
        let laughs = (1...9).map { level in
            "<!ENTITY a\(level) '\(String(repeating: "&a\(level - 1);", count: 10))'>"
        }
        let entities =
            "<!DOCTYPE svg [<!ENTITY a0 'ha'>\(laughs.joined())]>\(Self.document("<text>&a9;</text>"))"
        // Each copy contains the previous one ten times.
        let copies = (1...9).map { level in
            "<g id='c\(level)'>"
                + String(repeating: "<use xlink:href='#c\(level - 1)'/>", count: 10) + "</g>"
        }
        let elements = Self.document(
            "<defs><g id='c0'><path d='M0 0h1'/></g>\(copies.joined())</defs><use xlink:href='#c9'/>"
        )
        for file in [entities, elements] {
            #expect(throws: DecodeError.self) { try draw(file) }
        }
        let plain =
            "<!DOCTYPE svg [<!ENTITY red 'fill:red'>]>"
            + Self.document("<rect width='9' height='9' style='&red;'/>")
        #expect(try draw(plain).pixels.pixel(20, 20) == [255, 0, 0, 255])
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

/// A PNG of two by two pixels: red, green, blue, yellow.
private let squares =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR42mP4z8DA0ADEDP///2cAABp4BH2szxIXAAAAAElFTkSuQmCC"
