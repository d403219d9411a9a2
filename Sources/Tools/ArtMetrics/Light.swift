import Glibc

/// What pixels are averaged as, when a picture is shrunk, a glyph's edge is seen or an eye blurs.
public enum Light: String, CaseIterable, Sendable {
    /// As codes of sRGB: what most programs do.
    case encoded
    /// As light: what eyes and lenses do.
    case linear

    /// A colour of encoded sRGB, 0…1, as the values that are averaged.
    public func decoded(_ color: SIMD3<Float>) -> SIMD3<Float> {
        guard self == .linear else { return color }
        return SIMD3(Self.curve(color.x), Self.curve(color.y), Self.curve(color.z))
    }

    /// An average as encoded sRGB, 0…1.
    public func encoded(_ value: SIMD3<Float>) -> SIMD3<Float> {
        guard self == .linear else { return value }
        return SIMD3(Self.inverse(value.x), Self.inverse(value.y), Self.inverse(value.z))
    }

    /// The curve of IEC 61966-2-1.
    static func curve(_ value: Float) -> Float {
        value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }

    static func inverse(_ value: Float) -> Float {
        value <= 0.003_130_8 ? value * 12.92 : 1.055 * powf(value, 1 / 2.4) - 0.055
    }
}
