/// The sixteen colours that a terminal's user can choose, in ANSI order.
public struct SystemColors: Hashable, Sendable {
    /// The sixteen colours.
    public let colors: [RGB]

    /// Creates the palette that a terminal reported; nil unless there are sixteen colours.
    public init?(_ colors: [RGB]) {
        guard colors.count == 16 else { return nil }
        self.colors = colors
    }

    private init(packed: [UInt32]) { colors = packed.map { RGB($0) } }

    /// The colour with an index below 256; from 16 on these are the colours that no theme changes.
    public subscript(index: UInt8) -> RGB {
        index < 16 ? colors[Int(index)] : RGB(XtermPalette().color(index))
    }

    /// xterm's defaults (`XTerm-col.ad`), for terminals that do not report theirs.
    public static let xterm = SystemColors(packed: [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ])
}

extension ColorDepth {
    /// Returns the cell colour of this depth nearest to `color`; in mono the terminal's default.
    ///
    /// With 256 colours the nearest by plain distance; with fewer, the nearest of xterm's by lightness and tint, so that a single,
    /// undithered colour stays grey if it is grey.
    public func nearest(to color: RGB) -> CellColor {
        switch self {
        case .truecolor: CellColor(color)
        case .palette256: CellColor(palette: XtermPalette().index(nearest: SIMD4(color)))
        case .palette16: CellColor(palette: color.nearest(of: 16))
        case .palette8: CellColor(palette: color.nearest(of: 8))
        case .mono: .standard
        }
    }
}

extension RGB {
    /// The colour as lightness and two differences from it, of red and blue, which represent its tint; in encoded sRGB.
    ///
    /// For palettes so coarse that nothing is near: by plain distance a mid grey is as near to red as to black, and a dithered road turns into
    /// confetti; this way greys are mixed from greys as long as there are any. Chosen by eye over plain weighted distance and Oklab.
    private var opponents: SIMD3<Int> {
        let lightness = Int(luma)
        return SIMD3(lightness, Int(red) - lightness, Int(blue) - lightness)
    }

    /// Returns the index of the nearest of xterm's first `count` colours; the first one on a tie.
    fileprivate func nearest(of count: Int) -> UInt8 {
        let own = opponents
        let distances = SystemColors.xterm.colors.prefix(count).map { other in
            let off = own &- other.opponents
            // Lightness counts twice, because the eye finds shapes by it.
            return (off &* off &* SIMD3(2, 1, 1)).wrappedSum()
        }
        return UInt8(distances.indices.min { distances[$0] < distances[$1] } ?? 0)
    }

    /// The lightness as a code value 0…255: BT.709 luma.
    var luma: UInt8 {
        let sum = 2126 * Int(red) + 7152 * Int(green) + 722 * Int(blue)
        return UInt8((sum + 5000) / 10000)
    }
}
