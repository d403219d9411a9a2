import Basics
import Raster

/// A terminal known by name to show 24-bit colours, with the blocks that it draws itself regardless of its font.
///
/// Fonts' own sextants and octants hardly ever meet at cell edges, and most fonts have none, so the block sets are those that
/// each program draws itself.
struct KnownTerminal: Sendable {
    /// The start of its XTVERSION reply, in lower case.
    let name: String
    /// The first version that draws sextants; nil if none does.
    var sextants: [Int]?
    /// The first version that draws octants; nil if none does.
    var octants: [Int]?
    /// The first version that shows pictures of kitty's protocol in placeholders; nil if none does.
    var placeholders: [Int]?
    /// Whether it shows inline files like iTerm2.
    var showsFiles = false

    private static let all: [KnownTerminal] = [
        // Sextants confirmed in 0.26; octants according to its changelog, 0.40.
        KnownTerminal(name: "kitty", sextants: [0, 26], octants: [0, 40], placeholders: [0, 28]),
        // CHANGELOG 1.9 (rendered by foot itself rather than by a font), 1.22.
        KnownTerminal(name: "foot", sextants: [1, 9], octants: [1, 22]),
        // custom_block_glyphs, 20220319.
        KnownTerminal(name: "wezterm", sextants: [20_220_319], showsFiles: true),
        // Sprites since the first release; octants by pull request 5433, 1.2.
        KnownTerminal(name: "ghostty", sextants: [1], octants: [1, 2], placeholders: [1]),
        // Pull request 482.
        KnownTerminal(name: "contour", sextants: [0, 3]),
        // 0.76 and 0.78; the reply is major × 10000 + minor × 100 + micro.
        KnownTerminal(name: "vte", sextants: [7600], octants: [7800]),
        // LineBlockCharacters.h, isLegacyComputingSymbol.
        KnownTerminal(name: "konsole", sextants: [22, 4]),
        // Pull request 7534, 0.14.
        KnownTerminal(name: "alacritty", sextants: [0, 14]),
        // Quadrants only: their fonts leave seams between sextants (microsoft/terminal 19841), or have none.
        KnownTerminal(name: "iterm2", showsFiles: true),
        KnownTerminal(name: "iterm.app", showsFiles: true),
        KnownTerminal(name: "mintty", showsFiles: true), KnownTerminal(name: "vscode"),
        KnownTerminal(name: "xterm.js"),
        KnownTerminal(name: "rio"),
        // Not xterm: it may be set to 256 colours, which it reports when asked, and patch 412 leaves sextants to its fonts.
    ]

    /// Returns whether `environment` names a known terminal; all of them reply to queries.
    static func isNamed(by environment: [String: String]) -> Bool {
        Detection.trueColorNames.contains(environment["TERM"] ?? "")
            || TerminalProgram(environment: environment).map(isTrueColor) == true
    }

    /// Returns whether the terminal that identifies as `program` shows 24-bit colours.
    static func isTrueColor(_ program: TerminalProgram) -> Bool {
        all.contains { $0.name == program.name }
    }

    /// Returns whether the terminal that identifies as `program` shows pictures of kitty's protocol in placeholders.
    static func hasPlaceholders(_ program: TerminalProgram) -> Bool {
        program.isAtLeast(all.first { $0.name == program.name }?.placeholders)
    }

    /// Returns whether the terminal that identifies as `program` shows inline files like iTerm2.
    static func showsFiles(_ program: TerminalProgram) -> Bool {
        all.first { $0.name == program.name }?.showsFiles == true
    }

    /// Returns the finest blocks that the terminal that identifies as `program` draws itself; every font has quadrants.
    static func blocks(of program: TerminalProgram) -> BlockSet {
        guard let known = all.first(where: { $0.name == program.name }) else {
            return .quadrant
        }
        if program.isAtLeast(known.octants) { return .octant }
        return program.isAtLeast(known.sextants) ? .sextant : .quadrant
    }
}

/// A terminal's name and version, from its XTVERSION reply or its environment.
struct TerminalProgram: Hashable, Sendable {
    /// The name in lower case.
    let name: String
    let version: [Int]

    /// Parses `kitty(0.26.5)`, `tmux 3.3a`, `WezTerm 20240203-110809-5046fc22` and the like.
    init(_ text: some StringProtocol) {
        name = text.prefix { $0 != "(" && $0 != " " }.lowercased()
        version = text.dropFirst(name.count).drop { !$0.isNumber }
            .prefix { $0.isNumber || $0 == "." }.split(separator: ".")
            .map { Int(bounded: $0) ?? 0 }
    }

    /// Creates it from the terminal's own variables; nil without any, and in tmux or screen, where they are the outer terminal's.
    init?(environment: [String: String]) {
        guard !TerminalQuery.isMultiplexed(environment) else { return nil }
        if let version = environment["VTE_VERSION"] {
            self.init("VTE(\(version))")
        } else if let digits = environment["KONSOLE_VERSION"], let version = Int(bounded: digits) {
            self.init("Konsole \(version / 10_000).\(version / 100 % 100)")
        } else if let name = environment["TERM_PROGRAM"] {
            self.init("\(name) \(environment["TERM_PROGRAM_VERSION"] ?? "")")
        } else {
            return nil
        }
    }

    func isAtLeast(_ least: [Int]?) -> Bool {
        least.map { !version.lexicographicallyPrecedes($0) } ?? false
    }
}
