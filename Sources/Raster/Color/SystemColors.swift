/// The sixteen colours that a terminal's user can choose, in ANSI order.
public struct SystemColors: Hashable, Sendable {
    /// The sixteen colours.
    public let colors: [RGB]

    /// The colour with an index below 256; from 16 on these are the colours that no theme changes.
    public subscript(index: UInt8) -> RGB {
        index < 16 ? colors[Int(index)] : RGB(XtermPalette().color(index))
    }

    /// xterm's defaults (`XTerm-col.ad`), for terminals that do not report theirs.
    public static let xterm = SystemColors(
        colors: [
            0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
            0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
        ].map { RGB($0) })
}

extension SystemColors {
    /// Creates the palette that a terminal reported; nil unless there are sixteen colours.
    public init?(_ colors: [RGB]) {
        guard colors.count == 16 else { return nil }
        self.init(colors: colors)
    }
}

extension ColorDepth {
    /// The number of colours in a palette that the user can choose.
    public var systemCount: Int { self == .palette16 ? 16 : 8 }

    /// Returns the cell colour of this depth nearest to `color`; in mono the terminal's default.
    ///
    /// Of the sixteen colours those of xterm are meant.
    public func nearest(to color: RGB) -> CellColor {
        switch self {
        case .truecolor: CellColor(color)
        case .palette256: CellColor(palette: XtermPalette().index(of: color))
        case .palette16, .palette8:
            CellColor(palette: SystemPalette(.xterm, count: systemCount).index(of: color))
        case .mono: .standard
        }
    }
}
