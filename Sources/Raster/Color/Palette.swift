/// The sixteen colours that a terminal's user may choose, in the order of their ANSI numbers.
public struct SystemColors: Hashable, Sendable {
    /// Sixteen colours.
    public let colors: [RGB]

    /// Wraps what a terminal told; nil unless it told all sixteen.
    public init?(_ colors: [RGB]) {
        guard colors.count == 16 else { return nil }
        self.colors = colors
    }

    private init(packed: [UInt32]) { colors = packed.map { RGB($0) } }

    /// The colour of an index below 256: behind the sixteen come those that no theme changes.
    public subscript(index: UInt8) -> RGB {
        index < 16 ? colors[Int(index)] : RGB(XtermPalette().color(index))
    }

    /// xterm's defaults (`XTerm-col.ad`), for terminals that do not tell.
    public static let xterm = SystemColors(packed: [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ])
}

extension ColorDepth {
    /// The cell colour nearest to `color` that this depth has; the terminal's own in mono.
    ///
    /// Of 256 by plain distance; of fewer, as xterm has them, by lightness and tint, so that a single colour, which
    /// nothing is mixed with, stays grey if it is grey.
    public func nearest(to color: RGB) -> CellColor {
        switch self {
        case .truecolor: CellColor(color)
        case .palette256: CellColor(palette: XtermPalette().index(nearest: SIMD4(color)))
        case .palette16: CellColor(palette: OpponentColor(color).nearest(of: 16))
        case .palette8: CellColor(palette: OpponentColor(color).nearest(of: 8))
        case .mono: .standard
        }
    }
}

/// A colour as lightness and two differences to it, which tell its tint; in encoded sRGB.
///
/// For palettes so coarse that nothing is near: by plain distance a mid grey is as near to red as to black, and a dithered road becomes
/// confetti; this way greys are mixed from greys as long as there are any. Chosen by looking, against plain weighted distance and Oklab.
private struct OpponentColor {
    let lightness: Int
    let red: Int
    let blue: Int

    init(_ color: RGB) {
        lightness = Int(color.luma)
        red = Int(color.red) - lightness
        blue = Int(color.blue) - lightness
    }

    /// Lightness counts twice, as the eye finds shapes by it.
    func squaredDistance(to other: OpponentColor) -> Int {
        let lightness = self.lightness - other.lightness
        let red = self.red - other.red
        let blue = self.blue - other.blue
        return 2 * lightness * lightness + red * red + blue * blue
    }

    /// The index of the nearest of xterm's first `count` colours; of equals the first.
    func nearest(of count: Int) -> UInt8 {
        let distances = SystemColors.xterm.colors.prefix(count).map {
            squaredDistance(to: OpponentColor($0))
        }
        return UInt8(distances.indices.min { distances[$0] < distances[$1] } ?? 0)
    }
}

extension RGB {
    /// The lightness as a code 0…255: the luma of BT.709.
    var luma: UInt8 {
        let sum = 2126 * Int(red) + 7152 * Int(green) + 722 * Int(blue)
        return UInt8((sum + 5000) / 10000)
    }
}
