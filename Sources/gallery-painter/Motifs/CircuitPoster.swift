/// The plan of a circuit, as a poster.
struct CircuitPoster: Motif {
    /// The middle line: corners in a square of 100 by 100.
    var corners: [Point]
    /// Ground, asphalt, accent, letters.
    var inks: [Ink]
    var title: String

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        canvas.flood(.solid(inks[0]))
        for line in stride(from: 5.0, to: canvas.right, by: 10) {
            canvas.fill(.rect(line, 0, 0.3, canvas.bottom), inks[0].lighter(0.12))
        }
        for line in stride(from: 5.0, to: canvas.bottom, by: 10) {
            canvas.fill(.rect(0, line, canvas.right, 0.3), inks[0].lighter(0.12))
        }
        let isUpright = canvas.bottom > canvas.right
        let room =
            isUpright
            ? Point(canvas.right, canvas.bottom * 0.72) : Point(canvas.right, canvas.bottom * 0.78)
        let size = Point(room.x, room.y) * 0.0088
        let place = Affine(scale: size, offset: Point(room.x * 0.06, room.y * 0.06))
        let track = Path.smooth(corners.map { place($0) })
        canvas.fill(track, inks[0].lighter(0.1))
        canvas.stroke(track.mapped { $0 + Point(1, 1.4) }, 8, Ink.black.faded(0.2), closed: true)
        canvas.stroke(track, 8, inks[3], closed: true)
        canvas.stroke(track, 5.4, inks[1], closed: true)
        flagLine(&canvas, track)
        for index in stride(from: 20, to: track.contours[0].count, by: 61) {
            let spot = track.contours[0][index]
            canvas.fill(.circle(spot, 3.6), inks[2])
            canvas.fill(.circle(spot, 2), inks[3])
        }
        canvas.title(
            title, y: canvas.bottom * (isUpright ? 0.8 : 0.84), width: canvas.right * 0.86,
            height: 11, inks[3])
        canvas.fill(
            .rect(canvas.right * 0.07, canvas.bottom * 0.955, canvas.right * 0.86, 1.4), inks[2])
    }

    /// Start and finish, across the track at its first corner.
    private func flagLine(_ canvas: inout Canvas, _ track: Path) {
        let line = track.contours[0]
        let way = line[1] - line[0]
        let along = way / way.length
        let across = Point(-along.y, along.x)
        for row in 0..<2 {
            for column in -3..<3 {
                let corner = line[0] + across * (Double(column) * 2) + along * (Double(row) * 2)
                let square = [
                    corner, corner + across * 2, corner + across * 2 + along * 2,
                    corner + along * 2,
                ]
                canvas.fill(.polygon(square), (row + column) % 2 == 0 ? Ink.black : Ink.white)
            }
        }
    }
}
