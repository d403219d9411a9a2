/// The colours of a cut-out picture such as a logo or line art, used to find out whether it is visible on a background.
public struct Silhouette: Hashable, Sendable {
    private let bins: [ColorHistogram.Bin]
    /// The sum of all alphas.
    private let weight: Int

    /// The least transparent share of a cut-out: more than the 21 % of a disc's square, since rounded corners, frames and round portraits
    /// are not cut-outs and may be as dark as the ground.
    private static let minFree = 0.25
    /// The contrast from which a shape can be made out: between black on a dark tint, at 1.55:1, and orange on a light one, at 1.68:1,
    /// which people do print.
    private static let minContrast = 1.6
    /// The visible share from which a background is kept: it may hide no more than a third of the picture.
    private static let minVisible = 2.0 / 3

    /// Creates the silhouette of `pixels`; nil for pictures that are empty, opaque or nearly so.
    public init?(_ pixels: PixelBuffer) {
        guard !pixels.isOpaque else { return nil }
        let histogram = ColorHistogram(pixels)
        weight = histogram.bins.reduce(0) { $0 + $1.weight }
        let full = 255 * histogram.sampleCount
        guard weight > 0, Double(full - weight) >= Self.minFree * Double(full) else { return nil }
        bins = histogram.bins
    }

    /// Returns the share of the picture that stands out from `ground`, 0…1.
    func visibleShare(on ground: RGB) -> Double {
        let seen = bins.reduce(0) {
            $0 + (contrastRatio($1.color, ground) >= Self.minContrast ? $1.weight : 0)
        }
        return Double(seen) / Double(weight)
    }

    /// Returns `ground`, unless too much of the picture vanishes on it and `other` shows more.
    func ground(_ ground: RGB, or other: RGB) -> RGB {
        let share = visibleShare(on: ground)
        return share < Self.minVisible && visibleShare(on: other) > share ? other : ground
    }
}

extension RGB {
    /// Returns the tint for a terminal's `background`, or the tint for the opposite background (such as a light card on a dark terminal) if
    /// `silhouette` would vanish on the former.
    public func tint(on background: RGB, under silhouette: Silhouette?) -> RGB {
        let tint = tint(on: background)
        return silhouette?.ground(tint, or: self.tint(on: background.opposite)) ?? tint
    }

    /// White for dark backgrounds, black for light ones.
    public var opposite: RGB { isDark ? RGB(0xFFFFFF) : RGB(0x000000) }
}

extension RenderStyle {
    /// Returns the background a picture of `tint` is composited over: the tint if the style is tinted, otherwise the terminal's background,
    /// or a plain card where `silhouette` would vanish on that.
    ///
    /// The colour is one that the depth can show, so that it matches the tile around it and is never dithered.
    public func ground(for tint: RGB, under silhouette: Silhouette? = nil) -> RGB {
        // Mono shows no tints.
        let showsTint = isTinted && depth != .mono
        var ground = showsTint ? tint : background
        if !showsTint, let silhouette {
            // A card as bright as the tints, but without a hue.
            let card = background.opposite.tint(on: background.opposite)
            ground = silhouette.ground(background, or: card)
        }
        return switch depth {
        case .truecolor: ground
        case .palette256, .palette16, .palette8:
            systemColors[depth.nearest(to: ground).paletteIndex ?? 0]
        // Ink or paper.
        case .mono: ground.isDark ? RGB(0x000000) : RGB(0xFFFFFF)
        }
    }
}
