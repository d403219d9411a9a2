import Glibc

/// CIEDE2000, the perceived difference of two colours; 1 is about the smallest noticeable difference.
///
/// After Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula: implementation notes, supplementary test data, and mathematical
/// observations" (2005), with all weights 1.
public enum ColorDifference {
    /// Returns the mean difference over all pixels.
    public static func mean(_ drawn: Canvas, against reference: Canvas) -> Double {
        precondition(drawn.size == reference.size, "only pictures of one size are compared")
        var sum = 0.0
        for (one, other) in zip(drawn.pixels, reference.pixels) where one != other {
            sum += between(CIELAB(one), CIELAB(other))
        }
        return sum / Double(drawn.pixels.count)
    }

    /// Returns the difference of two colours.
    public static func between(_ one: CIELAB, _ other: CIELAB) -> Double {
        let meanChroma = (hypot(one.a, one.b) + hypot(other.a, other.b)) / 2
        let gain = 0.5 * (1 - saturation(meanChroma))
        let (first, second) = (Polar(one, gain: gain), Polar(other, gain: gain))

        let lightness = other.lightness - one.lightness
        let chroma = second.chroma - first.chroma
        let turn = turn(from: first, to: second)
        let hue = 2 * (first.chroma * second.chroma).squareRoot() * sin(turn / 2)

        let middle = (one.lightness + other.lightness) / 2 - 50
        let middleChroma = (first.chroma + second.chroma) / 2
        let middleHue = meanHue(first, second)
        let tone =
            1 - 0.17 * cos(middleHue - radians(30)) + 0.24 * cos(2 * middleHue)
            + 0.32 * cos(3 * middleHue + radians(6)) - 0.20 * cos(4 * middleHue - radians(63))
        let l = lightness / (1 + 0.015 * middle * middle / (20 + middle * middle).squareRoot())
        let c = chroma / (1 + 0.045 * middleChroma)
        let h = hue / (1 + 0.015 * middleChroma * tone)
        return (l * l + c * c + h * h + rotation(middleHue, middleChroma) * c * h).squareRoot()
    }

    /// a and b as chroma and hue, with a stretched near grey.
    private struct Polar {
        var chroma: Double
        var hue: Double

        init(_ color: CIELAB, gain: Double) {
            let a = color.a * (1 + gain)
            chroma = hypot(a, color.b)
            let angle = chroma == 0 ? 0 : atan2(color.b, a)
            hue = angle < 0 ? angle + 2 * .pi : angle
        }
    }

    private static func turn(from first: Polar, to second: Polar) -> Double {
        guard first.chroma * second.chroma != 0 else { return 0 }
        let turn = second.hue - first.hue
        return turn > .pi ? turn - 2 * .pi : turn < -.pi ? turn + 2 * .pi : turn
    }

    private static func meanHue(_ first: Polar, _ second: Polar) -> Double {
        let sum = first.hue + second.hue
        guard first.chroma * second.chroma != 0 else { return sum }
        guard abs(first.hue - second.hue) > .pi else { return sum / 2 }
        return sum < 2 * .pi ? sum / 2 + .pi : sum / 2 - .pi
    }

    /// The rotation term for blues, where differences in hue and chroma interact.
    private static func rotation(_ hue: Double, _ chroma: Double) -> Double {
        let offset = (hue * 180 / .pi - 275) / 25
        return -sin(radians(60) * exp(-offset * offset)) * 2 * saturation(chroma)
    }

    private static func saturation(_ chroma: Double) -> Double {
        let power = pow(chroma, 7)
        return (power / (power + pow(25, 7))).squareRoot()
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}

/// A colour in CIE 1976 L*a*b*, under D65.
public struct CIELAB: Hashable, Sendable {
    /// The lightness, 0…100.
    public var lightness: Double
    /// The green–red axis.
    public var a: Double
    /// The blue–yellow axis.
    public var b: Double

    /// Creates a colour from its coordinates.
    public init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    /// Converts encoded sRGB, 0…1, with the matrix of IEC 61966-2-1.
    public init(_ color: SIMD3<Float>) {
        let light = Light.linear.decoded(color)
        let (red, green, blue) = (Double(light.x), Double(light.y), Double(light.z))
        let x = Self.response((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.950_47)
        let y = Self.response(0.2126 * red + 0.7152 * green + 0.0722 * blue)
        let z = Self.response((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.088_83)
        self.init(lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
    }

    private static func response(_ value: Double) -> Double {
        value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
    }
}
