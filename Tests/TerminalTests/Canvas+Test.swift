import Raster
@testable import Terminal

extension Canvas {
    /// The cell at column `x` and row `y`; nil outside the screen.
    subscript(x: Int, y: Int) -> Cell? {
        CellRect(size).contains(x: x, y: y) ? cells[y * size.columns + x] : nil
    }
}
