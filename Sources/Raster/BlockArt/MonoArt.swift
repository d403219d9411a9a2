/// Block art without colour: dithered to ink and paper, each cell the glyph of its pattern in the terminal's own colours.
struct MonoArt {
    let dither: DitherStrength
    /// Whether ink is light.
    let isDark: Bool
    /// By pattern.
    let glyphs: [UInt32]

    func cells(_ levels: MonoLevels, _ plan: CellPlan) -> CellGrid {
        let isInk = dithered(levels)
        let width = levels.size.width
        let part = plan.subpixels
        return plan.map { _, x, y, _ in
            var mask = 0
            for row in 0..<part.height {
                let start = (y * part.height + row) * width + x * part.width
                for column in 0..<part.width where isInk[start + column] {
                    mask |= 1 << (row * part.width + column)
                }
            }
            return Cell(glyph: glyphs[mask])
        }
    }

    private func dithered(_ levels: MonoLevels) -> [Bool] {
        // What looks nearer to white is light; amid noise what has more than half of its light, or the mean would not be kept.
        let middle = dither.noise > 0 ? 0.5 : MonoLevels.middle
        let threshold = isDark ? middle : 1 - middle
        return PixelDiffusion(size: levels.size, share: dither.share).indices {
            SIMD4(levels.values[$0], 0, 0, 0)
        } pick: { wanted, x, y in
            wanted.x + dither.noise / 255 * BlueNoise.tile[x, y] >= threshold
                ? (1, SIMD4(1, 0, 0, 0)) : (0, .zero)
        }.map { $0 == 1 }
    }
}

/// Printable ASCII without colour: each cell the glyph whose ink lies most like the cell's light.
struct ShapeArt {
    let dither: DitherStrength

    func cells(_ levels: MonoLevels, _ plan: CellPlan) -> CellGrid {
        var errors = CarriedErrors(columns: plan.size.columns, share: dither.share)
        return plan.map { _, x, y, _ in
            if x == 0 { errors.beginRow() }
            let wanted = levels.parts(x, y) + errors.due(at: x).x
            let noisy =
                dither.noise > 0 ? wanted + dither.noise / 255 * BlueNoise.tile[x, y] : wanted
            let glyph = nearest(to: noisy)
            // Beyond what the densest glyph can do nothing is left over, or it would mount up and fill all that is light.
            let error = min(wanted.sum(), GlyphCoverage.most) - GlyphCoverage.bright[glyph].sum()
            errors.spread(SIMD4(error / 8, 0, 0, 0), from: x)
            return Cell(glyph: 0x20 + UInt32(glyph))
        }
    }

    private func nearest(to wanted: SIMD8<Float>) -> Int {
        var best = (error: Float.infinity, glyph: 0)
        GlyphCoverage.bright.withUnsafeBufferPointer { glyphs in
            for glyph in glyphs.indices {
                let difference = glyphs[glyph] - wanted
                let error = (difference * difference).sum()
                if error < best.error { best = (error, glyph) }
            }
        }
        return best.glyph
    }
}

extension MonoLevels {
    fileprivate func parts(_ x: Int, _ y: Int) -> SIMD8<Float> {
        let grid = BlockSet.ascii.subpixels
        var parts = SIMD8<Float>.zero
        for part in 0..<8 {
            let row = y * grid.height + part / grid.width
            parts[part] = values[row * size.width + x * grid.width + part % grid.width]
        }
        return parts
    }
}

/// A picture as how much ink each pixel wants, 0…1 of its area, which is its share of the light: for terminals without colours.
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
        let light = LinearLight.fractions
        for index in values.indices {
            let code = Int(values[index] * 255 + 0.5)
            values[index] = isDark ? light[code] : 1 - light[255 - code]
        }
    }

    /// The light that looks half as bright as white, by its code.
    static let middle = Float(LinearLight.decoded(0.5))

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
