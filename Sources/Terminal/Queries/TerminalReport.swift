public import Raster

/// What a terminal has told about itself so far, or its environment has; nil where neither did.
public struct TerminalReport: Hashable, Sendable {
    /// The colour behind text.
    public private(set) var background: RGB?
    /// A cell's height divided by its width.
    public private(set) var cellAspect: Double?
    /// Whether it shows what is written between two marks at once (mode 2026).
    public private(set) var synchronizesOutput = false
    private var palette: [Int: RGB] = [:]

    /// Takes what `environment` says: rxvt, Konsole and others put the numbers of their colours into COLORFGBG.
    public init(environment: [String: String] = [:]) {
        guard let last = environment["COLORFGBG"]?.split(separator: ";").last,
            let index = Int(last), (0..<16).contains(index)
        else { return }
        background = SystemColors.xterm.colors[index]
    }

    /// The sixteen colours; nil unless it told all of them.
    public var systemColors: SystemColors? {
        SystemColors((0..<16).compactMap { palette[$0] })
    }

    /// Adds an answer; of two to the same question the later one counts.
    mutating func note(_ reply: TerminalReply) {
        switch reply {
        case .background(let color): background = color
        case .palette(let colors): palette.merge(colors) { $1 }
        case .cellSize(let width, let height):
            cellAspect =
                Self.aspect(width: Double(width), height: Double(height)) ?? cellAspect
        case .synchronizedOutput(let isKnown): synchronizesOutput = isKnown
        case .attributes: break
        }
    }

    /// Whether it told its background and all sixteen colours.
    var hasColors: Bool { background != nil && palette.count == 16 }

    /// Fills in how tall cells are if the terminal did not tell.
    mutating func assume(cellAspect known: Double?) {
        cellAspect = cellAspect ?? known
    }

    /// `style` as it suits this terminal; what is not known stays as it is.
    public func suited(_ style: RenderStyle) -> RenderStyle {
        var style = style
        style.background = background ?? style.background
        style.systemColors = systemColors ?? style.systemColors
        style.cellAspect = cellAspect ?? style.cellAspect
        return style
    }

    /// Height divided by width of a cell of so many pixels; nil for what no font has.
    static func aspect(width: Double, height: Double) -> Double? {
        width >= 2 && height >= 4 && (1...4).contains(height / width) ? height / width : nil
    }
}
