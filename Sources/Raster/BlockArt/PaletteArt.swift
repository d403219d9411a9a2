/// Block art in the colours of a palette: each cell's glyph and two colours are chosen together.
///
/// A cell's error in linear light is diffused to its neighbours (Floyd and Steinberg's weights, 1976), and blue noise decides between near
/// ties. Errors are diffused by cell, not by sub-pixel, since a cell has only two colours and would undo half of a finer mixture. With half
/// blocks every sub-pixel has its own colour, so their errors are diffused individually.
struct PaletteArt<Palette: InkPalette> {
    let palette: Palette
    let dither: DitherStrength
    private let curve = LightCurve()
    /// The squared difference between parts of a cell up to which only lightness is diffused in 256 colours: specks of another hue stand out
    /// on skin and skies.
    private static var smooth: Float { 100 }

    func cells(_ plan: CellPlan) -> CellGrid {
        // Areas in a colour of the palette need no dithering, and must not be speckled by errors from other cells.
        let flat = plan.pixels.flatAreas(every: plan.rows) { code in
            dither.sparesFlat || palette.distance(to: palette.place(of: code, owed: .zero)) == 0
        }
        return plan.set.partCount == 2 ? halves(plan, flat) : matched(plan, flat)
    }

    private func halves(_ plan: CellPlan, _ flat: [Bool]) -> CellGrid {
        let size = plan.pixels.size
        let indices = PixelDiffusion(size: size, dither: dither, spared: flat).indices {
            here, x, y, owed in
            let code = plan.pixels.code(here)
            guard !flat[here] else { return (palette.index(ofFlat: code), .zero) }
            var place = palette.place(of: code, owed: owed)
            if dither.noise > 0 { place += dither.noise * BlueNoise.tile.color(x, y) }
            let index = palette.index(nearest: place)
            return (index, curve.light(code) + owed - curve.light(palette.color(index)))
        }
        return plan.map { _, x, y, left in
            let (upper, lower) = (
                indices[2 * y * size.width + x], indices[(2 * y + 1) * size.width + x]
            )
            return plan.set.cell(
                upper == lower ? 0 : 2, lit: CellColor(palette: lower),
                unlit: CellColor(palette: upper), after: left)
        }
    }

    private func matched(_ plan: CellPlan, _ flat: [Bool]) -> CellGrid {
        let search = CellSearch(plan.set)
        var errors = CarriedErrors(columns: plan.size.columns, dither)
        return plan.map { parts, x, y, left in
            if x == 0 { errors.beginRow() }
            let match: CellMatch<UInt8>
            var isFlat = true
            plan.forEachPlace(x, y) { isFlat = isFlat && flat[$0] }
            if isFlat {
                match = flatMatch(parts, plan.set) ?? nearest(parts, search)
            } else {
                let isSmooth =
                    dither.sparesFlat && plan.set.hasEighths
                    && (1..<plan.set.partCount).allSatisfy {
                        let off = parts[$0] - parts[0]
                        return (off * off).sum() < Self.smooth
                    }
                let owed = errors.due(at: x)
                let wanted = shift(parts, by: isSmooth ? owed.grey : owed, x, y, plan)
                match = search.match(parts, in: palette)
                let paper = curve.light(palette.color(match.paper))
                let ink = curve.light(palette.color(match.ink))
                let drawn = paper + (ink - paper) * search.area(of: match.glyph)
                errors.spread(isSmooth ? (wanted - drawn).grey : wanted - drawn, from: x)
            }
            return plan.set.cell(
                match.glyph, lit: CellColor(palette: match.ink),
                unlit: CellColor(palette: match.paper), after: left)
        }
    }

    /// Returns a match that gives each part of a flat cell its own colour; nil if that takes more than two colours or missing glyphs.
    private func flatMatch(_ parts: CellSearch.Parts, _ set: GlyphSet) -> CellMatch<UInt8>? {
        guard !set.hasEighths else { return nil }
        let paper = palette.index(ofFlat: parts[0])
        var match = CellMatch(glyph: 0, ink: paper, paper: paper)
        for part in 1..<parts.count where parts[part] != parts[0] {
            let index = palette.index(ofFlat: parts[part])
            guard index != paper else { continue }
            guard set.hasComplements, match.glyph == 0 || index == match.ink else { return nil }
            match.ink = index
            match.glyph |= 1 << part
        }
        return match
    }

    private func nearest(_ parts: CellSearch.Parts, _ search: CellSearch) -> CellMatch<UInt8> {
        for part in 0..<search.set.partCount {
            parts[part] = palette.place(of: parts[part], owed: .zero)
        }
        return search.match(parts, in: palette)
    }

    /// Replaces parts by their palette positions with `error`, in light, and noise; returns the mean light with only the error added.
    private func shift(
        _ parts: CellSearch.Parts, by error: ColorVector, _ x: Int, _ y: Int, _ plan: CellPlan
    ) -> ColorVector {
        var sum = ColorVector.zero
        let size = plan.subpixels
        for part in 0..<size.count {
            sum += curve.light(parts[part])
            parts[part] = palette.place(of: parts[part], owed: error)
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
        return sum / Float(size.count) + error
    }
}
