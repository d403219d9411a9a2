import Glibc

/// A round dial, large: a rev counter or a stopwatch.
struct Instrument: Motif {
    /// Which of the two.
    enum Kind {
        case revs
        case stopwatch
    }

    var kind: Kind
    /// Page, face, figures, needle.
    var inks: [Ink]
    /// Where the needle stands, 0…1.
    var needle: Double

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        canvas.flood(
            .radial(
                canvas.center, canvas.center.length,
                [Stop(0, inks[0].lighter(0.2)), Stop(1, inks[0].darker(0.3))]))
        let center = canvas.center + Point(0, kind == .stopwatch ? 5 : 0)
        let radius = kind == .stopwatch ? 39.0 : 44
        canvas.fill(.circle(center + Point(2, 3), radius), Ink.black.faded(0.35))
        if kind == .stopwatch { crown(&canvas, center, radius) }
        canvas.fill(
            .circle(center, radius),
            .linear(
                center - Point(30, 40), center + Point(30, 40),
                Paint.even([Ink(0xFFFFFF), Ink(0x8A8E98), Ink(0xE8EAF0), Ink(0x50545E)])))
        canvas.fill(.circle(center, radius * 0.9), inks[1])
        let start = kind == .revs ? 2.3 : -Double.pi / 2
        let sweep = kind == .revs ? 4.8 : 2 * Double.pi
        scale(&canvas, center, radius, start, sweep)
        let way = start + sweep * needle
        let tip = center + .polar(way, radius * 0.74)
        let side = Point.polar(way + .pi / 2, radius * 0.035)
        canvas.fill(
            .polygon([
                center - .polar(way, radius * 0.16) + side, tip,
                center - .polar(way, radius * 0.16) - side,
            ]), inks[3])
        canvas.fill(.circle(center, radius * 0.09), inks[3].darker(0.3))
        canvas.fill(.circle(center, radius * 0.045), Ink(0xE8EAF0))
        canvas.fill(
            .ellipse(center - Point(12, 20), radius * 0.42, radius * 0.2, angle: -0.5),
            Ink(0xFFFFFF, 0.1))
    }

    private func scale(
        _ canvas: inout Canvas, _ center: Point, _ radius: Double, _ start: Double, _ sweep: Double
    ) {
        let count = kind == .revs ? 40 : 60
        if kind == .revs {
            let arc = (30...40).map {
                center + .polar(start + sweep * Double($0) / 40, radius * 0.8)
            }
            canvas.stroke(Path(contours: [arc]), radius * 0.09, Ink(0xE8301E))
        }
        for tick in 0...count {
            let isLong = tick % 5 == 0
            let way = start + sweep * Double(tick) / Double(count)
            let line = [
                center + .polar(way, radius * (isLong ? 0.72 : 0.78)),
                center + .polar(way, radius * 0.86),
            ]
            canvas.stroke(Path(contours: [line]), isLong ? 1.6 : 0.7, inks[2])
            guard isLong, kind == .revs || tick < count else { continue }
            let text = kind == .revs ? "\(tick / 5 + 1)" : "\(tick == 0 ? 60 : tick)"
            let height = radius * 0.13
            let spot = center + .polar(way, radius * 0.58)
            let left = spot - Point(Lettering.width(text, height: height) / 2, height / 2)
            canvas.fill(
                Lettering.path(text, at: left, height: height, weight: height * 0.17), inks[2])
        }
    }

    private func crown(_ canvas: inout Canvas, _ center: Point, _ radius: Double) {
        let metal = Paint.even([Ink(0x70747E), Ink(0xF4F6FA), Ink(0x585C66)])
        canvas.fill(
            .rounded(center.x - 4, center.y - radius - 9, 8, 12, 2),
            .linear(center - Point(4, 0), center + Point(4, 0), metal))
        for angle in [-2.2, -0.94] {
            let spot = center + .polar(angle, radius + 2)
            canvas.fill(.ellipse(spot, 5, 4, angle: angle), Ink(0xB8BCC6))
        }
    }
}
