/// Racing cars without wings: the cigar of the sixties, and the upright car between the wars.
struct ClassicCar {
    /// Which of the two.
    enum Era {
        /// Long bonnet, tall wire wheels, boat tail.
        case thirties
        /// A tube with the engine behind.
        case sixties
    }

    var era: Era
    var livery: Livery
    var helmet: Ink

    /// The car, its middle at the origin, nose towards x.
    func model() -> Model {
        era == .thirties ? thirties() : sixties()
    }

    private func sixties() -> Model {
        var model = Model()
        let paint = livery.coat(waist: 0.5, front: 2.1, roundel: Point(0.75, 0.46), radius: 0.19)
        let tube = [
            Section(2.1, 0.36, 0.56, 0.13, square: 2.2), Section(2.0, 0.28, 0.62, 0.2, square: 2.2),
            Section(1.5, 0.2, 0.68, 0.28, square: 2.3), Section(0.6, 0.16, 0.74, 0.36, square: 2.5),
            Section(-0.1, 0.16, 0.72, 0.38, square: 2.5),
            Section(-0.8, 0.18, 0.78, 0.34, square: 2.4),
            Section(-1.5, 0.24, 0.7, 0.25, square: 2.2),
        ]
        model.add(.loft(tube), paint)
        model.add(.sphere(Vec(2.08, 0.46, 0), Vec(0.05, 0.09, 0.12)), .pit)
        model.add(.sphere(Vec(0.05, 0.72, 0), Vec(0.45, 0.07, 0.25)), .pit)
        model.add(
            .loft([
                Section(0.5, 0.66, 0.7, 0.24), Section(0.3, 0.66, 0.92, 0.26),
                Section(0.26, 0.66, 0.92, 0.26),
            ]), .glass)
        model.add(.box(Vec(-1.9, 0.28, -0.2), Vec(-1.4, 0.6, 0.2)), Coat(Ink(0x55585E), gloss: 0.4))
        model.addPair(
            .tube([Vec(-0.9, 0.62, 0.3), Vec(-1.5, 0.55, 0.24), Vec(-2.5, 0.55, 0.2)], 0.055),
            .chrome)
        model.addPair(.tube([Vec(0.42, 0.86, 0.3), Vec(0.4, 0.9, 0.46)], 0.05), .chrome)
        addArms(&model, [1.45, -1.4])
        Driver.addHelmet(to: &model, head: Vec(-0.05, 0.94, 0), ink: helmet, stripe: livery.accent)
        let front = Wheel(radius: 0.33, width: 0.22, rim: .spinning, ink: Ink(0xB8A868))
        front.add(to: &model, x: 1.45, out: 0.88)
        let rear = Wheel(radius: 0.36, width: 0.3, rim: .spinning, ink: Ink(0xB8A868))
        rear.add(to: &model, x: -1.4, out: 0.92)
        return model
    }

    private func addArms(_ model: inout Model, _ axles: [Double]) {
        for x in axles {
            for y in [0.24, 0.46] {
                model.addPair(.tube([Vec(x - 0.2, y, 0.15), Vec(x, y, 0.75)], 0.024), .chrome)
                model.addPair(.tube([Vec(x + 0.2, y, 0.15), Vec(x, y, 0.75)], 0.024), .chrome)
            }
        }
    }

    private func thirties() -> Model {
        var model = Model()
        let paint = livery.coat(waist: 0.72, front: 1.9, roundel: Point(-1.0, 0.7), radius: 0.21)
        let hull = [
            Section(1.8, 0.36, 1.0, 0.3, square: 4), Section(1.0, 0.34, 1.04, 0.34, square: 4),
            Section(0.3, 0.34, 1.08, 0.4, square: 4), Section(-0.5, 0.34, 1.04, 0.42, square: 3.5),
            Section(-1.2, 0.38, 0.96, 0.32), Section(-1.8, 0.46, 0.8, 0.16, square: 2.4),
            Section(-2.15, 0.55, 0.66, 0.03, square: 2.2),
        ]
        model.add(.loft(hull), paint)
        model.add(
            .loft([
                Section(1.92, 0.38, 0.98, 0.26, square: 3),
                Section(1.8, 0.34, 1.03, 0.31, square: 3),
            ]), .chrome)
        model.add(
            .loft([
                Section(1.95, 0.44, 0.92, 0.2, square: 3),
                Section(1.9, 0.44, 0.92, 0.21, square: 3),
            ]), .pit)
        model.add(.sphere(Vec(-0.2, 1.04, 0), Vec(0.5, 0.06, 0.28)), .pit)
        model.add(
            .loft([
                Section(0.32, 1.0, 1.24, 0.28, square: 4),
                Section(0.28, 1.0, 1.24, 0.28, square: 4),
            ]), .glass)
        for x in [1.3, 0.7] {
            model.add(
                .loft([
                    Section(x, 0.33, 1.06, 0.36, square: 4),
                    Section(x - 0.07, 0.33, 1.07, 0.37, square: 4),
                ]), Coat(Ink(0x3A2416)))
        }
        addFittings(&model)
        Driver.addCap(to: &model, head: Vec(-0.3, 1.3, 0), jersey: livery.second.darker(0.15))
        let wheel = Wheel(radius: 0.44, width: 0.15, rim: .wire, ink: Ink(0xB0B4BC))
        wheel.add(to: &model, x: 1.5, out: 0.78)
        wheel.add(to: &model, x: -1.3, out: 0.78)
        return model
    }

    /// Exhaust pipe and axles.
    private func addFittings(_ model: inout Model) {
        let exhaust = [
            Vec(1.2, 0.72, 0.36), Vec(1.0, 0.6, 0.5), Vec(0.6, 0.55, 0.5), Vec(-2.2, 0.52, 0.44),
        ]
        model.add(.tube(exhaust, 0.06), .chrome)
        model.add(.tube([Vec(1.5, 0.42, -0.7), Vec(1.5, 0.42, 0.7)], 0.045), .carbon)
        model.add(.tube([Vec(-1.3, 0.42, -0.7), Vec(-1.3, 0.42, 0.7)], 0.05), .carbon)
    }
}
