import ImageCodecs
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// PDF, whose pages are a section, drawn by helpers.
    @Suite("PDF", .enabled(if: ImageFormat.pdf.isReadable, "needs libpoppler-glib8"))
    struct DocumentTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private static let colors = ["255;0;0", "0;255;0", "0;0;255"]
        private static let pages = PDFFile.make([
            .filled(1, 0, 0), .filled(0, 1, 0), .filled(0, 0, 1),
        ])

        private func sheet(_ arguments: String...) throws -> ProgramRun {
            try ProgramRun(
                ["--print", "--colors", "truecolor", "--no-tint"] + arguments, in: folder,
                environment: ["COLUMNS": "90"])
        }

        @Test("a document's pages are a section, with addresses that browsers know, also piped in")
        func pages() throws {
            let path = try folder.write(Self.pages, to: "a b#c.pdf")
            let urls = try ProgramRun(["--urls", path], in: folder)
            #expect(
                urls.lines == (1...3).map { "file://\(folder.path)/a%20b%23c.pdf#page=\($0)" },
                "\(urls.errors)")
            // The second run uses the cache.
            for _ in 1...2 {
                let run = try sheet(path)
                for (place, color) in Self.colors.enumerated() {
                    #expect(run.output.contains("2;" + color), "\(run.errors) \(color)")
                    #expect(run.output.contains("Page \(place + 1)"))
                }
            }
            let piped = try ProgramRun(["--json", "-"], in: folder, inputBytes: Self.pages)
            #expect(piped.lines.count == 3, "\(piped.errors)")
        }

        @Test("a folder shows the first page, and opens the document as an album")
        func album() throws {
            try folder.write(Self.pages, to: "books/a.pdf")
            let screen = try ProgramScreen([folder.path + "/books"], in: folder)
            #expect(screen.waitFor("a.pdf"), "\(screen.screen.text)")
            screen.type(Keys.enter)
            #expect(screen.waitFor("Page 3"), "\(screen.screen.text)")
            screen.type("l" + Keys.enter)
            #expect(screen.waitFor("2/3"), "\(screen.screen.text)")
        }

        @Test("an address is fetched once for all pages, and opened again where it was left")
        func address() throws {
            let server = try LoopbackServer()
            server.route("/a.pdf") { _ in .bytes(Self.pages, type: "application/pdf") }
            let run = try sheet(server.url("/a.pdf"))
            #expect(Self.colors.allSatisfy { run.output.contains("2;" + $0) }, "\(run.errors)")
            #expect(server.count(of: "/a.pdf") == 1)
            let screen = try ProgramScreen([server.url("/a.pdf")], in: folder)
            #expect(screen.waitFor("Page 3"))
            screen.type("G")
            #expect(screen.waitFor("3/3"), "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
            let again = try ProgramScreen([server.url("/a.pdf")], in: folder)
            #expect(again.waitFor("3/3"), "\(again.screen.text)")
            #expect(again.quit() == .code(0))
        }

        @Test("what cannot be read is one line, and costs only itself")
        func broken() throws {
            let red = PDFFile.Page.filled(1, 0, 0)
            let secret = try folder.write(
                PDFFile.make([red], trailer: PDFFile.encrypted), to: "secret.pdf")
            let cut = try folder.write(Array("%PDF-1.4 and nothing".utf8), to: "cut.pdf")
            let run = try sheet(secret, cut, try folder.write(Self.pages, to: "good.pdf"))
            #expect(run.output.contains("2;0;0;255"))
            #expect(run.errors.count == 2, "\(run.errors)")
            #expect(run.errors.first?.hasSuffix("secret.pdf: needs a password") == true)
            #expect(run.errors.last?.contains("cut.pdf: broken PDF: ") == true)
        }

        @Test("bombs end with their helpers: a huge picture, a page drawn a billion times")
        func bombs() throws {
            let huge =
                "<</Type/XObject/Subtype/Image/Width 200000/Height 200000/BitsPerComponent 8"
                + "/ColorSpace/DeviceRGB/Length 9>>stream\n123456789\nendstream"
            let number = PDFFile.firstPage + 4
            // Each form draws the next one ten times.
            let forms = (0..<9).map { level in
                let content = String(repeating: "/X Do ", count: 10)
                return "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X "
                    + "\(number + level + 1) 0 R>>>>/Length \(content.utf8.count)>>stream\n\(content)\nendstream"
            }
            let last =
                "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 11>>stream\n0 0 9 9 re f\nendstream"
            let draw = PDFFile.Page("q 200 0 0 100 0 0 cm /I Do Q")
            try folder.write(
                PDFFile.make([draw, .filled(0, 1, 0)], objects: [huge]), to: "huge.pdf")
            try folder.write(
                PDFFile.make([draw, .filled(0, 0, 1)], objects: forms + [last]), to: "deep.pdf")
            let run = try sheet(folder.path + "/huge.pdf", folder.path + "/deep.pdf")
            #expect(run.code == 0 && run.output.contains("2;0;255;0"), "\(run.errors)")
            #expect(run.output.contains("2;0;0;255"))
            #expect(run.output.contains("takes too long"), "\(run.output)")
        }

        @Test(
            "a thousand pages are there at once, and drawn as they are seen; further ones are left out"
        )
        func many() throws {
            let path = try folder.write(
                PDFFile.make((1...10_001).map { .saying("\($0)") }), to: "many.pdf")
            let trace = folder.path + "/trace"
            let screen = try ProgramScreen(["--trace", trace, path], in: folder)
            #expect(screen.waitFor("Page 1"), "\(screen.screen.text)")
            screen.type("10000G")
            #expect(screen.waitFor("10000/10000"), "\(screen.screen.text)")
            #expect(screen.waitFor("Page 10000"))
            #expect(screen.quit() == .code(0))
            #expect(try ProgramTrace(folder.read("trace")).spans("decode").count < 500)
            let urls = try ProgramRun(["--urls", path], in: folder)
            #expect(urls.lines.count == 10_000 && urls.errors.count == 1, "\(urls.errors)")
        }
    }
}
