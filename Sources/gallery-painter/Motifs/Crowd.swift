import Glibc

/// Spectators, shoulder to shoulder, flags up.
struct Crowd: Motif {
    var sky: [Ink]
    /// What they wear and wave.
    var inks: [UInt32] = Stand.clothes
    var flags: [UInt32] = [0xE0402C, 0xF2B632, 0x2C6CC4]
    /// Height of a head in the first row.
    var head = 13.0
    var isBacklit = false

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        canvas.flood(.vertical(0, canvas.bottom, sky))
        let rows = 6
        for row in 0..<rows {
            let depth = 1 - Double(row) / Double(rows)
            let size = head * (1 - depth * 0.62)
            let y = canvas.bottom * (0.36 + 0.66 * pow(Double(row + 1) / Double(rows), 1.25))
            if row % 2 == 1 || row == 0 { wave(&canvas, &seed, y - size * 1.6, size) }
            var x = -size + seed.value(0...size)
            while x < canvas.right + size {
                person(&canvas, &seed, Point(x, y + seed.value(-0.12...0.12) * size), size, depth)
                x += size * seed.value(1.25...1.6)
            }
        }
        canvas.vignette(0.3)
    }

    private func person(
        _ canvas: inout Canvas, _ seed: inout Seed, _ at: Point, _ size: Double, _ depth: Double
    ) {
        let fade = { (ink: Ink) in
            isBacklit ? ink.darker(0.86 - depth * 0.3) : ink.mixed(sky[sky.count - 1], depth * 0.35)
        }
        let shirt = fade(Ink(seed.pick(inks)))
        let skin = fade(Ink(seed.pick([0xF2C8A0, 0xD89A6A, 0x9A6240, 0x6A4028])))
        canvas.fill(
            .rounded(at.x - size * 0.72, at.y - size * 0.35, size * 1.44, size * 3, size * 0.5),
            shirt)
        if seed.chance(0.4) {
            let side = seed.chance(0.5) ? 1.0 : -1
            let arm = [
                at + Point(side * 0.55, 0) * size, at + Point(side * 0.85, -0.7) * size,
                at + Point(side * 0.7, -1.6) * size,
            ]
            canvas.stroke(Path(contours: [arm]), size * 0.28, shirt.darker(0.12))
            canvas.fill(.circle(arm[2], size * 0.17), skin)
        }
        canvas.fill(
            .rect(at.x - size * 0.16, at.y - size * 0.6, size * 0.32, size * 0.4), skin.darker(0.2))
        canvas.fill(.ellipse(at - Point(0, size * 0.85), size * 0.37, size * 0.46), skin)
        hat(&canvas, &seed, at - Point(0, size * 0.85), size, fade(Ink(seed.pick(inks))))
    }

    private func hat(
        _ canvas: inout Canvas, _ seed: inout Seed, _ head: Point, _ size: Double, _ ink: Ink
    ) {
        let dome = Path.polygon(
            (0...12).map {
                head + Point(0, -size * 0.06)
                    + .polar(Double.pi * (1 + Double($0) / 12), size * 0.41)
            })
        switch seed.whole(0...3) {
        case 0:
            canvas.fill(dome, ink)
            canvas.fill(
                .rounded(
                    head.x - size * 0.1, head.y - size * 0.14, size * 0.62, size * 0.12, size * 0.05
                ), ink.darker(0.2))
        case 1:
            canvas.fill(
                dome,
                Ink(seed.pick([0x2A1A12, 0x6A4020, 0x1A1418, 0xC89A50])).darker(isBacklit ? 0.7 : 0)
            )
        case 2:
            canvas.fill(.ellipse(head - Point(0, size * 0.16), size * 0.68, size * 0.13), ink)
            canvas.fill(dome, ink.lighter(0.1))
        default:
            canvas.fill(dome, Ink(0x3A2418).darker(isBacklit ? 0.6 : 0))
            canvas.fill(
                .rounded(
                    head.x - size * 0.36, head.y - size * 0.1, size * 0.72, size * 0.16, size * 0.06
                ), Ink(0x14161C))
        }
    }

    private func wave(_ canvas: inout Canvas, _ seed: inout Seed, _ y: Double, _ size: Double) {
        for _ in 0..<3 {
            let foot = Point(seed.value(0...canvas.right), y + size)
            let top = foot - Point(seed.value(-0.3...0.3) * size, size * seed.value(2.2...3.4))
            canvas.stroke(Path(contours: [[foot, top]]), size * 0.12, Ink(0x3A2A20))
            let ink = Ink(seed.pick(flags)).darker(isBacklit ? 0.35 : 0)
            let width = size * 2.4
            var cloth = Path()
            cloth.move(top)
            cloth.curve(
                top + Point(width, size * 0.2), top + Point(width * 0.3, -size * 0.5),
                top + Point(width * 0.6, size * 0.6))
            cloth.line(top + Point(width, size * 1.5))
            cloth.curve(
                top + Point(0, size * 1.4), top + Point(width * 0.6, size * 2),
                top + Point(width * 0.3, size * 0.9))
            canvas.fill(cloth, ink)
        }
    }
}
