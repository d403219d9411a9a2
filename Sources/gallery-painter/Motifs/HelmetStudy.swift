import Glibc

/// A helmet in profile, alone on the page.
struct HelmetStudy: Motif {
    /// How the shell is painted.
    enum Design {
        case bands
        case chevron
        case halves
        case chequers
        case sunburst
    }

    var design: Design
    var shell: Ink
    var second: Ink
    var third: Ink
    /// The page behind it, from the top left to the bottom right; none for a cut-out.
    var page: [Ink]
    /// The visor's reflection, from its top to its bottom.
    var visor: [Ink]
    var facesLeft = false

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        if !page.isEmpty { backdrop(&canvas) }
        let size = min(canvas.right, canvas.bottom) / 104
        let place = Affine(
            scale: Point(facesLeft ? -size : size, size), angle: facesLeft ? 0.08 : -0.08,
            offset: canvas.center + Point(facesLeft ? 1 : -1, 2) * size)
        func put(_ path: Path) -> Path { path.mapped { place($0) } }
        if !page.isEmpty {
            canvas.fill(put(.ellipse(Point(2, 43), 40, 4.5)), Ink.black.faded(0.28))
        }
        let outline = Self.outline
        canvas.clipped(to: put(outline)) { canvas in
            canvas.fill(put(.rect(-60, -60, 120, 120)), shell)
            decorate(&canvas, put)
            let shade = [
                Stop(0, Ink(0xFFFFFF, 0.28)), Stop(0.38, Ink(0xFFFFFF, 0)),
                Stop(0.6, Ink(0x0A0420, 0)), Stop(1, Ink(0x0A0420, 0.62)),
            ]
            canvas.fill(
                put(.rect(-60, -60, 120, 120)),
                .linear(place(Point(8, -44)), place(Point(-14, 42)), shade))
            canvas.fill(put(.ellipse(Point(-8, -30), 17, 6, angle: -0.35)), Ink(0xFFFFFF, 0.5))
        }
        paintVisor(&canvas, put, place)
        canvas.fill(put(.rounded(-34, 29, 64, 6, 3)), Ink(0x121216))
    }

    private static var outline: Path {
        var path = Path()
        path.move(Point(-30, 33))
        path.curve(Point(-43, -6), Point(-38, 22), Point(-44, 10))
        path.curve(Point(-2, -43), Point(-42, -30), Point(-24, -43))
        path.curve(Point(39, -10), Point(20, -43), Point(36, -28))
        path.line(Point(45, 13))
        path.curve(Point(31, 34), Point(46, 26), Point(41, 33))
        path.curve(Point(-30, 33), Point(10, 37), Point(-12, 36))
        return path
    }

    private func paintVisor(_ canvas: inout Canvas, _ put: (Path) -> Path, _ place: Affine) {
        let frame = Path.smooth([
            Point(2, -8), Point(10, -19), Point(26, -20), Point(40.5, -14), Point(45, 3),
            Point(44, 11),
            Point(28, 11), Point(10, 7),
        ])
        canvas.fill(put(frame), Ink(0x0C0C10))
        let pane = Path.smooth([
            Point(6, -7), Point(13, -16), Point(27, -17), Point(39, -12), Point(42.5, 2),
            Point(42, 8), Point(28, 7.5),
            Point(13, 4),
        ])
        canvas.fill(
            put(pane), .linear(place(Point(20, -17)), place(Point(22, 9)), Paint.even(visor)))
        canvas.clipped(to: put(pane)) { canvas in
            canvas.fill(
                put(.polygon([Point(14, -22), Point(21, -22), Point(15, 12), Point(8, 12)])),
                Ink(0xFFFFFF, 0.4))
            canvas.fill(
                put(.polygon([Point(24, -22), Point(26, -22), Point(20, 12), Point(18, 12)])),
                Ink(0xFFFFFF, 0.3))
        }
        canvas.fill(put(.circle(Point(4, -3), 3.4)), Ink(0xC8CCD2))
        canvas.fill(put(.circle(Point(4, -3), 1.4)), Ink(0x303038))
    }

    private func decorate(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        switch design {
        case .bands: bands(&canvas, put)
        case .chevron: chevrons(&canvas, put)
        case .halves: halves(&canvas, put)
        case .chequers: chequers(&canvas, put)
        case .sunburst: sunburst(&canvas, put)
        }
    }

    private func bands(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        for (index, ink) in [second, third, second].enumerated() {
            let y = -26 + Double(index) * 9
            var band = Path()
            band.move(Point(-60, y + 22))
            band.curve(Point(60, y), Point(-20, y + 18), Point(20, y - 14))
            band.line(Point(60, y + 6))
            band.curve(Point(-60, y + 28), Point(20, y - 8), Point(-20, y + 24))
            canvas.fill(put(band), ink)
        }
    }

    private func chevrons(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        for (index, ink) in [second, third, second].enumerated() {
            let x = Double(index) * 15
            canvas.fill(
                put(
                    .polygon([
                        Point(-52 + x, -50), Point(-42 + x, -50), Point(-22 + x, -4),
                        Point(-42 + x, 50), Point(-52 + x, 50), Point(-32 + x, -4),
                    ])), ink)
        }
    }

    private func halves(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        canvas.fill(
            put(.polygon([Point(-60, 4), Point(60, -12), Point(60, 60), Point(-60, 60)])),
            second)
        canvas.fill(
            put(.polygon([Point(-60, 0), Point(60, -16), Point(60, -10), Point(-60, 8)])), third
        )
    }

    private func chequers(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        for row in 0..<3 {
            for column in 0..<16 where (row + column) % 2 == 0 {
                canvas.fill(
                    put(.rect(-50 + Double(column) * 6.4, 12 + Double(row) * 6.4, 6.4, 6.4)),
                    second)
            }
        }
        canvas.fill(put(.rect(-60, 8, 120, 3)), third)
    }

    private func sunburst(_ canvas: inout Canvas, _ put: (Path) -> Path) {
        for ray in 0..<9 {
            let angle = -2.9 + Double(ray) * 0.34
            canvas.fill(
                put(
                    .polygon([
                        Point(4, -3), Point(4, -3) + .polar(angle, 90),
                        Point(4, -3) + .polar(angle + 0.17, 90),
                    ])), ray % 2 == 0 ? second : third)
        }
    }

    private func backdrop(_ canvas: inout Canvas) {
        canvas.flood(.linear(Point(0, 0), Point(canvas.right, canvas.bottom), Paint.even(page)))
        let middle = canvas.center
        for ring in 0..<3 {
            canvas.fill(.circle(middle, 48 - Double(ring) * 9), page[0].lighter(0.16).faded(0.35))
        }
    }
}
