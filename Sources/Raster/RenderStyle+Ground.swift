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
        case .palette16, .palette8:
            systemColors.colors[Int(depth.nearest(to: color).paletteIndex ?? 0)]
        case .mono: background.isDark ? RGB(0x000000) : RGB(0xFFFFFF)
        }
    }
}
