import Basics
import Raster

/// A terminal known by name: it shows 24-bit colours, replies to queries, and draws these blocks itself regardless of its font.
///
/// Fonts' own sextants and octants hardly ever meet at cell edges, and most fonts have none, so the block sets are those that
/// each program draws itself. Not in the table is xterm: it may be set to 256 colours, which it reports when asked, and patch 412
/// leaves sextants to its fonts.
struct KnownTerminal {
    /// The values of `TERM` that it alone sets.
    var terms: [String] = []
    /// The first version that draws sextants; nil if none does.
    var sextants: [Int]?
    /// The first version that draws octants; nil if none does.
    var octants: [Int]?
    /// The first version that shows pictures of kitty's protocol in placeholders; nil if none does.
    var placeholders: [Int]?
    /// The first version that plays animations of kitty's protocol by itself; nil if none does.
    var films: [Int]?
    /// Whether it shows inline files like iTerm2.
    var showsFiles = false

    /// The terminals by the start of their XTVERSION replies, in lower case.
    static let all: [String: KnownTerminal] = [
        // Sextants confirmed in 0.26; octants according to its changelog, 0.40.
        "kitty": KnownTerminal(
            terms: ["xterm-kitty"], sextants: [0, 26], octants: [0, 40],
            placeholders: [0, 28], films: [0, 20]),
        // CHANGELOG 1.9 (rendered by foot itself rather than by a font), 1.22.
        "foot": KnownTerminal(
            terms: ["foot", "foot-extra", "foot-direct"], sextants: [1, 9],
            octants: [1, 22]),
        // custom_block_glyphs, 20220319.
        "wezterm": KnownTerminal(terms: ["wezterm"], sextants: [20_220_319], showsFiles: true),
        // Sprites since the first release; octants by pull request 5433, 1.2; animations in August 2026.
        "ghostty": KnownTerminal(
            terms: ["xterm-ghostty"], sextants: [1], octants: [1, 2],
            placeholders: [1], films: [1, 3, 2]),
        // Pull request 482.
        "contour": KnownTerminal(terms: ["contour"], sextants: [0, 3]),
        // 0.76 and 0.78; the reply is major × 10000 + minor × 100 + micro.
        "vte": KnownTerminal(sextants: [7600], octants: [7800]),
        // LineBlockCharacters.h, isLegacyComputingSymbol.
        "konsole": KnownTerminal(sextants: [22, 4]),
        // Pull request 7534, 0.14.
        "alacritty": KnownTerminal(terms: ["alacritty", "alacritty-direct"], sextants: [0, 14]),
        // Quadrants only: their fonts leave seams between sextants (microsoft/terminal 19841), or have none.
        "iterm2": KnownTerminal(showsFiles: true),
        "iterm.app": KnownTerminal(showsFiles: true),
        "mintty": KnownTerminal(showsFiles: true), "vscode": KnownTerminal(),
        "xterm.js": KnownTerminal(),
        "rio": KnownTerminal(terms: ["rio", "xterm-rio"], placeholders: [0, 3, 9]),
        // Draws pictures of kitty's protocol in the terminal around it by that protocol, too, but without placeholders.
        "zellij": KnownTerminal(),
        // These do not report their names.
        "mlterm": KnownTerminal(terms: ["mlterm", "mlterm-256color"]),
        "st": KnownTerminal(terms: [
            "st", "st-256color", "st-meta", "st-meta-256color", "st-direct",
        ]),
    ]
}

/// A terminal's name and version, from its XTVERSION reply or its environment.
struct TerminalProgram: Hashable {
    /// The name in lower case.
    let name: String
    let version: [Int]
    /// Where they come from: a query, `TERM`, or other variables.
    private var source = "XTVERSION"

    /// Parses `kitty(0.26.5)`, `tmux 3.3a`, `WezTerm 20240203-110809-5046fc22` and the like.
    init(_ text: some StringProtocol) {
        name = text.prefix { $0 != "(" && $0 != " " }.lowercased()
        version = text.dropFirst(name.count).drop { !$0.isNumber }
            .prefix { $0.isNumber || $0 == "." }.split(separator: ".")
            .map { Int(bounded: $0) ?? 0 }
    }

    /// Creates it from `TERM` and the terminal's own variables; nil if neither names it.
    ///
    /// The variables may be another terminal's: that around tmux or screen, or the one from which this one was started.
    init?(environment: EnvironmentVariables) {
        let named = KnownTerminal.all.first { $0.value.terms.contains(environment.term) }
            .map { Self($0.key) }
        let told =
            environment.isMultiplexed ? nil : Self.told(by: environment).map(Self.init)
        guard let program = told?.name == named?.name || named == nil ? told : named else {
            return nil
        }
        self = program
        source = program == told ? "variables" : "TERM"
    }

    private static func told(by environment: EnvironmentVariables) -> String? {
        if let version = environment["VTE_VERSION"] { return "VTE(\(version))" }
        if let digits = environment["KONSOLE_VERSION"], let version = Int(bounded: digits) {
            return "Konsole \(version / 10_000).\(version / 100 % 100)"
        }
        if let version = environment["MLTERM"] { return "mlterm \(version)" }
        return environment["TERM_PROGRAM"].map {
            "\($0) \(environment["TERM_PROGRAM_VERSION"] ?? "")"
        }
    }

    /// What the table says about it; nil if it is not in there.
    var known: KnownTerminal? { KnownTerminal.all[name] }

    /// Whether it shows pictures of kitty's protocol in placeholders.
    var hasPlaceholders: Bool { isAtLeast(known?.placeholders) }

    /// The finest blocks that it draws itself; every font has quadrants.
    var blocks: BlockSet {
        isAtLeast(known?.octants) ? .octant : isAtLeast(known?.sextants) ? .sextant : .quadrant
    }

    func isAtLeast(_ least: [Int]?) -> Bool {
        least.map { !version.lexicographicallyPrecedes($0) } ?? false
    }

    /// Where its name comes from, name and version.
    var evidence: String {
        "\(source): \(name) \(version.map(String.init).joined(separator: "."))"
    }
}
