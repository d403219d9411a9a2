/// A grandstand full of people, along the far side of the road.
struct Stand {
    var mood: Mood
    var road: Road
    /// Which side: 1 is to the right of the road's direction.
    var sides: [Double] = [-1]

    static let clothes: [UInt32] = [
        0xF2EEE4, 0xE0402C, 0xF2B632, 0x2C6CC4, 0x1E2A44, 0xE88A9A, 0x8EC6DA, 0x3E8A54, 0xD8C8A8,
        0x6A2E5A,
    ]

    /// Paints the tiers, the people and the roof.
    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        for side in sides {
            let near = side * (road.half + 8)
            let step = side * 1.1
            quad(&canvas, near, 0, near, 2.2, Ink(0xB8B4AC))
            quad(&canvas, near, 2.2, near + step * 10, 9.5, Ink(0x3A3A44))
            for row in (0..<10).reversed() {
                let z = near + step * Double(row)
                people(&canvas, &seed, z, 2.2 + Double(row) * 0.73)
            }
            quad(&canvas, near + step * 10, 12.4, near - step, 13.2, Ink(0xE8E4DA))
            for x in stride(from: -110.0, to: 110, by: 18) { post(&canvas, x, near + step * 9) }
        }
    }

    private func quad(
        _ canvas: inout Canvas, _ z0: Double, _ y0: Double, _ z1: Double, _ y1: Double, _ ink: Ink
    ) {
        let shade = mood.isDark ? ink.darker(0.5) : ink.mixed(mood.haze, 0.12)
        canvas.fill(
            road.camera.outline([
                Vec(-110, y0, z0), Vec(110, y0, z0), Vec(110, y1, z1), Vec(-110, y1, z1),
            ]), shade)
    }

    private func post(_ canvas: inout Canvas, _ x: Double, _ z: Double) {
        canvas.fill(
            road.camera.outline([
                Vec(x, 8, z), Vec(x + 0.5, 8, z), Vec(x + 0.5, 12.6, z), Vec(x, 12.6, z),
            ]),
            Ink(0x8A8880))
    }

    private func people(_ canvas: inout Canvas, _ seed: inout Seed, _ z: Double, _ y: Double) {
        for x in stride(from: -108.0, to: 108, by: 0.85) {
            let place = Vec(x + seed.value(-0.2...0.2), y + seed.value(0...0.25), z)
            let ink = Ink(seed.pick(Self.clothes)).darker(mood.isDark ? 0.45 : seed.value(0...0.2))
            let skin = Ink(seed.pick([0xE8B890, 0xC88A60, 0x8A5638, 0xF2CCA8])).darker(
                mood.isDark ? 0.4 : 0)
            guard let foot = road.camera.project(place) else { continue }
            guard foot.x > -3, foot.x < canvas.right + 3 else { continue }
            let unit = road.camera.scale(at: place)
            guard unit > 0.25 else { continue }
            canvas.fill(
                .rounded(
                    foot.x - 0.33 * unit, foot.y - 0.9 * unit, 0.66 * unit, 0.95 * unit, 0.25 * unit
                ), ink)
            canvas.fill(
                .rounded(
                    foot.x - 0.19 * unit, foot.y - 1.26 * unit, 0.38 * unit, 0.42 * unit, 0.2 * unit
                ), skin)
        }
    }
}

/// A low wall of painted boards beside the road.
struct Boards {
    var road: Road
    var sides: [Double] = [-1, 1]

    /// Paints the wall; the side nearer than the camera is left out.
    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let inks: [UInt32] = [0xD8262C, 0xF4EEE2, 0x1E4EA8, 0xF2B632, 0x14161C, 0x1F8A70]
        let board = seed.whole(0...5)
        for side in sides {
            let away = side * (road.half + 4)
            for (index, x) in stride(from: 132.0, to: -132, by: -6).enumerated() {
                let ink = Ink(inks[(index / 2 + board) % inks.count]).darker(
                    road.mood.isDark ? 0.35 : 0)
                panel(&canvas, x, x + 6, away, 0, 1.1, ink)
                let mark = index % 2 == 0 ? ink.lighter(0.7) : ink.darker(0.45)
                panel(&canvas, x + 1.2, x + 4.6, away, 0.4, 0.75, mark)
            }
        }
    }

    private func panel(
        _ canvas: inout Canvas, _ start: Double, _ end: Double, _ away: Double, _ low: Double,
        _ high: Double,
        _ ink: Ink
    ) {
        let from = road.middle(start) + away
        let to = road.middle(end) + away
        let corners = [
            Vec(start, low, from), Vec(end, low, to), Vec(end, high, to), Vec(start, high, from),
        ]
        guard corners.allSatisfy({ road.camera.view($0).z > 4 }) else { return }
        canvas.fill(road.camera.outline(corners), ink)
    }
}
