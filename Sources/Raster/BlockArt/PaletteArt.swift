/// Block art in the colours of a palette: each cell's glyph and two colours are chosen together.
///
/// A cell's error in linear light is diffused to its neighbours (Floyd and Steinberg's weights, 1976), and blue noise decides between near
/// ties. Errors are diffused by cell, not by sub-pixel, since a cell has only two colours and would undo half of a finer mixture. With half
/// blocks every sub-pixel has its own colour, so their errors are diffused individually.
struct PaletteArt<Palette: InkPalette> {
    let palette: Palette
    /// The share of each error that is passed on, 0…1; without any, noise is not added either.
    let share: Float
    private let curve = LightCurve()
    /// The squared difference between parts of a cell up to which only lightness is diffused in 256 colours: specks of another hue stand out
    /// on skin and skies.
    private static var smooth: Float { 100 }
    /// The range of the noise offsets, from lowest to highest, in code values.
    private var noise: Float { share > 0 ? 2 : 0 }

    func cells(_ plan: CellPlan) -> CellGrid {
        // Errors from other cells would only speckle banners, text and logos.
        let flat = plan.pixels.flatAreas(every: plan.rows)
        return plan.set.partCount == 2 ? halves(plan, flat) : matched(plan, flat)
    }

    private func halves(_ plan: CellPlan, _ flat: [Bool]) -> CellGrid {
        let size = plan.pixels.size
        let indices = CarriedErrors.indices(for: size, share: share, sparing: flat) {
            here, x, y, owed in
            let wanted = curve.light(plan.pixels.code(here)) + owed
            var place = palette.place(of: curve.code(wanted))
            if !flat[here] { place += noise * BlueNoise.tile.color(x, y) }
            let index = palette.index(nearest: place)
            return (index, wanted - curve.light(palette.color(index)))
        }
        return plan.map { _, x, y, left in
            let upper = indices[2 * y * size.width + x]
            let lower = indices[(2 * y + 1) * size.width + x]
            return plan.set.cell(
                upper == lower ? 0 : 2, lit: CellColor(palette: lower),
                unlit: CellColor(palette: upper), after: left)
        }
    }

    private func matched(_ plan: CellPlan, _ flat: [Bool]) -> CellGrid {
        let search = CellSearch(plan.set)
        let size = plan.subpixels
        var errors = CarriedErrors(columns: plan.size.columns, share: share)
        return plan.map { parts, x, y, left in
            if x == 0 { errors.beginRow() }
            var isFlat = true
            plan.forEachPlace(x, y) { isFlat = isFlat && flat[$1] }
            let isSmooth =
                plan.set.hasEighths
                && (1..<size.count).allSatisfy { (parts[$0] - parts[0]).squared < Self.smooth }
            func diffused(_ error: ColorVector) -> ColorVector {
                isSmooth ? SIMD4(repeating: error.brightness) : error
            }
            let owed = isFlat ? .zero : diffused(errors.due(at: x))
            var wanted = ColorVector.zero
            for row in 0..<size.height {
                for column in 0..<size.width {
                    let part = row &* size.width &+ column
                    let light = curve.light(parts[part])
                    wanted += light
                    parts[part] = palette.place(of: curve.code(light + owed))
                    guard !isFlat else { continue }
                    parts[part] +=
                        noise
                        * BlueNoise.tile.color(
                            x &* size.width &+ column, y &* size.height &+ row)
                }
            }
            let match = search.match(parts, in: palette)
            if !isFlat {
                let paper = curve.light(palette.color(match.paper))
                let ink = curve.light(palette.color(match.ink))
                let drawn = paper + (ink - paper) * search.area(of: match.glyph)
                errors.spread(diffused(wanted / Float(size.count) + owed - drawn), from: x)
            }
            return plan.set.cell(
                match.glyph, lit: CellColor(palette: match.ink),
                unlit: CellColor(palette: match.paper), after: left)
        }
    }
}
