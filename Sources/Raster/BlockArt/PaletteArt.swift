/// Block art in the colours of a palette: each cell's glyph and its two colours chosen together.
///
/// What a cell is off in its mean is handed on to its neighbours (the weights of Floyd and Steinberg, 1976), and blue noise decides between
/// near equals: by cell, not by sub-pixel, since a cell has two colours only and would have to undo half of a finer mixture.
struct PaletteArt<Palette: InkPalette> {
    let palette: Palette
    let dither: DitherStrength

    func cells(_ plan: CellPlan, _ set: GlyphSet) -> CellGrid {
        let search = CellSearch(set)
        let composer = CellComposer(set: set)
        var errors = CarriedErrors(columns: plan.size.columns, share: dither.share)
        return plan.map { parts, x, y, left in
            if x == 0 { errors.beginRow() }
            let isPlain = isPlain(parts)
            let wanted =
                isPlain ? parts[0] : shift(parts, by: errors.due(at: x), x, y, plan.subpixels)
            let match = search.match(parts, in: palette)
            if dither.share > 0 && !isPlain {
                let area = search.area(of: match.glyph)
                let paper = palette.color(match.paper)
                let drawn = paper + (palette.color(match.ink) - paper) * area
                errors.spread(wanted - drawn, from: x)
            }
            return composer.cell(
                match.glyph, lit: CellColor(palette: match.ink),
                unlit: CellColor(palette: match.paper), after: left)
        }
    }

    /// Whether a cell is of one colour, and the palette has it: a ground, which other cells' errors must not speckle.
    @inline(__always)
    private func isPlain(_ parts: CellSearch.Parts) -> Bool {
        for part in 1..<parts.count where parts[part] != parts[0] { return false }
        return palette.distance(to: parts[0]) == 0
    }

    /// Adds `error` and noise to each part; the result is the mean with the error alone.
    @inline(__always)
    private func shift(
        _ parts: CellSearch.Parts, by error: SIMD4<Float>, _ x: Int, _ y: Int, _ size: PixelSize
    ) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        for part in 0..<parts.count {
            parts[part] += error
            sum += parts[part]
        }
        if dither.noise > 0 {
            for row in 0..<size.height {
                for column in 0..<size.width {
                    parts[row &* size.width &+ column] +=
                        dither.noise
                        * BlueNoise.tile.color(
                            x &* size.width &+ column, y &* size.height &+ row)
                }
            }
        }
        return sum / Float(parts.count)
    }
}
