import Raster

/// Decides whether moving rows is cheaper than redrawing them.
enum ScrollDetector {
    /// Returns how far the scrolling rows of `old` have to move up (down if negative) to match `new`; nil if redrawing is cheaper.
    ///
    /// The canvases' offsets are only a hint: cells are compared, so a wrong hint costs time but never correctness.
    static func distance(from old: Canvas, to new: Canvas) -> Int? {
        guard let from = old.scrollOffset, let to = new.scrollOffset, from != to,
            old.size == new.size, old.scrollRows == new.scrollRows
        else { return nil }
        let rows = new.scrollRows.clamped(to: 0..<new.size.rows)
        let distance = to - from
        guard abs(distance) < rows.count else { return nil }
        let staying = differences(old, new, rows: rows, distance: 0)
        let moving = differences(old, new, rows: rows, distance: distance)
        // The move itself costs a few dozen bytes; saving less than a row's worth of cells is not worth the flicker on
        // terminals that draw in between.
        return moving + new.size.columns < staying ? distance : nil
    }

    private static func differences(
        _ old: Canvas, _ new: Canvas, rows: Range<Int>, distance: Int
    ) -> Int {
        let width = new.size.columns
        var count = 0
        old.cells.withUnsafeBufferPointer { old in
            new.cells.withUnsafeBufferPointer { new in
                for y in rows {
                    let source = y + distance
                    guard rows.contains(source) else {
                        count += width
                        continue
                    }
                    for x in 0..<width where old[source * width + x] != new[y * width + x] {
                        count += 1
                    }
                }
            }
        }
        return count
    }
}
