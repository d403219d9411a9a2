/// Something that can be painted.
protocol Motif: Sendable {
    /// Paints onto a clear canvas; everything that varies comes from the motif's values and `seed`.
    func paint(_ canvas: inout Canvas, _ seed: inout Seed)
}

extension Camera {
    /// A camera at `eye` that shows `models` as wide as `width` (a part of the canvas) and no higher than `height`,
    /// their middle at `middle` (parts of the canvas).
    static func framing(
        _ models: [Placed], eye: Vec, on canvas: Canvas, middle: Point, width: Double,
        height: Double,
        roll: Double = 0
    ) -> Camera {
        let target = models[0].at + Vec(0, 0.5, 0)
        let trial = Camera(eye: eye, target: target, focal: 1, center: .zero, roll: roll)
        var low = Point(1e9, 1e9)
        var high = Point(-1e9, -1e9)
        for placed in models {
            for part in placed.model.parts {
                for point in part.mesh.positions {
                    guard let spot = trial.project(placed.place(point)) else { continue }
                    low = Point(min(low.x, spot.x), min(low.y, spot.y))
                    high = Point(max(high.x, spot.x), max(high.y, spot.y))
                }
            }
        }
        let size = high - low
        let focal = min(width * canvas.right / size.x, height * canvas.bottom / size.y)
        let place = Point(canvas.right, canvas.bottom) * middle
        return Camera(
            eye: eye, target: target, focal: focal, center: place - (low + high) / 2 * focal,
            roll: roll)
    }
}
