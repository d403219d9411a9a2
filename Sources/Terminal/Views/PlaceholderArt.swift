import Raster

/// Placeholder art for a missing picture: two mountains under a sun, in shades that do not compete with pictures, or dots if
/// there are no shades.
struct PlaceholderArt {
    let theme: Theme

    func draw(in box: CellRect, on canvas: inout Canvas) {
        guard theme.art.isShaded, theme.symbols.hasBlocks else {
            drawDots(in: box, on: &canvas)
            return
        }
        box.intersection(canvas.clip).forEach { x, y in
            let upper = shade(x: x - box.x, y: 2 * (y - box.y), of: box.size)
            let lower = shade(x: x - box.x, y: 2 * (y - box.y) + 1, of: box.size)
            let cell =
                upper == lower
                ? Cell(glyph: 0x20, background: lower)
                : Cell(glyph: 0x2580, foreground: upper, background: lower)
            canvas.put(cell, x: x, y: y)
        }
    }

    /// Returns the shade of a half cell; `x` and `y` are in half rows from the box's top left corner.
    private func shade(x: Int, y: Int, of size: CellSize) -> CellColor {
        let width = Double(size.columns)
        let height = Double(2 * size.rows)
        let across = (Double(x) + 0.5) / width
        let up = 1 - (Double(y) + 0.5) / height
        // Slopes are in units of the box's height, so that they are equally steep in every box.
        let proportion = width / height
        if up < slope(across, peak: 0.36, at: 0.34, proportion: proportion) {
            return theme.art.near
        }
        if up < slope(across, peak: 0.52, at: 0.66, proportion: proportion) { return theme.art.far }
        return isSun(x: x, y: y, width: width, height: height) ? theme.art.sun : theme.art.ground
    }

    /// Returns whether a half cell belongs to the sun, which is centred between half cells to be as round as possible.
    private func isSun(x: Int, y: Int, width: Double, height: Double) -> Bool {
        let across = Double(x) + 0.5 - (width * 0.72).rounded()
        let down = Double(y) + 0.5 - (height * 0.28).rounded()
        let radius = max(1.2, height / 8)
        return across * across + down * down < radius * radius
    }

    /// Returns the height of a mountain with its `peak` at `center`; the slope is the same in every box.
    private func slope(
        _ across: Double, peak: Double, at center: Double, proportion: Double
    ) -> Double {
        peak - abs(across - center) * proportion * 0.7
    }

    /// Draws a dot in every fourth cell, with every other row shifted by two cells.
    private func drawDots(in box: CellRect, on canvas: inout Canvas) {
        canvas.fill(box, with: .blank)
        let dot = theme.muted.cell(theme.symbols.hasBlocks ? "·" : ".")
        for y in 0..<box.rows {
            for x in stride(from: y % 2 == 0 ? 1 : 3, to: box.columns, by: 4) {
                canvas.put(dot, x: box.x + x, y: box.y + y)
            }
        }
    }
}
