import Glibc

/// Three winners on their steps.
struct Podium: Motif {
    /// First, second, third.
    var suits: [UInt32]
    var mood: Mood
    var steps: [UInt32] = [0xF4F1E8, 0xD8DCE2, 0xC89A6A]

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let light = mood.light
        var models: [Placed] = []
        let heights = [1.1, 0.75, 0.5]
        for (index, z) in [0.0, 1.35, -1.35].enumerated() {
            var block = Model()
            block.add(
                .box(Vec(-0.6, 0, z - 0.64), Vec(0.6, heights[index], z + 0.64)),
                Coat(Ink(steps[index])))
            let number = [1, 2, 3][index]
            let ink = Ink(0xC8202E)
            let mark = Coat(gloss: 0) { [steps] position, _ in
                let place =
                    Point(-(position.z - z), position.y - heights[index] / 2)
                    / (heights[index] * 0.62)
                return Digits.covers(number, place) ? ink : Ink(steps[index])
            }
            block.add(.box(Vec(0.6, 0.02, z - 0.62), Vec(0.62, heights[index], z + 0.62)), mark)
            models.append(Placed(block))
            let pose: Figure.Pose = index == 0 ? .cheering : .toasting
            let figure = Figure(
                pose: pose, suit: Ink(suits[index]),
                helmet: Ink(seed.pick([0x3A2418, 0x1A1210, 0xC89A50]))
            ).model()
            models.append(Placed(figure, at: Vec(0, heights[index], z)))
        }
        let camera = Camera.framing(
            [models[1], models[0], models[2], models[4]], eye: Vec(8, 1.4, 1.4), on: canvas,
            middle: Point(0.5, 0.55), width: 0.86,
            height: 0.86)
        Sky(mood: mood, horizon: canvas.bottom * 0.8, sun: Point(0.5, 30), size: 20, clouds: 3)
            .paint(&canvas, &seed)
        canvas.fill(
            .rect(0, canvas.bottom * 0.8, canvas.right, canvas.bottom * 0.2),
            mood.ground.darker(0.2))
        canvas.draw(Render.layer(models, camera, light, like: canvas))
        for _ in 0..<110 { confetti(&canvas, &seed) }
        canvas.vignette(0.3)
    }

    private func confetti(_ canvas: inout Canvas, _ seed: inout Seed) {
        let place = Affine(
            scale: Point(seed.value(0.4...1), seed.value(0.6...1.6)), angle: seed.value(0...6.3),
            offset: Point(seed.value(0...canvas.right), seed.value(0...canvas.bottom * 0.9)))
        let ink = Ink(seed.pick([0xF2C53A, 0xE84A5A, 0x5AC8E8, 0xF8F4EA, 0x8AD86A]))
        canvas.fill(Path.rect(-0.7, -0.7, 1.4, 1.4).mapped { place($0) }, ink)
    }
}
