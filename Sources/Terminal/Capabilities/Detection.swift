import Basics
import Raster

/// Detects a terminal's colours, blocks and pixels from its replies, or else from its environment and description.
///
/// `xterm-256color` alone proves nothing: too many terminals use that name.
struct Detection {
    let environment: EnvironmentVariables
    let entry: TermInfo
    var traits: TerminalTraits

    private var isConsole: Bool { environment.term.hasPrefix("linux") }

    private var program: TerminalProgram? {
        traits.program ?? TerminalProgram(environment: environment)
    }

    /// Whether the user has disabled colours (no-color.org).
    var isUncolored: Bool { environment["NO_COLOR"]?.isEmpty == false }

    /// The colour depth and its source.
    var colors: (depth: ColorDepth, source: String) {
        if isUncolored { return (.mono, "NO_COLOR") }
        if traits.showsDirectColor == true { return (.truecolor, "DECRQSS or XTGETTCAP") }
        if let program, program.known != nil { return (.truecolor, program.evidence) }
        // Asked for a 24-bit colour, it used the nearest of its palette.
        if traits.showsDirectColor == false { return (.palette256, "DECRQSS") }
        if environment.term.hasSuffix("-direct") { return (.truecolor, "TERM") }
        if entry.hasDirectColor { return (.truecolor, "terminfo") }
        // GNU screen 4 passes the variable on but reads 38;2 as five separate attributes; tmux uses the same `TERM`.
        if ["truecolor", "24bit"].contains(environment["COLORTERM"]),
            !environment.term.hasPrefix("screen") || environment["TMUX"] != nil
        {
            return (.truecolor, "COLORTERM")
        }
        let described = entry.colors
        let told = traits.colorCount ?? 0
        let source = told > described ? "XTGETTCAP" : "terminfo"
        return switch max(described, told) {
        // Its description counts the bright colours as bold; a terminal without description is not of xterm's family.
        case 1... where isConsole: (.palette16, source)
        case 256...: (.palette256, source)
        case 16...: (.palette16, source)
        // GNU screen's and tmux's older description has eight; both take 256, and show what the terminal around them has.
        case 8... where environment.term.hasPrefix("screen"): (.palette256, "TERM")
        case 8...: (.palette8, source)
        default: (.mono, source)
        }
    }

    /// The block sets that can be placed in the current character set; `ascii` is always included.
    ///
    /// The C library must know a glyph's width, or ncurses writes a blank; not required if pictures are written without ncurses.
    var blockSets: Set<BlockSet> {
        guard CharacterSet.isUnicode else { return [.ascii] }
        if isConsole { return [.half, .ascii] }
        return Set(
            BlockSet.allCases.filter {
                // Octants were added in Unicode 16, which glibc supports since 2.41.
                $0 != .octant || Unicode.Scalar(0x1CD00)?.libraryColumns == 1 || entry.takesPictures
            })
    }

    /// The finest block set that it is known to draw well, and the source of that.
    var blocks: (set: BlockSet, source: String) {
        // The console's font has the 512 glyphs of code page 437 and little else.
        if isConsole { return (.half, "TERM") }
        return program.map { ($0.blocks, $0.evidence) } ?? (.quadrant, "default")
    }

    /// The protocols that the terminal has proved to support, best first; inside tmux kitty's, if all terminals around it
    /// support placeholders, which tmux keeps as text, else sixels, if tmux says that they all show them; in other multiplexers none.
    var graphics: [Graphics] {
        if traits.isTmux {
            // Works in 3.5 and 3.8; from 3.3 on kitty 0.48, pictures are often blank once the window has been split.
            if traits.showsKittyGraphics, hasPlaceholders,
                traits.program?.isAtLeast([3, 5]) == true
            {
                return [.kitty]
            }
            return traits.clientsShowSixels ? [.sixel] : []
        }
        guard !environment.isMultiplexed else { return [] }
        let shown: [(Graphics, Bool)] = [
            (.kitty, traits.showsKittyGraphics), (.iterm, program?.known?.showsFiles == true),
            (.sixel, traits.showsSixels),
        ]
        return shown.filter(\.1).map(\.0)
    }

    /// How many sixels to have in tmux at once: it keeps 19, before 3.7 nine, and other panes may have some.
    var tmuxSixels: Int { traits.program?.isAtLeast([3, 7]) == true ? 16 : 8 }

    /// Returns the evidence for `graphics`, or why there is none.
    func proof(of graphics: Graphics?) -> String {
        switch graphics {
        case .kitty: "answer to its query" + (traits.isTmux ? " through tmux" : "")
        case .sixel: traits.isTmux ? "tmux list-clients" : "DA1"
        case .iterm: program?.evidence ?? ""
        case nil, Graphics.none?: environment.isMultiplexed ? "multiplexer" : "no proof"
        }
    }

    /// Returns the forms in which pixels can be sent, best first: the requested one, and those the terminal has proved to understand
    /// if the size of a cell in pixels is known from it or, for `output`, from the system.
    func pixelForms(asking wanted: Graphics?, on output: Int32) -> [PixelForm] {
        let known = traits.cellPixels ?? TerminalDevice.cell(of: output)?.pixels
        let asked = nonNil(wanted).filter { $0 != .none }
        let found = known == nil ? [] : graphics.filter { !asked.contains($0) }
        // The cell size of the VT340, and roughly of today's terminals.
        let cell = known ?? PixelSize(width: 10, height: 20)
        guard cell.width <= 64, cell.height <= 128 else { return [] }
        return (asked + found).map {
            PixelForm(
                $0, cell: cell, colors: traits.sixelColors ?? 256,
                isShared: $0 == .kitty && traits.readsSharedMemory,
                playsFilms: $0 == .kitty && !traits.isTmux
                    && program?.isAtLeast(program?.known?.films) == true)
        }
    }

    /// Whether cells can hold placeholders for pictures in kitty's protocol.
    var hasPlaceholders: Bool {
        let programs = traits.isTmux ? Array(traits.outer) : nonNil(program)
        return !programs.isEmpty && programs.allSatisfy(\.hasPlaceholders)
    }
}
