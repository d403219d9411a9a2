import Glibc

/// A cup on a plinth, turned on the lathe.
struct Trophy: Motif {
    /// The outline of the cup.
    enum Form {
        case goblet
        case urn
        case plate
        case flute
    }

    var form: Form
    var metal: Ink
    /// The page, from the middle out; none for a cut-out.
    var page: [Ink]
    var confetti = 0

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        if let first = page.first {
            canvas.flood(
                .radial(canvas.center - Point(0, 8), canvas.center.length, Paint.even(page)))
            rays(&canvas, first)
        }
        for _ in 0..<confetti { strip(&canvas, &seed) }
        let light = Light(
            Vec(0.45, 0.5, 0.9), key: 0xFFF4E0, sky: 0xD8DCE8, horizon: 0xFFFFFF, ground: 0x8A6A58)
        let cup = [Placed(model)]
        let camera = Camera.framing(
            cup, eye: Vec(0, 1.3, 7), on: canvas, middle: Point(0.5, 0.53), width: 0.72,
            height: 0.86)
        if !page.isEmpty {
            canvas.fill(
                .ellipse(Point(canvas.right / 2, canvas.bottom * 0.96), 24, 3),
                Ink.black.faded(0.35))
        }
        canvas.draw(Render.layer(cup, camera, light, like: canvas))
    }

    private var model: Model {
        var model = Model()
        let gold = metal
        let coat = Coat(gloss: 0.85) { position, normal in
            let band = sin(atan2(position.x, position.z) * 3 + position.y * 2)
            return gold.mixed(band > 0 ? Ink(0xFFFFFF) : Ink(0x301808), abs(band) * 0.3)
        }
        model.add(.lathe(profile, center: .zero, axis: Vec(0, 1, 0)), coat)
        model.add(
            .lathe(
                [
                    Point(0, -0.5), Point(0.62, -0.5), Point(0.62, -0.05), Point(0.5, 0),
                    Point(0, 0),
                ], center: .zero, axis: Vec(0, 1, 0)),
            Coat(Ink(0x2A1A14), gloss: 0.4))
        model.add(.box(Vec(-0.26, -0.4, 0.55), Vec(0.26, -0.14, 0.64)), Coat(gold, gloss: 0.5))
        switch form {
        case .goblet, .urn:
            let top = form == .urn ? 1.75 : 2.0
            let arc = (0...12).map { step -> Vec in
                let angle = -0.5 * Double.pi + Double(step) / 12 * .pi
                return Vec(0.68 + cos(angle) * 0.42, top - 0.35 + sin(angle) * 0.42, 0)
            }
            let flip = arc.map { $0 * Vec(-1, 1, 1) }
            model.add(.tube(arc, 0.07), coat)
            model.add(.tube(flip, 0.07), coat)
        case .plate, .flute: break
        }
        return model
    }

    private var profile: [Point] {
        switch form {
        case .goblet:
            return [
                Point(0.46, 0), Point(0.4, 0.1), Point(0.14, 0.25), Point(0.1, 0.6),
                Point(0.18, 0.72), Point(0.12, 0.82),
                Point(0.3, 1.0), Point(0.62, 1.35), Point(0.74, 1.9), Point(0.8, 2.35),
                Point(0.76, 2.35), Point(0.66, 1.8), Point(0, 1.3),
            ]
        case .urn:
            return [
                Point(0.5, 0), Point(0.44, 0.12), Point(0.16, 0.3), Point(0.2, 0.5),
                Point(0.6, 0.85), Point(0.82, 1.35),
                Point(0.7, 1.85), Point(0.4, 2.05), Point(0.46, 2.15), Point(0.3, 2.3),
                Point(0.1, 2.42), Point(0.14, 2.55), Point(0, 2.66),
            ]
        case .plate:
            return [
                Point(0.5, 0), Point(0.4, 0.1), Point(0.1, 0.3), Point(0.09, 1.3), Point(0.2, 1.42),
                Point(0.9, 1.62), Point(1.15, 1.9),
                Point(1.1, 1.92), Point(0.8, 1.7), Point(0, 1.6),
            ]
        case .flute:
            return [
                Point(0.5, 0), Point(0.34, 0.12), Point(0.12, 0.5), Point(0.2, 1.2),
                Point(0.42, 2.0), Point(0.5, 2.7), Point(0.44, 2.7),
                Point(0.3, 1.9), Point(0, 1.4),
            ]
        }
    }

    private func rays(_ canvas: inout Canvas, _ ink: Ink) {
        let middle = canvas.center - Point(0, 8)
        for ray in 0..<16 {
            let angle = Double(ray) / 16 * 2 * .pi
            let reach = canvas.center.length * 1.3
            canvas.fill(
                .polygon([
                    middle, middle + .polar(angle, reach), middle + .polar(angle + .pi / 16, reach),
                ]),
                ink.lighter(0.3).faded(0.3))
        }
    }

    private func strip(_ canvas: inout Canvas, _ seed: inout Seed) {
        let ink = Ink(seed.pick([0xF2C53A, 0xE84A5A, 0x5AC8E8, 0xF8F4EA, 0x8AD86A]))
        let place = Affine(
            scale: Point(seed.value(0.5...1.2), seed.value(1...2)), angle: seed.value(0...6.3),
            offset: Point(seed.value(0...canvas.right), seed.value(0...canvas.bottom)))
        canvas.fill(Path.rect(-0.8, -0.8, 1.6, 1.6).mapped { place($0) }, ink)
    }
}
