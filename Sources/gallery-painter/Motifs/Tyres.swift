import Glibc

/// Tyres in stacks, their flanks ringed with colour.
struct Tyres: Motif {
    /// The colours of the rings, stack by stack.
    var rings: [UInt32]
    /// Ground and wall.
    var inks: [Ink]
    var height = 4
    /// Whether they stand upright in a row rather than lie in stacks.
    var areRolling = false

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let light = Light(
            Vec(0.5, 0.7, 0.5), key: 0xFFF4E4, sky: 0x90A0B8, horizon: 0xFFFFFF, ground: 0x4A4440)
        var placed: [Placed] = []
        for (index, ring) in rings.enumerated() {
            let x = Double(index) * 1.55
            if areRolling {
                placed.append(
                    Placed(
                        tyre(
                            Ink(ring), axis: Vec(0.35, 0, 1),
                            center: Vec(x, 0.72, Double(index % 2) * 0.3))))
            } else {
                for level in 0..<max(height - index % 2, 1) {
                    let shift = seed.value(-0.07...0.07)
                    placed.append(
                        Placed(
                            tyre(
                                Ink(ring), axis: Vec(0, 1, 0),
                                center: Vec(x + shift, 0.32 + Double(level) * 0.62, shift))))
                }
            }
        }
        let camera = Camera.framing(
            placed, eye: Vec(-2 + Double(rings.count) * 0.7, 3.4, 8), on: canvas,
            middle: Point(0.5, 0.56), width: 0.84, height: 0.8)
        canvas.flood(.vertical(0, camera.horizon + 30, [inks[1], inks[1].darker(0.15)]))
        let floor = canvas.bottom * 0.6
        canvas.fill(
            .rect(0, floor, canvas.right, canvas.bottom),
            .vertical(floor, canvas.bottom, [inks[0], inks[0].darker(0.3)]))
        canvas.fill(.rect(0, floor - 6, canvas.right, 6), Ink(0xF4F1E8))
        canvas.draw(Render.shadow(placed, camera, light, like: canvas, softness: 0.7), opacity: 0.5)
        canvas.draw(Render.layer(placed, camera, light, like: canvas))
        canvas.vignette(0.3)
    }

    private func tyre(_ ring: Ink, axis: Vec, center: Vec) -> Model {
        var model = Model()
        let profile = [
            Point(0.4, -0.22), Point(0.44, -0.3), Point(0.64, -0.3), Point(0.72, -0.22),
            Point(0.72, 0.22), Point(0.64, 0.3),
            Point(0.44, 0.3), Point(0.4, 0.22), Point(0.4, -0.22),
        ]
        let way = axis.unit
        let coat = Coat(gloss: 0.15) { position, _ in
            let out = position - center
            let along = out.dot(way)
            let radius = (out - way * along).dot(out - way * along).squareRoot()
            if abs(along) > 0.28 && radius > 0.48 && radius < 0.62 { return ring }
            if abs(along) < 0.05 { return ring }
            return abs(abs(along) - 0.14) < 0.02 ? Ink(0x0C0C0E) : Ink(0x26262B)
        }
        model.add(.lathe(profile, center: center, axis: way, sides: 56), coat)
        return model
    }
}
