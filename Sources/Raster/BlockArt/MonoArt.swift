/// Art without colour: ink on paper, in the default colours.
///
/// Pictures get more contrast and are sharpened: two tones show little else, and thin lines all but vanish when a picture is shrunk.
struct MonoArt {
    private let plan: CellPlan
    /// The light wanted of each sub-pixel, 0…1.
    private let light: [Float]
    /// The share of each error that is passed on, 0…1.
    private let share: Float
    /// Whether the background is dark, so that ink is light.
    private let isDark: Bool

    init(_ plan: CellPlan, _ style: RenderStyle) {
        self.plan = plan
        share = style.errorShare
        isDark = style.background.isDark
        let isASCII = style.blocks == .ascii
        var values = plan.pixels.lightness.map { Float($0) / 255 }
        Self.stretch(&values, by: isASCII ? 2 : 1.5)
        Self.sharpen(&values, plan.pixels.size, by: isASCII ? 0.5 : 1)
        light = values.map { LinearLight.fractions[Int($0 * 255 + 0.5)] }
    }

    /// Draws blocks or braille: sub-pixels are dithered to ink and paper, and each cell is the glyph of its pattern.
    func dots() -> CellGrid {
        // A pixel is light if it looks nearer to white.
        let threshold = Float(LinearLight.decoded(0.5))
        let pattern = CarriedErrors.indices(for: plan.pixels.size, share: share) {
            here, _, _, owed in
            let wanted = light[here] + owed.x
            let isLight = wanted >= threshold
            return (isLight == isDark ? 1 : 0, SIMD4(wanted - (isLight ? 1 : 0), 0, 0, 0))
        }
        return plan.map { _, x, y, _ in
            var mask = 0
            plan.forEachPlace(x, y) { mask |= Int(pattern[$1]) << $0 }
            return Cell(glyph: plan.set.scalars[mask])
        }
    }

    /// Draws printable ASCII: each cell is the glyph whose distribution of ink best matches the cell's light.
    func shapes() -> CellGrid {
        var errors = CarriedErrors(columns: plan.size.columns, share: share)
        return plan.map { _, x, y, _ in
            if x == 0 { errors.beginRow() }
            // The ink wanted in each part, as a share of its area, in proportion to its light.
            var wanted = FloatVector(repeating: errors.due(at: x).x)
            plan.forEachPlace(x, y) { wanted[$0] += isDark ? light[$1] : 1 - light[$1] }
            let glyph = nearest(to: wanted)
            // Errors beyond the densest glyph are dropped, or they would accumulate and fill all light areas.
            let error = min(wanted.sum(), GlyphCoverage.most) - GlyphCoverage.bright[glyph].sum()
            errors.spread(SIMD4(error / 8, 0, 0, 0), from: x)
            return Cell(glyph: 0x20 + UInt32(glyph))
        }
    }

    private func nearest(to wanted: FloatVector) -> Int {
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

    /// Stretches the picture's range towards the full range, at most by `most`: dull pictures gain contrast, plain ones stay as they are.
    private static func stretch(_ values: inout [Float], by most: Float) {
        let sorted = values.sorted()
        func quantile(_ share: Float) -> Float { sorted[Int(Float(sorted.count) * share)] }
        let low = quantile(0.02)
        let high = quantile(0.98)
        let range = high - low
        let gain = min(1 / max(range, 0.01), 1 + (most - 1) * min(range / 0.25, 1))
        // The end of the range that is nearer to its limit moves proportionally less.
        let pivot = low / max(low + 1 - high, 0.01)
        for index in values.indices {
            values[index] = min(max(pivot + (values[index] - pivot) * gain, 0), 1)
        }
    }

    /// Sharpens the picture, so that shapes survive the reduction to two tones.
    private static func sharpen(_ values: inout [Float], _ size: PixelSize, by amount: Float) {
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
}
