/// The numbers behind each kind of closed car, in metres.
extension ClosedCar.Kind {
    var shape: ClosedCar.Shape {
        switch self {
        case .coupe: return Self.coupeShape
        case .rally: return Self.rallyShape
        case .prototype: return Self.prototypeShape
        case .saloon: return Self.saloonShape
        }
    }

    private static var coupeShape: ClosedCar.Shape {
        ClosedCar.Shape(
            hull: [
                Section(2.25, 0.22, 0.46, 0.72, square: 4),
                Section(2.05, 0.16, 0.6, 0.88, square: 4.5),
                Section(1.4, 0.13, 0.76, 0.96, square: 4.5),
                Section(0.7, 0.13, 0.8, 0.95, square: 5),
                Section(-0.3, 0.13, 0.84, 0.95, square: 5),
                Section(-1.3, 0.13, 0.94, 1.0, square: 4.5),
                Section(-1.95, 0.18, 0.94, 0.95, square: 4.5),
                Section(-2.2, 0.28, 0.86, 0.86, square: 4),
            ],
            cabin: [
                Section(0.95, 0.7, 0.76, 0.74, square: 4), Section(0.2, 0.7, 1.17, 0.74, square: 4),
                Section(-0.3, 0.7, 1.24, 0.74, square: 4),
                Section(-0.9, 0.7, 1.18, 0.72, square: 4),
                Section(-1.8, 0.7, 0.92, 0.66, square: 4),
            ], roof: 1.24,
            wheel: Wheel(radius: 0.35, width: 0.3, rim: .spinning, ink: Ink(0xC0A050)),
            axles: Point(1.35, -1.3), half: 1.0, waist: 0.5, roundel: Point(-0.1, 0.55))
    }

    private static var rallyShape: ClosedCar.Shape {
        ClosedCar.Shape(
            hull: [
                Section(1.95, 0.3, 0.66, 0.74, square: 5), Section(1.8, 0.24, 0.8, 0.86, square: 5),
                Section(1.2, 0.22, 0.9, 0.9, square: 6), Section(0.6, 0.22, 0.94, 0.9, square: 6),
                Section(-1.3, 0.22, 0.98, 0.92, square: 6),
                Section(-1.8, 0.26, 0.98, 0.9, square: 6),
                Section(-1.95, 0.32, 0.92, 0.84, square: 5),
            ],
            cabin: [
                Section(0.9, 0.85, 0.92, 0.78, square: 5),
                Section(0.3, 0.85, 1.36, 0.76, square: 5),
                Section(-0.3, 0.85, 1.43, 0.76, square: 5),
                Section(-1.45, 0.85, 1.4, 0.76, square: 5),
                Section(-1.88, 0.85, 0.98, 0.76, square: 5),
            ], roof: 1.42,
            wheel: Wheel(radius: 0.34, width: 0.24, rim: .spokes(8), ink: Ink(0xECE8DC)),
            axles: Point(1.2, -1.2), half: 0.91, waist: 0.62, roundel: Point(-0.2, 0.62))
    }

    private static var prototypeShape: ClosedCar.Shape {
        ClosedCar.Shape(
            hull: [
                Section(2.4, 0.1, 0.24, 0.8, square: 4), Section(2.1, 0.08, 0.48, 0.95, square: 4),
                Section(1.5, 0.08, 0.7, 0.99, square: 4), Section(0.8, 0.08, 0.56, 0.96, square: 5),
                Section(-0.2, 0.08, 0.6, 0.96, square: 5),
                Section(-1.4, 0.08, 0.76, 1.0, square: 4),
                Section(-2.1, 0.12, 0.66, 0.97, square: 4),
                Section(-2.35, 0.2, 0.56, 0.92, square: 4),
            ],
            cabin: [
                Section(1.1, 0.48, 0.52, 0.5), Section(0.5, 0.48, 0.9, 0.5),
                Section(0, 0.48, 1.03, 0.47),
                Section(-0.7, 0.48, 0.96, 0.34), Section(-1.9, 0.48, 0.7, 0.1),
            ], roof: 1.03,
            wheel: Wheel(radius: 0.35, width: 0.34, rim: .spinning, ink: Ink(0x60646C)),
            axles: Point(1.5, -1.45), half: 1.01, waist: 0.36, roundel: Point(-0.2, 0.38))
    }

    private static var saloonShape: ClosedCar.Shape {
        ClosedCar.Shape(
            hull: [
                Section(1.62, 0.26, 0.72, 0.62, square: 4),
                Section(1.5, 0.22, 0.82, 0.7, square: 4),
                Section(0.9, 0.2, 0.88, 0.74, square: 5), Section(-1.2, 0.2, 0.9, 0.74, square: 5),
                Section(-1.5, 0.22, 0.86, 0.7, square: 4),
                Section(-1.6, 0.28, 0.74, 0.64, square: 4),
            ],
            cabin: [
                Section(0.72, 0.8, 0.86, 0.68, square: 5), Section(0.4, 0.8, 1.32, 0.66, square: 5),
                Section(-0.2, 0.8, 1.38, 0.66, square: 5),
                Section(-0.9, 0.8, 1.34, 0.66, square: 5),
                Section(-1.3, 0.8, 0.9, 0.66, square: 5),
            ], roof: 1.37, wheel: Wheel(radius: 0.27, width: 0.17, rim: .disc, ink: Ink(0xE0DCD0)),
            axles: Point(1.05, -1.05), half: 0.74, waist: 0.55, roundel: Point(-0.1, 0.58))
    }
}
