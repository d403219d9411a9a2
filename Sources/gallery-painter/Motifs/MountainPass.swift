import Glibc

/// A hill climb: the road winds up a flank, a car far below the top.
struct MountainPass: Motif {
    var mood: Mood
    var car: Model
    var turns = 5
    var isRight = true

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let horizon = canvas.bottom * 0.5
        Sky(mood: mood, horizon: horizon, sun: Point(isRight ? 0.2 : 0.8, 26), size: 6, clouds: 5)
            .paint(&canvas, &seed)
        Hills(mood: mood, horizon: horizon + 12, height: 34, isAlpine: true).paint(&canvas, &seed)
        flank(&canvas, &seed)
        let placed = [Placed(car)]
        let eye = Vec(6, 1.4, isRight ? 4.4 : -4.4)
        let camera = Camera.framing(
            placed, eye: eye, on: canvas, middle: Point(isRight ? 0.38 : 0.62, 0.78), width: 0.62,
            height: 0.42)
        verge(&canvas, camera)
        canvas.draw(Render.shadow(placed, camera, mood.light, like: canvas), opacity: 0.6)
        canvas.draw(Render.layer(placed, camera, mood.light, like: canvas))
        canvas.vignette(0.3)
    }

    private func flank(_ canvas: inout Canvas, _ seed: inout Seed) {
        let wide = canvas.right
        let slope = [
            Point(side(wide * 0.1, canvas), canvas.bottom * 0.86),
            Point(side(wide * 0.42, canvas), canvas.bottom * 0.5),
            Point(side(wide * 0.66, canvas), canvas.bottom * 0.22),
            Point(side(wide * 0.86, canvas), canvas.bottom * 0.1),
            Point(side(wide * 1.1, canvas), canvas.bottom * 0.04),
            Point(side(wide * 1.1, canvas), canvas.bottom * 0.9),
        ]
        canvas.fill(
            .polygon(slope),
            .vertical(0, canvas.bottom, [mood.ground.lighter(0.12), mood.ground.darker(0.2)]))
        serpentine(&canvas)
        wood(&canvas, &seed)
    }

    /// The road, turn above turn, on its own shadow.
    private func serpentine(_ canvas: inout Canvas) {
        let wide = canvas.right
        var road: [Point] = []
        for turn in 0...turns {
            let part = Double(turn) / Double(turns)
            let y = canvas.bottom * (0.76 - 0.58 * part)
            let left = wide * (0.3 + 0.46 * part)
            let span = wide * 0.5 * (1 - part * 0.72)
            let ends = [left, left + span]
            for x in turn % 2 == 0 ? ends : ends.reversed() {
                road.append(Point(side(x, canvas), y - (x == left ? 0 : 3)))
            }
        }
        let line = Path.smooth(road, closed: false)
        for (index, point) in line.contours[0].enumerated().dropLast() {
            let next = line.contours[0][index + 1]
            let width = 1 + 3.4 * point.y / canvas.bottom
            canvas.stroke(
                Path(contours: [[point + Point(0, width * 0.4), next + Point(0, width * 0.4)]]),
                width * 1.3, mood.ground.darker(0.45))
        }
        for (index, point) in line.contours[0].enumerated().dropLast() {
            let next = line.contours[0][index + 1]
            canvas.stroke(
                Path(contours: [[point, next]]), 1 + 3.4 * point.y / canvas.bottom,
                mood.road.lighter(0.25))
        }
    }

    private func wood(_ canvas: inout Canvas, _ seed: inout Seed) {
        for _ in 0..<26 {
            let spot = Point(
                side(canvas.right * seed.value(0.4...1), canvas),
                canvas.bottom * seed.value(0.35...0.8))
            let size = 2 + 5 * spot.y / canvas.bottom
            canvas.fill(
                .polygon([
                    spot + Point(-size * 0.4, 0), spot + Point(0, -size * 1.4),
                    spot + Point(size * 0.4, 0),
                ]), mood.foliage)
        }
    }

    /// `x`, or its mirror image where the flank rises to the left.
    private func side(_ x: Double, _ canvas: Canvas) -> Double { isRight ? x : canvas.right - x }

    private func verge(_ canvas: inout Canvas, _ camera: Camera) {
        let ground = canvas.bottom * 0.74
        canvas.fill(
            .polygon([
                Point(0, ground + 4), Point(canvas.right, ground - 2),
                Point(canvas.right, canvas.bottom), Point(0, canvas.bottom),
            ]), mood.ground.darker(0.3))
        let road = Road(mood: mood, camera: camera, half: 4, hasKerbs: false)
        canvas.clipped(to: .rect(0, ground + 2, canvas.right, canvas.bottom)) { canvas in
            road.strip(&canvas, -60, 60, -4, 4, .solid(mood.road))
            road.strip(&canvas, -60, 60, 3.6, 3.8, .solid(Ink(0xF4F2EA, 0.8)))
            road.strip(&canvas, -60, 60, -3.8, -3.6, .solid(Ink(0xF4F2EA, 0.8)))
        }
        for x in stride(from: -40.0, to: 20, by: 2.5) {
            let stone = [
                Vec(x, 0, -4.6), Vec(x + 0.7, 0, -4.6), Vec(x + 0.7, 0.55, -4.6),
                Vec(x, 0.55, -4.6),
            ]
            canvas.fill(camera.outline(stone), Ink(0xF0ECE0))
        }
    }
}
