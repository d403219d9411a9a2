import Basics
import Collector
import Gallery
import Network
import Pipeline
import Raster
import TestSupport
import Testing

@testable import Browser

/// Lines that the user has bound to keys.
@MainActor @Suite("Bound lines") struct BindingTests {
    private func rig(
        _ scope: BindingScope, _ bindings: [(String, [String])], hooks: [Hook: [String]] = [:],
        runner: RecordingRunner = RecordingRunner()
    ) throws -> Rig {
        var options = BrowserOptions()
        for (keys, lines) in bindings { try options.keys.bind(keys, in: scope, to: lines) }
        options.hooks = hooks
        let rig = Rig(options: options, running: runner)
        rig.loadPages()
        return rig
    }

    @Test("a key runs lines in order, with arguments and counts")
    func lines() throws {
        let rig = try rig(.gallery, [("x", [":down 2", ":right", ":mark"]), ("y", [":right"])])
        rig.type("x")
        #expect(rig.selected == "0.0.7")
        #expect(rig.position.contains("1 marked"))
        rig.type("3y")
        #expect(rig.selected == "0.0.10")
    }

    @Test("keys of other alphabets do what the Latin ones at their place do, but not in prompts")
    func otherAlphabets() throws {
        let rig = try rig(.gallery, [("ж", [":last"]), ("g x", [":mark"])])
        // д and о are l and j; ш is i.
        rig.type("дд")
        #expect(rig.selected == "0.0.2")
        rig.type("2о")
        #expect(rig.selected == "0.0.8")
        rig.type("пч")
        #expect(rig.position.contains("1 marked"))
        // One that the user has bound stays that key.
        rig.type("ж")
        #expect(rig.selected != "0.0.8")
        rig.type("/ш")
        #expect(rig.model.scene().bottom.label.contains("ш"))
        rig.press(.escape)
        var options = BrowserOptions()
        options.keys.translate("ß", as: "l")
        let other = Rig(options: options)
        other.loadPages()
        other.type("ß")
        #expect(other.selected == "0.0.1")
        // Two keys that are each other's translation must not be translated without end.
        options.keys.translate("ÄÖ", as: "ÖÄ")
        let circular = Rig(options: options)
        circular.loadPages()
        circular.type("Äl")
        #expect(circular.selected == "0.0.1")
    }

    @Test("the lines after one that cannot be run are left out")
    func failing() throws {
        let rig = try rig(.gallery, [("x", [":right", "!cmd {path}", ":right"])])
        rig.type("x")
        #expect(rig.selected == "0.0.1")
        #expect(rig.message == "this picture has no path")
    }

    @Test("a sequence is shown while it is incomplete; its own command runs after half a second")
    func sequences() throws {
        let rig = try rig(.gallery, [("g w", [":mark"]), ("g e x", [":last"])])
        rig.type("ll")
        rig.type("g")
        #expect(rig.info?.title == "g …")
        #expect(rig.info?.facts.map(\.label) == ["w", "e x", "alone"])
        #expect(rig.selected == "0.0.2")
        rig.clock.now += 0.49
        rig.draw()
        #expect(rig.selected == "0.0.2")
        rig.clock.now += 0.02
        #expect(rig.model.updateDue.map { $0 <= rig.clock.now } == true)
        rig.draw()
        #expect(rig.selected == "0.0.0" && rig.info == nil)
        rig.type("gw")
        #expect(rig.position.contains("1 marked"))
        rig.type("gex")
        #expect(rig.selected == "0.0.23")
    }

    @Test("a key that does not fit runs the prefix's own command first, Esc cancels")
    func unfinishedSequences() throws {
        let rig = try rig(.gallery, [("g w", [":mark"]), ("Z Z", [":mark"])])
        rig.type("lll")
        rig.type("gl")
        #expect(rig.selected == "0.0.1")
        rig.type("g")
        rig.press(.escape)
        rig.clock.now += 1
        rig.draw()
        #expect(rig.selected == "0.0.1" && rig.info == nil)
        rig.type("Zl")
        #expect(rig.message == "Z l does nothing")
        #expect(rig.selected == "0.0.1")
    }

    @Test(
        "a character with Alt that is not bound does nothing; another key, or with Shift, is the key itself"
    )
    func modifiers() throws {
        let rig = try rig(.gallery, [("Alt-1", [":last"]), ("Shift-Down", [":mark"])])
        rig.press(.alt("1"))
        #expect(rig.selected == "0.0.23")
        rig.press(.modified(.shift, .down))
        #expect(rig.position.contains("1 marked"))
        rig.press(.modified(.shift, .left))
        #expect(rig.selected == "0.0.22")
        rig.press(.enter)
        rig.press(.alt("0"))
        #expect(rig.viewer != nil && rig.message.hasPrefix("Alt-0 does nothing"))
        rig.press(.escape)
        let before = rig.selected
        for key in ["v", "j", "q"] { rig.press(.alt(.character(Unicode.Scalar(key) ?? "v"))) }
        #expect(rig.gallery?.pane == nil && rig.selected == before)
        let marks = rig.position
        rig.type("/x")
        rig.press(.alt("m"), .alt(":"))
        #expect(rig.draw().bottom.label.hasPrefix("/x ") && rig.position == marks)
        rig.press(.alt(.backspace))
        #expect(rig.draw().bottom.label == "/")
    }

    @Test("a layout's own bindings go before the gallery's, and apply only there")
    func layouts() throws {
        var options = BrowserOptions()
        try options.keys.bind("x", in: .gallery, to: [":last"])
        try options.keys.bind("x", in: .list, to: [":mark"])
        let rig = Rig(options: options)
        rig.loadPages()
        rig.type("vx")
        #expect(rig.position.contains("1 marked"))
        rig.type("vx")
        #expect(rig.selected == "0.0.23")
    }

    @Test("an empty value unbinds, except the last key of quit and help")
    func unbinding() throws {
        var map = KeyMap.standard
        try map.bind("v", in: .gallery, to: [])
        #expect(map.keys(for: .toggleLayout, in: .gallery) == [.tab])
        try map.bind("?", in: .gallery, to: [":first"])
        #expect(map.keys(for: .help, in: .gallery) == [.function(1)])
        #expect(throws: BindingMistake.self) { try map.bind("F1", in: .gallery, to: []) }
        #expect(throws: BindingMistake.self) { try map.bind("q", in: .viewer, to: [":first"]) }
        try map.bind("x", in: .viewer, to: [":quit"])
        try map.bind("q", in: .viewer, to: [":first"])
        #expect(throws: BindingMistake.self) { try map.bind("x", in: .viewer, to: []) }
        #expect(map.keys(for: .quit, in: .viewer) == ["x"])
    }

    @Test(
        "what cannot be bound is said in one line",
        arguments: [
            ("x", [":nonsense"], "no such command: nonsense"), ("", [":first"], "no key"),
            ("x", [":first y"], "first takes nothing"), ("1", [":first"], "digits are counts"),
            ("bogus", [":first"], "no such key: bogus"),
            ("x", ["first"], "first: begins with neither : nor !"),
            ("x bogus", [":first"], "no such key: bogus"), ("x", ["!"], "nothing to run"),
            ("Ctrl-é", [":first"], "no such key: Ctrl-é"),
        ])
    func mistakes(keys: String, lines: [String], reason: String) {
        var map = KeyMap.standard
        do throws(BindingMistake) {
            try map.bind(keys, in: .gallery, to: lines)
            Issue.record("\(keys) was bound")
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test("the help lists the user's lines first, and no key twice")
    func help() throws {
        let rig = try rig(.gallery, [("v", ["!&gio trash {url}", ":right"])])
        rig.type("?")
        guard case .help(let help)? = rig.draw().overlay else {
            Issue.record("no help")
            return
        }
        #expect(help.groups[0].title == "Yours")
        #expect(help.groups[0].rows.map(\.keys) == ["v"])
        #expect(help.groups[0].rows[0].text == "gallery: !&gio trash {url} :right")
        #expect(
            help.groups.flatMap(\.rows).first { $0.text == "list, or grid or rows as before" }?.keys
                == "Tab")
    }

    @Test("a program in the terminal holds back the lines after it; a silent one does not")
    func programs() throws {
        let runner = RecordingRunner()
        let rig = try rig(
            .gallery, [("x", ["!one {url}", ":right"]), ("y", ["!&two {title}", ":right"])],
            runner: runner)
        #expect(rig.press("x") == .run)
        #expect(rig.selected == "0.0.0")
        rig.model.runCommand(input: 0, output: 1)
        #expect(runner.calls.map(\.words) == [["one", "https://s0.example/p0/0.jpg"]])
        #expect(rig.model.isTerminalLent && rig.selected == "0.0.0")
        #expect(rig.model.perform("down", .everything) == nil)
        #expect(rig.model.perform("up", .everything) == nil)
        #expect(rig.model.perform("!other", .everything) == nil)
        #expect(rig.message == "another program is in the terminal")
        runner.finish(nil)
        rig.settle()
        #expect(!rig.model.isTerminalLent && rig.selected == "0.0.1" && runner.calls.count == 1)
        rig.type("y")
        #expect(runner.calls.last?.words == ["two", "0.0.1"])
        #expect(rig.selected == "0.0.2")
        runner.finish("two ended with 1")
        rig.settle()
        #expect(rig.message == "two ended with 1")
    }

    @Test("keys faster than typing run no other program, but move")
    func haste() throws {
        let runner = RecordingRunner()
        let rig = try rig(
            .gallery, [("x", ["!&one", ":right"]), ("y", [":right", ":save"])], runner: runner)
        rig.model.handle(.key("x"), isTyped: false)
        #expect(runner.calls.isEmpty && rig.selected == "0.0.0")
        rig.model.handle(.key("y"), isTyped: false)
        #expect(rig.selected == "0.0.1" && rig.saving.titles.isEmpty)
    }

    @Test("Enter hands a video to the program for its type, from the viewer too; others are shown")
    func players() throws {
        let runner = RecordingRunner()
        var options = BrowserOptions()
        options.programs.insert(("video/mkv", ["other", "--", "{path}"]), at: 0)
        options.programs.insert(("video/webm", []), at: 0)
        let rig = Rig(options: options, starts: false, running: runner)
        let pictures = ["a.mp4", "b.mkv", "c.webm", "d.jpg"].map { name in
            Picture(
                variants: [Picture.Variant(address: Address(path: "/p/" + name))],
                page: Address(path: "/p/"), title: name)
        }
        rig.pages.set(
            .success(Page(address: Rig.address(0, 0), title: "", pictures: pictures)),
            at: Rig.address(0, 0))
        rig.model.start()
        rig.loadPages()
        rig.press(.enter)
        #expect(runner.calls.map(\.words) == [["mpv", "/p/a.mp4"]] && rig.viewer == nil)
        runner.finish("mpv: No such file or directory")
        rig.settle()
        #expect(rig.message == "mpv: No such file or directory")
        rig.type("l")
        rig.press(.enter)
        #expect(runner.calls.last?.words == ["other", "--", "/p/b.mkv"] && runner.calls.count == 2)
        rig.type("p")
        rig.settle()
        #expect(rig.viewer != nil)
        rig.press(.enter)
        #expect(runner.calls.count == 3)
        rig.type("n")
        rig.press(.enter)
        #expect(runner.calls.count == 3 && rig.viewer == nil)
    }

    @Test("hooks run when a picture is opened, saved, and at the end")
    func hooks() throws {
        let runner = RecordingRunner()
        let rig = try rig(
            .gallery, [],
            hooks: [
                .open: ["!opened {title}", ":fit-width"], .save: ["!saved {path}"],
                .quit: ["!&left {title}"],
            ], runner: runner)
        rig.press(.enter)
        rig.settle()
        rig.type("n")
        rig.settle()
        #expect(runner.calls.map(\.words) == [["opened", "0.0.0"], ["opened", "0.0.1"]])
        rig.type("s")
        rig.saving.answer(.success("/tmp/a b.jpg"))
        rig.settle()
        #expect(runner.calls.last?.words == ["saved", "/tmp/a b.jpg"])
        rig.model.end()
        #expect(runner.calls.last?.words == ["left", "0.0.1"])
    }
}

/// Values in other programs' command lines.
@MainActor @Suite("Values in ! lines") struct ExternalCommandTests {
    private static func picture(_ path: String, _ title: String) -> Picture {
        Picture(
            variants: [Picture.Variant(address: Address(path: path))], page: Address(path: "/p/"),
            title: title)
    }

    private let values = PictureValues(
        SaveOrder(picture("/p/a b's \"x\".jpg", "--rm -rf; $(x)"), index: 7), of: 9)
    private let marked = ["/p/1 {path}.jpg", "/p/2.jpg"]
    private let texts = LocalTexts(home: "/home/me")

    private func call(
        _ line: String, _ values: PictureValues? = nil, marked: [String]? = nil,
        addsNames: Bool = false
    ) throws -> ProgramCall {
        let marked = marked ?? self.marked
        return try ExternalCommand(line).call(
            values ?? self.values, marked: marked, chosen: marked, addsNames: addsNames, texts)
    }

    private func words(_ line: String, addsNames: Bool = false) throws -> [String] {
        try call(line, addsNames: addsNames).words
    }

    @Test("each value stays one argument, and none begins with a dash")
    func arguments() throws {
        #expect(try words("!cp {path} ~/x") == ["cp", "/p/a b's \"x\".jpg", "/home/me/x"])
        #expect(try words("t {title} n={index}") == ["t", "rm -rf; $(x)", "n=7"])
        #expect(try words("x {marked} {}") == ["x"] + marked + marked)
        #expect(try words("x {page} {a,b} {") == ["x", "file:///p/", "{a,b}", "{"])
        #expect(try words("x 'a b' \"c d\" e\\ f") == ["x", "a b", "c d", "e f"])
    }

    @Test("names come last only when typed, and only if nothing else is mentioned")
    func names() throws {
        #expect(try words("x", addsNames: true) == ["x"] + marked)
        #expect(try words("x {index}", addsNames: true) == ["x", "7"])
        #expect(try words("x") == ["x"])
    }

    @Test("a value that is not there is said")
    func missing() {
        let web = PictureValues(
            SaveOrder(
                Picture(
                    variants: [Picture.Variant(address: Rig.image(0, 0, 0))],
                    page: Rig.address(0, 0), title: "")))
        for (line, reason) in [
            ("x {path}", "this picture has no path"), ("x {title}", "this picture has no title"),
            ("x {marked}", "nothing is marked"), ("x {foo}", "this picture has no foo"),
        ] {
            #expect {
                try call(line, web, marked: [])
            } throws: { ($0 as? BindingMistake)?.reason == reason }
        }
    }

    @Test("the values are in the environment, and too many names are left out")
    func variables() throws {
        let call = try call("x")
        #expect(call.variables["HALFTONE_PATH"] == "/p/a b's \"x\".jpg")
        #expect(call.variables["HALFTONE_MARKED"] == "/p/1 {path}.jpg\n/p/2.jpg")
        #expect(call.variables["HALFTONE_INDEX"] == "7")
        let many = try self.call("x", marked: (0..<20_000).map { "/p/\($0).jpg" })
        #expect(many.variables["HALFTONE_MARKED"] == nil)
        #expect(many.variables["HALFTONE_COUNT"] == "9")
    }

    @Test("templates are filled in, with nothing for what is not known")
    func templates() throws {
        #expect(
            values.filled("{index}/{count} {title} {width}x") { _ in "" } == "7/9 rm -rf; $(x) x")
        var options = BrowserOptions()
        options.statusTemplate = "{index} of {count}: {title}"
        options.labelTemplate = "{kind} {index}"
        options.titleTemplate = "{title} in {page}"
        let rig = Rig(options: options)
        rig.loadPages()
        rig.type("l")
        #expect(rig.selected == "2 of 24: 0.0.1")
        #expect(rig.titles.first == "picture 1")
        #expect(rig.draw().windowTitle == "0.0.1 in https://s0.example/p0")
    }

    @Test("& runs silently, | through a pager")
    func modes() {
        #expect(ExternalCommand("!&x").mode == .silent)
        #expect(
            ExternalCommand("!| x y").mode == .paged
                && ExternalCommand("!| x y").words == ["x", "y"])
        #expect(ExternalCommand("!x").mode == .terminal)
    }
}

/// Records the programs that it is told to run.
final class RecordingRunner: CommandRunning {
    private let state = Locked<(calls: [ProgramCall], waiting: [@Sendable (String?) -> Void])>(
        ([], []))

    var calls: [ProgramCall] { state.withLock(\.calls) }

    func run(
        _ call: ProgramCall, input: Int32, output: Int32,
        completion: @escaping @Sendable (()) -> Void
    ) {
        state.withLock { state in
            state.calls.append(call)
            state.waiting.append { _ in completion(()) }
        }
    }

    func start(
        _ call: ProgramCall, completion: @escaping @Sendable (String?) -> Void
    ) {
        state.withLock { state in
            state.calls.append(call)
            state.waiting.append(completion)
        }
    }

    /// Ends all programs with `failure`.
    func finish(_ failure: String?) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0(failure) }
    }
}
