/// One way to draw a cell in two colours: which sub-pixels are lit.
struct TwoColorSplit {
    /// The lit sub-pixels, bit by bit; 0 if all have one colour.
    var mask: Int
    /// The colour of the lit ones; that of all, if none is lit.
    var lit: RGB
    /// The colour of the others.
    var unlit: RGB
}

/// Finds the best split of a cell's sub-pixels into two groups, each drawn in its mean.
///
/// Exact: of all 2^(k−1) splits of k sub-pixels the one with the least squared error in encoded sRGB. The walk goes in
/// Gray code, so that one sub-pixel changes sides at each step and the sums run along.
struct SplitSearch {
    /// How many sub-pixels a cell has, 1…8.
    let count: Int
    /// By the number of lit ones, n: `unit` / (n · (count − n)).
    private let shares: [Int]

    /// Divisible by n·(k − n) for every k up to 8, so that gains are whole and equal ones compare as equal.
    private static let unit = 5040

    init(count: Int) {
        self.count = count
        shares = (0...count).map { $0 == 0 || $0 == count ? 0 : Self.unit / ($0 * (count - $0)) }
    }

    /// The best split of `count` pixels; the last one is never lit, as the complement is the same split.
    func split(_ pixels: UnsafeBufferPointer<RGB>) -> TwoColorSplit {
        var total = ColorSum()
        for pixel in pixels { total.add(pixel) }
        let mask = bestMask(pixels, total: total)

        var inside = ColorSum()
        for index in 0..<count where mask >> index & 1 == 1 { inside.add(pixels[index]) }
        let number = mask.nonzeroBitCount
        let unlit = (total - inside).mean(of: count - number)
        return TwoColorSplit(
            mask: mask, lit: number > 0 ? inside.mean(of: number) : unlit, unlit: unlit)
    }

    /// With the pixels centred on their mean, the error that a split saves is |Σ lit|²·k / (n·(k − n)).
    private func bestMask(_ pixels: UnsafeBufferPointer<RGB>, total: ColorSum) -> Int {
        withUnsafeTemporaryAllocation(of: ColorSum.self, capacity: count) { centred in
            for index in 0..<count {
                centred.initializeElement(at: index, to: .centred(pixels[index], total, count))
            }
            return shares.withUnsafeBufferPointer { walk(UnsafeBufferPointer(centred), shares: $0) }
        }
    }

    private func walk(
        _ centred: UnsafeBufferPointer<ColorSum>, shares: UnsafeBufferPointer<Int>
    ) -> Int {
        var sum = ColorSum()
        var lit = 0
        var mask = 0
        var best = (gain: 0, mask: 0)
        for step in 1..<(1 << (count - 1)) {
            // The n-th Gray code differs from its predecessor in the bit of n's trailing zeros.
            let changed = step.trailingZeroBitCount
            mask ^= 1 &<< changed
            if mask & (1 &<< changed) != 0 {
                sum += centred[changed]
                lit &+= 1
            } else {
                sum -= centred[changed]
                lit &-= 1
            }
            let gain = sum.squaredLength &* shares[lit]
            if gain > best.gain { best = (gain, mask) }
        }
        return best.mask
    }
}

/// A sum of colours, or of differences of colours.
private struct ColorSum {
    var red = 0
    var green = 0
    var blue = 0

    /// k times the difference of `color` to the mean of k colours that sum up to `total`.
    static func centred(_ color: RGB, _ total: ColorSum, _ count: Int) -> ColorSum {
        ColorSum(
            red: Int(color.red) &* count &- total.red,
            green: Int(color.green) &* count &- total.green,
            blue: Int(color.blue) &* count &- total.blue)
    }

    mutating func add(_ color: RGB) {
        red &+= Int(color.red)
        green &+= Int(color.green)
        blue &+= Int(color.blue)
    }

    static func += (left: inout ColorSum, right: ColorSum) {
        left.red &+= right.red
        left.green &+= right.green
        left.blue &+= right.blue
    }

    static func -= (left: inout ColorSum, right: ColorSum) {
        left.red &-= right.red
        left.green &-= right.green
        left.blue &-= right.blue
    }

    static func - (left: ColorSum, right: ColorSum) -> ColorSum {
        var difference = left
        difference -= right
        return difference
    }

    func mean(of count: Int) -> RGB {
        RGB(
            red: UInt8((red + count / 2) / count), green: UInt8((green + count / 2) / count),
            blue: UInt8((blue + count / 2) / count))
    }

    var squaredLength: Int { red &* red &+ green &* green &+ blue &* blue }
}
