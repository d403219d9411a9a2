/// A picture as how much ink each pixel wants, 0…1: for terminals without colours.
struct MonoLevels {
    /// Row by row.
    private(set) var values: [Float]
    let size: PixelSize

    /// Reads the lightness of `pixels`; on dark terminals ink is light, on others the other way round.
    ///
    /// Contrast is raised on demand: truer without it, easier to make out with it.
    init(_ pixels: PixelBuffer, isDark: Bool, raisesContrast: Bool) {
        size = pixels.size
        values = (0..<size.width * size.height).map { index in
            let start = index * 4
            let luma = RGB(
                red: pixels.bytes[start], green: pixels.bytes[start + 1],
                blue: pixels.bytes[start + 2]
            ).luma
            return isDark ? Float(luma) / 255 : 1 - Float(luma) / 255
        }
        if raisesContrast {
            stretch()
            sharpen()
        }
    }

    /// Spreads the picture's own range over the whole, as far as a doubling: a dull picture gains, a plain one stays what it is.
    private mutating func stretch() {
        var counts = [Int](repeating: 0, count: 256)
        for value in values { counts[Int(value * 255 + 0.5)] += 1 }
        let low = Self.quantile(counts, 0.02)
        let high = Self.quantile(counts, 0.98)
        let range = high - low
        let gain = min(1 / max(range, 0.01), 1 + min(range / 0.25, 1))
        // The end that lies nearer to its limit stays where it is in proportion.
        let pivot = low / max(low + 1 - high, 0.01)
        for index in values.indices {
            values[index] = min(max(pivot + (values[index] - pivot) * gain, 0), 1)
        }
    }

    /// Raises what differs from its surroundings, so that shapes outlast the loss of all tones but two.
    private mutating func sharpen() {
        let amount: Float = 0.5
        guard size.width > 2, size.height > 2 else { return }
        let old = values
        let width = size.width
        for y in 0..<size.height {
            let above = max(y - 1, 0) * width
            let here = y * width
            let below = min(y + 1, size.height - 1) * width
            for x in 0..<width {
                let left = max(x - 1, 0)
                let right = min(x + 1, width - 1)
                let around = old[above + x] + old[below + x] + old[here + left] + old[here + right]
                let value = old[here + x] + amount * (old[here + x] - around / 4)
                values[here + x] = min(max(value, 0), 1)
            }
        }
    }

    private static func quantile(_ counts: [Int], _ share: Float) -> Float {
        let limit = Int(Float(counts.reduce(0, +)) * share)
        var sum = 0
        for (code, count) in counts.enumerated() {
            sum += count
            if sum > limit { return Float(code) / 255 }
        }
        return 1
    }
}
