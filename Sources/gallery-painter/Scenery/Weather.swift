import Glibc

/// What the wheels and the clouds throw about.
enum Weather {
    case dry
    /// Rain, with spray behind the cars.
    case rain
    /// Dust behind the cars, of a colour.
    case dust(Ink)
    /// Snow in the air and behind the cars.
    case snow
    /// Sparks from the floor.
    case sparks
}

extension Weather {
    /// Paints what lies behind the cars: plumes.
    func paintBehind(_ canvas: inout Canvas, _ cars: [Placed], _ camera: Camera, _ seed: inout Seed)
    {
        let ink: Ink
        switch self {
        case .dry, .sparks: return
        case .rain: ink = Ink(0xE8EEF0)
        case .dust(let color): ink = color
        case .snow: ink = Ink(0xFFFFFF)
        }
        var layer = canvas.layer()
        for car in cars { plume(&layer, car, camera, ink, &seed) }
        layer.soften(1.1)
        canvas.draw(layer, opacity: 0.9)
    }

    private func plume(
        _ layer: inout Canvas, _ car: Placed, _ camera: Camera, _ ink: Ink, _ seed: inout Seed
    ) {
        for puff in 0..<70 {
            let back = Double(puff) / 70
            let place = Vec(
                -1.2 - back * 11 + seed.value(-0.4...0.4), 0.2 + seed.unit() * (0.5 + back * 3.2),
                seed.value(-1...1) * (0.9 + back * 2.4))
            let world = car.place(place)
            guard let spot = camera.project(Vec(world.x, max(world.y, 0.1), world.z)) else {
                continue
            }
            // Between the camera and the car it would be fog.
            guard camera.view(world).z > camera.view(car.at).z - 1.6 else { continue }
            let size = camera.scale(at: world) * (0.35 + back * 1.3) * seed.value(0.6...1.2)
            layer.fill(
                .circle(spot, size),
                (place.y < 1 ? ink.darker(0.1) : ink).faded(0.42 * (1 - back * 0.75)))
        }
    }

    /// Paints what lies before the cars: drops, flakes, clods, sparks.
    func paintBefore(_ canvas: inout Canvas, _ cars: [Placed], _ camera: Camera, _ seed: inout Seed)
    {
        switch self {
        case .dry: return
        case .rain:
            for _ in 0..<170 {
                let top = Point(seed.value(-10...canvas.right), seed.value(-10...canvas.bottom))
                let fall = Point(-1.2, 5.5) * seed.value(0.5...1.4)
                canvas.fill(Path(contours: [[top, top + fall]]).stroked(0.22), Ink(0xFFFFFF, 0.32))
            }
        case .snow:
            for _ in 0..<150 {
                let place = Point(seed.value(0...canvas.right), seed.value(0...canvas.bottom))
                canvas.fill(
                    .circle(place, seed.value(0.2...0.9)), Ink(0xFFFFFF, seed.value(0.5...0.95)))
            }
        case .dust(let ink): bits(&canvas, cars, camera, ink.darker(0.35), &seed)
        case .sparks: sparks(&canvas, cars, camera, &seed)
        }
    }

    private func bits(
        _ canvas: inout Canvas, _ cars: [Placed], _ camera: Camera, _ ink: Ink, _ seed: inout Seed
    ) {
        for car in cars {
            for _ in 0..<60 {
                let world = car.place(
                    Vec(seed.value(-5 ... -1.4), seed.value(0...1.3), seed.value(-1.6...1.6)))
                guard let spot = camera.project(world) else { continue }
                canvas.fill(.circle(spot, camera.scale(at: world) * seed.value(0.012...0.04)), ink)
            }
        }
    }

    private func sparks(
        _ canvas: inout Canvas, _ cars: [Placed], _ camera: Camera, _ seed: inout Seed
    ) {
        for car in cars {
            for _ in 0..<70 {
                let from = Vec(-2.3, 0.06, seed.value(-0.5...0.5))
                let way = Vec(seed.value(-7 ... -0.6), seed.value(0...1.1), seed.value(-1.2...1.2))
                guard let start = camera.project(car.place(from + way * 0.6)),
                    let end = camera.project(car.place(from + way))
                else { continue }
                canvas.fill(
                    Path(contours: [[start, end]]).stroked(seed.value(0.15...0.5)),
                    Ink(seed.pick([0xFFF0B0, 0xFFB040, 0xFF7A20])), .over)
            }
        }
    }
}
