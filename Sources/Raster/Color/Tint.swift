extension RGB {
    /// This colour made quiet enough to stand behind a thumbnail and its text, to suit a terminal's `background`.
    ///
    /// The hue is kept. On light backgrounds the saturation is 0.08 and the brightness 0.95: paper with a breath of
    /// colour. On dark ones 0.25 and 0.18: as dark needs more saturation to show any hue, and at 0.18 the tile still
    /// stands out from black (about 1.2:1) while white text on it keeps 15:1. Greys stay grey, since their hue
    /// is chance: the saturation is never more than the colour's own.
    public func tint(on background: RGB) -> RGB {
        var color = HSB(self)
        color.saturation = min(color.saturation, background.isDark ? 0.25 : 0.08)
        color.brightness = background.isDark ? 0.18 : 0.95
        return color.rgb
    }
}
