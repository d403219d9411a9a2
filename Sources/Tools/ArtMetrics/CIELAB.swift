import Glibc

/// A colour in CIE 1976 L*a*b*, under D65.
public struct CIELAB: Hashable, Sendable {
    /// Lightness, 0…100.
    public var lightness: Double
    /// From green to red.
    public var a: Double
    /// From blue to yellow.
    public var b: Double

    /// Makes a colour from its coordinates.
    public init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    /// Converts encoded sRGB, 0…1, by the matrix of IEC 61966-2-1.
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
