/// How much of each pixel a path covers, row by row: exact along x, four samples along y, non-zero rule.
struct Coverage {
    /// Where an outline crosses a sample row.
    private struct Crossing {
        var row: Int32
        var x: Float
        var winding: Int32
    }

    /// Sample rows a pixel row; with exact x, more shows no difference at the sizes that ship.
    private static let samples = 4

    private let width: Int
    private let height: Int

    /// For pictures of `width` × `height` pixels.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Calls `body` with each touched row, its first and end column, and the coverage of all columns.
    func scan(_ path: Path, scale: Double, _ body: (Int, Range<Int>, [Float]) -> Void) {
        let crossings = crossings(path, scale: scale)
        var index = 0
        var deltas = [Float](repeating: 0, count: width + 2)
        var cover = [Float](repeating: 0, count: width)
        while index < crossings.count {
            let pixelRow = Int(crossings[index].row) / Self.samples
            var low = width
            var high = 0
            while index < crossings.count, Int(crossings[index].row) / Self.samples == pixelRow {
                let row = crossings[index].row
                var winding: Int32 = 0
                var start: Float = 0
                while index < crossings.count, crossings[index].row == row {
                    let next = crossings[index]
                    if winding == 0 { start = next.x }
                    winding += next.winding
                    if winding == 0 { span(start, next.x, &deltas, &low, &high) }
                    index += 1
                }
            }
            guard low < high else { continue }
            var sum: Float = 0
            for column in low..<high {
                sum += deltas[column]
                cover[column] = min(sum, 1)
            }
            for column in low...high + 1 { deltas[column] = 0 }
            body(pixelRow, low..<high, cover)
        }
    }

    /// Adds a run from `from` to `to` to the differences, whose running sum is the coverage.
    private func span(
        _ from: Float, _ to: Float, _ deltas: inout [Float], _ low: inout Int, _ high: inout Int
    ) {
        let start = max(from, 0)
        let end = min(to, Float(width))
        guard end > start else { return }
        edge(start, 1, &deltas)
        edge(end, -1, &deltas)
        low = min(low, Int(start))
        high = max(high, min(Int(end) + 1, width))
    }

    /// A step at `x`: its pixel takes the part to the right of it, the next pixel the rest.
    private func edge(_ x: Float, _ sign: Float, _ deltas: inout [Float]) {
        let column = Int(x)
        let part = x - Float(column)
        let weight = sign / Float(Self.samples)
        deltas[column] += weight * (1 - part)
        deltas[column + 1] += weight * part
    }

    private func crossings(_ path: Path, scale: Double) -> [Crossing] {
        var result: [Crossing] = []
        let rows = Double(Self.samples) * scale
        let lastRow = Double(height * Self.samples)
        for contour in path.contours where contour.count > 2 {
            for (index, from) in contour.enumerated() {
                let to = contour[(index + 1) % contour.count]
                let (top, bottom) = from.y < to.y ? (from, to) : (to, from)
                let first = max((top.y * rows - 0.5).rounded(.up), 0)
                let end = min((bottom.y * rows - 0.5).rounded(.up), lastRow)
                guard first < end else { continue }
                let slope = (bottom.x - top.x) / (bottom.y - top.y)
                for row in Int(first)..<Int(end) {
                    let y = (Double(row) + 0.5) / rows
                    let x = (top.x + (y - top.y) * slope) * scale
                    result.append(
                        Crossing(row: Int32(row), x: Float(x), winding: from.y < to.y ? 1 : -1))
                }
            }
        }
        result.sort { $0.row != $1.row ? $0.row < $1.row : $0.x < $1.x }
        return result
    }
}
