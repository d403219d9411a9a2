/// A single-seater with wings.
struct FormulaCar {
    /// What tells the decades apart.
    enum Era {
        /// Tall air box, bluff nose wing, huge rear tyres.
        case seventies
        /// Flat and long, low nose, wide wings.
        case eighties
        /// High narrow nose, sculpted pods, cockpit hoop.
        case modern
    }

    var era: Era
    var livery: Livery
    var helmet: Ink
    var wheels: Wheel.Rim = .spinning

    /// The car, its middle at the origin, nose towards x.
    func model() -> Model {
        var model = Model()
        addBody(&model)
        addWings(&model)
        addWheels(&model)
        Driver.addHelmet(
            to: &model, head: Vec(0.12, era == .modern ? 0.74 : 0.78, 0), ink: helmet,
            stripe: livery.accent)
        if era == .modern { addHoop(&model) }
        model.add(
            .box(Vec(-2.46, 0.28, -0.05), Vec(-2.38, 0.38, 0.05)), Coat(Ink(0xFF2A1A), isLamp: true)
        )
        return model
    }

    private var paint: Coat {
        livery.coat(waist: 0.34, front: 2.7, roundel: Point(-0.75, 0.34), radius: 0.17)
    }

    private func addBody(_ model: inout Model) {
        model.add(.loft(tub), paint)
        model.add(.loft(cover), paint)
        let tall = era == .seventies ? 0.62 : era == .eighties ? 0.46 : 0.54
        let pod = [
            Section(0.55, 0.12, tall - 0.12, 0.2, square: 5, z: 0.5),
            Section(0.35, 0.08, tall, 0.3, square: 5, z: 0.5),
            Section(-0.6, 0.07, tall - 0.03, 0.31, square: 4, z: 0.48),
            Section(-1.35, 0.07, tall * 0.7, 0.2, square: 3, z: 0.34),
            Section(-1.9, 0.1, 0.28, 0.1, z: 0.22),
        ]
        model.addPair(.loft(pod), paint)
        model.addPair(.box(Vec(0.52, 0.14, 0.34), Vec(0.57, tall - 0.14, 0.66)), .pit)
        model.add(.sphere(Vec(0.22, 0.58, 0), Vec(0.5, 0.06, 0.25)), .pit)
        model.add(
            .plate(
                [Point(0.9, -0.55), Point(0.9, 0.55), Point(-1.9, 0.7), Point(-1.9, -0.7)], y: 0.05,
                thickness: 0.03),
            .carbon)
        for x in [1.75, -1.7] {
            for y in [0.26, 0.44] {
                model.addPair(
                    .tube([Vec(x - 0.35, y, 0.15), Vec(x, y - 0.02, 0.8)], 0.025), .carbon)
                model.addPair(
                    .tube([Vec(x + 0.3, y, 0.15), Vec(x, y - 0.02, 0.8)], 0.025), .carbon)
            }
        }
    }

    private var tub: [Section] {
        switch era {
        case .modern:
            return [
                Section(2.7, 0.2, 0.28, 0.07), Section(2.3, 0.22, 0.42, 0.13),
                Section(1.7, 0.22, 0.54, 0.2),
                Section(0.9, 0.12, 0.6, 0.27, square: 4), Section(0.1, 0.08, 0.62, 0.33, square: 4),
                Section(-0.6, 0.08, 0.6, 0.3),
            ]
        case .eighties:
            return [
                Section(2.55, 0.12, 0.2, 0.12, square: 5), Section(2.0, 0.1, 0.36, 0.2, square: 5),
                Section(0.9, 0.08, 0.56, 0.3, square: 5), Section(0.1, 0.08, 0.6, 0.34, square: 5),
                Section(-0.6, 0.08, 0.55, 0.3),
            ]
        case .seventies:
            return [
                Section(2.45, 0.12, 0.22, 0.3, square: 6), Section(1.9, 0.1, 0.44, 0.3, square: 6),
                Section(0.9, 0.08, 0.58, 0.33, square: 6),
                Section(0.1, 0.08, 0.62, 0.38, square: 5),
                Section(-0.6, 0.08, 0.56, 0.32),
            ]
        }
    }

    private var cover: [Section] {
        let top = era == .seventies ? 1.22 : era == .eighties ? 0.86 : 0.98
        return [
            Section(-0.08, top - 0.24, top - 0.03, era == .seventies ? 0.2 : 0.12, square: 4),
            Section(-0.2, 0.45, top, era == .seventies ? 0.23 : 0.16, square: 4),
            Section(-0.6, 0.35, top - 0.06, 0.2), Section(-1.2, 0.25, (top + 0.45) / 2, 0.2),
            Section(-1.9, 0.22, 0.48, 0.14), Section(-2.35, 0.25, 0.4, 0.08),
        ]
    }

    private func addWings(_ model: inout Model) {
        let second = Coat(livery.second, gloss: 0.4)
        let span = era == .modern ? 0.95 : era == .eighties ? 0.9 : 0.8
        let reach = era == .seventies ? 2.6 : 2.85
        model.add(.wing(x: reach, y: 0.11, span: span, chord: 0.34, pitch: 0.12), second)
        model.add(
            .wing(x: reach - 0.3, y: 0.17, span: span, chord: 0.22, pitch: 0.4),
            Coat(livery.main, gloss: 0.4))
        model.addPair(
            .box(Vec(reach - 0.6, 0.08, span - 0.02), Vec(reach, 0.3, span + 0.02)), second)
        let high = era == .seventies ? 0.92 : era == .eighties ? 0.88 : 0.86
        let wide = era == .modern ? 0.54 : 0.62
        model.add(
            .wing(x: -2.1, y: high, span: wide, chord: 0.36, thickness: 0.05, pitch: 0.3),
            Coat(livery.main, gloss: 0.4))
        model.add(.wing(x: -2.35, y: high + 0.12, span: wide, chord: 0.24, pitch: 0.7), second)
        model.addPair(
            .box(Vec(-2.58, 0.6, wide - 0.01), Vec(-2.06, high + 0.22, wide + 0.03)), second)
        model.add(.box(Vec(-2.3, 0.35, -0.04), Vec(-2.2, high + 0.06, 0.04)), .carbon)
        model.add(.wing(x: -2.2, y: 0.5, span: wide, chord: 0.2, pitch: 0.3), .carbon)
    }

    private func addWheels(_ model: inout Model) {
        let old = era == .seventies
        let ring: Ink? = era == .modern ? livery.accent.lighter(0.2) : nil
        let front = Wheel(
            radius: old ? 0.28 : 0.34, width: old ? 0.28 : 0.34, rim: wheels,
            ink: Ink(old ? 0xC8B060 : 0x50545E),
            ring: ring)
        front.add(to: &model, x: 1.75, out: 0.98)
        let rear = Wheel(
            radius: old ? 0.37 : 0.35, width: old ? 0.5 : 0.42, rim: wheels,
            ink: Ink(old ? 0xC8B060 : 0x50545E),
            ring: ring)
        rear.add(to: &model, x: -1.72, out: 1.0)
    }

    private func addHoop(_ model: inout Model) {
        let arc = [
            Vec(-0.15, 0.82, 0.26), Vec(0.2, 0.86, 0.27), Vec(0.5, 0.85, 0.17), Vec(0.62, 0.83, 0),
            Vec(0.5, 0.85, -0.17), Vec(0.2, 0.86, -0.27), Vec(-0.15, 0.82, -0.26),
        ]
        model.add(.tube(arc, 0.032), .carbon)
        model.add(.tube([Vec(0.62, 0.83, 0), Vec(0.85, 0.6, 0)], 0.03), .carbon)
    }
}
