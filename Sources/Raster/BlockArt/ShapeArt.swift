/// Printable ASCII without colour: each cell the glyph whose ink lies most like the cell's light.
struct ShapeArt {
    let grain: Grain

    func cells(_ levels: MonoLevels, _ plan: CellPlan) -> CellGrid {
        var errors = CarriedErrors(columns: plan.size.columns, share: grain.share)
        return plan.map { _, x, y, _ in
            if x == 0 { errors.beginRow() }
            let wanted = levels.parts(x, y) + errors.due(at: x).x
            let noisy = grain.noise > 0 ? wanted + grain.noise / 255 * BlueNoise.tile[x, y] : wanted
            let glyph = nearest(to: noisy)
            let error = (wanted - GlyphCoverage.bright[glyph]).sum() / 8
            errors.spread(SIMD4(error, 0, 0, 0), from: x)
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
    /// The eight parts of an ASCII cell.
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
