// Also what links the mathematics library, which rounding and square roots need in debug builds.
import Glibc

/// The sRGB transfer curve as tables, so that pixels can be averaged as light instead of as codes.
///
/// Averaging codes darkens fine detail: black and white lines have the mean 188, not 128. What is bright all around is another
/// matter: see `Surroundings`. The curve is IEC 61966-2-1's.
enum LinearLight {
    /// Light of full intensity.
    static let maximum = 65_535

    /// Code 0…255 → light 0…65,535.
    static let fromByte: [UInt16] = (0...255).map { code in
        UInt16((decoded(Double(code) / 255) * Double(maximum)).rounded())
    }

    /// Code 0…255 → light 0…1.
    static let fractions = fromByte.map { Float($0) / Float(maximum) }

    /// Light 0…65,535 → the nearest code; 64 KB, so that no code is lost in the shadows.
    static let toByte: [UInt8] = {
        var table = [UInt8](repeating: 0, count: maximum + 1)
        var light = 0
        for code in 0...255 {
            let limit = code == 255 ? 1 : decoded((Double(code) + 0.5) / 255)
            let end = Int((limit * Double(maximum)).rounded(.down))
            while light <= end {
                table[light] = UInt8(code)
                light += 1
            }
        }
        return table
    }()

    /// Calls `body` with both tables, for inner loops.
    @inline(__always)
    static func withTables(
        _ body: (_ light: UnsafeBufferPointer<UInt16>, _ codes: UnsafeBufferPointer<UInt8>) -> Void
    ) {
        fromByte.withUnsafeBufferPointer { light in
            toByte.withUnsafeBufferPointer { codes in body(light, codes) }
        }
    }

    /// Light 0…1 of an encoded value 0…1.
    static func decoded(_ value: Double) -> Double {
        guard value > 0.04045 else { return value / 12.92 }
        return pow((value + 0.055) / 1.055, 2.4)
    }
}

/// The same curve for colours in floating point, light from 0 to 1 a channel: what errors are reckoned in, as eyes add light.
struct LightCurve {
    private let light = LinearLight.fractions
    private let codes = LinearLight.toByte

    /// The light of whole codes.
    @inline(__always)
    func light(_ code: SIMD4<Float>) -> SIMD4<Float> {
        SIMD4(light[Int(code.x)], light[Int(code.y)], light[Int(code.z)], 0)
    }

    /// The nearest codes of any light.
    @inline(__always)
    func code(_ light: SIMD4<Float>) -> SIMD4<Float> {
        let full = SIMD4(repeating: Float(LinearLight.maximum))
        let places = (light * full + 0.5).clamped(lowerBound: .zero, upperBound: full)
        return SIMD4(
            Float(codes[Int(places.x)]), Float(codes[Int(places.y)]), Float(codes[Int(places.z)]), 0
        )
    }
}
