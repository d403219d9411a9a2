import Raster
import Testing

@testable import Terminal

/// When replies are used, and how a report interprets them.
@Suite struct PendingQueriesTests {
    private func queries() -> PendingQueries {
        PendingQueries(traits: TerminalTraits(), timeout: 0.15)
    }

    @Test("replies are applied together at the fence")
    func fence() {
        var queries = queries()
        queries.begin(at: 10)
        #expect(queries.deadline == 10.15)
        queries.note(.background(RGB(0xFFFFFF)))
        let early = queries.hasSettled(at: 10.01)
        #expect(!early)
        queries.note(.attributes(hasSixels: false))
        let settled = (queries.hasSettled(at: 10.02), queries.hasSettled(at: 10.03))
        #expect(settled == (true, false))
        #expect(queries.deadline == nil && queries.lastCall == nil)
    }

    @Test("without a fence replies are applied at the deadline, and later ones at once")
    func late() {
        var queries = queries()
        queries.begin(at: 10)
        queries.note(.background(RGB(0xFFFFFF)))
        let atDeadline = (queries.hasSettled(at: 10.1), queries.hasSettled(at: 10.15))
        #expect(atDeadline == (false, true))
        #expect(queries.deadline == nil)
        #expect(queries.lastCall == 12)
        queries.note(.cellSize(width: 10, height: 20))
        let afterwards = queries.hasSettled(at: 14)
        #expect(afterwards)
        // A repeated reply is not a change.
        queries.note(.background(RGB(0xFFFFFF)))
        let again = queries.hasSettled(at: 15)
        #expect(!again)
    }

    @Test("leaving waits two seconds for a terminal that is known to reply, however late it does")
    func lastCall() {
        var known = queries()
        known.begin(at: 10)
        #expect(known.lastCall == 12)
        known.note(.cellSize(width: 10, height: 20))
        #expect(known.lastCall == 12)
        known.note(.attributes(hasSixels: false))
        #expect(known.lastCall == nil)
        var unknown = PendingQueries(traits: TerminalTraits(), timeout: 0.15, isResponsive: false)
        unknown.begin(at: 10)
        #expect(unknown.lastCall == 10.15)
        unknown.noteBeginning()
        #expect(unknown.lastCall == 12)
    }

    @Test("leaving does not wait again for a terminal that left a query without any reply")
    func mute() {
        var queries = queries()
        queries.begin(at: 10)
        queries.begin(at: 20)
        #expect(queries.lastCall == 20.15)
        queries.note(.attributes(hasSixels: false))
        queries.begin(at: 30)
        #expect(queries.lastCall == 32)
    }

    @Test("leaving waits for the terminal around tmux only if that ever replied")
    func muteOuter() {
        var queries = PendingQueries(
            traits: TerminalTraits(environment: ["TERM": "tmux-256color", "TMUX": "/tmp/a,1,0"]),
            timeout: 0.15)
        queries.begin(at: 10, asking: [.own, .outer])
        #expect(queries.lastCall == 12)
        queries.note(.attributes(hasSixels: false))
        #expect(queries.lastCall == 10.15)
        queries.begin(at: 20, asking: [.outer])
        #expect(queries.lastCall == 20.15)
        queries.note(.kittyGraphics(true))
        #expect(queries.lastCall == 22)
    }

    @Test(
        "COLORFGBG provides a hint",
        arguments: [
            ("0;15", 0xFFFFFF), ("15;0", 0x000000), ("0;default;7", 0xE5E5E5), ("12;8", 0x7F7F7F),
        ] as [(String, UInt32)])
    func hint(value: String, expected: UInt32) {
        #expect(TerminalTraits(environment: ["COLORFGBG": value]).background == RGB(expected))
    }

    @Test(
        "invalid COLORFGBG values are ignored",
        arguments: ["", ";", "0;default", "0;16", "0;-1", "x", "99999999999999999999"])
    func badHint(value: String) {
        #expect(TerminalTraits(environment: ["COLORFGBG": value]).background == nil)
    }

    @Test("frames are not synchronized in tmux, which would draw over the sixels that are there")
    func synchronizing() {
        for (term, isUsed) in [("foot", true), ("tmux-256color", false)] {
            let inside = isUsed ? [:] : ["TMUX": "/tmp/a,1,0"]
            var traits = TerminalTraits(environment: inside.merging(["TERM": term]) { $1 })
            traits.note(.mode(2026, isKnown: true))
            #expect(traits.synchronizesOutput == isUsed)
        }
    }

    @Test("the palette applies once all sixteen colours are known; implausible cell sizes do not")
    func traits() {
        var traits = TerminalTraits()
        for index in 0..<15 {
            traits.note(.palette([index: RGB(UInt32(index))]))
        }
        traits.note(.cellSize(width: 0, height: 0))
        traits.note(.cellSize(width: 18, height: 9))
        traits.note(.cellSize(width: 1, height: 9999))
        let style = traits.suited(RenderStyle(background: RGB(0x123456)))
        #expect(style == RenderStyle(background: RGB(0x123456)))
        traits.note(.palette([15: RGB(15)]))
        traits.note(.cellSize(width: 9, height: 18))
        traits.note(.background(RGB(0xFDF6E3)))
        let suited = traits.suited(style)
        #expect(suited.systemColors.colors == (0..<16).map { RGB(UInt32($0)) })
        #expect(suited.cellAspect == 2 && suited.background == RGB(0xFDF6E3))
    }

    @Test("replies may take longer over a network; terminals that print queries are not queried")
    func asking() {
        #expect(TerminalQuery.timeout(environment: [:]) == 0.15)
        #expect(TerminalQuery.timeout(environment: ["SSH_CONNECTION": "a b c d"]) == 0.6)
        #expect(
            ["linux", "linux-16color", "eterm-color", "vt52"].allSatisfy {
                !TerminalQuery.isFit(for: $0)
            })
        #expect(
            ["xterm-256color", "screen", "tmux-256color", "foot"].allSatisfy {
                TerminalQuery.isFit(for: $0)
            })
        // The fence comes last.
        #expect(TerminalQuery.forScreen(environment: [:]).suffix(3) == [0x1B, 0x5B, 0x63])
        #expect(TerminalQuery.forOutput(environment: [:]).suffix(3) == [0x1B, 0x5B, 0x63])
    }

    @Test(
        "terminals that would print a query are not sent it",
        arguments: [
            ["TERM": "screen"], ["TERM": "xterm", "STY": "1.a"], ["TERM": "screen.xterm-256color"],
            ["TERM": "tmux-256color", "TMUX": "/tmp/a,1,0", "STY": "1.a"],
            ["TERM_PROGRAM": "Apple_Terminal"],
        ])
    func strings(environment: [String: String]) {
        let start: [UInt8] = [0x1B, UInt8(ascii: "P")]
        for questions in [TerminalQuery.forScreen, TerminalQuery.forOutput] {
            #expect(questions(environment).firstRange(of: start) == nil)
            #expect(questions(["TERM": "xterm"]).firstRange(of: start) != nil)
        }
        let picture: [UInt8] = [0x1B, UInt8(ascii: "_")]
        #expect(TerminalQuery.forScreen(environment: environment).firstRange(of: picture) == nil)
        let whole = TerminalQuery.forScreen(environment: ["TERM": "xterm"])
        #expect(whole.firstRange(of: picture) != nil)
    }

    @Test("Konsole's variable encodes its version")
    func konsole() {
        for (number, version) in [("220401", [22, 4]), ("231203", [23, 12])] {
            let program = TerminalProgram(environment: ["KONSOLE_VERSION": number])
            #expect(program?.name == "konsole" && program?.version == version)
        }
    }

    @Test("the terminal around tmux is queried again by later keys, three times if it is silent")
    func recheck() {
        var call = TerminalRecheck()
        let due = [0, 1, 2.5, 4.6, 9, 20].map { call.isDue(afterKeyAt: $0) }
        #expect(due == [true, false, false, true, true, false])
        call.doubtTerminal()
        let doubtful = [20.1, 20.2, 30].map { call.isDue(afterKeyAt: $0) }
        #expect(doubtful == [true, false, false] && call.isDoubtful)
        // An answer that it shows none: another may be asked then.
        call.noteReply()
        #expect(call.isDue(afterKeyAt: 40) && call.isDoubtful)
        call.trustTerminal()
        #expect(!call.isDoubtful)
    }

    @Test(
        "tmux has sixels if all terminals around it show them, and fewer before 3.7",
        arguments: [
            ("256,RGB,sixel,title\n", "tmux 3.7", [Graphics.sixel], 16),
            ("sixel\nRGB,sixel\n", "tmux 3.4", [.sixel], 8), ("sixel\nRGB\n", "tmux 3.7", [], 16),
            ("sixels", "tmux 3.7", [], 16), ("", "tmux 3.7", [], 16),
        ])
    func tmuxSixels(features: String, name: String, graphics: [Graphics], most: Int) {
        let environment = ["TERM": "tmux-256color", "TMUX": "/tmp/a,1,0"]
        var traits = TerminalTraits(environment: environment)
        traits.note(.program(TerminalProgram(name)))
        traits.note(TerminalReply(clients: features))
        let detection = Detection(environment: environment, entry: .xterm, traits: traits)
        #expect(detection.graphics == graphics && detection.tmuxSixels == most)
    }

    @Test("tmux passes queries to its outer terminal in a passthrough string")
    func tmux() {
        let environment = ["TERM": "tmux-256color", "TMUX": "/tmp/a,1,0"]
        let questions = String(
            decoding: TerminalQuery.forScreen(environment: environment), as: UTF8.self)
        let inner = "\u{1B}\u{1B}[>q\u{1B}\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\u{1B}\\"
        #expect(
            questions.hasSuffix("\u{1B}Ptmux;\(inner)\u{1B}\u{1B}[c\u{1B}\\\u{1B}[c"))
        #expect(!questions.contains("P+q") && !questions.contains("P$q"))
        // The variable alone is inherited by every terminal started from tmux.
        let inherited = TerminalQuery.forScreen(
            environment: ["TERM": "xterm", "TMUX": "/tmp/a,1,0"])
        #expect(!String(decoding: inherited, as: UTF8.self).contains("tmux;"))
    }

    @Test(
        "every terminal around tmux must support placeholders, and the last query counts",
        arguments: [
            (["kitty(0.48.2)"], true), (["kitty(0.48.2)", "ghostty 1.1"], true), ([], false),
            (["kitty(0.26.5)"], false), (["kitty(0.48.2)", "XTerm(390)"], false),
            (["WezTerm 20240203"], false), (["tmux 3.4", "kitty(0.48.2)"], false),
        ] as [([String], Bool)])
    func outer(names: [String], isShown: Bool) throws {
        let environment = [
            "TERM": "tmux-256color", "TMUX": "/tmp/a,1,0", "COLORTERM": "truecolor",
        ]
        let fence = TerminalReply.attributes(hasSixels: true)
        var queries = PendingQueries(traits: TerminalTraits(environment: environment), timeout: 0.2)
        queries.begin(at: 0, asking: [.own, .outer])
        queries.note(.program(TerminalProgram("tmux 3.5")))
        queries.note(fence)
        #expect(queries.deadline == nil && queries.lastCall == 0.2)
        for name in names { queries.note(.program(TerminalProgram(name))) }
        queries.note(.kittyGraphics(true))
        queries.note(fence)
        #expect(queries.lastCall == nil)
        func graphics() -> [Graphics] {
            Detection(environment: environment, entry: .xterm, traits: queries.traits).graphics
        }
        #expect(graphics() == (isShown ? [.kitty] : []))
        #expect(queries.traits.program?.name == "tmux")
        _ = queries.hasSettled(at: 1)
        queries.begin(at: 5, asking: [.outer])
        var settled = [queries.hasSettled(at: 5.1)]
        // Unchanged replies are not a change.
        for name in names { queries.note(.program(TerminalProgram(name))) }
        queries.note(.kittyGraphics(true))
        settled.append(queries.hasSettled(at: 5.3))
        queries.begin(at: 7, asking: [.outer])
        settled.append(queries.hasSettled(at: 7.2))
        #expect(settled == [false, false, true] && graphics() == [])
    }

    @Test(
        "a terminal's name and version determine its known block set",
        arguments: [
            ("kitty(0.26.5)", "kitty", [0, 26, 5], .sextant),
            ("kitty(0.40.0)", "kitty", [0, 40, 0], .octant),
            ("tmux 3.3a", "tmux", [3, 3], .quadrant), ("XTerm(412)", "xterm", [412], .quadrant),
            ("WezTerm 20240203-110809-5046fc22", "wezterm", [20_240_203], .sextant),
            ("foot(1.22.0)", "foot", [1, 22, 0], .octant), ("VTE(7802)", "vte", [7802], .octant),
            ("xterm.js(6.1.0)", "xterm.js", [6, 1, 0], .quadrant),
            ("kitty", "kitty", [], .quadrant),
            ("", "", [], .quadrant), ("kitty(99999999999999999999)", "kitty", [0], .quadrant),
            ("((((1.2", "", [1, 2], .quadrant),
        ] as [(String, String, [Int], BlockSet)])
    func programs(text: String, name: String, version: [Int], blocks: BlockSet) {
        let program = TerminalProgram(text)
        #expect(program.name == name && program.version == version)
        #expect(program.blocks == blocks)
    }
}
