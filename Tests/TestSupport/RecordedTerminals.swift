public import Raster

/// A terminal as programs see it: its variables, its answers, and the expected detection results.
public struct RecordedTerminal: Sendable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The environment variables; an empty value means unset.
    public let environment: [String: String]
    /// The answers to queries; nil for a terminal that does not answer.
    public let answers: TerminalAnswers?
    /// The colour depth that it shows.
    public let depth: ColorDepth
    /// The finest block set that it is known to draw well.
    public let blocks: BlockSet

    /// The name.
    public var description: String { name }

    /// Creates a terminal; `COLORTERM` is unset, as after ssh or sudo.
    private init(
        _ name: String, _ variables: [String: String], _ others: [String: String]?,
        printsStrings: Bool = false, _ depth: ColorDepth, _ blocks: BlockSet
    ) {
        self.name = name
        environment = variables.merging(["COLORTERM": ""]) { one, _ in one }
        var answers = TerminalAnswers(background: RGB(0))
        answers.others = others ?? [:]
        answers.printsStrings = printsStrings
        self.answers = others == nil ? nil : answers
        self.depth = depth
        self.blocks = blocks
    }

    /// The answers of xterm, kitty 0.26, mlterm, tmux and screen were recorded in Debian 12; the others follow their documentation and
    /// sources.
    public static let all: [RecordedTerminal] = [
        RecordedTerminal(
            "xterm 379, as Debian starts it", ["TERM": "xterm"],
            ["[>q": "P>|XTerm(379)", "P$qm": "P1$r0;48:2::150:30:75m"], .truecolor, .quadrant),
        RecordedTerminal(
            "xterm 397 without direct colours", ["TERM": "xterm-256color"],
            [
                "[>q": "P>|XTerm(397)", "P$qm": "P1$r0;48:5:89m", "P+q524742": "P0+r",
                "P+q5463": "P0+r", "P+q636F6C6F7273": "P1+r636F6C6F7273=323536",
            ], .palette256, .quadrant),
        RecordedTerminal(
            "kitty 0.26", ["TERM": "xterm-kitty"],
            [
                "[>q": "P>|kitty(0.26.5)", "P$qm": "P1$r48:2:150:30:75m",
                "P+q524742": "P0+r524742", "P+q5463": "P0+r5463",
                "P+q636F6C6F7273": "P1+r636F6C6F7273=323536",
            ], .truecolor, .sextant),
        RecordedTerminal(
            "kitty 0.41 by ssh", ["TERM": "xterm-256color"], ["[>q": "P>|kitty(0.41.0)"],
            .truecolor, .octant),
        RecordedTerminal(
            "foot 1.13", ["TERM": "foot"],
            [
                "[>q": "P>|foot(1.13.1)", "P$qm": "P1$r0;48:2::150:30:75m",
                "P+q524742": "P1+r524742", "P+q5463": "P1+r5463",
                "P+q636F6C6F7273": "P1+r636F6C6F7273=323536",
            ], .truecolor, .sextant),
        RecordedTerminal(
            "WezTerm", ["TERM": "xterm-256color"],
            [
                "[>q": "P>|WezTerm 20240203-110809-5046fc22", "P$qm": "P0$r",
                "P+q524742": "P1+r524742=382F382F38",
            ], .truecolor, .sextant),
        RecordedTerminal(
            "Ghostty 1.2", ["TERM": "xterm-ghostty"],
            ["[>q": "P>|ghostty 1.2.0", "P$qm": "P1$r0;48:2::150:30:75m"], .truecolor, .octant),
        RecordedTerminal(
            "Zellij 0.45 in kitty", ["TERM": "xterm-kitty"], ["[>q": "P>|Zellij(4500)"],
            .truecolor, .quadrant),
        RecordedTerminal(
            "Konsole", ["TERM": "xterm-256color", "KONSOLE_VERSION": "221203"],
            ["[>q": "P>|Konsole 22.12.3"], .truecolor, .sextant),
        RecordedTerminal(
            "VTE 0.70", ["TERM": "xterm-256color", "VTE_VERSION": "7006"],
            ["[>q": "P>|VTE(7006)"], .truecolor, .quadrant),
        RecordedTerminal(
            "VTE 0.76", ["TERM": "xterm-256color"],
            ["[>q": "P>|VTE(7600)", "P$qm": "P1$r0;48:2:150:30:75m"], .truecolor, .sextant),
        RecordedTerminal(
            "mlterm 3.9", ["TERM": "mlterm"],
            [
                "P$qm": "P1$r0m", "P+q524742": "P0+r", "P+q5463": "P0+r",
                "P+q636F6C6F7273": "P1+r636F6C6F7273=323536",
            ], .truecolor, .quadrant),
        RecordedTerminal("Alacritty 0.12", ["TERM": "alacritty"], [:], .truecolor, .quadrant),
        RecordedTerminal(
            "Contour", ["TERM": "contour"],
            ["[>q": "P>|contour(0.4.3.6456)", "P$qm": "P1$r48:2:150:30:75m"], .truecolor, .sextant),
        RecordedTerminal(
            "tmux 3.3", ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
            ["[>q": "P>|tmux 3.3a"], .palette256, .quadrant),
        RecordedTerminal(
            "GNU screen 4.9", ["TERM": "screen", "STY": "1.pts-0"], [:], printsStrings: true,
            .palette256, .quadrant),
        RecordedTerminal(
            "Rio 0.5", ["TERM": "xterm-256color"], ["[>q": "P>|Rio 0.5.21"], .truecolor, .quadrant),
        RecordedTerminal(
            "Visual Studio Code", ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"],
            ["P$qm": "P1$r0m"], .truecolor, .quadrant),
        RecordedTerminal(
            "xterm.js 6 by ssh", ["TERM": "xterm-256color"],
            ["[>q": "P>|xterm.js(6.0.0)", "P$qm": "P1$r0m"], .truecolor, .quadrant),
        RecordedTerminal("Linux console", ["TERM": "linux"], nil, .palette16, .half),
        RecordedTerminal(
            "Windows Terminal 1.22", ["TERM": "xterm-256color", "WT_SESSION": "a-b"],
            ["P$qm": "P1$r0;48;2;150;30;75m"], .truecolor, .quadrant),
        RecordedTerminal(
            "iTerm2", ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"],
            ["[>q": "P>|iTerm2 3.5.0"], .truecolor, .quadrant),
        RecordedTerminal(
            "Terminal.app", ["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], [:],
            printsStrings: true, .palette256, .quadrant),
        RecordedTerminal(
            "QTerminal by ssh", ["TERM": "xterm-256color"], [:], printsStrings: true, .palette256,
            .quadrant),
        RecordedTerminal(
            "a name that is not known", ["TERM": "xterm-2099"], [:], .palette256, .quadrant),
    ]
}
