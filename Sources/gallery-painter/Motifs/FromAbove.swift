import Glibc

/// A bend of the track, seen from the air.
struct FromAbove: Motif {
    /// The bend: corner points in metres, x to the right of the picture, z down.
    var corners: [Point]
    var cars: [Model]
    /// Where along the track the first car is, and how far apart they are.
    var start = 0.62
    var gap = 0.09
    var mood: Mood
    /// Where the camera is above the middle of the picture.
    var eye = Vec(0, 60, 20)
    /// Metres that fit across the shorter side.
    var span = 27.0
    var trees = 60

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let distance = eye.dot(eye).squareRoot()
        let camera = Camera(
            eye: eye, target: .zero, focal: 100 / span * distance, center: canvas.center)
        let circuit = Circuit(through: corners, mood: mood)
        canvas.flood(.solid(mood.ground))
        for stripe in -14..<14 where stripe % 2 == 0 {
            let x = Double(stripe) * 7
            let corners = [
                Vec(x, 0, -90), Vec(x + 7, 0, -90), Vec(x + 37, 0, 90), Vec(x + 30, 0, 90),
            ]
            canvas.fill(camera.outline(corners), mood.ground.darker(0.09))
        }
        circuit.paint(&canvas, camera)
        let placed = cars.enumerated().map { index, model in
            var car = circuit.car(
                model, at: start - Double(index) * gap, side: index % 2 == 0 ? 0.8 : -2)
            // Larger than life: at its true size a car is three half-block cells long.
            car.size = 1.5
            return car
        }
        let light = mood.light
        canvas.draw(Render.shadow(placed, camera, light, like: canvas, softness: 0.4), opacity: 0.6)
        canvas.draw(Render.layer(placed, camera, light, like: canvas))
        wood(&canvas, camera, circuit, &seed)
        canvas.vignette(0.3)
    }

    private func wood(
        _ canvas: inout Canvas, _ camera: Camera, _ circuit: Circuit, _ seed: inout Seed
    ) {
        for _ in 0..<trees {
            let place = Point(seed.value(-44...44), seed.value(-34...34))
            let clear = circuit.line.allSatisfy { ($0 - place).length > circuit.half + 7 }
            guard clear, let spot = camera.project(Vec(place.x, 0, place.y)) else { continue }
            let size = camera.scale(at: Vec(place.x, 0, place.y)) * seed.value(1.8...3.6)
            let ink = mood.foliage.lighter(seed.value(0...0.15))
            canvas.fill(.circle(spot + Point(size * 0.4, size * 0.5), size), Ink.black.faded(0.25))
            canvas.fill(.circle(spot, size), ink)
            canvas.fill(
                .circle(spot - Point(size * 0.25, size * 0.3), size * 0.6), ink.lighter(0.14))
        }
    }
}
