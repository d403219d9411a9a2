import Glibc

/// A chequered flag in the wind.
struct Flag: Motif {
    /// Where the wave is, 0…1; frames of an animation go once round.
    var phase = 0.0
    var sky: [Ink]
    /// Squares across and down.
    var squares = (9, 6)
    /// The two colours.
    var dark = Ink(0x141418)
    var light = Ink(0xF8F6EE)
    /// Whether the staff and the arm that holds it show.
    var hasStaff = true

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        if !sky.isEmpty { canvas.flood(.vertical(0, canvas.bottom, sky)) }
        let (columns, rows) = squares
        for column in 0..<columns {
            for row in 0..<rows {
                let ink = (column + row) % 2 == 0 ? dark : light
                cell(&canvas, column, row, ink)
            }
        }
        guard hasStaff else { return }
        let top = Point(canvas.right * 0.1, canvas.bottom * 0.05)
        let foot = Point(canvas.right * 0.16, canvas.bottom * 1.05)
        canvas.fill(Path(contours: [[top, foot]]).stroked(3), Ink(0x7A4A28))
        canvas.fill(
            Path(contours: [[top + Point(-0.6, 0), foot + Point(-0.6, 0)]]).stroked(0.9),
            Ink(0xC88A54))
        canvas.fill(.circle(top, 2.8), Ink(0xE8B84A))
    }

    private func cell(_ canvas: inout Canvas, _ column: Int, _ row: Int, _ ink: Ink) {
        let pieces = 5
        for piece in 0..<pieces {
            let u0 = (Double(column) + Double(piece) / Double(pieces)) / Double(squares.0)
            let u1 =
                (Double(column) + Double(piece + 1) / Double(pieces)) / Double(squares.0) + 0.002
            let v0 = Double(row) / Double(squares.1)
            let v1 = Double(row + 1) / Double(squares.1)
            let corners = [Point(u0, v0), Point(u1, v0), Point(u1, v1), Point(u0, v1)].map {
                place($0, canvas)
            }
            let slope = (cos(wave(u0, v0)) * (0.3 + u0 * 0.7) * 2).rounded() / 2
            canvas.fill(
                .polygon(corners),
                slope > 0 ? ink.lighter(slope * 0.16) : ink.mixed(Ink(0x2A2048), -slope * 0.5))
        }
    }

    private func wave(_ u: Double, _ v: Double) -> Double {
        (u * 1.7 + v * 0.25 - phase) * 2 * .pi
    }

    private func place(_ at: Point, _ canvas: Canvas) -> Point {
        let lift = sin(wave(at.x, at.y)) * 5.5 * (0.25 + at.x)
        let size = Point(canvas.right * 0.84, canvas.bottom * 0.66)
        return Point(canvas.right * 0.11 + at.y * 3, canvas.bottom * 0.1)
            + Point(at.x * size.x, at.y * size.y + lift + at.x * at.x * 7)
    }
}
