/// The grid under the lights, from the front.
struct StartGrid: Motif {
    /// The cars, pole first.
    var cars: [Model]
    var mood: Mood
    /// How many of the five lights are on.
    var lights = 5
    /// Whether they are green.
    var isGo = false
    var roadside = Roadside.stands

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let placed = cars.enumerated().map { index, model in
            Placed(model, at: Vec(Double(-index) * 6, 0, index % 2 == 0 ? -2.1 : 2.1))
        }
        TrackShot(
            cars: placed, eye: Vec(9, 2.3, 2.6), mood: mood, roadside: roadside,
            fill: canvas.right > canvas.bottom ? 0.42 : 0.62, middle: Point(0.68, 0.76), half: 7
        ).paint(&canvas, &seed)
        gantry(&canvas)
    }

    private func gantry(_ canvas: inout Canvas) {
        let wide = canvas.right
        canvas.fill(.rect(0, 9, wide, 3), Ink(0x24262E))
        canvas.fill(.rect(0, 27, wide, 2), Ink(0x24262E))
        for x in stride(from: 0.0, to: wide, by: 9) {
            canvas.stroke(
                Path(contours: [[Point(x, 11), Point(x + 4.5, 27), Point(x + 9, 11)]]), 0.9,
                Ink(0x24262E))
        }
        let width = min(wide * 0.8, 110)
        let left = (wide - width) / 2
        canvas.fill(.rounded(left, 5, width, 29, 3), Ink(0x0E0F13))
        let pitch = width / 5
        let on = isGo ? Ink(0x3CF06A) : Ink(0xFF2A1E)
        for lamp in 0..<5 {
            let center = Point(left + pitch * (Double(lamp) + 0.5), 19.5)
            let radius = min(pitch * 0.36, 9.5)
            let isOn = lamp < lights
            canvas.fill(.circle(center, radius + 1), Ink(0x2C2E36))
            canvas.fill(.circle(center, radius), isOn ? on : Ink(0x30181A))
            guard isOn else { continue }
            canvas.fill(.circle(center - Point(2, 2.5), radius * 0.35), on.lighter(0.6))
            canvas.flood(.glow(center, radius * 3, on.faded(0.5)), .add)
        }
    }
}
