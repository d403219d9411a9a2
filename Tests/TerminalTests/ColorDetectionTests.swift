import CUnibilium
import Raster
import Testing

@testable import Terminal

/// The colour depth chosen by `auto`.
@Suite struct ColorDetectionTests {
    private func depth(_ environment: [String: String]) -> ColorDepth {
        let entry = TermInfo(environment: ["TERM": environment["TERM"] ?? ""])
        return Detection(environment: environment, entry: entry ?? .xterm).colors.depth
    }

    @Test(
        "the environment and the terminal's description determine the colour depth",
        arguments: [
            (["TERM": "xterm-256color"], ColorDepth.palette256),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .truecolor),
            (["TERM": "xterm-256color", "COLORTERM": "24bit"], .truecolor),
            (["TERM": "xterm-256color", "COLORTERM": "yes"], .palette256),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .mono),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .palette256),
            (["TERM": "screen-256color", "COLORTERM": "truecolor"], .palette256),
            (["TERM": "screen-256color", "COLORTERM": "truecolor", "TMUX": "/tmp/x"], .truecolor),
            (["TERM": "xterm-kitty"], .truecolor), (["TERM": "vte-direct"], .truecolor),
            (["TERM": "xterm"], .palette8), (["TERM": "linux"], .palette16),
            (["TERM": "vt100"], .mono), (["TERM": "mlterm"], .truecolor),
            (["TERM": "xterm", "MLTERM": "3.9.0"], .truecolor), (["TERM": "rio"], .truecolor),
            (["TERM": "screen", "MLTERM": "3.9.0"], .palette256),
            (["TERM": "xterm-2099"], .palette256), (["TERM": "st-256color"], .truecolor),
            (["TERM": "screen.st-256color"], .palette256),
        ])
    func depths(environment: [String: String], expected: ColorDepth) {
        #expect(depth(environment) == expected)
    }

    @Test("a console without a description has its sixteen colours, not xterm's")
    func undescribedConsole() {
        let detection = Detection(environment: ["TERM": "linux"], entry: .xterm)
        #expect(detection.colors.depth == .palette16)
    }

    @Test(
        "the deciding source is reported",
        arguments: [
            (["TERM": "xterm-256color"], "terminfo"), (["TERM": "xterm-kitty"], "TERM: kitty "),
            (["TERM": "vte-direct"], "TERM"),
            (["TERM": "xterm", "COLORTERM": "truecolor"], "COLORTERM"),
            (["TERM": "xterm", "MLTERM": "3.9.0"], "variables: mlterm 3.9.0"),
            (["TERM": "foot", "VTE_VERSION": "7006"], "TERM: foot "),
            (
                [
                    "TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty",
                    "TERM_PROGRAM_VERSION": "1.2",
                ], "variables: ghostty 1.2"
            ),
            (["TERM": "xterm", "VTE_VERSION": "7006"], "variables: vte 7006"),
            (["TERM": "xterm", "NO_COLOR": "1"], "NO_COLOR"),
        ])
    func sources(environment: [String: String], source: String) {
        #expect(Detection(environment: environment, entry: .xterm).colors.source == source)
    }

    @Test("the evidence for graphics is reported, or the reason for its absence")
    func proofs() {
        var traits = TerminalTraits()
        traits.note(.program(TerminalProgram("WezTerm 20240203")))
        let detection = Detection(environment: ["TERM": "xterm"], entry: .xterm, traits: traits)
        #expect(detection.blocks.source == "XTVERSION: wezterm 20240203")
        #expect(detection.proof(of: .iterm) == "XTVERSION: wezterm 20240203")
        #expect(detection.proof(of: .sixel) == "DA1" && detection.proof(of: nil) == "no proof")
        let inside = Detection(environment: ["TERM": "screen"], entry: .xterm)
        #expect(inside.proof(of: nil) == "multiplexer" && inside.blocks.source == "default")
        let console = Detection(environment: ["TERM": "linux"], entry: .xterm)
        #expect(console.blocks.source == "TERM")
    }

    @Test("a terminal that quantised a test colour has no 24-bit colours, whatever it claims")
    func refused() {
        var traits = TerminalTraits()
        traits.note(.directColor(false))
        let detection = Detection(
            environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"], entry: .xterm,
            traits: traits)
        #expect(detection.colors == (.palette256, "DECRQSS"))
    }

    @Test(
        "inline files are used for terminals known to support them",
        arguments: [
            ("WezTerm 20240203", true), ("iTerm2 3.5.0", true), ("iTerm.app 3", true),
            ("mintty 3.7", true), ("kitty(0.40.0)", false), ("XTerm(379)", false),
        ])
    func files(program: String, areShown: Bool) {
        var traits = TerminalTraits()
        traits.note(.program(TerminalProgram(program)))
        let detection = Detection(environment: ["TERM": "xterm"], entry: .xterm, traits: traits)
        #expect(detection.graphics == (areShown ? [.iterm] : []))
    }

    @Test("extended capabilities indicate 24-bit colour", arguments: ["RGB", "Tc"])
    func extended(name: String) throws {
        let plain = try #require(TermInfo(environment: ["TERM": "xterm-256color"]))
        #expect(!plain.hasDirectColor)
        for kind in ["flag", "number", "text"] {
            let entry = try #require(plain.open())
            name.withCString { name in
                switch kind {
                case "flag": _ = unibi_add_ext_bool(entry, name, 1)
                case "number": _ = unibi_add_ext_num(entry, name, 8)
                default: _ = unibi_add_ext_str(entry, name, name)
                }
                let depth = Detection(
                    environment: ["TERM": "xterm-256color"], entry: TermInfo(entry)
                )
                .colors.depth
                #expect(depth == .truecolor, "\(kind)")
            }
        }
    }
}

extension Detection {
    /// Detects a terminal that has reported nothing.
    fileprivate init(environment: [String: String], entry: TermInfo) {
        self.init(
            environment: environment, entry: entry,
            traits: TerminalTraits(environment: environment))
    }
}
