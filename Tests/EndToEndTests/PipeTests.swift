import FoundationEssentials
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Without a terminal") struct PipeTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test(
            "addresses are listed with --urls, and by default if the output is a pipe",
            arguments: [["--urls"], []])
        func urls(options: [String]) throws {
            let gallery = try ProgramGallery(count: 24, perPage: 12)
            let run = try ProgramRun(options + [gallery.address], in: folder)
            #expect(run.code == 0)
            #expect(run.errors.isEmpty)
            #expect(run.lines == (1...12).map { gallery.server.url(gallery.fullPath($0)) })
            #expect(gallery.pageRequests == [1, 0])
            #expect(gallery.server.count(of: gallery.fullPath(1)) == 0)
        }

        @Test(
            "--pages follows that many pages, or all",
            arguments: [("2", 24), ("all", 40), ("9", 40)])
        func pages(limit: String, count: Int) throws {
            let gallery = try ProgramGallery(count: 40, perPage: 12)
            let run = try ProgramRun(["--urls", "--pages=\(limit)", gallery.address], in: folder)
            #expect(run.code == 0)
            #expect(run.lines == (1...count).map { gallery.server.url(gallery.fullPath($0)) })
        }

        @Test("--json prints one object per line with exactly the documented keys")
        func json() throws {
            let gallery = try ProgramGallery(count: 14, perPage: 12)
            let other = try ProgramGallery(title: "Pit “lane” \\ 2", first: 21, count: 2)
            let run = try ProgramRun(
                ["--json", "--pages", "all", gallery.address, other.address], in: folder)
            #expect(run.code == 0)
            let records = try run.lines.map {
                try JSONDecoder().decode(Record.self, from: Data($0.utf8))
            }
            #expect(records.map(\.section) == Array(repeating: 1, count: 14) + [2, 2])
            #expect(records.map(\.index) == Array(1...14) + [1, 2])
            #expect(
                records.map(\.title) == ((1...14).map { $0 } + [21, 22]).map(ProgramGallery.title))
            #expect(records[13].page == gallery.server.url(gallery.pagePath(2)))
            #expect(records[1].thumbnail == gallery.server.url(gallery.thumbnailPath(2)))
            #expect(records[1].image == gallery.server.url(gallery.fullPath(2)))
            #expect(records.allSatisfy { $0.kind == "picture" })
            #expect(records.flatMap { $0.unknownKeys }.isEmpty)
        }

        @Test(
            "--print draws every picture in 24-bit colour, no row wider than the terminal",
            arguments: [50, 80, 133])
        func contactSheet(columns: Int) throws {
            let gallery = try ProgramGallery(count: 6)
            let run = try ProgramRun(
                ["--print", gallery.address], in: folder, environment: ["COLUMNS": "\(columns)"])
            #expect(run.code == 0)
            let sheet = Sheet(run.output)
            #expect(sheet.widths.allSatisfy { $0 <= columns }, "\(sheet.widths)")
            for number in 1...6 {
                #expect(sheet.text.contains(ProgramGallery.title(number)))
                let color = ProgramGallery.color(number)
                let code = "2;\(color.red);\(color.green);\(color.blue)"
                #expect(sheet.styles.contains { $0.contains(code) }, "\(number)")
            }
            // The next program on this terminal starts with the terminal's own colours.
            let terminal = ScreenEmulator(size: CellSize(columns: columns, rows: 100))
            terminal.feed(run.bytes)
            #expect(terminal.currentPen == .blank)
            #expect(sheet.controls.isEmpty, "\(sheet.controls)")
        }

        @Test("--print marks failures and continues; with mono it uses no colours")
        func printFailure() throws {
            let gallery = try ProgramGallery(count: 3)
            gallery.server.route(gallery.thumbnailPath(2)) { _ in .status(404) }
            let run = try ProgramRun(
                ["--print", "--colors", "mono", gallery.address], in: folder,
                environment: ["COLUMNS": "80"])
            #expect(run.code == 0)
            let sheet = Sheet(run.output)
            #expect(sheet.text.contains("× the server answered"), "\(run.output)")
            #expect(sheet.text.contains(ProgramGallery.title(3)))
            #expect(!run.output.contains("8;2;") && !run.output.contains("8;5;"))
        }

        @Test("- reads sources from standard input, one per line, each its own section")
        func list() throws {
            let first = try ProgramGallery(first: 1, count: 2)
            let second = try ProgramGallery(first: 11, count: 2)
            let run = try ProgramRun(
                ["--urls", "-"], in: folder, input: "\(first.address)\n\n  \(second.address)\r\n")
            #expect(run.code == 0, "\(run.errors)")
            let expected =
                [1, 2].map { first.server.url(first.fullPath($0)) }
                + [11, 12].map { second.server.url(second.fullPath($0)) }
            #expect(run.lines == expected)
        }

        @Test("a picture file is called the same alone as in its folder")
        func aloneAndInFolder() throws {
            let pictures = try ScratchFolder()
            let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"
            let path = try pictures.write(Array(drawing.utf8), to: "IMG_0001.svg")
            for source in [path, pictures.path] {
                let run = try ProgramRun(["--json", source], in: folder)
                #expect(run.output.contains("\"title\":\"IMG_0001.svg\""), "\(run.output)")
            }
        }

        @Test("a picture, page or NUL-separated list can be piped in; an empty list is an error")
        func piped() throws {
            let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"
            let picture = try ProgramRun(["--json", "-"], in: folder, input: drawing)
            #expect(picture.code == 0 && picture.lines.count == 1, "\(picture.errors)")
            #expect(picture.output.contains("\"title\":\"standard input\""))
            let page = try ProgramRun(
                ["--urls", "-"], in: folder, input: "<img src='https://a.example/1.jpg'>")
            #expect(page.lines == ["https://a.example/1.jpg"], "\(page.errors)")
            let relative = try ProgramRun(
                ["--urls", "-"], in: folder, input: "<img src='photos/1.jpg'>")
            #expect(
                relative.lines
                    == ["file://\(FileManager.default.currentDirectoryPath)/photos/1.jpg"])
            let data = try ProgramRun(["--urls", "-"], in: folder, inputBytes: [1, 0, 2, 0, 3, 0])
            #expect(
                data.errors == [
                    "halftone: standard input: is binary data, neither a page nor a picture"
                ])
            let paths = try ["a\nb.svg", "c.svg"].map { try folder.write(drawing, to: $0) }
            let list = try ProgramRun(
                ["--json", "-0"], in: folder, input: paths.joined(separator: "\0"))
            #expect(list.code == 0 && list.lines.count == 2, "\(list.errors)")
            #expect(list.lines.allSatisfy { $0.contains("\"section\":1") })
            // Behind a byte order mark.
            let other = try folder.write(drawing, to: "d.svg")
            let marked = try ProgramRun(
                ["--json", "-"], in: folder, input: "\u{FEFF}\(paths[1])\n\(other)\n")
            #expect(marked.code == 0 && marked.lines.count == 2, "\(marked.errors)")
            let nothing = try ProgramRun(["--urls", "-"], in: folder, input: "\n")
            #expect(nothing.code == 1 && nothing.lines.isEmpty)
            #expect(nothing.errors == ["halftone: standard input: is empty"])
        }

        /// Runs a command of a shell in `folder`, with the program as `$0`; returns the lines of both its outputs.
        private func shell(_ command: String) throws -> [String] {
            let command = "cd '\(folder.path)' && { \(command); }"
            return try Tool.output(of: "sh", ["-c", command, ProgramRun.executable])
                .filter { !$0.isEmpty }
        }

        @Test("without SOURCE, a pipe or file on standard input is read, else the current folder")
        func withoutSource() throws {
            try folder.write(ProgramPictures.png(ProgramGallery.color(1)), to: "here/one.png")
            try folder.write("here/one.png\n", to: "list")
            try folder.write("", to: "nothing")
            let one = ["file://\(folder.path)/here/one.png"]
            #expect(try shell("echo here/one.png | \"$0\" --no-config --urls") == one)
            #expect(try shell("\"$0\" --no-config --urls < list") == one)
            #expect(try shell("cd here; \"$0\" --no-config --urls < /dev/null") == one)
            #expect(try shell("cd here; \"$0\" --no-config --urls <&-") == one)
            for input in ["< nothing", "< /dev/null |"] {
                let command = input.hasSuffix("|") ? "true | \"$0\"" : "\"$0\" \(input)"
                #expect(
                    try shell("\(command) --no-config --urls; echo $?") == [
                        "halftone: standard input: is empty", "1",
                    ])
            }
        }

        @Test(
            "without SOURCE and without a screen an empty folder has no pictures",
            arguments: ["--urls", "--json", "--print", "--save o", ""])
        func emptyFolder(options: String) throws {
            let lines = try shell(
                "mkdir -p empty; cd empty; \"$0\" --no-config \(options) < /dev/null; echo $?")
            #expect(lines.last == "1" && lines.contains { $0.hasSuffix("no pictures found") })
            #expect(!lines.contains { $0.contains("Gallery") }, "\(lines)")
        }

        @Test(
            "without SOURCE the current folder opens if it has only folders, or only archives",
            arguments: ["2024/a.png", "a.zip"])
        func foldersOnly(name: String) throws {
            let picture = ProgramPictures.png(ProgramGallery.color(1))
            let isArchive = name.hasSuffix("zip")
            let path = try folder.write(picture, to: "here/" + name)
            #expect(!isArchive || PackedFiles.write([("a.png", picture)], to: path, as: .zip))
            let screen = try ProgramScreen([], in: folder, at: folder.path + "/here")
            #expect(
                screen.waitFor(isArchive ? "a.zip" : "2024") && screen.top.contains("1 album"),
                "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }

        @Test("a name that is not UTF-8 is listed, opened, read from lists and printed as it is")
        func otherEncodings() throws {
            try folder.write(ProgramPictures.png(ProgramGallery.color(1)), to: "a.png")
            let name = "$(printf 'caf\\351.png')"
            let url = ["file://\(folder.path)/shots/caf%E9.png"]
            _ = try shell("mkdir shots; mv a.png shots/\"\(name)\"")
            #expect(try shell("\"$0\" --no-config --urls shots < /dev/null") == url)
            #expect(try shell("\"$0\" --no-config --urls shots/\"\(name)\" < /dev/null") == url)
            #expect(
                try shell("find shots -name '*.png' -print0 | \"$0\" --no-config --urls -0") == url)
            #expect(try shell("\"$0\" --no-config --urls '\(url[0])' < /dev/null") == url)
            let sheet = try shell(
                "COLUMNS=80 \"$0\" --no-config --no-cache --print --colors mono shots < /dev/null")
            #expect(!sheet.joined().contains("×"), "\(sheet)")
            let counted =
                "\"$0\" --no-config --urls --print0 shots < /dev/null | tr '\\0\\n' '\\n!'"
            #expect(try shell(counted) == url)
        }

        @Test("--print into a pager is as wide as the terminal, and names one picture once")
        func pager() throws {
            let file = try folder.write(ProgramPictures.png(ProgramGallery.color(1)), to: "one.png")
            let command =
                "'\(ProgramRun.executable)' --no-config --no-cache --colors mono --print '\(file)' | cat"
            let process = try PtyProcess(
                "/bin/sh", arguments: ["-c", command + " > '\(folder.path)/sheet'"],
                environment: folder.environment, size: CellSize(columns: 61, rows: 24))
            #expect(process.waitForExit() == .code(0))
            let rows = String(decoding: folder.read("sheet"), as: UTF8.self).split(separator: "\n")
            #expect(rows.map(\.count).max() == 61, "\(rows)")
            #expect(rows.filter { $0.contains("one") }.count == 1, "\(rows)")
        }

        @Test("a recipe that is a FIFO without a writer is an error, not a wait")
        func recipeWithoutWriter() throws {
            let lines = try shell(
                "mkfifo recipe; timeout 20 \"$0\" --no-config --urls --recipe recipe . < /dev/null; echo $?"
            )
            #expect(lines == ["halftone: --recipe: recipe: is not valid JSON", "2"])
        }

        @Test("without /proc, the program runs and knows its arguments")
        func withoutProc() throws {
            let lines = try shell(
                "unshare -rm sh -c 'umount -l /proc && exec \"$0\" --version' \"$0\" 2>&1 || true")
            // Where namespaces are not allowed, there is nothing to see.
            let isAllowed = !lines.contains { $0.hasPrefix("unshare:") || $0.hasPrefix("umount:") }
            #expect(!isAllowed || lines.first?.hasPrefix("halftone ") == true, "\(lines)")
        }

        @Test("--filter without a match says so on standard error")
        func unmatched() throws {
            let gallery = try ProgramGallery(count: 2)
            let run = try ProgramRun(["--urls", "--filter", "zebra", gallery.address], in: folder)
            #expect(run.lines == [])
            #expect(run.errors == ["halftone: \(gallery.address): no picture matches zebra"])
            let wrong = try ProgramRun(
                ["--urls", "--filter", "w>1000px", gallery.address], in: folder)
            #expect(wrong.code == 2)
            #expect(
                wrong.errors == [
                    "halftone: --filter: 'w>1000px': w>1000px: as width>=800"
                ])
            let some = try ProgramRun(["--urls", "--filter", "002", gallery.address], in: folder)
            #expect(some.lines.count == 1 && some.errors == [], "\(some.errors)")
        }

        @Test("keys are read from the terminal while - reads the list from a pipe")
        func listOnScreen() throws {
            let gallery = try ProgramGallery(count: 6)
            let list = try folder.write(gallery.address + "\n", to: "list")
            let screen = try ProgramScreen(["-"], in: folder, input: list)
            #expect(screen.waitForThumbnails(1...6), "\(screen.screen.text)")
            screen.type("l")
            #expect(screen.waitForSelected(2))
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty)
        }

        @Test(
            "a folder lists its pictures in natural order, a saved page its own, a picture itself")
        func files() throws {
            for name in ["10.png", "2.png", "1.jpg"] {
                let isJPEG = name.hasSuffix("jpg")
                let color = ProgramGallery.color(1)
                try folder.write(
                    isJPEG ? ProgramPictures.jpeg(color) : ProgramPictures.png(color),
                    to: "album/" + name)
            }
            let page = try folder.write("<figure><img src=album/2.png></figure>", to: "page.html")
            let album = folder.path + "/album"
            let run = try ProgramRun([album, page, album + "/10.png"], in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let names = run.lines.map { $0.split(separator: "/").last.map(String.init) ?? "" }
            #expect(names == ["1.jpg", "2.png", "10.png", "2.png", "10.png"])
            #expect(run.lines.allSatisfy { $0.hasPrefix("file://" + album) })
        }

        @Test("sections follow the order of the command line, whichever answers first")
        func order() throws {
            let slow = try ProgramGallery(first: 1, count: 2)
            let quick = try ProgramGallery(first: 11, count: 2)
            let asked = Gate()
            quick.server.route(quick.pagePath(1)) { [html = quick.html(1)] _ in
                asked.open()
                return .html(html)
            }
            slow.server.route(slow.pagePath(1)) { [html = slow.html(1)] _ in
                .html(html).held(by: asked)
            }
            let run = try ProgramRun(["--urls", slow.address, quick.address], in: folder)
            #expect(run.lines.count == 4)
            #expect(run.lines.first == slow.server.url(slow.fullPath(1)))
        }

        @Test("with --offline cached pages are shown, and others are errors")
        func offline() throws {
            let gallery = try ProgramGallery(count: 3)
            gallery.server.route(gallery.pagePath(1)) { [html = gallery.html(1)] _ in
                .html(html, headers: [("Cache-Control", "max-age=3600")])
            }
            #expect(try ProgramRun([gallery.address], in: folder).lines.count == 3)
            gallery.server.stop()
            let again = try ProgramRun(["--offline", gallery.address], in: folder)
            #expect(again.lines.count == 3, "\(again.errors)")
            let other = try ProgramRun(["--offline", "http://127.0.0.1:1/"], in: folder)
            #expect(other.code == 1)
            #expect(
                other.errors == ["halftone: http://127.0.0.1:1/: not in the cache, and offline"])
        }

        @Test(
            "a closed standard descriptor is not reused for the program's own files",
            arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
        func closed(redirection: String) throws {
            let gallery = try ProgramGallery(count: 2)
            let trace = folder.path + "/trace.json"
            let command = "exec \"$@\" \(redirection)"
            let arguments = [
                "--no-config", "--no-cache", "--offline", "--trace", trace, "--urls",
                gallery.address,
                "\(folder.path)/nothing",
            ]
            // A list that cannot be written is a failure.
            _ = try? Tool.run("sh", ["-c", command, "sh", ProgramRun.executable] + arguments)
            struct Event: Decodable { var ph: String }
            let events = try JSONDecoder().decode(
                [Event].self, from: Data(folder.read("trace.json")))
            #expect(events.count > 3)
        }

        @Test("a list exceeding the file size limit is an error, as on a full disk")
        func limit() throws {
            let gallery = try ProgramGallery(count: 40, perPage: 40)
            let command = "(ulimit -f 1; \"$@\") > \"$0/list\" 2> \"$0/errors\"; echo $?"
            let lines = try Tool.output(
                of: "sh",
                [
                    "-c", command, folder.path, ProgramRun.executable, "--no-config", "--no-cache",
                    "--no-state", "--urls", gallery.address,
                ])
            #expect(lines.first == "1")
            let errors = String(decoding: folder.read("errors"), as: UTF8.self)
            #expect(errors == "halftone: standard output: File too large\n")
        }

        @Test("--version and --help work offline, and the help names every kind of option")
        func help() throws {
            let run = try ProgramRun(["--version"], in: folder)
            #expect(run.code == 0 && run.output.hasPrefix("halftone "))
            let help = try ProgramRun(["--help"], in: folder)
            #expect(help.code == 0)
            for option in [
                "--layout", "--urls", "--json", "--print", "--trace", "--offline", "--pages",
            ] {
                #expect(help.output.contains(option), "\(option)")
            }
        }
    }
}

/// A line of `--json`, parsed strictly.
private struct Record: Decodable {
    var section: Int
    var index: Int
    var page: String
    var thumbnail: String
    var image: String
    var title: String?
    var kind: String
    var unknownKeys: [String]

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let known: Set<String> = [
        "section", "index", "page", "thumbnail", "image", "link", "title", "description", "date",
        "width", "height", "kind",
    ]

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ key: String) throws -> Value {
            try values.decode(Value.self, forKey: Key(stringValue: key))
        }
        section = try value("section")
        index = try value("index")
        page = try value("page")
        thumbnail = try value("thumbnail")
        image = try value("image")
        title = try values.decodeIfPresent(String.self, forKey: Key(stringValue: "title"))
        kind = try value("kind")
        unknownKeys = values.allKeys.map(\.stringValue).filter { !Self.known.contains($0) }
    }
}

/// The output of `--print`: its rows without styles, and the styles.
struct Sheet {
    private(set) var rows: [String] = [""]
    private(set) var styles: [String] = []
    /// Control characters and sequences other than styles and line breaks.
    private(set) var controls: [String] = []

    var text: String { rows.joined(separator: "\n") }
    /// The widths of the rows in cells; these sheets have no wide characters.
    var widths: [Int] { rows.map(\.unicodeScalars.count) }

    init(_ output: String) {
        var rest = output.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n": rows.append("")
            case "\u{1B}": takeSequence(&rest)
            case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}": controls.append("\(scalar.value)")
            default: rows[rows.count - 1].unicodeScalars.append(scalar)
            }
        }
    }

    private mutating func takeSequence(_ rest: inout Substring.UnicodeScalarView) {
        guard rest.popFirst() == "[" else { return controls.append("ESC") }
        let body = rest.prefix { !("@"..."~").contains($0) }
        rest = rest.dropFirst(body.count)
        let final = rest.popFirst()
        if final == "m" {
            styles.append(String(body))
        } else {
            controls.append(String(body) + (final.map { String($0) } ?? ""))
        }
    }
}
