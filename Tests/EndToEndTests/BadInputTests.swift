import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Bad input") struct BadInputTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        // MARK: Pages

        /// Responses of a server, and the resulting message.
        static let answers: [(path: String, reason: String)] = [
            ("/missing", "the server answered 404 Not Found"),
            ("/broken", "the server answered 500 Internal Server Error"),
            ("/data.json", "is application/json, neither a page nor a picture"),
            ("/noise", "neither a page nor a picture"),
            ("/empty", "the page is empty"),
            ("/text-only", "no pictures found"),
            ("/circle", "too many redirects"),
            ("/dropped", "no connection"),
        ]

        private func server() throws -> LoopbackServer {
            let server = try LoopbackServer()
            server.route("/broken") { _ in .status(500) }
            server.route("/data.json") { _ in .bytes(Array("[1]".utf8), type: "application/json") }
            server.route("/noise") { _ in
                .bytes(
                    (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) },
                    type: nil)
            }
            server.route("/empty") { _ in .html("") }
            server.route("/text-only") { _ in
                .html("<title>Text</title><h1>Nothing to see</h1><p>Words.")
            }
            server.route("/circle") { _ in .redirect(to: "/circle") }
            server.route("/dropped") { _ in ServerResponse().delivered(.dropped) }
            return server
        }

        @Test(
            "a page without usable pictures yields one line on standard error and exit status 1",
            arguments: answers
        )
        func pipe(path: String, reason: String) throws {
            let server = try server()
            let run = try ProgramRun(["--retries", "0", server.url(path)], in: folder)
            #expect(run.code == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.count == 1)
            #expect(
                run.errors.first?.hasPrefix("halftone: \(server.url(path)): ") == true,
                "\(run.errors)")
            #expect(run.errors.first?.contains(reason) == true, "\(run.errors)")
        }

        @Test("a chain of pages without pictures is followed four times and reported in one line")
        func emptyPages() throws {
            let server = try LoopbackServer()
            for number in 0..<5 {
                server.route("/\(number)") { _ in
                    .html("<p>Words.<link rel=next href=/\(number + 1)>")
                }
            }
            let run = try ProgramRun(["--retries", "0", server.url("/0")], in: folder)
            #expect(run.code == 1)
            #expect(run.errors == ["halftone: \(server.url("/0")): no pictures found"])
        }

        @Test(
            "the screen shows the reason in plain words, and q exits with status 1",
            arguments: answers)
        func onScreen(path: String, reason: String) throws {
            let server = try server()
            let screen = try ProgramScreen(
                ["--retries", "0", server.url(path)], in: folder, size: EndToEnd.sizes[1])
            let shown = path == "/text-only" ? "no pictures found" : reason
            #expect(screen.waitFor(shown), "\(screen.screen.text)")
            screen.type(Keys.escape)
            #expect(screen.wait { !$0.screen.shows("Retry") })
            #expect(screen.quit() == .code(1))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            #expect(screen.screen.shows("halftone: "), "\(screen.screen.text)")
        }

        @Test("an unresolvable host is reported by name")
        func unknownHost() throws {
            let run = try ProgramRun(
                ["--retries", "0", "http://no-such-host.invalid/"], in: folder)
            #expect(run.code == 1)
            #expect(
                run.errors == [
                    "halftone: http://no-such-host.invalid/: no such host: no-such-host.invalid"
                ])
        }

        @Test("a failing section does not affect the others")
        func oneOfTwo() throws {
            let server = try server()
            let gallery = try ProgramGallery(count: 2)
            let run = try ProgramRun([server.url("/missing"), gallery.address], in: folder)
            #expect(run.code == 0)
            #expect(run.lines.count == 2)
            #expect(
                run.errors == [
                    "halftone: \(server.url("/missing")): the server answered 404 Not Found"
                ])
        }

        // MARK: Files

        @Test("missing files and files without pictures yield one line each and exit status 1")
        func files() throws {
            let text = try folder.write("Just words\n", to: "notes.txt")
            let empty = folder.path + "/nothing"
            mkdir(empty, 0o700)
            let cases = [
                (folder.path + "/missing.jpg", "no such file or folder"),
                (text + "/below", "no such file or folder"),
                ("file://" + folder.path + "/gone.html", "no such file or folder"),
                ("gopher://example.com/", "not supported"), ("", "is empty"),
                (text, "neither a page nor a picture"), (empty, "no pictures"),
            ]
            for (argument, reason) in cases {
                let run = try ProgramRun([argument], in: folder)
                #expect(run.code == 1, "\(argument)")
                #expect(run.errors.count == 1, "\(run.errors)")
                #expect(run.errors.first?.hasPrefix("halftone: ") == true)
                #expect(run.errors.first?.contains(reason) == true, "\(argument): \(run.errors)")
            }
        }

        @Test(
            "an unreadable folder is reported",
            .enabled(if: getuid() != 0, "root reads everything"))
        func unreadableFolder() throws {
            let closed = folder.path + "/closed"
            mkdir(closed, 0)
            let run = try ProgramRun([closed], in: folder)
            chmod(closed, 0o700)
            #expect(run.code == 1)
            #expect(
                run.errors.count == 1 && run.errors[0].contains("cannot be read"), "\(run.errors)")
        }

        @Test("a broken picture file keeps its placeholder, and the info panel gives the reason")
        func brokenPicture() throws {
            let bytes = Array(ProgramPictures.png(RGB(0x00D7AF)).prefix(60))
            let file = try folder.write(bytes, to: "broken.png")
            let screen = try ProgramScreen([file], in: folder)
            #expect(screen.waitFor("✗"), "\(screen.screen.text)")
            screen.type("i")
            #expect(screen.waitFor("broken PNG"), "\(screen.screen.text)")
            screen.type("i")
            #expect(screen.quit() == .code(0))
        }

        @Test("control characters in file names reach neither the screen nor standard error")
        func hostileName() throws {
            try folder.write(
                ProgramPictures.png(RGB(0x00D7AF)), to: "album/a\u{1B}[31mred\u{7}.png")
            let screen = try ProgramScreen([folder.path + "/album"], in: folder)
            #expect(screen.wait { $0.position == "1/1" }, "\(screen.screen.text)")
            screen.settle()
            #expect(screen.screen.unrecognised.isEmpty)
            #expect(screen.screen.shows("red"))
            let run = try ProgramRun(["no\u{1B}]0;title\u{7}such"], in: folder)
            #expect(run.code == 1)
            #expect(
                run.errors.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(run.errors)")
        }

        // MARK: Options

        @Test(
            "wrong usage yields one line with a hint and exit status 2",
            arguments: [
                (["--layuot", "list"], "--layout"), (["--layout", "rings"], "list"),
                (["--tile", "1000"], "120"), (["--tile"], "--tile"), (["--pages", "0"], "--pages"),
                (["--urls=yes"], "--urls"),
                (["--recipe", "/nonexistent.json"], "/nonexistent.json"),
                (["--trace", "/nonexistent/trace"], "/nonexistent/trace"), (["-x"], "-x"),
            ])
        func usage(arguments: [String], hint: String) throws {
            let run = try ProgramRun(arguments + ["http://127.0.0.1:1/"], in: folder)
            #expect(run.code == 2, "\(run.errors)")
            #expect(run.output.isEmpty)
            #expect(run.errors.count == 1)
            #expect(run.errors.first?.hasPrefix("halftone: ") == true)
            #expect(run.errors.first?.contains(hint) == true, "\(run.errors)")
        }

        @Test("a configuration error is one line with file, line and key; the rest is applied")
        func configuration() throws {
            try folder.write(
                "{\n  \"layout\": \"list\",\n  \"tiel\": 30\n}\n", to: "config/halftone/config.json"
            )
            let gallery = try ProgramGallery(count: 3)
            let run = try ProgramRun(["--urls", gallery.address], in: folder)
            #expect(run.code == 0)
            #expect(run.lines.count == 3)
            #expect(run.errors.count == 1)
            #expect(run.errors.first?.contains("config.json:3: tiel") == true, "\(run.errors)")
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(
                screen.waitFor(gallery.server.url(gallery.fullPath(2))), "\(screen.screen.text)")
        }

        // MARK: Terminals

        @Test(
            "a screen too small for pictures shows a message, and recovers when enlarged",
            arguments: [(20, 5), (19, 5), (12, 3), (5, 2), (1, 1)])
        func small(columns: Int, rows: Int) throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen(
                [gallery.address], in: folder, size: CellSize(columns: columns, rows: rows))
            #expect(gallery.server.waitForRequests(to: gallery.pagePath(1)))
            screen.settle()
            if columns >= 5 {
                let text = screen.screen.text
                #expect(text.contains("small"), "\(text)")
            }
            screen.type("lljvvii??\r\u{1B}")
            screen.settle()
            screen.process.resize(to: EndToEnd.sizes[0])
            #expect(screen.wait { $0.position == "4/6" }, "\(screen.screen.text)")
            #expect(screen.waitForThumbnails(4...6), "\(screen.screen.text)")
            #expect(screen.screen.unrecognised.isEmpty)
            screen.process.resize(to: CellSize(columns: columns, rows: rows))
            screen.settle()
            screen.type("q")
            #expect(screen.waitForExit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test(
            "a terminal without cursor addressing gets one line and no escape sequence",
            arguments: ["dumb", "unknown", ""])
        func dumb(name: String) throws {
            let gallery = try ProgramGallery(count: 3)
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: ["TERM": name])
            let exit = screen.waitForExit()
            #expect(exit != .code(0) && exit != nil, "\(screen.screen.text)")
            #expect(!screen.process.output.contains(0x1B))
            let text = screen.screen.text.split(separator: "\n").joined()
            #expect(text.hasPrefix("halftone: "), "\(text)")
            #expect(text.contains("TERM"), "\(text)")
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test(
            "in a locale without UTF-8, pictures and titles are ASCII, on screen and in print",
            arguments: [
                (["LC_ALL": "C"], true), (["LANG": "", "LC_ALL": ""], true),
                (["LC_ALL": "POSIX", "LANG": "C.UTF-8"], true),
                (["LC_ALL": "xx_YY.ISO-8859-1"], true),
                (["LC_ALL": "", "LC_CTYPE": "C.utf8"], false),
                // As passed on by SSH to machines that lack the locale.
                (["LC_ALL": "xx_YY.UTF-8"], false),
            ])
        func locale(environment: [String: String], isASCII: Bool) throws {
            let gallery = try ProgramGallery(count: 6)
            gallery.server.route(gallery.pagePath(1)) { [html = gallery.html(1)] _ in
                .html(html.replacing("Picture", with: "“Café” 中"))
            }
            let title = isASCII ? "\"Cafe\" ?" : "“Café” 中"
            let screen = try ProgramScreen([gallery.address], in: folder, environment: environment)
            #expect(screen.waitFor("\(title) 006"), "\(screen.screen.text)")
            screen.settle()
            #expect(screen.process.output.allSatisfy { $0 < 0x80 } == isASCII)
            #expect(String(validating: screen.process.output, as: UTF8.self) != nil)
            #expect(screen.screen.unrecognised.isEmpty)
            // The message that half blocks cannot be placed disappears with the first key.
            screen.type(Keys.redraw)
            #expect(screen.changesByRedraw() == [])
            #expect(screen.quit() == .code(0))
            let run = try ProgramRun(
                ["--print", gallery.address], in: folder, environment: environment)
            #expect(run.output.contains("\(title) 006"), "\(run.output)")
            #expect(run.bytes.allSatisfy { $0 < 0x80 } == isASCII)
        }
    }
}
