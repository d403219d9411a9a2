/// Block art without colour: dithered to ink and paper, each cell the glyph of its pattern in the terminal's own colours.
struct MonoArt {
    let grain: Grain

    func cells(_ levels: MonoLevels, _ plan: CellPlan) -> CellGrid {
        let glyphs = BlockGlyphs.table(plan.blocks)
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

    /// Rows go alternately right and left, or the errors would gather into diagonal worms.
    private func dithered(_ levels: MonoLevels) -> [Bool] {
        let width = levels.size.width
        var isInk = [Bool](repeating: false, count: levels.values.count)
        var current = [Float](repeating: 0, count: width + 2)
        var next = current
        for y in 0..<levels.size.height {
            let step = y & 1 == 0 ? 1 : -1
            for place in 0..<width {
                let x = step > 0 ? place : width - 1 - place
                let wanted = levels.values[y * width + x] + current[x + 1]
                let ink = wanted + grain.noise / 255 * BlueNoise.tile[x, y] >= 0.5
                isInk[y * width + x] = ink
                let error = (wanted - (ink ? 1 : 0)) * grain.share / 16
                current[x + 1 + step] += error * 7
                next[x + 1 - step] += error * 3
                next[x + 1] += error * 5
                next[x + 1 + step] += error
            }
            swap(&current, &next)
            for index in next.indices { next[index] = 0 }
        }
        return isInk
    }
}
