import Browser
import FoundationEssentials
import Gallery
import Network
import Raster
import Testing

@testable import halftone

@Suite("The configuration file")
struct ConfigurationTests {
    private let path = "/tmp/halftone-config-\(UInt64.random(in: 0 ... .max)).json"

    private func read(_ text: String) throws -> (Options, [String]) {
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let configuration = Configuration(path: path, isRequired: true, home: "/home/me")
        return (configuration.options, configuration.mistakes)
    }

    @Test("keys are the long option names")
    func settings() throws {
        let (options, mistakes) = try read(
            #"{"layout": "list", "connections": 4, "no-tint": true, "header": ["A: b", "C: d"]}"#)
        #expect(mistakes == [])
        #expect(options.browser.layout == .list)
        #expect(options.network.connectionsPerHost == 4)
        #expect(!options.isTinted)
        #expect(options.network.headers.map(\.name) == ["A", "C"])
    }

    @Test("a switch that is off by an option is off by its own name, too")
    func negated() throws {
        let (off, mistakes) = try read(#"{"hints": false, "tint": false, "no-cache": false}"#)
        #expect(mistakes == [] && !off.browser.showsHints && !off.isTinted && off.usesCache)
        let on = try read(#"{"hints": true, "no-tint": false}"#).0
        #expect(on.browser.showsHints && on.isTinted)
    }

    @Test("--print-config writes a commented configuration whose lines, uncommented, are valid")
    func printed() throws {
        let text = Configuration.commented
        #expect(text.hasPrefix("// JSON with comments and trailing commas\n{\n"))
        #expect(try read(text).1 == [])
        for spec in OptionSpec.all where spec.group != .program {
            #expect(text.contains("\"\(spec.name)\": "), "\(spec.name)")
        }
        let lines = text.split(separator: "\n").map { line -> Substring in
            let isDefault = ["layout", "tile", "sort", "timeout", "max-bytes", "referer", "blocks"]
                .contains { line.contains("\"\($0)\": ") }
            return isDefault || line.hasPrefix("    //")
                ? line.drop { $0 == " " || $0 == "/" } : line
        }
        let (options, mistakes) = try read(lines.joined(separator: "\n"))
        #expect(mistakes == [])
        #expect(options.browser.tileColumns == 24 && options.network.timeout == 15)
        for (bound, standard) in zip(options.browser.keys.bindings, KeyMap.standard.bindings) {
            #expect(
                Set(bound.keys) == Set(standard.keys),
                "\(standard.command) in \(standard.contexts)")
        }
    }

    @Test("hosts have settings of their own; mistakes in them are told with their lines")
    func sites() throws {
        let (options, mistakes) = try read(
            """
            {
              "pause": "2", "timeout": 9,
              "limit-rate": "fast",
              "sites": {
                "example.org": { "pause": "1-3", "header": ["A: b", "C: d"], "limit-rate": "200k" },
                "x.example": {
                  "retries": 1,
                  "pause": "3-1",
                  "tile": 9,
                  "pauze": 1,
                  "timeout": true,
                  "cookies-from-browser": "firefox"
                },
                "http://y.example/": { "pause": 1 },
                "http://y.example": { "retries": 1 }, "y.example:81": { "retries": 1 },
                "nas:8080": { "user": "me", "password-command": ["pass", "nas"] },
                "z.example": 5
              },
              "user": "me"
            }
            """)
        #expect(options.network.pace.pause == 2...2 && options.network.timeout == 9)
        #expect(options.network.headers.isEmpty && options.network.pace.rate == nil)
        #expect(
            options.sites["example.org"]?.map { "\($0.spec.name)=\($0.value)" }
                == ["pause=1-3", "header=A: b", "header=C: d", "limit-rate=200k"])
        #expect(
            options.sites["nas:8080"]?.map { "\($0.spec.name)=\($0.value)" }
                == ["user=me", "password-command=pass", "password-command=nas"])
        for name in ["x.example", "http://y.example", "y.example:81"] {
            #expect(options.sites[name]?.first?.spec.name == "retries")
        }
        #expect(
            mistakes.map { String($0.dropFirst(path.count + 1)) } == [
                "3: limit-rate: is not a number of bytes, as 200k or 1M",
                "19: user: is not an option; did you mean user-agent?",
                "8: pause: is neither seconds, as 1.5, nor a range, as 1-3",
                "9: tile: does not differ by host",
                "10: pauze: is not an option; did you mean pause?",
                "11: timeout: needs a value",
                "12: cookies-from-browser: does not differ by host",
                "14: http://y.example/: is not a host with an object of options",
                "17: z.example: is not a host with an object of options",
            ])
    }

    @Test("lines may end as on Windows")
    func windows() throws {
        let mistakes = try read("{\r\n  \"tile\": 9,\r\n  \"pauze\": 1\r\n}\r\n").1
        #expect(mistakes == ["\(path):3: pauze: is not an option; did you mean pause?"])
    }

    @Test("~ in a value is the home folder")
    func home() throws {
        let options = try read(#"{"cache": "~/c", "filter": "~x"}"#).0
        #expect(options.cacheFolder == "/home/me/c" && options.browser.order.filter == "~x")
    }

    @Test(
        "what is no object is told",
        arguments: ["sites", "keys", "bind", "langmap", "theme", "programs", "open"])
    func objects(name: String) throws {
        let mistakes = try read("{\"\(name)\": [1], \"tile\": 9}").1
        #expect(mistakes == ["\(path):1: \(name): must be an object, as --print-config shows it"])
    }

    @Test("langmap translates keys, alone or several at once")
    func langmap() throws {
        let (_, mistakes) = try read(#"{"langmap": {"ö": ";", "åäæ": "[]'", "x": ""}}"#)
        let reason = "x: must name as many keys as there are letters"
        #expect(mistakes == ["\(path):1: \(reason)"])
    }

    @Test("a theme is read for both kinds of terminals or one, and mistakes are told")
    func theme() throws {
        let mistakes = try read(
            """
            {"theme": {"accent": "bright-blue", "bar": "#203040",
              "dark": {"muted": "white", "sky": "blue"},
              "light": {"panel": "beige"}}}
            """
        ).1
        let ends = ["2: sky: ", "3: panel: "].map { "\(path):\($0)is not one of text, title, " }
        #expect(mistakes.count == 2)
        for (mistake, end) in zip(mistakes, ends) { #expect(mistake.hasPrefix(end), "\(mistake)") }
    }

    @Test("the configurations in README and the manual are valid")
    func documented() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let readme = try String(contentsOfFile: root + "/README.md", encoding: .utf8)
        let start = try #require(readme.firstRange(of: "## Make it yours"))
        let block = try #require(readme[start.upperBound...].firstRange(of: "```json"))
        let own = readme[block.upperBound...].prefix { $0 != "`" }
        let printed = ManualPage.text.replacing("\\-", with: "-")
        let first = try #require(printed.firstRange(of: "{ \"keys\""))
        let last = try #require(printed[first.lowerBound...].firstRange(of: "\n.fi"))
        for text in [String(own), String(printed[first.lowerBound..<last.lowerBound])] {
            #expect(try read(text).1 == [], "\(text)")
        }
        let options = try read(String(own)).0
        #expect(options.browser.order.grouping == .day && options.browser.titleTemplate != nil)
    }

    @Test("the recipe in the manual is valid")
    func documentedRecipe() throws {
        let printed = ManualPage.text.replacing("\\-", with: "-").replacing("\\e", with: "\\")
        let first = try #require(printed.firstRange(of: "{ \"name\""))
        let last = try #require(printed[first.lowerBound...].firstRange(of: "\n.fi"))
        try Data(printed[first.lowerBound..<last.lowerBound].utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recipe = try Recipe(file: path)
        let page = try #require(Address("https://www.gettyimagesgallery.com/collection/a/"))
        #expect(recipe.matches(page))
    }

    @Test("the browser that draws pages is a program or words, and when it does may differ by host")
    func browser() throws {
        let (options, mistakes) = try read(
            #"{"browser": "never", "browser-program": ["~/b", "--no-sandbox"], "sites": {"a.example": {"browser": "always"}}}"#
        )
        #expect(mistakes == [] && options.network.rendering == .never)
        #expect(options.browserProgram.last == "--no-sandbox" && options.browserProgram.count == 2)
        #expect(options.sites["a.example"]?.map(\.value) == ["always"])
        #expect(try read(#"{"browser-program": "brave"}"#).0.browserProgram == ["brave"])
        let (none, wrong) = try read("{\n\"browser-program\": {},\n\"browser\": \"maybe\"\n}")
        #expect(none.browserProgram == [] && none.network.rendering == .auto)
        #expect(
            wrong.map { $0.prefix { $0 != "'" } } == [
                "\(path):2: browser-program: must be a program or a list of words",
                "\(path):3: browser: ",
            ])
    }

    @Test("an error is reported with file, line and key, and the rest is applied")
    func mistakes() throws {
        let (options, mistakes) = try read("{\n\"tile\": 3,\n\"layuot\": \"x\",\n\"retries\": 1\n}")
        #expect(options.network.retries == 1)
        #expect(mistakes.count == 2)
        #expect(mistakes.contains { $0.hasPrefix("\(path):2: tile: ") && $0.contains("8 to 120") })
        #expect(mistakes.contains { $0.hasPrefix("\(path):3: layuot: ") && $0.contains("layout?") })
        let commented = try read("{\n  // \"tile\": 24,\n\"filter\": \"tile\",\n\"tile\" : 3\n}")
        #expect(commented.1.first?.hasPrefix("\(path):4: tile: ") == true, "\(commented.1)")
        let twice = try read("{\n\"programs\": { \"tile\": [\"mpv\"] },\n\"tile\": 3\n}").1
        #expect(twice.first?.hasPrefix("\(path):3: tile: ") == true, "\(twice)")
    }

    @Test("an unusable recipe or a command-line-only option is reported like other errors")
    func otherMistakes() throws {
        let (options, mistakes) = try read(
            "{\n\"recipe\": [\"/nonexistent\"],\n\"config\": \"x\",\n\"tile\": 30\n}")
        #expect(options.browser.tileColumns == 30 && options.recipeFiles.isEmpty)
        #expect(
            mistakes == [
                "\(path):2: recipe: /nonexistent: cannot be read, or is too large",
                "\(path):3: config: stands on the command line only",
            ])
    }

    @Test("invalid JSON yields a one-line error and leaves the defaults")
    func noJSON() throws {
        let (options, mistakes) = try read("{ \"tile\": 3, ")
        #expect(options.browser.tileColumns == 24)
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.contains("\n") == false)
    }

    @Test("a missing file is an error only if explicitly specified")
    func missing() {
        #expect(Configuration(path: "/nonexistent", isRequired: false).mistakes.isEmpty)
        #expect(Configuration(path: "/nonexistent", isRequired: true).mistakes.count == 1)
    }

    @Test("the keys section is read for the key map")
    func keys() throws {
        let (options, mistakes) = try read(
            #"{"keys": {"next-page": ["x", "^f"], "down": ["x"], "quit": 3}}"#)
        #expect(options.browser.keys.command(for: "x", in: .gallery) == .down)
        #expect(
            mistakes == [
                "\(path):1: quit: must be a list of keys", "\(path):1: next-page: no such command",
            ])
    }

    @Test(
        "lines are bound to keys and hooks; a mistake is told with its line, and the rest applies")
    func bindings() throws {
        let text = """
            { "bind": {
                "gallery": {
                    "d": ":first",
                    "g w": ["!&touch {path}", ":mark"],
                    "v": "",
                },
                "viewer": {
                    "d": ":nonsense",
                    "x": 3,
                    "\\"": [":first"]
                },
                "everywhere": { "x": ":first" }
              },
              "on-open": "nonsense",
              "on-quit": ["!&left {title}"],
              "open": { "video/webm": ["vlc", "{path}"], "image/*": "ours", "text/*": 3 }
            }
            """
        let (options, mistakes) = try read(text)
        let map = options.browser.keys
        #expect(
            map.lines[.gallery]?.map(\.lines) == [[":first"], ["!&touch {path}", ":mark"], []])
        #expect(map.lines[.gallery]?.map(\.keys) == [["d"], ["g", "w"], ["v"]])
        #expect(map.lines[.viewer]?.map(\.keys) == [["\""]])
        #expect(options.browser.hooks == [.quit: ["!&left {title}"]])
        let programs = options.browser.programs.prefix(2)
        #expect(programs.map(\.pattern) == ["video/webm", "image/*"])
        #expect(programs.map(\.words) == [["vlc", "{path}"], ["ours"]])
        #expect(
            mistakes == [
                "\(path):8: d: no such command: nonsense",
                "\(path):9: x: must be a line or a list of lines",
                "\(path):12: everywhere: is not one of list, grid, rows, gallery, viewer, dialog, help",
                "\(path):14: on-open: nonsense: begins with neither : nor !",
                "\(path):16: text/*: must be a list of words",
            ])
    }
}
