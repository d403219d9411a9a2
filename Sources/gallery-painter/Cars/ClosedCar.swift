/// Cars with a roof: the grand tourer, the rally hatchback, the long-distance prototype.
struct ClosedCar {
    /// Which of the three.
    enum Kind {
        /// A coupé with a wing.
        case coupe
        /// A short hatchback with lamps on its bonnet.
        case rally
        /// Low and long, with a bubble and a fin.
        case prototype
        /// An upright little saloon of the sixties.
        case saloon
    }

    /// The numbers that make one kind.
    struct Shape {
        var hull: [Section]
        var cabin: [Section]
        var roof: Double
        var wheel: Wheel
        var axles: Point
        var half: Double
        var waist: Double
        var roundel: Point
    }

    var kind: Kind
    var livery: Livery
    /// Whether the headlights are on.
    var isLit = false

    /// The car, its middle at the origin, nose towards x.
    func model() -> Model {
        let shape = kind.shape
        var model = Model()
        let nose = shape.hull[0].x
        let paint = livery.coat(
            waist: shape.waist, front: nose, roundel: shape.roundel, radius: 0.24)
        model.add(.loft(shape.hull), paint)
        addCabin(&model, shape, paint)
        addWheels(&model, shape)
        addLamps(&model, shape)
        switch kind {
        case .coupe: addRacingWing(&model, x: -1.85, y: 1.18, half: 0.86)
        case .prototype:
            addRacingWing(&model, x: -1.95, y: 0.95, half: 0.94)
            model.add(
                .box(Vec(-2.1, 0.6, -0.015), Vec(-0.5, 0.98, 0.015)),
                Coat(livery.second, gloss: 0.4))
        case .rally: addRallyGear(&model)
        case .saloon: addChrome(&model)
        }
        return model
    }

    private func addCabin(_ model: inout Model, _ shape: Shape, _ paint: Coat) {
        let body = paint.ink
        let (roof, middle) = (shape.roof, shape.cabin[shape.cabin.count / 2].x)
        let coat = Coat(gloss: 0.7) { position, normal in
            if position.y > roof - 0.09 { return body(position, normal) }
            if abs(normal.z) > 0.55 && abs(position.x - middle + 0.1) < 0.06 {
                return body(position, normal)
            }
            return Ink(0x141C26)
        }
        model.add(.loft(shape.cabin, lean: kind == .prototype ? 0.35 : 0.16), coat)
    }

    private func addWheels(_ model: inout Model, _ shape: Shape) {
        for x in [shape.axles.x, shape.axles.y] {
            let radius = shape.wheel.radius
            let arch = [Point(0, 0.16), Point(radius * 1.16, 0.16), Point(radius * 1.16, -0.2)]
            model.addPair(
                .lathe(arch, center: Vec(x, radius * 1.02, shape.half - 0.15), axis: Vec(0, 0, 1)),
                .pit)
            shape.wheel.add(to: &model, x: x, out: shape.half + 0.03)
        }
        guard kind == .coupe || kind == .prototype else { return }
        let (front, rear) = (shape.hull[0].x, shape.hull[shape.hull.count - 1].x)
        model.add(
            .plate(
                [
                    Point(front + 0.06, -0.8), Point(front + 0.06, 0.8), Point(rear, 0.82),
                    Point(rear, -0.82),
                ], y: 0.12,
                thickness: 0.03), .carbon)
    }

    private func addLamps(_ model: inout Model, _ shape: Shape) {
        let front = shape.hull[1]
        let rear = shape.hull[shape.hull.count - 2]
        let lamp = isLit ? Coat(Ink(0xFFF8DC), isLamp: true) : Coat(Ink(0xDDE4EA), gloss: 0.9)
        let height = front.low + (front.high - front.low) * 0.72
        let size = kind == .saloon ? Vec(0.12, 0.12, 0.12) : Vec(0.2, 0.08, 0.14)
        model.addPair(
            .sphere(
                Vec(front.x + (kind == .saloon ? 0.12 : 0.02), height, front.half * 0.74), size),
            lamp)
        model.add(
            .box(
                Vec(front.x, front.low + 0.06, -front.half * 0.5),
                Vec(
                    shape.hull[0].x + 0.03, front.low + (front.high - front.low) * 0.5,
                    front.half * 0.5)), .pit)
        let back = shape.hull[shape.hull.count - 1].x
        let glow = Coat(Ink(0xFF2418), isLamp: true)
        model.addPair(
            .box(
                Vec(back - 0.02, rear.high - 0.22, rear.half * 0.5),
                Vec(back + 0.25, rear.high - 0.1, rear.half * 0.93)),
            glow)
    }

    private func addRacingWing(_ model: inout Model, x: Double, y: Double, half: Double) {
        model.add(
            .wing(x: x, y: y, span: half, chord: 0.34, thickness: 0.05, pitch: 0.25),
            Coat(livery.second, gloss: 0.4))
        model.addPair(
            .box(Vec(x - 0.4, y - 0.16, half), Vec(x + 0.03, y + 0.14, half + 0.03)),
            Coat(livery.accent, gloss: 0.4))
        model.addPair(.box(Vec(x - 0.22, y - 0.4, 0.4), Vec(x - 0.12, y + 0.05, 0.44)), .carbon)
    }

    private func addRallyGear(_ model: inout Model) {
        let lamp = isLit ? Coat(Ink(0xFFF6D0), isLamp: true) : Coat(Ink(0xF4F0DC), gloss: 0.5)
        for z in [0.2, 0.52] {
            model.addPair(.sphere(Vec(1.78, 0.9, z), Vec(0.07, 0.13, 0.13)), lamp)
            model.addPair(.sphere(Vec(1.73, 0.9, z), Vec(0.08, 0.15, 0.15)), .carbon)
        }
        model.add(.box(Vec(-0.1, 1.4, -0.2), Vec(0.25, 1.52, 0.2)), .carbon)
        model.add(
            .wing(x: -1.6, y: 1.42, span: 0.72, chord: 0.42, thickness: 0.05, pitch: 0.15),
            Coat(livery.second, gloss: 0.4))
        let flap = Coat(livery.accent)
        model.addPair(.box(Vec(-1.62, 0.08, 0.55), Vec(-1.58, 0.4, 0.88)), flap)
        model.addPair(.box(Vec(0.78, 0.08, 0.6), Vec(0.82, 0.36, 0.88)), flap)
    }

    private func addChrome(_ model: inout Model) {
        model.add(.box(Vec(1.6, 0.34, -0.68), Vec(1.7, 0.42, 0.68)), .chrome)
        model.add(.box(Vec(-1.66, 0.36, -0.68), Vec(-1.56, 0.44, 0.68)), .chrome)
    }
}
