import Browser
import Network
import Raster
import TestSupport
import Testing

/// The key bindings.
@MainActor @Suite("Keys") struct KeyMapTests {
    private let map = KeyMap.standard

    @Test("no key is bound twice in a context")
    func noDoubles() {
        for context in KeyContext.allCases {
            let keys = map.bindings.filter { $0.contexts.contains(context) }.flatMap(\.keys)
            let doubles = Dictionary(grouping: keys, by: \.self).filter { $0.value.count > 1 }.keys
            #expect(doubles.isEmpty, "\(context)")
        }
    }

    @Test(
        "every command has a handler, and a key, an argument or only a name; the help lists it",
        arguments: Command.allCases
    )
    func everyCommand(command: Command) {
        let own = map.bindings.filter { $0.command == command }
        #expect(!own.isEmpty && own.allSatisfy { !$0.contexts.isEmpty })
        #expect(own.allSatisfy { $0.names.first == command.rawValue })
        let rig = Rig()
        rig.type("?")
        guard case .help(let help)? = rig.draw().overlay else {
            Issue.record("no help")
            return
        }
        let rows = help.groups.flatMap(\.rows)
        for binding in own {
            #expect(rows.contains { $0.text == binding.summary && !$0.keys.isEmpty })
            #expect(!binding.summary.isEmpty)
        }
    }

    @Test("every key has a name that parses back to it")
    func names() {
        for key in map.bindings.flatMap(\.keys) {
            #expect(Key(name: key.name) == key, "\(key.name)")
        }
        #expect(Key(name: "Ctrl-d") == .control("d"))
        #expect(Key(name: "pageup") == .pageUp)
        #expect(Key(name: "Up") == .up)
        #expect(Key(name: "nonsense") == nil)
        #expect(Key(name: "") == nil)
        #expect(Key(name: "F0") == nil)
    }

    @Test("rebinding moves a key, and q and ? cannot be unbound")
    func rebinding() {
        let (map, mistakes) = map.rebinding([
            "down": ["s", "q"], "quit": ["x"], "help": [], "jump": ["j"], "up": ["nokey", "7"],
        ])
        #expect(map.command(for: "s", in: .gallery) == .down)
        #expect(map.command(for: "j", in: .gallery) == nil)
        #expect(map.command(for: "q", in: .gallery) == .quit)
        #expect(map.command(for: "x", in: .gallery) == .quit)
        #expect(map.command(for: "?", in: .gallery) == .help)
        #expect(
            mistakes.map { "\($0.command): \($0.reason)" } == [
                "down: q stays with quit", "jump: no such command", "up: no such key: nokey",
                "up: digits are counts",
            ])
        let twice = self.map.rebinding(["trash": ["d"], "save": ["s", "d"], "retry": ["r"]])
        #expect(twice.mistakes.map(\.command) == ["save"])
        #expect(twice.mistakes.map(\.reason) == ["d is another command's, too"])
        let stolen = self.map.rebinding(["down": ["v"]]).map
        #expect(stolen.command(for: "v", in: .gallery) == .down)
    }

    @Test("the help opens, scrolls within its bounds and closes")
    func help() {
        let rig = Rig(rows: 20)
        func row() -> Int? {
            if case .help(let help)? = rig.draw().overlay { help.scrollRow } else { nil }
        }
        #expect(row() == nil)
        rig.press(.function(1))
        #expect(row() == 0)
        rig.type("3jk")
        #expect(row() == 2)
        rig.type("G")
        let last = row() ?? 0
        #expect(last > 10)
        rig.type("99j")
        #expect(row() == last)
        rig.type("gk")
        #expect(row() == 0)
        #expect(rig.press("q") == nil)
        #expect(row() == nil)
    }

    private struct NoHelp: Error {}

    @Test("the help scrolls only as far as its last line, and not at all if it fits")
    func helpScrolling() throws {
        let rig = Rig(columns: 200, rows: 300)
        func help() throws -> HelpScene {
            guard case .help(let help)? = rig.draw().overlay else { throw NoHelp() }
            return help
        }
        rig.press(.function(1))
        rig.type("G")
        #expect(try help().scrollRow == 0)
        rig.model.resize(to: CellSize(columns: 200, rows: 15), cellAspect: 2)
        rig.type("G")
        let low = try help()
        let layout = HelpLayout(low.groups, in: CellSize(columns: 200, rows: 13))
        // The panel's border takes two rows of the body; the last line is visible.
        #expect(low.scrollRow + 11 == layout.lines.count)
    }

    @Test("/ searches the help incrementally, n and N wrap around, Esc goes back")
    func helpFinding() throws {
        let rig = Rig(rows: 20)
        func help() throws -> HelpScene {
            guard case .help(let help)? = rig.draw().overlay else { throw NoHelp() }
            return help
        }
        func rows() throws -> [HelpScene.Row] { try help().groups.flatMap(\.rows) }
        func hit() throws -> String? { try rows().first { $0.find == .hit }?.text }
        rig.type("?2j")
        let sought = try rows().filter { "\($0.keys) \($0.text)".lowercased().contains("mark") }
        #expect(sought.count > 4)
        rig.type("/mark")
        #expect(rig.selected == "/mark   \(sought.count) hits")
        #expect(try hit() == sought[0].text)
        #expect(try rows().filter { $0.find != nil }.map(\.text) == sought.map(\.text))
        #expect(try help().scrollRow > 2, "it is shown")
        rig.press(.escape)
        #expect(try help().scrollRow == 2 && rows().allSatisfy { $0.find == nil })
        rig.type("/MARK")
        #expect(rig.selected == "/MARK   0 hits", "capitals are meant")
        rig.press(.control("u"))
        rig.type("mark")
        rig.press(.enter)
        rig.type("n")
        #expect(try hit() == sought[1].text)
        #expect(rig.message == "2 of \(sought.count)")
        rig.type("2N")
        #expect(try hit() == sought[sought.count - 1].text)
        #expect(rig.message == "continued from the end")
        rig.type("n/")
        #expect(try hit() == sought[0].text)
        rig.press(.enter)
        #expect(try hit() == sought[1].text, "an empty line repeats the search")
        rig.type("/q?nothing")
        rig.press(.enter)
        #expect(rig.message == "not found: q?nothing")
        rig.type("n")
        #expect(rig.message == "not found: q?nothing")
        rig.type("q")
        #expect(rig.draw().overlay == nil)

    }

    @Test("each match in the help is scrolled into view")
    func helpMatches() throws {
        let rig = Rig(columns: 200, rows: 15)
        rig.type("?/frame")
        for _ in 0..<2 {
            guard case .help(let help)? = rig.draw().overlay else { throw NoHelp() }
            let layout = HelpLayout(help.groups, in: CellSize(columns: 200, rows: 13))
            let rows = layout.lines.indices.filter {
                if case .row(let row) = layout.lines[$0] { row.find == .hit } else { false }
            }
            let row = try #require(rows.first)
            #expect((help.scrollRow..<help.scrollRow + layout.visibleRows).contains(row))
            rig.press(.enter)
            rig.type("n")
        }
    }

    @Test("Tab completes the names of the commands that work there")
    func completion() {
        let rig = Rig()
        rig.loadPages()
        func line() -> String {
            rig.type(":str")
            rig.press(.tab)
            defer { rig.press(.escape) }
            return rig.draw().bottom.label
        }
        #expect(line() == ":str")
        rig.press(.enter)
        #expect(line() == ":strip ")
    }

    @Test("the short names of vi run the commands that users expect")
    func shortNames() throws {
        let rig = Rig()
        rig.loadPages()
        rig.type(":h")
        rig.press(.enter)
        guard case .help? = rig.draw().overlay else { throw NoHelp() }
        rig.type("qm:w")
        rig.press(.enter)
        #expect(rig.saving.titles == ["0.0.0"])
        rig.type(":e here")
        rig.press(.enter)
        #expect(rig.message == "nothing else can be opened here")
        rig.type(":q!")
        #expect(rig.press(.enter) == .quit, "unasked, although a save is pending")
        rig.type(":q!x")
        rig.press(.enter)
        #expect(rig.message == "no such command: q!x")
        rig.press(.enter)
        rig.type(":learn")
        rig.press(.enter)
        #expect(rig.message == "learn: only in the gallery")
        rig.press(.escape)
        rig.type(":!")
        rig.press(.enter)
        #expect(rig.message == "nothing to run")
    }

    @Test("several warnings at the start are counted, and :messages shows them all, latest first")
    func messages() throws {
        let rig = Rig()
        rig.loadPages()
        rig.model.show(warnings: ["only one"])
        #expect(rig.message == "only one")
        rig.model.show(warnings: ["first", "second", "third"])
        #expect(rig.message == "3 warnings: :messages shows them")
        rig.type(":messages")
        rig.press(.enter)
        guard case .help(let help)? = rig.draw().overlay else { throw NoHelp() }
        #expect(help.title == "Messages")
        #expect(
            help.groups.flatMap(\.rows).map(\.text).dropFirst() == [
                "third", "second", "first", "only one",
            ])
        rig.type("/second")
        #expect(rig.selected == "/second   1 hit")
        rig.press(.escape, .escape)
        #expect(rig.draw().overlay == nil)
        rig.type("?")
        guard case .help(let keys)? = rig.draw().overlay else { throw NoHelp() }
        #expect(keys.title.hasPrefix("Keys · / searches"))
    }

    @Test("the help opened in the viewer begins with the viewer's keys, and says how to leave")
    func helpInViewer() throws {
        let rig = Rig(rows: 20)
        rig.loadPages()
        rig.press(.enter)
        rig.type("?")
        guard case .help(let help)? = rig.draw().overlay else { throw NoHelp() }
        let layout = HelpLayout(help.groups, in: CellSize(columns: 80, rows: 18))
        #expect(layout.lines[help.scrollRow] == .heading("Viewer"))
        #expect(rig.draw().bottom.hint == "Esc goes back")
        rig.type("q")
        #expect(rig.draw().bottom.hint == "? help")
    }

    @Test("the help names the conditions of filters and what {} stands for")
    func conditions() {
        let keys = KeyMap.notes.map(\.keys).joined(separator: " ")
        for condition in ["w>=", "h<", "date>", ".png", "host:", "{}"] {
            #expect(keys.contains(condition), "\(condition)")
        }
    }

    @Test("a pending count does not survive a mouse click")
    func countAndClick() {
        let rig = Rig()
        rig.loadPages()
        rig.type("3")
        let frame = rig.gallery?.tiles.first?.frame
        rig.model.handle(.click(x: frame?.x ?? 0, y: frame?.y ?? 0))
        rig.type("l")
        #expect(rig.selected == "0.0.1")
    }

    @Test("q asks before marks are lost; Q, :q! and leaving without marks do not ask")
    func losingMarks() {
        let rig = Rig()
        rig.loadPages()
        rig.type("mlm")
        #expect(rig.press("q") == nil)
        #expect(rig.dialog?.message == "2 marked: s saves them, Q prints their names.")
        rig.press(.escape)
        rig.type(":q!")
        #expect(rig.press(.enter) == .quit)
        #expect(rig.press("Q") == .quit)
        rig.type("q")
        #expect(rig.press(.enter) == .quit)
        rig.type("u")
        #expect(rig.press("q") == .quit)
    }

    @Test("a key that only works in the gallery says so in the viewer, and the other way round")
    func elsewhere() {
        let rig = Rig()
        rig.loadPages()
        rig.type("T")
        #expect(rig.message == "T does nothing in the gallery: filmstrip works in the viewer")
        rig.type("&")
        #expect(rig.message == "& does nothing: ? shows the keys")
        rig.press(.enter)
        rig.type("f")
        #expect(rig.message == "f does nothing in the viewer: filter works in the gallery")
    }

    @Test("a chooser says so, and p and l in the list look at a picture without choosing it")
    func chooser() {
        var options = BrowserOptions()
        options.isChooser = true
        let rig = Rig(columns: 70, options: options)
        rig.loadPages()
        #expect(rig.draw().bottom.hint == "Enter chooses · ? help")
        #expect(rig.press("p") == nil)
        #expect(rig.viewer != nil)
        rig.press(.escape)
        rig.type("v")
        #expect(rig.press("l") == nil)
        #expect(rig.viewer != nil)
        rig.type("n")
        #expect(rig.press(.enter) == .quit)
        #expect(rig.model.chosen == [Rig.image(0, 0, 1).text])
    }

    @Test("q goes back, then quits; ^L and ^Z always reach the view")
    func effects() {
        let rig = Rig()
        rig.loadPages()
        rig.type("i")
        #expect(rig.press("q") == nil)
        #expect(rig.info == nil)
        rig.press(.enter)
        #expect(rig.press(.control("l")) == .redraw)
        #expect(rig.press(.control("z")) == .suspend)
        #expect(rig.press("q") == nil)
        #expect(rig.press(.escape) == nil)
        #expect(rig.press("q") == .quit)
    }

    @Test("a message stays until the next key")
    func message() {
        let rig = Rig()
        rig.model.show("saved\u{1B}[31m")
        #expect(rig.draw().bottom.message == "saved[31m")
        rig.type("j")
        #expect(rig.draw().bottom.message == "")
    }

    @Test("B, C and t cycle through what the terminal supports")
    func looks() {
        var options = BrowserOptions()
        options.availableBlocks = [.half, .ascii]
        options.style.depth = .palette8
        let rig = Rig(options: options)
        rig.type("B")
        #expect(rig.model.style.blocks == .ascii)
        #expect(rig.draw().bottom.message == "blocks: ascii")
        rig.type("B")
        #expect(rig.model.style.blocks == .half)
        rig.type("CC")
        #expect(rig.model.style.depth == .palette8)
        rig.type("t")
        #expect(!rig.model.style.isTinted)
    }

    @Test("detected terminal features are adopted unless a key has chosen otherwise")
    func learning() {
        let rig = Rig()
        rig.model.adopt(RenderStyle(blocks: .sextant, depth: .palette256))
        #expect(rig.model.style.blocks == .sextant && rig.model.style.depth == .palette256)
        rig.type("C")
        #expect(rig.model.style.depth == .palette16)
        rig.model.adopt(RenderStyle(blocks: .octant, depth: .truecolor))
        #expect(rig.model.style.blocks == .octant && rig.model.style.depth == .palette16)
        rig.type("CCC")
        #expect(rig.model.style.depth == .truecolor)
    }
}
