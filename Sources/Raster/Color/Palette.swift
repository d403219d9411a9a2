/// A terminal's palette of 8, 16 or 256 colours, as xterm has them, and the search for the nearest one.
public struct Palette: Hashable, Sendable {
    /// The colours that the search may answer, by index.
    public let colors: [RGB]
    /// Where the search begins: the first 16 of 256 are left to the user's theme, and so are never sure.
    private let firstUsable: Int
    private let opponents: [OpponentColor]

    /// The colours of `depth`, or nil where there is no palette: 24 bits a colour, and mono.
    public init?(_ depth: ColorDepth) {
        switch depth {
        case .palette256: self = .xterm256
        case .palette16: self = .xterm16
        case .palette8: self = .xterm8
        case .truecolor, .mono: return nil
        }
    }

    private init(_ colors: [RGB], firstUsable: Int = 0) {
        self.colors = colors
        self.firstUsable = firstUsable
        opponents = colors.map { OpponentColor($0) }
    }

    /// The first eight of xterm's colours.
    public static let xterm8 = Palette(Array(SystemColors.xterm.colors[..<8]))
    /// xterm's system colours.
    public static let xterm16 = Palette(SystemColors.xterm.colors)
    /// System colours, the cube of 6×6×6, and 24 greys.
    public static let xterm256 = Palette(SystemColors.xterm.colors + cube + greys, firstUsable: 16)

    /// Ink and paper, for dithering to mono.
    static let blackAndWhite = Palette([RGB(0x000000), RGB(0xFFFFFF)])

    /// The index of the nearest colour: by a weighted distance that is exact for each palette; of equals the first.
    public func nearest(to color: RGB) -> UInt8 {
        firstUsable == 16 ? nearestOf256(color) : nearestByTrial(color)
    }

    /// The nearest colour itself.
    public func nearestColor(to color: RGB) -> RGB {
        colors[Int(nearest(to: color))]
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

    /// The nearest of the cube, found channel by channel, against the nearest of the greys: exact, without 240 trials.
    ///
    /// A formula for the cube alone misses the greys, which lie 10 apart where the cube's lie 40.
    private func nearestOf256(_ color: RGB) -> UInt8 {
        let inCube =
            16 + 36 * Self.cubeLevel(color.red) + 6 * Self.cubeLevel(color.green)
            + Self.cubeLevel(color.blue)
        // The distance to a grey is least at the channels' mean under the same weights.
        let mean = (2 * Int(color.red) + 4 * Int(color.green) + 3 * Int(color.blue)) / 9
        let low = min(max((mean - 8) / 10, 0), 23)
        let high = min(low + 1, 23)
        var best = inCube
        for index in [232 + low, 232 + high]
        where squaredDistance(colors[index], color) < squaredDistance(colors[best], color) {
            best = index
        }
        return UInt8(best)
    }

    /// The nearest of the levels 0, 95, 135, 175, 215, 255: the limits lie half-way between them.
    private static func cubeLevel(_ value: UInt8) -> Int {
        value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
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

/// The squared distance of two colours, the channels weighted 2, 4 and 3 as the eye tells them apart in mid tones.
///
/// Constant weights on encoded values are what makes the search of the 256 colours exact channel by channel.
func squaredDistance(_ one: RGB, _ other: RGB) -> Int {
    let red = Int(one.red) - Int(other.red)
    let green = Int(one.green) - Int(other.green)
    let blue = Int(one.blue) - Int(other.blue)
    return 2 * red * red + 4 * green * green + 3 * blue * blue
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
