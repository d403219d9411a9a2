import Glibc

/// A car in a tunnel of lamps.
struct Tunnel: Motif {
    var car: Model
    /// Walls and lamps.
    var wall: Ink
    var lamp: Ink
    /// Daylight at its end; nil where it bends away.
    var daylight: Ink?
    var eye = Vec(7, 1.2, 1.6)

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let light = Light(
            toward: Vec(0.5, 0.75, 0.2).unit, key: lamp, sky: wall.lighter(0.25), horizon: lamp,
            ground: wall.darker(0.3))
        let placed = [Placed(car)]
        let camera = Camera.framing(
            placed, eye: eye, on: canvas, middle: Point(0.5, 0.66), width: 0.6, height: 0.5)
        canvas.flood(.solid(wall.darker(0.75)))
        let ahead = eye.x > 0 ? -1.0 : 1
        if let daylight {
            canvas.fill(camera.outline(arch(ahead * 90)), daylight)
        }
        for ring in (0..<26).reversed() {
            let x = eye.x + ahead * Double(ring) * 3.6
            let far = Double(ring) / 26
            segment(&canvas, camera, x, x + ahead * 3.6, far)
        }
        canvas.zoomBlur(
            around: Point(canvas.right * 0.5, canvas.bottom * 0.55), strength: 0.09, still: 14)
        canvas.draw(Render.shadow(placed, camera, light, like: canvas), opacity: 0.7)
        canvas.draw(Render.layer(placed, camera, light, like: canvas))
        canvas.vignette(0.45)
    }

    private func arch(_ x: Double) -> [Vec] {
        let roof = (0...14).map { step -> Vec in
            let angle = Double(step) / 14 * .pi
            return Vec(x, 2.4 + sin(angle) * 3.4, cos(angle) * 7)
        }
        return [Vec(x, 0, 7)] + roof + [Vec(x, 0, -7)]
    }

    private func segment(
        _ canvas: inout Canvas, _ camera: Camera, _ near: Double, _ far: Double, _ depth: Double
    ) {
        let from = arch(near)
        let to = arch(far)
        for index in 0..<from.count - 1 {
            let shade = 0.2 + 0.5 * abs(Double(index) / Double(from.count - 1) - 0.5)
            let ink = wall.darker(shade).mixed(lamp, 0.12 * (1 - depth))
            canvas.fill(
                camera.outline([from[index], from[index + 1], to[index + 1], to[index]]), ink)
        }
        canvas.fill(
            camera.outline([Vec(near, 0, -7), Vec(near, 0, 7), Vec(far, 0, 7), Vec(far, 0, -7)]),
            wall.darker(0.55).mixed(lamp, 0.06))
        for index in [4, 5, 10, 11] {
            let stop = from[index].mix(to[index], 0.55)
            let next = from[index + 1].mix(to[index + 1], 0.55)
            canvas.fill(
                camera.outline([
                    from[index], from[index].mix(from[index + 1], 0.6), stop.mix(next, 0.6), stop,
                ]), lamp)
        }
        canvas.fill(
            camera.outline([
                Vec(near, 0, -0.12), Vec(near, 0, 0.12),
                Vec(near.advanced(by: (far - near) / 2), 0, 0.12),
                Vec(near.advanced(by: (far - near) / 2), 0, -0.12),
            ]), Ink(0xF4F2EA, 0.8))
    }
}
