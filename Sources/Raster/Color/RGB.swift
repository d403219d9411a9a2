/// An sRGB colour with 8 bits per channel.
public struct RGB: Hashable, Sendable {
    /// Red, 0…255.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8

    /// Creates a colour from its three channels.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a colour from `0xRRGGBB`; higher bits are ignored.
    public init(_ packed: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: packed >> 16),
            green: UInt8(truncatingIfNeeded: packed >> 8),
            blue: UInt8(truncatingIfNeeded: packed))
    }

    /// The colour as `0xRRGGBB`.
    public var packed: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

    /// Red, green and blue.
    public var channels: [UInt8] { [red, green, blue] }

    /// Relative luminance, 0…1, as WCAG 2.2 defines it.
    var luminance: Double {
        let table = LinearLight.fromByte
        let light =
            0.2126 * Double(table[Int(red)]) + 0.7152 * Double(table[Int(green)])
            + 0.0722 * Double(table[Int(blue)])
        return light / Double(LinearLight.maximum)
    }

    /// Whether white text has more contrast with this colour than black text.
    ///
    /// Both have the same contrast where (1.05)/(L + 0.05) = (L + 0.05)/0.05, at a luminance of 0.179.
    public var isDark: Bool { luminance < 0.179 }

    /// Returns a muted version of this colour to put behind a thumbnail and its text on a terminal with this `background`.
    ///
    /// The hue is kept. On light backgrounds the saturation is 0.08 and the brightness 0.95: paper with a touch of colour. On dark ones
    /// they are 0.25 and 0.18: dark colours need more saturation to show a hue, and at 0.18 the tile stands out from black (about 1.2:1)
    /// while white text keeps 15:1. Greys stay grey, since their hue is arbitrary: the saturation never exceeds the colour's own.
    public func tint(on background: RGB) -> RGB {
        let channels = channels.map(Double.init)
        let top = channels.max() ?? 0
        let span = top - (channels.min() ?? 0)
        let saturation = top > 0 ? min(span / top, background.isDark ? 0.25 : 0.08) : 0
        let brightness = background.isDark ? 0.18 : 0.95
        // In Smith's hexcone model a channel lies below the brightest one by a share of the span that depends only on the hue.
        let codes = channels.map { channel in
            let share = span > 0 ? (top - channel) / span : 0
            return UInt8((brightness * (1 - saturation * share) * 255).rounded())
        }
        return RGB(red: codes[0], green: codes[1], blue: codes[2])
    }

    /// Returns this colour with a `share` of another, 0…1, mixed in encoded sRGB.
    public func mixed(with other: RGB, share: Float) -> RGB {
        let own = ColorVector(self)
        return RGB(own + (ColorVector(other) - own) * share)
    }
}

/// Returns the contrast ratio of two colours, 1…21, as WCAG 2.2 defines it; text is readable from 4.5 on.
public func contrastRatio(_ one: RGB, _ other: RGB) -> Double {
    let lighter = max(one.luminance, other.luminance)
    let darker = min(one.luminance, other.luminance)
    return (lighter + 0.05) / (darker + 0.05)
}

/// The three channels of a colour, in the scale that a calculation needs; the last element is 0.
typealias ColorVector = SIMD4<Float>

/// One number of each of eight glyphs, parts of a cell or colours, which are calculated together.
typealias FloatVector = SIMD8<Float>

extension ColorVector {
    /// The brightness as BT.709 weights the channels: of code values the lightness, of light the luminance.
    @inline(__always)
    var brightness: Float { (self * SIMD4(0.2126, 0.7152, 0.0722, 0)).sum() }

    /// The sum of the squares.
    @inline(__always)
    var squared: Float { (self * self).sum() }

    /// Like `clamped`, which is not inlined.
    @inline(__always)
    func limited(from low: ColorVector, to high: ColorVector) -> ColorVector {
        replacing(with: low, where: self .< low).replacing(with: high, where: self .> high)
    }
}
