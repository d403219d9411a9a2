public import Raster

/// What a terminal has reported, or its environment specifies; nil where neither does.
public struct TerminalTraits: Hashable, Sendable {
    /// The background colour.
    private(set) var background: RGB?
    /// A cell's height divided by its width.
    public internal(set) var cellAspect: Double?
    /// The size of a cell in pixels.
    var cellPixels: PixelSize?
    /// Whether it supports kitty's graphics protocol.
    var showsKittyGraphics = false
    /// Whether it reads pictures in kitty's protocol from shared memory, and so is on this machine.
    var readsSharedMemory = false
    /// Whether its attributes include sixels.
    var showsSixels = false
    /// The maximum number of colours of sixel pictures.
    var sixelColors: Int?
    /// Whether it copies files to the clipboard (OSC 5522), for which it has mode 5522.
    private(set) var takesFiles = false
    /// Whether it supports synchronized output (mode 2026).
    private(set) var synchronizesOutput = false
    /// Whether it shows 24-bit colours exactly, rather than replacing them by the palette's.
    var showsDirectColor: Bool?
    /// The number of colours in its palette.
    var colorCount: Int?
    /// The name and version that it reports.
    var program: TerminalProgram?
    /// Whether it is tmux.
    let isTmux: Bool
    /// Whether tmux takes sixels and all the terminals around it show them.
    var clientsShowSixels = false
    /// The names and versions of the terminals around tmux.
    var outer: Set<TerminalProgram> = []
    private var palette: [Int: RGB] = [:]

    /// Creates the traits from `environment`: rxvt, Konsole and others put their colours' indices into COLORFGBG.
    public init(environment: EnvironmentVariables = [:]) {
        isTmux = environment.isTmux
        guard let last = environment["COLORFGBG"]?.split(separator: ";").last,
            let index = Int(last), (0..<16).contains(index)
        else { return }
        background = SystemColors.xterm.colors[index]
    }

    /// The sixteen colours; nil unless all of them were reported.
    var systemColors: SystemColors? { SystemColors((0..<16).compactMap { palette[$0] }) }

    mutating func note(_ reply: TerminalReply) {
        switch reply {
        case .background(let color): background = color
        case .palette(let colors): palette.merge(colors) { $1 }
        case .cellSize(let width, let height):
            guard let aspect = Self.aspect(width: Double(width), height: Double(height)) else {
                return
            }
            cellAspect = aspect
            cellPixels = PixelSize(width: width, height: height)
        // tmux 3.8 draws all of a pane anew after a synchronized frame, over the sixels that are there.
        case .mode(2026, let isKnown): synchronizesOutput = isKnown && !isTmux
        case .mode(5522, let isKnown): takesFiles = isKnown
        // One positive reply is enough, whatever the description lacks.
        case .directColor(let isShown): showsDirectColor = isShown || showsDirectColor == true
        case .colorCount(let count):
            colorCount = count
            if count > 256 { showsDirectColor = true }
        case .program(let program) where isTmux && program.name != "tmux": outer.insert(program)
        case .program(let program): self.program = program
        case .kittyGraphics(let isUnderstood): showsKittyGraphics = isUnderstood
        case .sharedMemory(let isRead): readsSharedMemory = isRead
        case .pictureIsLost, .mode, .focus, .lightHasChanged, .hasReadOn: break
        case .sixelColors(let count): sixelColors = count
        case .attributes(let hasSixels): showsSixels = hasSixels
        case .clients(let showSixels): clientsShowSixels = showSixels
        }
    }

    mutating func forgetOuter() {
        guard isTmux else { return }
        outer = []
        showsKittyGraphics = false
    }

    /// Whether a terminal around tmux has replied.
    var hasOuter: Bool { showsKittyGraphics || !outer.isEmpty }

    /// Whether the background and all sixteen colours were reported.
    var hasColors: Bool { background != nil && palette.count == 16 }

    /// Returns `style` adapted to this terminal; unknown properties are left unchanged.
    public func suited(_ style: RenderStyle) -> RenderStyle {
        var style = style
        style.background = background ?? style.background
        style.systemColors = systemColors ?? style.systemColors
        style.cellAspect = cellAspect ?? style.cellAspect
        return style
    }

    /// Returns a cell's height divided by its width; nil if implausible for any font.
    static func aspect(width: Double, height: Double) -> Double? {
        width >= 2 && height >= 4 && (1...4).contains(height / width) ? height / width : nil
    }
}
