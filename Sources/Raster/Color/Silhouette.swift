/// The colours of a cut-out picture, a logo or line art, to find out whether they can be seen on a ground.
public struct Silhouette: Hashable, Sendable {
    private let bins: [ColorHistogram.Bin]

    /// A disc leaves 21 % of its square free: rounded corners, frames and round portraits are no cut-outs, and may be
    /// as dark as the ground around them.
    private static let leastFree = 0.25
    /// The contrast from which a shape is made out: between black on a dark tint, at 1.55:1, and orange on a light one, at
    /// 1.68:1, which people do print.
    private static let leastContrast = 1.6
    /// A ground that hides no more than a third of the picture is kept.
    private static let leastVisible = 2.0 / 3

    /// The silhouette of `pixels`; nil for pictures that are opaque, nearly so, or empty.
    public init?(_ pixels: PixelBuffer) {
        guard !pixels.isOpaque else { return nil }
        let histogram = ColorHistogram(pixels)
        let weight = histogram.bins.reduce(0) { $0 + $1.weight }
        let full = 255 * histogram.sampleCount
        guard weight > 0, Double(full - weight) >= Self.leastFree * Double(full) else { return nil }
        bins = histogram.bins
    }

    /// How much of it stands out from `ground`, 0…1.
    func visibleShare(on ground: RGB) -> Double {
        let seen = bins.reduce(0) {
            $0 + (contrastRatio($1.color, ground) >= Self.leastContrast ? $1.weight : 0)
        }
        return Double(seen) / Double(bins.reduce(0) { $0 + $1.weight })
    }

    /// `ground`, unless so much of the picture vanishes on it that `other` shows more.
    func ground(_ ground: RGB, or other: @autoclosure () -> RGB) -> RGB {
        let share = visibleShare(on: ground)
        guard share < Self.leastVisible, case let other = other(),
            visibleShare(on: other) > share
        else { return ground }
        return other
    }
}

extension RGB {
    /// The tint that suits a terminal's `background`, or that of the opposite kind, a light card on a dark terminal,
    /// where `silhouette` would vanish on the first.
    public func tint(on background: RGB, under silhouette: Silhouette?) -> RGB {
        let tint = tint(on: background)
        return silhouette?.ground(tint, or: self.tint(on: background.opposite)) ?? tint
    }

    /// White for dark backgrounds, black for light ones.
    var opposite: RGB { isDark ? RGB(0xFFFFFF) : RGB(0x000000) }
}

extension RenderStyle {
    /// What a picture of `tint` is composited over: the tint if the style is tinted, else the terminal's background, or a
    /// plain card where `silhouette` would vanish on that.
    ///
    /// It is a colour that the depth has, so that the ground is one with the tile around it and is never dithered.
    public func ground(for tint: RGB, under silhouette: Silhouette? = nil) -> RGB {
        // In mono no tint is seen.
        guard !isTinted || depth == .mono, let silhouette else {
            return shown(isTinted ? tint : background)
        }
        // The brightness of the tints, without a hue.
        let card = background.opposite.tint(on: background.opposite)
        var style = self
        style.background = silhouette.ground(background, or: card)
        return style.shown(style.background)
    }

    /// A colour as the depth shows it; in mono as ink or paper.
    private func shown(_ color: RGB) -> RGB {
        switch depth {
        case .truecolor: color
        case .palette256, .palette16, .palette8:
            systemColors[depth.nearest(to: color).paletteIndex ?? 0]
        case .mono: background.isDark ? RGB(0x000000) : RGB(0xFFFFFF)
        }
    }
}
