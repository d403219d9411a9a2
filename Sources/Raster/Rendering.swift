/// A picture's way from decoded pixels to cells, all in one: fit, shrink, find the tint, composite, draw.
///
/// Blocks for the CPU time it takes; on any thread.
public struct Rendering: Hashable, Sendable {
    /// The picture in cells, at most the box.
    public let cells: CellGrid
    /// The dominant colour, as it is in the picture.
    public let dominant: RGB
    /// The dominant colour as a tile's background.
    public let tint: RGB

    /// Draws the part `region` of `picture` into `box`.
    ///
    /// Where it is transparent, its own tint shows if the style is tinted, the terminal's background otherwise.
    public init(
        of picture: PixelBuffer, region: UnitRect = .whole, into box: CellSize, style: RenderStyle
    ) {
        let fit = Fit(picture.size, region: region, into: box, style: style)
        let pixels = picture.resampled(region, to: fit.pixels)
        dominant = pixels.dominantColor
        tint = dominant.tint(on: style.background)
        cells = BlockArt(style: style, tint: style.isTinted ? tint : nil)
            .cells(from: pixels.composited(over: style.ground(for: tint)))
    }
}

extension RenderStyle {
    /// What a picture of `tint` is composited over: the tint if the style is tinted, the terminal's background otherwise.
    ///
    /// It is a colour that the depth has, so that the ground is one with the tile around it and is never dithered.
    public func ground(for tint: RGB) -> RGB {
        shown(isTinted ? tint : background)
    }

    /// A colour as the depth shows it; in mono as ink or paper.
    func shown(_ color: RGB) -> RGB {
        switch depth {
        case .truecolor: color
        case .palette256: Palette.xterm256.nearestColor(to: color)
        case .palette16: Palette.xterm16.nearestColor(to: color)
        case .palette8: Palette.xterm8.nearestColor(to: color)
        case .mono: background.isDark ? RGB(0x000000) : RGB(0xFFFFFF)
        }
    }
}
