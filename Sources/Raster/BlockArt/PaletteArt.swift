/// Block art in the colours of a palette: each cell's glyph and two colours are chosen together.
///
/// A cell's error in linear light is diffused to its neighbours (Floyd and Steinberg's weights, 1976), and blue noise decides between near
/// ties. Errors are diffused by cell, not by sub-pixel, since a cell has only two colours and would undo half of a finer mixture. With half
/// blocks every sub-pixel has its own colour, so their errors are diffused individually.
struct PaletteArt<Palette: InkPalette> {
    let palette: Palette
    let dither: DitherStrength
    private let curve = LightCurve()

    func cells(_ plan: CellPlan) -> CellGrid {
        let composer = CellComposer(set: plan.set)
        // Areas in a colour of the palette need no dithering, and must not be speckled by errors from other cells.
        let step =
            plan.set.hasEighths ? PixelSize(width: 2, height: 6) : PixelSize(width: 1, height: 1)
        let flat = FlatAreas(plan.pixels, every: step) { code in
            dither.sparesFlat || palette.distance(to: palette.place(of: code, owed: .zero)) == 0
        }
        return plan.set.partCount == 2
            ? halves(plan, composer, flat) : matched(plan, composer, flat)
    }

    private func halves(_ plan: CellPlan, _ composer: CellComposer, _ flat: FlatAreas) -> CellGrid {
        let size = plan.pixels.size
        let indices = PixelDiffusion(size: size, dither: dither, spared: flat).indices {
            here, x, y, owed in
            let code = plan.pixels.code(here)
            var place = palette.place(of: code, owed: owed)
            guard !flat[here] else { return (palette.index(nearest: place), .zero) }
            if dither.noise > 0 { place += dither.noise * BlueNoise.tile.color(x, y) }
            let index = palette.index(nearest: place)
            return (index, curve.light(code) + owed - curve.light(palette.color(index)))
        }
        return plan.map { _, x, y, left in
            let (upper, lower) = (
                indices[2 * y * size.width + x], indices[(2 * y + 1) * size.width + x]
            )
            return composer.cell(
                upper == lower ? 0 : 1, lit: CellColor(palette: upper),
                unlit: CellColor(palette: lower), after: left)
        }
    }

    private func matched(
        _ plan: CellPlan, _ composer: CellComposer, _ flat: FlatAreas
    ) -> CellGrid {
        let search = CellSearch(composer.set)
        var errors = CarriedErrors(columns: plan.size.columns, dither)
        return plan.map { parts, x, y, left in
            if x == 0 { errors.beginRow() }
            let match: CellMatch<UInt8>
            if plan.isFlat(x, y, flat) {
                match = flatMatch(parts, composer.set) ?? nearest(parts, search)
            } else {
                let wanted = shift(parts, by: errors.due(at: x), x, y, plan)
                match = search.match(parts, in: palette)
                let paper = curve.light(palette.color(match.paper))
                let ink = curve.light(palette.color(match.ink))
                let drawn = paper + (ink - paper) * search.area(of: match.glyph)
                errors.spread(wanted - drawn, from: x)
            }
            return composer.cell(
                match.glyph, lit: CellColor(palette: match.ink),
                unlit: CellColor(palette: match.paper), after: left)
        }
    }

    /// Returns a match that gives each part of a flat cell its own colour; nil if that takes more than two colours or missing glyphs.
    private func flatMatch(_ parts: CellSearch.Parts, _ set: GlyphSet) -> CellMatch<UInt8>? {
        guard !set.hasEighths else { return nil }
        // The last part is paper, so that the pattern is one of those that are tried.
        let last = parts[set.partCount - 1]
        let paper = palette.index(nearest: palette.place(of: last, owed: .zero))
        var match = CellMatch(glyph: 0, ink: paper, paper: paper)
        for part in parts.indices where parts[part] != last {
            let index = palette.index(nearest: palette.place(of: parts[part], owed: .zero))
            guard index != paper else { continue }
            guard !set.complements.isEmpty, match.glyph == 0 || index == match.ink else {
                return nil
            }
            match.ink = index
            match.glyph |= 1 << part
        }
        return match
    }

    private func nearest(_ parts: CellSearch.Parts, _ search: CellSearch) -> CellMatch<UInt8> {
        if !search.set.hasEighths {
            for part in parts.indices { parts[part] = palette.place(of: parts[part], owed: .zero) }
        }
        return search.match(parts, in: palette)
    }

    /// Moves parts to their palette positions with `error`, in light, and noise; returns the mean light with only the error added.
    private func shift(
        _ parts: CellSearch.Parts, by error: ColorVector, _ x: Int, _ y: Int, _ plan: CellPlan
    ) -> ColorVector {
        let (set, size) = (plan.set, plan.subpixels)
        func noise(_ x: Int, _ y: Int) -> ColorVector {
            dither.noise > 0 ? dither.noise * BlueNoise.tile.color(x, y) : .zero
        }
        var (light, codes) = (ColorVector.zero, ColorVector.zero)
        for part in 0..<set.partCount {
            let code = parts[part] / set.weights[part]
            light += curve.light(code + 0.5)
            codes += code
            guard !set.hasEighths else { continue }
            let (column, row) = (part % size.width, part / size.width)
            parts[part] =
                palette.place(of: code, owed: error)
                + noise(x &* size.width &+ column, y &* size.height &+ row)
        }
        if set.hasEighths {
            // All pixels move as their mean does, so that rows and columns still add up to the same.
            let mean = codes / Float(set.partCount)
            let step = palette.place(of: mean, owed: error) - mean + noise(x, y)
            for part in parts.indices { parts[part] += step * set.weights[part] }
        }
        return light / Float(set.partCount) + error
    }
}
