import Glibc

/// What the driver sees: the wheel, the dials, the road.
struct Cockpit: Motif {
    /// Which car one sits in.
    enum Kind {
        /// A thin wooden rim and round dials.
        case vintage
        /// A flat box of buttons under the hoop.
        case modern
    }

    var kind: Kind
    var mood: Mood
    var paint: Ink
    var gloves: Ink
    var bend = 0.004
    var roadside = Roadside.trees

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let camera = Camera(
            eye: Vec(0, 1.5, 0), target: Vec(20, 0.8, bend * 120), focal: 78,
            center: Point(canvas.right / 2, canvas.bottom * 0.4))
        Sky(mood: mood, horizon: camera.horizon, clouds: 4).paint(&canvas, &seed)
        Hills(mood: mood, horizon: camera.horizon, height: 14, isAlpine: kind == .vintage).paint(
            &canvas, &seed)
        let road = Road(mood: mood, camera: camera, half: 5, bend: bend)
        road.paint(&canvas)
        roadside.paint(&canvas, road, &seed)
        canvas.zoomBlur(around: Point(canvas.right / 2, camera.horizon), strength: 0.07, still: 10)
        let place = Affine(offset: Point(canvas.right / 2, canvas.bottom))
        switch kind {
        case .vintage: vintage(&canvas, place)
        case .modern: modern(&canvas, place)
        }
        canvas.vignette(0.35)
    }

    private func vintage(_ canvas: inout Canvas, _ place: Affine) {
        let bonnet = Path.smooth(
            [
                Point(-40, 6), Point(-26, -34), Point(-9, -47), Point(9, -47), Point(26, -34),
                Point(40, 6),
            ].map { place($0) })
        canvas.fill(
            bonnet,
            .linear(
                place(Point(-30, 0)), place(Point(30, 0)),
                Paint.even([paint.darker(0.4), paint.lighter(0.25), paint, paint.darker(0.5)])))
        canvas.fill(Path.rect(-0.8, -47, 1.6, 30).mapped { place($0) }, paint.darker(0.45))
        let board = Path.smooth(
            [Point(-90, 10), Point(-60, -22), Point(0, -29), Point(60, -22), Point(90, 10)].map {
                place($0)
            })
        canvas.fill(
            board, .vertical(canvas.bottom - 30, canvas.bottom, [Ink(0x8A5A34), Ink(0x3A2010)]))
        for (x, size, angle) in [(-34.0, 8.0, 2.6), (34, 8, 5.2)] {
            dial(&canvas, place(Point(x, -12)), size, angle)
        }
        let center = place(Point(0, 2))
        canvas.stroke(.circle(center, 25), 3.6, Ink(0x4A2410), closed: true)
        canvas.stroke(.circle(center - Point(0.3, 0.5), 25.4), 1.1, Ink(0xD89A54), closed: true)
        for angle in [-2.6, -0.54, -1.57] {
            canvas.stroke(
                Path(contours: [[center, center + .polar(angle, 25)]]), 1.8, Ink(0xC8CCD0))
        }
        canvas.fill(.circle(center, 5), Ink(0x2A2A30))
        hands(&canvas, center, 25, [-2.75, -0.4])
    }

    private func dial(_ canvas: inout Canvas, _ center: Point, _ size: Double, _ angle: Double) {
        canvas.fill(.circle(center, size), Ink(0xD8DCE0))
        canvas.fill(.circle(center, size * 0.88), Ink(0x14161A))
        for tick in 0..<9 {
            let way = 2.4 + Double(tick) * 0.58
            canvas.stroke(
                Path(contours: [
                    [center + .polar(way, size * 0.62), center + .polar(way, size * 0.8)]
                ]), 0.6, Ink(0xF4F2EA))
        }
        canvas.stroke(
            Path(contours: [[center, center + .polar(angle, size * 0.7)]]), 0.8, Ink(0xFF4A2A))
    }

    private func modern(_ canvas: inout Canvas, _ place: Affine) {
        let rim = Path.smooth(
            [
                Point(-70, 20), Point(-52, -20), Point(-30, -34), Point(-14, -40), Point(14, -40),
                Point(30, -34), Point(52, -20), Point(70, 20),
            ].map { place($0) })
        canvas.fill(
            rim,
            .vertical(canvas.bottom - 42, canvas.bottom, [paint.lighter(0.15), paint.darker(0.4)]))
        let well = Path.smooth(
            [
                Point(-52, 20), Point(-40, -16), Point(-14, -32), Point(14, -32), Point(40, -16),
                Point(52, 20),
            ].map { place($0) })
        canvas.fill(well, Ink(0x101116))
        let post = [Point(-2.6, -100), Point(2.6, -100), Point(3.4, -38), Point(-3.4, -38)].map {
            place($0)
        }
        canvas.fill(.polygon(post), Ink(0x1A1B22))
        let arc = (0...20).map {
            place(
                Point(0, -94)
                    + Point(cos(Double($0) / 20 * .pi) * 66, -sin(Double($0) / 20 * .pi) * -18))
        }
        canvas.stroke(Path(contours: [arc]), 6, Ink(0x1A1B22))
        controls(&canvas, place)
        hands(&canvas, place(Point(0, -8)), 31, [-3.0, -0.14])
    }

    /// The box of buttons that a modern wheel is.
    private func controls(_ canvas: inout Canvas, _ place: Affine) {
        let box = Path.rounded(-27, -27, 54, 32, 6).mapped { place($0) }
        canvas.fill(box, Ink(0x2A2C34))
        canvas.fill(Path.rounded(-13, -23, 26, 13, 1.5).mapped { place($0) }, Ink(0x0A3A4A))
        canvas.fill(
            Lettering.path("7", at: place(Point(-2.6, -21)), height: 9, weight: 1.4), Ink(0x8AF6FF))
        for lamp in 0..<9 {
            let ink: UInt32 = lamp < 3 ? 0x3CF06A : lamp < 6 ? 0xFF3A2A : 0x4A8AFF
            canvas.fill(.circle(place(Point(-12 + Double(lamp) * 3, -25.2)), 1.1), Ink(ink))
        }
        for (index, ink) in [0xE8402C, 0xF2C53A, 0x3CB46A, 0x4A8AE8, 0xE85A8A, 0xF8F4EA]
            .enumerated()
        {
            let spot = Point(index % 2 == 0 ? -19 : 19, -19 + Double(index / 2) * 8)
            canvas.fill(.circle(place(spot), 2.3), Ink(UInt32(ink)))
        }
        for side in [-1.0, 1] {
            canvas.stroke(
                Path(contours: [
                    [
                        place(Point(side * 29, -24)), place(Point(side * 33, -8)),
                        place(Point(side * 28, 6)),
                    ]
                ]), 8, Ink(0x1A1B20))
        }
    }

    private func hands(
        _ canvas: inout Canvas, _ center: Point, _ radius: Double, _ angles: [Double]
    ) {
        for angle in angles {
            let grip = center + .polar(angle, radius)
            let side = angle < -1.57 ? -1.0 : 1
            canvas.stroke(
                Path(contours: [[grip, grip + Point(side * 16, 30)]]), 13, gloves.darker(0.25))
            canvas.fill(.ellipse(grip, 6.4, 8), gloves)
            for finger in 0..<4 {
                let knuckle = grip + Point(-side * 3, -5 + Double(finger) * 3.2)
                canvas.fill(
                    .ellipse(knuckle, 4, 1.7), finger % 2 == 0 ? gloves.lighter(0.1) : gloves)
            }
        }
    }
}
