/// Houses on both sides of the road.
struct City {
    var road: Road
    /// Colours of the fronts.
    var fronts: [UInt32] = [0xE8C89A, 0xD89878, 0xF2E2C4, 0xC87860, 0xE8B4A0, 0xB8C4B4]

    /// Paints them, far to near.
    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        var places: [Vec] = []
        for x in stride(from: -150.0, to: 150, by: 11) {
            for side in [-1.0, 1] {
                places.append(Vec(x, 0, side * (road.half + 7)))
                places.append(Vec(x + 5, 0, side * (road.half + 24)))
            }
        }
        for place in Roadside.farFirst(places, road.camera, nearest: 9) {
            house(&canvas, place, &seed)
        }
    }

    private func house(_ canvas: inout Canvas, _ place: Vec, _ seed: inout Seed) {
        let mood = road.mood
        let far = smoothstep(20, 160, road.camera.view(place).z) * 0.65
        let plain =
            mood.isDark ? Ink(seed.pick([0x141C34, 0x1C2440, 0x10162A])) : Ink(seed.pick(fronts))
        let ink = plain.mixed(mood.haze, far)
        let height = seed.value(9...22) * (abs(place.z) > road.half + 20 ? 1.7 : 1)
        let side = place.z > 0 ? 1.0 : -1
        let end = place.x + 10
        let back = place.z + side * 12
        func wall(_ corners: [Vec], _ ink: Ink) { canvas.fill(road.camera.outline(corners), ink) }
        for x in [place.x, end] {
            wall(
                [
                    Vec(x, 0, place.z), Vec(x, 0, back), Vec(x, height, back),
                    Vec(x, height, place.z),
                ], ink.darker(0.22))
        }
        wall(
            [
                Vec(place.x, 0, place.z), Vec(end, 0, place.z), Vec(end, height, place.z),
                Vec(place.x, height, place.z),
            ], ink)
        for floor in stride(from: 2.5, to: height - 1.5, by: 3.2) {
            for x in stride(from: place.x + 1, to: end - 1, by: 2.4) {
                let lit =
                    mood.isDark
                    ? (seed.chance(0.55) ? Ink(0xFFD880) : ink.lighter(0.06)) : ink.darker(0.45)
                wall(
                    [
                        Vec(x, floor, place.z), Vec(x + 1.2, floor, place.z),
                        Vec(x + 1.2, floor + 1.8, place.z), Vec(x, floor + 1.8, place.z),
                    ],
                    lit)
            }
        }
    }
}

/// Yachts on the water beyond the wall, and the town on the far shore.
struct Harbour {
    var road: Road

    /// Paints the shore, then the yachts from far to near.
    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let horizon = road.camera.horizon
        shore(&canvas, horizon, &seed)
        for _ in 0..<40 {
            let y = horizon + seed.value(0.5...16)
            let x = seed.value(0...canvas.right)
            canvas.fill(.rounded(x, y, seed.value(3...10), 0.35, 0.17), road.mood.haze.faded(0.45))
        }
        let places = (0..<26).map { _ in
            Vec(
                seed.value(-90...90), 0,
                (seed.chance(0.8) ? -1 : 1) * (road.half + seed.value(22...80)))
        }
        for place in Roadside.farFirst(places, road.camera, nearest: 30) {
            yacht(&canvas, place, &seed)
        }
    }

    private func shore(_ canvas: inout Canvas, _ horizon: Double, _ seed: inout Seed) {
        var x = -3.0
        while x < canvas.right {
            let width = seed.value(3...7)
            let height = seed.value(3...13)
            let ink =
                road.mood.isDark
                ? Ink(0x18223E) : Ink(seed.pick([0xE8C89A, 0xF2E2C4, 0xE0A488, 0xF6F0E0]))
            canvas.fill(
                .rect(x, horizon - height, width, height + 0.6), ink.mixed(road.mood.haze, 0.2))
            for row in stride(from: horizon - height + 1, to: horizon - 1, by: 1.8) {
                for column in stride(from: x + 0.7, to: x + width - 0.8, by: 1.4) {
                    let lit =
                        road.mood.isDark
                        ? Ink(0xFFD880, seed.chance(0.5) ? 1 : 0) : ink.darker(0.35)
                    canvas.fill(.rect(column, row, 0.7, 0.9), lit)
                }
            }
            x += width
        }
    }

    private func yacht(_ canvas: inout Canvas, _ place: Vec, _ seed: inout Seed) {
        guard let base = road.camera.project(place) else { return }
        let unit = road.camera.scale(at: place) * seed.value(0.8...1.5)
        func shape(_ points: [Point], _ ink: Ink) {
            canvas.fill(.polygon(points.map { base + $0 * unit }), ink)
        }
        let hull = road.mood.isDark ? Ink(0x5A6890) : Ink(0xFBFAF4)
        shape([Point(-6, -1.6), Point(7, -2), Point(5.4, 0), Point(-5.6, 0)], hull)
        shape(
            [Point(-4, -3.2), Point(2.4, -3.2), Point(4.4, -1.8), Point(-4.6, -1.6)],
            hull.darker(0.1))
        shape(
            [Point(-3.4, -2.9), Point(2, -2.9), Point(3, -2.3), Point(-3.6, -2.3)], Ink(0x1E3A58))
        shape(
            [Point(-0.1, -14), Point(0.15, -14), Point(0.15, -3), Point(-0.1, -3)],
            hull.darker(0.25))
        if seed.chance(0.5) { shape([Point(0.5, -13), Point(6, -3.4), Point(0.5, -3.4)], hull) }
    }
}
