import Basics
import Raster

/// Which colours and blocks a terminal shows: what it told, else what its environment and description say.
///
/// No answer is taken from `xterm-256color` alone: too much calls itself that.
struct Detection: Sendable {
    let environment: [String: String]
    let entry: TermInfo
    var report: TerminalReport

    init(environment: [String: String], entry: TermInfo, report: TerminalReport? = nil) {
        self.environment = environment
        self.entry = entry
        self.report = report ?? TerminalReport(environment: environment)
    }

    /// Descriptions that only terminals with 24-bit colour use.
    private static let trueColorNames: Set<String> = [
        "xterm-kitty", "alacritty", "alacritty-direct", "foot", "foot-extra", "foot-direct",
        "wezterm", "xterm-ghostty", "contour", "rio", "mlterm", "mlterm-256color",
    ]

    /// Whether the user wants no colours (no-color.org).
    var isUncolored: Bool { environment["NO_COLOR"]?.isEmpty == false }

    var depth: ColorDepth { colors.depth }

    /// Its colours, and what tells them.
    var colors: (depth: ColorDepth, source: String) {
        if isUncolored { return (.mono, "NO_COLOR") }
        if report.showsDirectColor == true { return (.truecolor, "DECRQSS or XTGETTCAP") }
        if program.map(KnownTerminal.isTrueColor) == true { return (.truecolor, programSource) }
        // Asked for one of 24 bits, it took the nearest of its palette.
        if report.showsDirectColor == false { return (.palette256, "DECRQSS") }
        return trueColorSource.map { (.truecolor, $0) } ?? palette
    }

    /// The finest blocks that it is known to draw well.
    var blocks: BlockSet {
        // The console's font has the 512 glyphs of code page 437 and little else.
        isConsole ? .half : program.map(KnownTerminal.blocks) ?? .quadrant
    }

    /// What tells the blocks.
    var blockSource: String { isConsole ? "TERM" : program == nil ? "default" : programSource }

    /// What the terminal has shown that it understands, the best first; through another program, which has to hand it on, only what
    /// every terminal around tmux has shown, in cells that tmux keeps.
    var graphics: [Graphics] {
        if report.isTmux {
            // Seen right in 3.5 and 3.8; from 3.3 on kitty 0.48 pictures are often blank once the window has been split.
            let isReliable = report.program?.isAtLeast([3, 5]) == true
            return report.showsKittyGraphics && hasPlaceholders && isReliable ? [.kitty] : []
        }
        guard !TerminalQuery.isMultiplexed(environment) else { return [] }
        let shown: [(Graphics, Bool)] = [
            (.kitty, report.showsKittyGraphics),
            (.iterm, program.map(KnownTerminal.showsFiles) == true), (.sixel, report.showsSixels),
        ]
        return shown.filter(\.1).map(\.0)
    }

    /// What proves that it shows `graphics`, or why none are shown.
    func proof(of graphics: Graphics?) -> String {
        switch graphics {
        case .kitty where report.isTmux: "answer to its query through tmux"
        case .kitty: "answer to its query"
        case .sixel: "DA1"
        case .iterm: programSource
        case nil, Graphics.none?:
            TerminalQuery.isMultiplexed(environment) ? "multiplexer" : "no proof"
        }
    }

    /// What pixels can be sent as, the best first: what was asked for, and what it has shown that it understands, where a cell's size in
    /// pixels is known.
    func pixelForms(asking wanted: Graphics?, cell known: PixelSize?) -> [PixelForm] {
        let asked = [wanted].compactMap(\.self).filter { $0 != .none }
        let found = known == nil ? [] : graphics.filter { !asked.contains($0) }
        // The VT340's cells, and about those of today.
        let cell = known ?? PixelSize(width: 10, height: 20)
        guard cell.width <= 64, cell.height <= 128 else { return [] }
        return (asked + found).map { PixelForm($0, cell: cell, colors: report.sixelColors ?? 256) }
    }

    /// Whether cells can stand for the parts of pictures of kitty's protocol.
    var hasPlaceholders: Bool {
        let programs = report.isTmux ? Array(report.outer) : [program].compactMap(\.self)
        return !programs.isEmpty && programs.allSatisfy(KnownTerminal.hasPlaceholders)
    }

    private var name: String { environment["TERM"] ?? "" }

    private var isConsole: Bool { name.hasPrefix("linux") }

    private var program: TerminalProgram? {
        report.program ?? TerminalProgram(environment: environment)
    }

    /// What told its name.
    private var programSource: String {
        let version = program.map { $0.version.map(String.init).joined(separator: ".") } ?? ""
        return (report.program == nil ? "variables: " : "XTVERSION: ")
            + "\(program?.name ?? "") \(version)"
    }

    /// What tells that it has 24-bit colours, apart from its answers; nil if nothing does.
    private var trueColorSource: String? {
        if name.hasSuffix("-direct") || Self.trueColorNames.contains(name) { return "TERM" }
        if entry.hasExtended("RGB") || entry.hasExtended("Tc") { return "terminfo" }
        // mlterm says nothing of itself when asked.
        if environment["MLTERM"] != nil, !TerminalQuery.isMultiplexed(environment) {
            return "MLTERM"
        }
        // GNU screen 4 hands the variable on but takes 38;2 apart as five attributes; tmux uses the same name.
        let isScreen = name.hasPrefix("screen") && environment["TMUX"] == nil
        let isPromised = ["truecolor", "24bit"].contains(environment["COLORTERM"])
        return !isScreen && isPromised ? "COLORTERM" : nil
    }

    private var palette: (ColorDepth, String) {
        let (described, told) = (entry[.colors] ?? 0, report.colorCount ?? 0)
        let source = told > described ? "XTGETTCAP" : "terminfo"
        switch max(described, told) {
        // Its description counts the bright ones as bold; without one it is not of xterm's family.
        case 1... where isConsole: return (.palette16, source)
        case 256...: return (.palette256, source)
        case 16...: return (.palette16, source)
        case 8...: return (.palette8, source)
        default: return (.mono, source)
        }
    }
}

/// Which block sets can be placed.
enum BlockDetection {
    /// The sets for the terminal called `name`, in the character set at this moment; `ascii` is always among them.
    ///
    /// The C library must know a glyph's width, or ncurses writes a blank for it; where pictures are written beside ncurses, it need not.
    static func blockSets(terminal name: String, entry: TermInfo) -> Set<BlockSet> {
        guard CharacterSet.isUnicode else { return [.ascii] }
        if name.hasPrefix("linux") { return [.half, .ascii] }
        // Octants came with Unicode 16, which glibc knows from 2.41.
        let isOctantKnown = Unicode.Scalar(0x1CD00)?.libraryColumns == 1
        return Set(
            BlockSet.allCases.filter { $0 != .octant || isOctantKnown || entry.takesPictures })
    }
}
