import Testing

@testable import Raster

@Suite struct TwoColorSplitTests {
    @Test(
        "the walk in Gray code finds what trying every split finds",
        arguments: [1, 2, 3, 4, 5, 6, 7, 8])
    func exactness(count: Int) {
        var chance = Chance(seed: UInt64(count))
        let search = SplitSearch(count: count)
        for round in 0..<150 {
            // Random colours, and cells of two colours with noise, as pictures have them.
            let base = [chance.color(), chance.color()]
            let pixels = (0..<count).map { index in
                round % 3 == 0 ? chance.color() : noisy(base[index * round / 3 % 2], &chance)
            }
            let split = pixels.withUnsafeBufferPointer { search.split($0) }
            let least = (0..<(1 << count)).map { error(pixels, mask: $0) }.min() ?? 0
            #expect(abs(error(pixels, mask: split.mask) - least) < 1e-6 * max(least, 1))
        }
    }

    @Test("each group is drawn in its mean, rounded to nearest")
    func means() {
        let pixels = [RGB(0x000000), RGB(0xFF0000), RGB(0x010000), RGB(0xFE0001)]
        let split = pixels.withUnsafeBufferPointer { SplitSearch(count: 4).split($0) }
        #expect(split.mask == 0b0101)
        #expect(split.lit == RGB(0x010000))
        #expect(split.unlit == RGB(0xFF0001))
    }

    @Test("one colour alone is no split")
    func plain() {
        let pixels = Array(repeating: RGB(0x336699), count: 6)
        let split = pixels.withUnsafeBufferPointer { SplitSearch(count: 6).split($0) }
        #expect(split.mask == 0)
        #expect(split.lit == RGB(0x336699) && split.unlit == RGB(0x336699))
    }

    private func noisy(_ color: RGB, _ chance: inout Chance) -> RGB {
        RGB(
            red: color.red ^ UInt8.random(in: 0..<8, using: &chance),
            green: color.green ^ UInt8.random(in: 0..<8, using: &chance),
            blue: color.blue ^ UInt8.random(in: 0..<8, using: &chance))
    }

    /// The squared error if the lit and the unlit pixels are each drawn in their mean, unrounded.
    private func error(_ pixels: [RGB], mask: Int) -> Double {
        var sum = 0.0
        for isLit in [false, true] {
            let group = pixels.indices.filter { (mask >> $0 & 1 == 1) == isLit }.map { pixels[$0] }
            for channel in [\RGB.red, \RGB.green, \RGB.blue] {
                let values = group.map { Double($0[keyPath: channel]) }
                let mean = values.reduce(0, +) / Double(max(values.count, 1))
                sum += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            }
        }
        return sum
    }
}
