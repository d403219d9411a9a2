extension RGB {
    /// Relative luminance, 0…1, as WCAG 2.2 defines it.
    public var luminance: Double {
        let table = LinearLight.fromByte
        let light =
            0.2126 * Double(table[Int(red)]) + 0.7152 * Double(table[Int(green)])
            + 0.0722 * Double(table[Int(blue)])
        return light / Double(LinearLight.maximum)
    }

    /// Whether white text stands out from this colour better than black text does.
    ///
    /// The two are level where (1.05)/(L + 0.05) = (L + 0.05)/0.05, at a luminance of 0.179.
    public var isDark: Bool { luminance < 0.179 }
}

/// The contrast of two colours, 1…21, as WCAG 2.2 defines it; text is readable from 4.5 on.
public func contrastRatio(_ one: RGB, _ other: RGB) -> Double {
    let lighter = max(one.luminance, other.luminance)
    let darker = min(one.luminance, other.luminance)
    return (lighter + 0.05) / (darker + 0.05)
}

/// A text colour for `background`: a soft white or black where that reaches 4.5:1, pure white or black otherwise.
///
/// Pure white or black always reaches 4.58:1 at least, the contrast where both are level.
public func readableText(on background: RGB) -> RGB {
    let soft = background.isDark ? RGB(0xE6E6E6) : RGB(0x1A1A1A)
    if contrastRatio(soft, background) >= 4.5 { return soft }
    return background.isDark ? RGB(0xFFFFFF) : RGB(0x000000)
}
