// Also links the math library, which rounding and square roots need in debug builds.
import Glibc

/// The sRGB transfer curve as tables, so that pixels can be averaged in linear light instead of as code values.
///
/// Averaging code values darkens fine detail: black and white lines have the mean 188, not 128. Bright surroundings are an exception: see
/// `LocalBrightness`. The curve is defined in IEC 61966-2-1.
enum LinearLight {
    /// Light at full intensity.
    static let maximum = 65_535

    /// Maps code values 0…255 to light 0…65,535.
    static let fromByte: [UInt16] = (0...255).map { code in
        UInt16((decoded(Double(code) / 255) * Double(maximum)).rounded())
    }

    /// Maps code values 0…255 to light 0…1.
    static let fractions = fromByte.map { Float($0) / Float(maximum) }

    /// Maps light 0…65,535 to the nearest code value; 64 KB, so that no code value is lost in the shadows.
    static let toByte: [UInt8] = (0...255).reduce(into: []) { table, code in
        let limit = code == 255 ? 1 : decoded((Double(code) + 0.5) / 255)
        let end = Int((limit * Double(maximum)).rounded(.down))
        while table.count <= end { table.append(UInt8(code)) }
    }

    /// Returns the light, 0…1, of an encoded value, 0…1.
    static func decoded(_ value: Double) -> Double {
        value > 0.04045 ? pow((value + 0.055) / 1.055, 2.4) : value / 12.92
    }
}

/// The same curve for floating-point colours, with light 0…1 per channel; errors are measured in light, because the eye adds light.
struct LightCurve {
    private let light = LinearLight.fractions
    private let codes = LinearLight.toByte

    /// Returns the light of the nearest whole code values.
    @inline(__always)
    func light(_ code: ColorVector) -> ColorVector {
        let code = code + 0.5
        return SIMD4(light[Int(code.x)], light[Int(code.y)], light[Int(code.z)], 0)
    }

    /// Returns the code values nearest to any light.
    @inline(__always)
    func code(_ light: ColorVector) -> ColorVector {
        let full = SIMD4(repeating: Float(LinearLight.maximum))
        let places = (light * full + 0.5).limited(from: .zero, to: full)
        return SIMD4(
            Float(codes[Int(places.x)]), Float(codes[Int(places.y)]), Float(codes[Int(places.z)]), 0
        )
    }
}
