import Glibc

/// A night race, the shutter open for seconds: the cars are gone, their lamps have stayed.
struct LightTrails: Motif {
    /// How the road bends, metres to the side a square metre.
    var bend: Double
    var mood: Mood = .night
    var roadside: Roadside = .city
    /// Lamps of those that come, and of those that go.
    var coming = Ink(0xFFF2C4)
    var going = Ink(0xFF2A20)
    var hasWheel = false

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let camera = Camera(
            eye: Vec(-16, 4.2, 0), target: Vec(14, 0.6, bend * 60), focal: 95,
            center: Point(canvas.right / 2, canvas.bottom * 0.58))
        Sky(mood: mood, horizon: camera.horizon, sun: Point(0.2, 26), size: 4, clouds: 2).paint(
            &canvas, &seed)
        Hills(mood: mood, horizon: camera.horizon, height: 9).paint(&canvas, &seed)
        if hasWheel { wheel(&canvas, camera.horizon) }
        let road = Road(mood: mood, camera: camera, half: 8, bend: bend)
        road.paint(&canvas)
        roadside.paint(&canvas, road, &seed)
        for trail in 0..<34 {
            let isComing = trail % 2 == 0
            let side = isComing ? seed.value(1...6) : seed.value(-6 ... -1)
            paintTrail(
                &canvas, road, side, height: seed.value(0.25...0.9), isComing ? coming : going,
                seed.value(0.07...0.2))
        }
        canvas.vignette(0.4)
    }

    private func paintTrail(
        _ canvas: inout Canvas, _ road: Road, _ side: Double, height: Double, _ ink: Ink,
        _ width: Double
    ) {
        var left: [Point] = []
        var right: [Point] = []
        for step in 0...70 {
            let x = -14 + pow(Double(step) / 70, 2) * 190
            let place = Vec(x, height, road.middle(x) + side)
            guard let spot = road.camera.project(place) else { continue }
            let half = max(road.camera.scale(at: place) * width, 0.18) / 2
            left.append(spot - Point(half, half * 0.4))
            right.append(spot + Point(half, half * 0.4))
        }
        let path = Path.polygon(left + right.reversed())
        canvas.fill(path.mapped { $0 }.stroked(1.6, closed: true), ink.faded(0.1), .add)
        canvas.fill(path, ink, .add)
    }

    private func wheel(_ canvas: inout Canvas, _ horizon: Double) {
        let center = Point(canvas.right * 0.76, horizon - 20)
        canvas.stroke(.circle(center, 17), 0.8, Ink(0x6AD8F0), closed: true)
        for spoke in 0..<12 {
            let rim = center + .polar(Double(spoke) / 12 * 2 * .pi, 17)
            canvas.stroke(Path(contours: [[center, rim]]), 0.35, Ink(0x9A8AF0))
            canvas.fill(.circle(rim, 1.3), Ink(spoke % 2 == 0 ? 0xFF5AA0 : 0xFFE07A))
        }
        canvas.stroke(
            Path(contours: [[center + Point(-8, 22), center, center + Point(8, 22)]]), 0.8,
            Ink(0x4A5AA0))
        canvas.flood(.glow(center, 34, Ink(0x6A7AF0, 0.35)), .add)
    }
}
