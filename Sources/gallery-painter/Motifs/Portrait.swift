import Glibc

/// A driver, as a poster: flat shapes, light from one side.
struct Portrait: Motif {
    /// Who looks out.
    enum Sitter {
        /// Eyes in the opening of a full-face helmet.
        case helmeted
        /// Leather cap, goggles pushed up, scarf.
        case pioneer
        /// Bare-headed, after the race.
        case bareheaded
        /// With a team cap.
        case capped
    }

    var sitter: Sitter
    var skin: Ink
    var suit: Ink
    var trim: Ink
    var hair: Ink
    /// Flat colours of the page: ground, disc.
    var page: [Ink]
    var hasMoustache = false
    var hasLongHair = false

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        canvas.flood(.solid(page[0]))
        let middle = Point(canvas.right / 2, canvas.bottom)
        for ray in 0..<14 where ray % 2 == 0 {
            let angle = Double.pi + Double(ray) / 14 * .pi
            canvas.fill(
                .polygon([
                    middle, middle + .polar(angle, 260), middle + .polar(angle + .pi / 14, 260),
                ]), page[0].lighter(0.1))
        }
        let size = min(canvas.right, canvas.bottom * 0.85) / 100
        let place = Affine(
            scale: Point(size, size), offset: Point(canvas.right / 2, canvas.bottom * 0.47))
        func put(_ path: Path) -> Path { path.mapped { place($0) } }
        canvas.fill(put(.circle(Point(0, -4), 42)), page[1])
        if hasLongHair { mane(&canvas, put) }
        shoulders(&canvas, put)
        if sitter == .helmeted {
            helmet(&canvas, put)
        } else {
            head(&canvas, put)
            headgear(&canvas, put)
        }
    }

    private func shoulders(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        var body = Path()
        body.move(Point(-60, 140))
        body.curve(Point(-20, 34), Point(-58, 50), Point(-44, 42))
        body.line(Point(20, 34))
        body.curve(Point(60, 140), Point(44, 42), Point(58, 50))
        canvas.fill(put(body), suit)
        canvas.clipped(to: put(body)) { canvas in
            canvas.fill(put(.rect(0, 20, 80, 140)), suit.darker(0.22))
            canvas.fill(
                put(.polygon([Point(-40, 30), Point(-28, 30), Point(-38, 150), Point(-52, 150)])),
                trim)
            canvas.fill(
                put(.polygon([Point(40, 30), Point(28, 30), Point(38, 150), Point(52, 150)])),
                trim.darker(0.2))
            canvas.fill(put(.rect(-1, 40, 2, 100)), suit.darker(0.5))
        }
        canvas.fill(
            put(
                .polygon([
                    Point(-13, 12), Point(13, 12), Point(15, 40), Point(0, 47), Point(-15, 40),
                ])), sitter == .helmeted ? Ink(0x1A1A20) : skin.darker(0.32))
        neckwear(&canvas, put)
    }

    private func neckwear(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        if sitter == .pioneer {
            canvas.fill(
                put(
                    .smooth([
                        Point(-19, 31), Point(0, 38), Point(19, 31), Point(20, 41), Point(0, 49),
                        Point(-20, 41),
                    ])), trim)
            canvas.fill(
                put(.polygon([Point(8, 42), Point(18, 42), Point(26, 72), Point(13, 74)])),
                trim.darker(0.15))
        } else {
            canvas.fill(
                put(
                    .polygon([
                        Point(-20, 32), Point(-13, 30), Point(0, 45), Point(13, 30), Point(20, 32),
                        Point(17, 45), Point(-17, 45),
                    ])), trim)
        }
    }

    private func mane(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        let fall = [
            Point(-26, -30), Point(-31, 0), Point(-30, 34), Point(-22, 50), Point(22, 50),
            Point(30, 34), Point(31, 0),
            Point(26, -30), Point(0, -48),
        ]
        canvas.fill(put(.smooth(fall)), hair.darker(0.15))
    }

    private static var face: Path {
        var path = Path()
        path.move(Point(-22, -22))
        path.curve(Point(0, 31), Point(-24, 14), Point(-12, 31))
        path.curve(Point(22, -22), Point(12, 31), Point(24, 14))
        path.curve(Point(-22, -22), Point(20, -50), Point(-20, -50))
        return path
    }

    private func head(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        for side in [-1.0, 1] {
            canvas.fill(
                put(.ellipse(Point(side * 23, -4), 4, 7)), skin.darker(side > 0 ? 0.3 : 0.1))
        }
        canvas.fill(put(Self.face), skin)
        canvas.clipped(to: put(Self.face)) { canvas in
            let shade = [
                Point(2, -60), Point(4, -14), Point(7, 6), Point(2, 10), Point(4, 40),
                Point(40, 40), Point(40, -60),
            ]
            canvas.fill(put(.polygon(shade)), skin.darker(0.24).mixed(Ink(0x5A1E3A), 0.12))
        }
        eyes(&canvas, put, lid: skin.darker(0.3))
        canvas.fill(put(.polygon([Point(-1, -8), Point(6, 8), Point(-3, 9)])), skin.darker(0.35))
        canvas.stroke(
            put(.smooth([Point(-9, 17), Point(0, 19), Point(9, 16)], closed: false)), 1.6,
            Ink(0x8A2A2A).mixed(skin, 0.25))
        if hasMoustache {
            canvas.fill(
                put(
                    .smooth([
                        Point(-13, 15), Point(0, 10), Point(13, 15), Point(7, 15), Point(0, 14),
                        Point(-7, 15),
                    ])), hair)
        }
    }

    private func eyes(_ canvas: inout Canvas, _ put: (Path) -> Path, lid: Ink) {
        for side in [-1.0, 1] {
            let eye = Point(side * 9.5, -8)
            canvas.fill(put(.ellipse(eye, 4.6, 2.6)), Ink(0xF6F2EA))
            canvas.fill(put(.circle(eye + Point(0.6, 0), 2.3)), Ink(0x2A2018))
            canvas.fill(put(.circle(eye + Point(1.3, -0.8), 0.7)), Ink.white)
            canvas.fill(
                put(
                    .polygon([
                        eye + Point(-6, -6 - side * 0.6), eye + Point(6, -6 + side * 0.6),
                        eye + Point(5.4, -4), eye + Point(-5.4, -4),
                    ])), hair.darker(0.1))
        }
    }

    private func headgear(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        switch sitter {
        case .pioneer: leather(&canvas, put)
        case .capped:
            canvas.fill(
                put(
                    .smooth([
                        Point(-25, -18), Point(-23, -40), Point(0, -50), Point(23, -40),
                        Point(25, -18), Point(0, -24),
                    ])), suit)
            canvas.fill(
                put(
                    .polygon([
                        Point(0, -50), Point(14, -46), Point(25, -30), Point(25, -18),
                        Point(4, -23),
                    ])), suit.darker(0.2))
            canvas.fill(
                put(
                    .smooth([
                        Point(-26, -18), Point(0, -27), Point(26, -18), Point(24, -13),
                        Point(0, -20), Point(-24, -13),
                    ])), trim)
            canvas.fill(put(.circle(Point(0, -36), 5.5)), trim)
        default:
            canvas.fill(
                put(
                    .smooth([
                        Point(-25, -12), Point(-26, -34), Point(-8, -50), Point(16, -48),
                        Point(27, -32), Point(25, -12), Point(20, -26), Point(2, -32),
                        Point(-18, -26),
                    ])), hair)
        }
    }

    private func leather(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        let brown = hair
        canvas.fill(
            put(
                .smooth([
                    Point(-26, 16), Point(-27, -24), Point(-16, -46), Point(0, -51), Point(16, -46),
                    Point(27, -24), Point(26, 16), Point(20, 20), Point(19, -14), Point(0, -22),
                    Point(-19, -14), Point(-20, 20),
                ])), brown)
        canvas.fill(
            put(
                .polygon([
                    Point(2, -51), Point(16, -46), Point(27, -24), Point(26, 16), Point(20, 20),
                    Point(19, -14), Point(3, -22),
                ])), brown.darker(0.25))
        canvas.fill(put(.rect(-28, -32, 56, 5)), Ink(0x1E1612))
        for side in [-1.0, 1] {
            canvas.fill(put(.ellipse(Point(side * 12, -29), 11, 8)), Ink(0xC8A050))
            canvas.fill(put(.ellipse(Point(side * 12, -29), 8.6, 5.8)), Ink(0x28404E))
            canvas.fill(
                put(.ellipse(Point(side * 12 - 3, -31), 3.4, 1.8, angle: -0.4)), Ink(0xD8F0F8, 0.85)
            )
        }
    }

    private func helmet(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        let shell = Path.smooth([
            Point(-32, 4), Point(-30, -28), Point(-14, -48), Point(14, -48), Point(30, -28),
            Point(32, 4), Point(26, 30), Point(10, 40),
            Point(-10, 40), Point(-26, 30),
        ])
        canvas.fill(put(shell), trim)
        canvas.clipped(to: put(shell)) { canvas in
            canvas.fill(put(.rect(-8, -60, 16, 120)), suit)
            canvas.fill(
                put(
                    .polygon([
                        Point(-40, 14), Point(0, 26), Point(40, 14), Point(40, 60), Point(-40, 60),
                    ])), suit)
            canvas.fill(put(.rect(2, -60, 60, 120)), Ink.black.faded(0.24))
            canvas.fill(put(.ellipse(Point(-16, -36), 9, 5, angle: -0.7)), Ink(0xFFFFFF, 0.65))
        }
        let opening = Path.smooth([
            Point(-26, -2), Point(-24, -18), Point(0, -22), Point(24, -18), Point(26, -2),
            Point(20, 9), Point(0, 12), Point(-20, 9),
        ])
        canvas.fill(put(opening), Ink(0x101014))
        canvas.clipped(to: put(opening)) { canvas in
            canvas.fill(put(.ellipse(Point(0, -5), 20, 13)), skin)
            canvas.fill(
                put(
                    .polygon([
                        Point(2, -30), Point(5, 0), Point(2, 14), Point(40, 14), Point(40, -30),
                    ])), skin.darker(0.3))
            canvas.fill(put(.rect(-30, 6, 60, 10)), Ink(0xE8E4DC))
            eyes(&canvas, put, lid: skin.darker(0.3))
        }
        for slot in [-1.0, 0, 1] {
            canvas.fill(put(.rounded(slot * 8 - 2.5, 27, 5, 2.4, 1)), Ink(0x101014))
        }
    }
}
