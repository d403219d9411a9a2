import Basics
import Raster

/// A terminal that is known by name to show 24-bit colours, and which blocks it draws itself, whatever its font has.
///
/// A font's own sextants and octants hardly ever meet at the edges of cells, and most fonts have none: the block sets are those
/// of each program's own drawing.
struct KnownTerminal: Sendable {
    /// As its answer to XTVERSION begins, in lower case.
    let name: String
    /// The first version that draws sextants; nil for none.
    var sextants: [Int]?
    /// The first that draws octants.
    var octants: [Int]?
    /// The first that shows pictures of kitty's protocol in placeholders.
    var placeholders: [Int]?
    /// Whether it shows files inline as iTerm2 does.
    var showsFiles = false

    private static let all: [KnownTerminal] = [
        // Sextants seen in 0.26; octants by its changelog, 0.40.
        KnownTerminal(name: "kitty", sextants: [0, 26], octants: [0, 40], placeholders: [0, 28]),
        // CHANGELOG 1.9 (rendered by foot itself rather than by a font), 1.22.
        KnownTerminal(name: "foot", sextants: [1, 9], octants: [1, 22]),
        // custom_block_glyphs, 20220319.
        KnownTerminal(name: "wezterm", sextants: [20_220_319], showsFiles: true),
        // Sprites of the first release; octants by pull request 5433, 1.2.
        KnownTerminal(name: "ghostty", sextants: [1], octants: [1, 2], placeholders: [1]),
        // Pull request 482.
        KnownTerminal(name: "contour", sextants: [0, 3]),
        // 0.76 and 0.78; the answer is major × 10000 + minor × 100 + micro.
        KnownTerminal(name: "vte", sextants: [7600], octants: [7800]),
        // LineBlockCharacters.h, isLegacyComputingSymbol.
        KnownTerminal(name: "konsole", sextants: [22, 4]),
        // Pull request 7534, 0.14.
        KnownTerminal(name: "alacritty", sextants: [0, 14]),
        // Quadrants: their fonts leave seams between sextants (microsoft/terminal 19841), or have none.
        KnownTerminal(name: "iterm2", showsFiles: true),
        KnownTerminal(name: "iterm.app", showsFiles: true),
        KnownTerminal(name: "mintty", showsFiles: true), KnownTerminal(name: "vscode"),
        KnownTerminal(name: "xterm.js"),
        KnownTerminal(name: "rio"),
        // Not xterm: it may have been told to show 256 colours, which it says when asked, and patch 412 leaves sextants to its fonts.
    ]

    /// Whether the terminal that calls itself `program` shows 24-bit colours.
    static func isTrueColor(_ program: TerminalProgram) -> Bool {
        all.contains { $0.name == program.name }
    }

    /// Whether pictures of kitty's protocol can stand in the cells of the terminal that calls itself `program`.
    static func hasPlaceholders(_ program: TerminalProgram) -> Bool {
        program.isAtLeast(all.first { $0.name == program.name }?.placeholders)
    }

    /// Whether the terminal that calls itself `program` shows files inline as iTerm2 does.
    static func showsFiles(_ program: TerminalProgram) -> Bool {
        all.first { $0.name == program.name }?.showsFiles == true
    }

    /// The finest blocks that the terminal that calls itself `program` draws itself; quadrants are in every font.
    static func blocks(of program: TerminalProgram) -> BlockSet {
        guard let known = all.first(where: { $0.name == program.name }) else {
            return .quadrant
        }
        if program.isAtLeast(known.octants) { return .octant }
        return program.isAtLeast(known.sextants) ? .sextant : .quadrant
    }
}

/// A terminal's name and version as it tells them (XTVERSION), or its environment does.
struct TerminalProgram: Hashable, Sendable {
    /// In lower case.
    let name: String
    let version: [Int]

    /// Reads `kitty(0.26.5)`, `tmux 3.3a`, `WezTerm 20240203-110809-5046fc22` and their like.
    init(_ text: some StringProtocol) {
        name = text.prefix { $0 != "(" && $0 != " " }.lowercased()
        version = text.dropFirst(name.count).drop { !$0.isNumber }
            .prefix { $0.isNumber || $0 == "." }.split(separator: ".")
            .map { Int(bounded: $0) ?? 0 }
    }

    /// What the terminal's own variables say; nil for none, and in tmux or screen, where they are another terminal's.
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
