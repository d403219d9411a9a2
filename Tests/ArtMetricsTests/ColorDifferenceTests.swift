import ArtMetrics
import Testing

/// The pairs that Sharma, Wu and Dalal published with their formula.
@Suite struct ColorDifferenceTests {
    @Test(
        arguments: [
            // Near blue, where hue is the mean of far angles; in pairs of either direction around grey; large differences.
            ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425),
            ([50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615),
            ([50, 2.8361, -74.0200], [50, 0, -82.7485], 3.4412),
            ([50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0000),
            ([50, 0, 0], [50, -1, 2], 2.3669),
            ([50, -1, 2], [50, 0, 0], 2.3669),
            ([50, 2.4900, -0.0010], [50, -2.4900, 0.0009], 7.1792),
            ([50, 2.4900, -0.0010], [50, -2.4900, 0.0011], 7.2195),
            ([50, -0.0010, 2.4900], [50, 0.0009, -2.4900], 4.8045),
            ([50, -0.0010, 2.4900], [50, 0.0011, -2.4900], 4.7461),
            ([50, 2.5, 0], [50, 0, -2.5], 4.3065),
            ([50, 2.5, 0], [73, 25, -18], 27.1492),
            ([50, 2.5, 0], [61, -5, 29], 22.8977),
            ([50, 2.5, 0], [50, 3.1736, 0.5854], 1.0000),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
            ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
            ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
            ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
        ] as [([Double], [Double], Double)])
    func publishedPairs(one: [Double], other: [Double], expected: Double) {
        let difference = ColorDifference.between(lab(one), lab(other))
        #expect(abs(difference - expected) < 0.0001)
    }

    @Test func primariesOfSRGB() {
        let red = CIELAB(SIMD3(1, 0, 0))
        #expect(abs(red.lightness - 53.24) < 0.02)
        #expect(abs(red.a - 80.09) < 0.03)
        #expect(abs(red.b - 67.20) < 0.03)
        let white = CIELAB(SIMD3(1, 1, 1))
        #expect(abs(white.lightness - 100) < 0.01)
        #expect(abs(white.a) < 0.02 && abs(white.b) < 0.02)
    }

    private func lab(_ values: [Double]) -> CIELAB {
        CIELAB(lightness: values[0], a: values[1], b: values[2])
    }
}
