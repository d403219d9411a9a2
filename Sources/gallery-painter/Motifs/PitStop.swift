/// A car on its jacks, the crew around it.
struct PitStop: Motif {
    var car: Model
    /// Overalls and helmets.
    var suit: Ink
    var helmet: Ink
    /// The wall of the garage and its stripe.
    var wall: Ink
    var stripe: Ink
    var eye = Vec(5.5, 3.2, 6.5)

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let light = Light(
            Vec(0.4, 0.8, 0.5), key: 0xFFF0DC, sky: 0xA0B0C8, horizon: 0xFFFFFF, ground: 0x5A5654)
        let hero = Placed(car, at: Vec(0, 0.08, 0))
        let camera = Camera.framing(
            [hero], eye: eye, on: canvas, middle: Point(0.5, 0.62), width: 0.66, height: 0.6)
        canvas.flood(.solid(Ink(0x8A8E94)))
        func quad(_ corners: [Vec], _ ink: Ink) { canvas.fill(camera.outline(corners), ink) }
        quad([Vec(-30, 0, -40), Vec(30, 0, -40), Vec(30, 0, 20), Vec(-30, 0, 20)], Ink(0x8A8E94))
        quad([Vec(-4, 0.0, -2.2), Vec(4, 0, -2.2), Vec(4, 0, 2.2), Vec(-4, 0, 2.2)], Ink(0xF2C53A))
        quad([Vec(-3.8, 0.0, -2), Vec(3.8, 0, -2), Vec(3.8, 0, 2), Vec(-3.8, 0, 2)], Ink(0x6A6E76))
        quad([Vec(-30, 0, -5), Vec(30, 0, -5), Vec(30, 9, -5), Vec(-30, 9, -5)], wall)
        quad([Vec(-30, 3.3, -5), Vec(30, 3.3, -5), Vec(30, 4.2, -5), Vec(-30, 4.2, -5)], stripe)
        for x in [-11.0, -3.2, 4.6] {
            quad(
                [Vec(x, 0, -5), Vec(x + 6, 0, -5), Vec(x + 6, 3, -5), Vec(x, 3, -5)], Ink(0x1A1C22))
        }
        let crew = self.crew
        canvas.draw(Render.shadow([hero] + crew, camera, light, like: canvas), opacity: 0.55)
        canvas.draw(Render.layer([hero] + crew, camera, light, like: canvas))
        canvas.vignette(0.3)
    }

    private var crew: [Placed] {
        func member(_ pose: Figure.Pose, _ x: Double, _ z: Double, _ heading: Double) -> Placed {
            Placed(
                Figure(pose: pose, suit: suit, helmet: helmet).model(), at: Vec(x, 0, z),
                heading: heading, size: 1.05)
        }
        let quarter = Double.pi / 2
        return [
            member(.crouching, 1.75, 1.75, -quarter), member(.crouching, 1.75, -1.75, quarter),
            member(.crouching, -1.72, 1.8, -quarter), member(.crouching, -1.72, -1.8, quarter),
            member(.pushing, 3.7, 0, 2 * quarter), member(.pushing, -3.5, 0, 0),
            member(.standing, 0.2, -1.9, quarter), member(.standing, -0.7, -2.3, quarter),
            member(.standing, 3.1, -1.7, quarter * 1.4),
            member(.standing, -2.9, -1.9, quarter * 0.8),
        ]
    }
}
