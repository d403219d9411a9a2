/// The sixteen colours that a terminal's user may choose, in the order of their ANSI numbers.
public struct SystemColors: Hashable, Sendable {
    /// Sixteen colours.
    public let colors: [RGB]

    /// Wraps what a terminal told; nil unless it told all sixteen.
    public init?(_ colors: [RGB]) {
        guard colors.count == 16 else { return nil }
        self.colors = colors
    }

    private init(packed: [UInt32]) {
        colors = packed.map { RGB($0) }
    }

    /// xterm's defaults (`XTerm-col.ad`), for terminals that do not tell.
    public static let xterm = SystemColors(packed: [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ])
}

/// A terminal's palette of 8, 16 or 256 colours, as xterm has them, and the search for the nearest one.
public struct Palette: Hashable, Sendable {
    /// The colours that the search may answer, by index.
    public let colors: [RGB]
    /// Where the search begins: the first 16 of 256 are left to the user's theme, and so are never sure.
    private let firstUsable: Int
    private let opponents: [OpponentColor]

    private init(_ colors: [RGB], firstUsable: Int = 0) {
        self.colors = colors
        self.firstUsable = firstUsable
        opponents = colors.map { OpponentColor($0) }
    }

    /// The first eight of xterm's colours.
    static let xterm8 = Palette(Array(SystemColors.xterm.colors[..<8]))
    /// xterm's system colours.
    static let xterm16 = Palette(SystemColors.xterm.colors)
    /// System colours, the cube of 6×6×6, and 24 greys.
    public static let xterm256 = Palette(SystemColors.xterm.colors + cube + greys, firstUsable: 16)

    /// The index of the nearest colour; of equals the first.
    ///
    /// Of 256 by plain distance; of fewer by lightness and tint, so that a single colour, which nothing is mixed with,
    /// stays grey if it is grey.
    public func nearest(to color: RGB) -> UInt8 {
        firstUsable == 16 ? XtermPalette().index(nearest: SIMD4(color)) : nearestByTrial(color)
    }

    private func nearestByTrial(_ color: RGB) -> UInt8 {
        let wanted = OpponentColor(color)
        var best = (distance: Int.max, index: 0)
        for (index, other) in opponents.enumerated() {
            let distance = wanted.squaredDistance(to: other)
            if distance < best.distance { best = (distance, index) }
        }
        return UInt8(best.index)
    }

    private static let cube: [RGB] = {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        return (0..<216).map { (index: Int) in
            RGB(red: levels[index / 36], green: levels[index / 6 % 6], blue: levels[index % 6])
        }
    }()

    private static let greys: [RGB] = (0..<24).map { (index: Int) in
        let level = UInt8(8 + 10 * index)
        return RGB(red: level, green: level, blue: level)
    }
}

extension ColorDepth {
    /// The cell colour nearest to `color` that this depth has; the terminal's own in mono.
    public func nearest(to color: RGB) -> CellColor {
        switch self {
        case .truecolor: CellColor(color)
        case .palette256: CellColor(palette: Palette.xterm256.nearest(to: color))
        case .palette16: CellColor(palette: Palette.xterm16.nearest(to: color))
        case .palette8: CellColor(palette: Palette.xterm8.nearest(to: color))
        case .mono: .standard
        }
    }
}

/// A colour as lightness and two differences to it, which tell its tint; in encoded sRGB.
///
/// For palettes so coarse that nothing is near: by plain distance a mid grey is as near to red as to black, and a
/// dithered road becomes confetti; this way greys are mixed from greys as long as there are any. Chosen by
/// looking, against plain weighted distance and Oklab.
struct OpponentColor: Hashable {
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
}

extension RGB {
    /// The lightness as a code 0…255: the luma of BT.709.
    var luma: UInt8 {
        let sum = 2126 * Int(red) + 7152 * Int(green) + 722 * Int(blue)
        return UInt8((sum + 5000) / 10000)
    }
}
