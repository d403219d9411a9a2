import Basics
import CNcurses
import Glibc
public import Raster

extension TerminalSession {
    /// What the terminal can show and how large it is, found out before the first frame.
    public struct Capabilities: Sendable {
        /// Its colours, as `--colors auto` reads them, or as asked for.
        public var depth: ColorDepth
        /// The block sets that the C library and locale can place.
        public var blockSets: Set<BlockSet>
        /// Its size, in cells.
        public var size: CellSize
        /// What is known of it before it is asked, which the running session does.
        public var report: TerminalReport

        /// How long its answers are waited for before what has come is used, in seconds.
        let patience: Double
        let device: TerminalDevice
        let entry: TermInfo?

        /// `wanted`, or the next simpler set that can be placed.
        public func usable(_ wanted: BlockSet) -> BlockSet {
            let simpler = [BlockSet.octant, .sextant, .quadrant, .half].drop { $0 != wanted }
            return ([wanted] + simpler).first(where: blockSets.contains) ?? .ascii
        }
    }

    /// Looks at the terminal on standard output: no byte is written, so this is quick and safe.
    ///
    /// Takes the environment's character set for the process: UTF-8, or else ASCII. `colors` of nil means `auto`.
    public static func capabilities(
        environment: [String: String], colors: ColorDepth? = nil
    ) throws(TerminalError) -> Capabilities {
        let device = try TerminalDevice(environment: environment)
        CharacterSet.adopt(environment: environment)
        let entry = TermInfoDatabase(environment: environment).entry(named: device.name)
        let detected = ColorDetection(environment: environment, entry: entry)
        return Capabilities(
            depth: colors ?? detected.depth,
            blockSets: BlockDetection.blockSets(terminal: device.name), size: device.size,
            report: TerminalReport(environment: environment),
            patience: TerminalQuery.patience(environment: environment), device: device, entry: entry
        )
    }
}

/// What is known of the reader of standard output, whether it is a terminal or not.
extension TerminalSession {
    /// The depth that `--colors auto` means for output that need not be a terminal: what `environment` says of the one it will be read on.
    public nonisolated static func colorDepth(environment: [String: String]) -> ColorDepth {
        guard let name = environment["TERM"], !name.isEmpty, name != "dumb" else { return .mono }
        let entry = TermInfoDatabase(environment: environment).entry(named: name)
        return ColorDetection(environment: environment, entry: entry).depth
    }

    /// Whether more than ASCII may be written where the locale is that of `environment`.
    public nonisolated static func isUnicode(environment: [String: String]) -> Bool {
        CharacterSet.isUnicode(environment: environment)
    }

    /// The width of standard output, in cells; nil if it is no terminal or does not tell.
    public nonisolated static var outputColumns: Int? {
        TerminalDevice.windowSize(of: STDOUT_FILENO).map { Int($0.ws_col) }
    }
}

/// Which colours a terminal shows, from what the environment and its description say.
///
/// No answer is taken from `xterm-256color` alone: too much calls itself that.
struct ColorDetection {
    let environment: [String: String]
    let entry: TermInfo?

    /// Descriptions that only terminals with 24-bit colour use.
    private static let trueColorNames: Set<String> = [
        "xterm-kitty", "alacritty", "alacritty-direct", "foot", "foot-extra", "foot-direct",
        "wezterm", "xterm-ghostty", "contour", "rio",
    ]

    var depth: ColorDepth {
        if environment["NO_COLOR"]?.isEmpty == false { return .mono }
        return isTrueColor ? .truecolor : palette
    }

    private var name: String { environment["TERM"] ?? "" }

    private var isTrueColor: Bool {
        if name.hasSuffix("-direct") || Self.trueColorNames.contains(name) { return true }
        if let entry, entry.hasExtended("RGB") || entry.hasExtended("Tc") { return true }
        // GNU screen 4 hands the variable on but takes 38;2 apart as five attributes; tmux uses the same name.
        let isScreen = name.hasPrefix("screen") && environment["TMUX"] == nil
        return !isScreen && ["truecolor", "24bit"].contains(environment["COLORTERM"])
    }

    private var palette: ColorDepth {
        // Without a description, the name is all there is; with one that lists no colours, there are none.
        let guess = name.contains("256color") ? 256 : 8
        let count = entry.map { $0[.colors] ?? 0 } ?? guess
        switch count {
        case 256...: return .palette256
        case 16...: return .palette16
        // The console's description counts the bright ones as bold.
        case 8...: return name.hasPrefix("linux") ? .palette16 : .palette8
        default: return .mono
        }
    }
}

/// The process's character set, which ncurses writes in.
enum CharacterSet {
    /// Takes UTF-8 if the environment's is that, else ASCII: half blocks exist nowhere else.
    ///
    /// Nothing but the character set: numbers stay as in C.
    static func adopt(environment: [String: String]) {
        if isUnicode(environment: environment) {
            for name in ["", "C.UTF-8", "C.utf8", "en_US.UTF-8"] {
                if setlocale(LC_CTYPE, name) != nil, isUnicode { return }
            }
        }
        setlocale(LC_CTYPE, "C")
    }

    /// Whether it is UTF-8, after `adopt`.
    static var isUnicode: Bool {
        nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
    }

    /// Whether that of `environment` is UTF-8: by its name, since over SSH locales are named that this machine lacks, else by what the
    /// C library knows of it.
    static func isUnicode(environment: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
        guard let name = names.first(where: { !$0.isEmpty }) else { return false }
        if name.lowercased().filter({ $0 != "-" }).hasSuffix(".utf8") { return true }
        guard let locale = newlocale(1 << LC_CTYPE, name, nil) else { return false }
        defer { freelocale(locale) }
        return nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) } == "UTF-8"
    }
}

/// Which block sets can be placed: the C library must know a glyph's width, or ncurses writes a blank for it.
enum BlockDetection {
    /// The sets for the terminal called `name`, in the character set at this moment; `ascii` is always among them.
    static func blockSets(terminal name: String) -> Set<BlockSet> {
        guard CharacterSet.isUnicode else { return [.ascii] }
        // The console's font has the 512 glyphs of code page 437 and little else.
        let candidates: [BlockSet] = name.hasPrefix("linux") ? [.half, .ascii] : BlockSet.allCases
        return Set(candidates.filter { representative(of: $0).libraryColumns == 1 })
    }

    /// A glyph that stands for its set; octants came with Unicode 16, which glibc knows from 2.41.
    private static func representative(of blocks: BlockSet) -> Unicode.Scalar {
        switch blocks {
        case .half: "\u{2580}"
        case .quadrant: "\u{2596}"
        case .sextant: "\u{1FB00}"
        case .octant: "\u{1CD00}"
        case .braille: "\u{2801}"
        case .ascii: "#"
        }
    }
}
