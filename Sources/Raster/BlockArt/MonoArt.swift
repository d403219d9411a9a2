/// Art without colour: ink on paper, in the default colours.
struct MonoArt {
    let dither: DitherStrength
    /// Whether the background is dark, so that ink is light.
    let isDark: Bool

    /// Draws blocks: pixels are dithered to ink and paper, and each cell is the glyph of its pattern.
    ///
    /// - Parameter ink: The share of a pixel that its ink covers.
    func patterns(_ levels: MonoLevels, _ plan: CellPlan, ink: Float) -> CellGrid {
        let pattern = dithered(levels, ink)
        let glyphs = plan.set.scalars
        return plan.map { _, x, y, _ in
            var (mask, part) = (0, 0)
            plan.forEachPlace(x, y) {
                mask |= Int(pattern[$0]) << part
                part += 1
            }
            return Cell(glyph: glyphs[mask])
        }
    }

    /// Returns 1 for each pixel that is ink, 0 for paper.
    private func dithered(_ levels: MonoLevels, _ ink: Float) -> [UInt8] {
        let scale = LightScale(weight: dither.light)
        let light = LinearLight.fractions
        // The light of dark and of light pixels, and the middle of how both look.
        let (dark, bright) = isDark ? (0, ink) : (1 - ink, 1)
        let middle = [dark, bright].reduce(0) {
            $0 + scale.place(of: LinearLight.toByte[Int($1 * Float(LinearLight.maximum))]) / 2
        }
        // A pixel is light if it looks nearer to a light one; with noise, if its light is, which preserves the mean.
        let threshold =
            dark + ink * (dither.noise > 0 ? 0.5 : Float(LinearLight.decoded(0.5)))
        return PixelDiffusion(size: levels.size, dither: dither).indices { here, x, y, owed in
            let code = levels.codes[here]
            // What no pixel can show is no error, or it would fill thin lines.
            let wanted = min(max(light[Int(code)], dark), bright) + owed.x
            let isLight =
                dither.light > 0
                ? scale.place(of: code, owed: owed.x) >= middle
                : wanted + dither.noise / 255 * ink * BlueNoise.tile[x, y] >= threshold
            return (isLight == isDark ? 1 : 0, SIMD4(wanted - (isLight ? bright : dark), 0, 0, 0))
        }
    }

    /// Draws printable ASCII: each cell is the glyph whose distribution of ink best matches the cell's light.
    func shapes(_ levels: MonoLevels, _ plan: CellPlan) -> CellGrid {
        let fractions = LinearLight.fractions
        var errors = CarriedErrors(columns: plan.size.columns, dither)
        return plan.map { _, x, y, _ in
            if x == 0 { errors.beginRow() }
            // The ink wanted in each part, as a share of its area, in proportion to its light.
            var wanted = SIMD8<Float>(repeating: errors.due(at: x).x)
            var part = 0
            plan.forEachPlace(x, y) {
                let light = fractions[Int(levels.codes[$0])]
                wanted[part] += isDark ? light : 1 - light
                part += 1
            }
            let glyph = nearest(to: wanted + dither.noise / 255 * BlueNoise.tile[x, y])
            // Errors beyond the densest glyph are dropped, or they would accumulate and fill all light areas.
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

/// The lightness of each pixel of a picture, for terminals without colours.
struct MonoLevels {
    /// Code values in row-major order.
    private(set) var codes: [UInt8]
    let size: PixelSize

    /// How lightness is exaggerated to make pictures more legible, at the expense of accuracy.
    enum Emphasis {
        case none
        /// Only thin lines, which all but vanish when a picture is shrunk.
        case lines
        /// The whole picture.
        case contrast
    }

    /// Computes the lightness of `pixels`.
    init(_ pixels: PixelBuffer, _ emphasis: Emphasis) {
        size = pixels.size
        codes = (0..<size.count).map { index in
            let start = index * 4
            return RGB(
                red: pixels.bytes[start], green: pixels.bytes[start + 1],
                blue: pixels.bytes[start + 2]
            ).luma
        }
        switch emphasis {
        case .none: break
        case .lines: deepenLines()
        case .contrast:
            var values = codes.map { Float($0) / 255 }
            stretch(&values)
            sharpen(&values)
            codes = values.map { UInt8($0 * 255 + 0.5) }
        }
    }

    /// Increases the contrast of pixels that differ from two similar opposite neighbours on a nearly white or black ground, where a line,
    /// unlike texture, would otherwise be drawn as ground.
    ///
    /// This has a cost (half blocks, 24 pictures, near and from afar: 9.1 and 17.1 dB, against 10.1 and 17.8 without it), but without it
    /// maps and small text turn into blank paper, the nearest match.
    private mutating func deepenLines() {
        guard size.width > 2, size.height > 2 else { return }
        let old = codes.map { Int($0) }
        for y in 1..<size.height - 1 {
            for x in 1..<size.width - 1 {
                let here = y * size.width + x
                var deepest = 0
                for step in [1, size.width, size.width + 1, size.width - 1] {
                    let (one, other) = (old[here - step] - old[here], old[here + step] - old[here])
                    let depth = one > 0 ? min(one, other) : max(one, other)
                    guard one.signum() == other.signum(), abs(one - other) * 2 <= abs(depth),
                        abs(depth) > abs(deepest)
                    else { continue }
                    deepest = depth
                }
                let ground = old[here] + deepest
                guard abs(deepest) >= Self.minDepth,
                    deepest > 0 ? ground > 160 : ground < 96
                else { continue }
                codes[here] = UInt8(clamping: old[here] - Self.deepening * deepest)
            }
        }
    }

    /// In code values; smaller differences are grain.
    private static let minDepth = 20
    /// The factor by which a line's depth is added.
    private static let deepening = 3

    /// Stretches the picture's range towards the full range, at most twofold: dull pictures gain contrast, plain ones stay as they are.
    private func stretch(_ values: inout [Float]) {
        var counts = [Int](repeating: 0, count: 256)
        for code in codes { counts[Int(code)] += 1 }
        func quantile(_ share: Float) -> Float {
            let limit = Int(Float(codes.count) * share)
            var sum = 0
            for (code, count) in counts.enumerated() {
                sum += count
                if sum > limit { return Float(code) / 255 }
            }
            return 1
        }
        let (low, high) = (quantile(0.02), quantile(0.98))
        let range = high - low
        let gain = min(1 / max(range, 0.01), 1 + min(range / 0.25, 1))
        // The end of the range that is nearer to its limit moves proportionally less.
        let pivot = low / max(low + 1 - high, 0.01)
        for index in values.indices {
            values[index] = min(max(pivot + (values[index] - pivot) * gain, 0), 1)
        }
    }

    /// Sharpens the picture, so that shapes survive the reduction to two tones.
    private func sharpen(_ values: inout [Float]) {
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
}
