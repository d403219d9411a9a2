import ArtMetrics
import Raster
import Testing

@Suite struct MetricsTests {
    private let noisy = Canvas.painted { x, y in Float((x * 37 + y * 101) % 64) / 63 }

    @Test func equalPicturesAreAsNearAsCanBe() {
        #expect(PeakSignalToNoise.of(noisy, against: noisy) == PeakSignalToNoise.ceiling)
        #expect(abs(StructuralSimilarity.of(noisy, against: noisy) - 1) < 1e-5)
        #expect(ColorDifference.mean(noisy, against: noisy) == 0)
    }

    @Test func aTenthOffEverywhereIsTwentyDecibels() {
        let dark = Canvas.painted { _, _ in 0.3 }
        let light = Canvas.painted { _, _ in 0.4 }
        #expect(abs(PeakSignalToNoise.of(dark, against: light) - 20) < 0.001)
    }

    @Test func roundingToCodesIsFiftyNineDecibels() {
        let ramp = Canvas.painted { x, y in (Float(x * 64 + y) + 0.3) / 4200 }
        // Errors spread evenly over half a code either way: a twelfth of its square.
        #expect(abs(PeakSignalToNoise.of(ramp.rounded, against: ramp) - 58.92) < 0.1)
    }

    @Test func structureIsLostUpsideDown() {
        let negative = Canvas.painted { x, y in 1 - Float((x * 37 + y * 101) % 64) / 63 }
        #expect(StructuralSimilarity.of(negative, against: noisy) < 0)
        // One level more everywhere leaves structure alone.
        let brighter = Canvas.painted { x, y in Float((x * 37 + y * 101) % 64) / 63 + 0.02 }
        #expect(StructuralSimilarity.of(brighter, against: noisy) > 0.99)
    }

    @Test func blurKeepsFlatPicturesAndSumsOfLight() {
        let flat = Canvas.painted { _, _ in 0.7 }
        for light in Light.allCases {
            let blurred = Gaussian(x: 1.5, y: 0.75).blurred(flat, as: light)
            #expect(PeakSignalToNoise.of(blurred, against: flat) > 59)
        }
        let checks = Canvas.painted { x, y in Float((x + y) % 2) }
        let encoded = Gaussian(x: 2, y: 2).blurred(checks, as: .encoded).pixels[32 * 64 + 32].x
        let linear = Gaussian(x: 2, y: 2).blurred(checks, as: .linear).pixels[32 * 64 + 32].x
        #expect(abs(encoded - 0.5) < 0.01)
        // Half the light is the code 188.
        #expect(abs(linear - 0.735) < 0.01)
    }
}

extension Canvas {
    /// Greys by a formula.
    fileprivate static func painted(_ level: (Int, Int) -> Float) -> Canvas {
        var canvas = Canvas(size: PixelSize(width: 64, height: 64))
        for y in 0..<64 {
            for x in 0..<64 { canvas.pixels[y * 64 + x] = SIMD3(repeating: level(x, y)) }
        }
        return canvas
    }
}
