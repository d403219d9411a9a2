import Glibc

/// Draws models with a depth buffer, nine samples a pixel.
struct Render {
    /// Samples along each side of a pixel.
    private static let samples = 3

    private struct Corner {
        var spot: Point
        var inverse: Double
        var position: Vec
        var normal: Vec
        var world: Vec
    }

    private let camera: Camera
    private let light: Light
    private let columns: Int
    private let rows: Int
    private let scale: Double
    private var depth: [Float]
    private var colors: [SIMD4<Float>]

    /// The models in front of `camera`, as a layer of the size of `canvas`.
    static func layer(_ models: [Placed], _ camera: Camera, _ light: Light, like canvas: Canvas)
        -> Canvas
    {
        var render = Render(camera, light, canvas)
        for placed in models { render.draw(placed) }
        return render.resolved(like: canvas)
    }

    private init(_ camera: Camera, _ light: Light, _ canvas: Canvas) {
        self.camera = camera
        self.light = light
        columns = canvas.width * Self.samples
        rows = canvas.height * Self.samples
        scale = canvas.scale * Double(Self.samples)
        depth = Array(repeating: 0, count: columns * rows)
        colors = Array(repeating: .zero, count: columns * rows)
    }

    private mutating func draw(_ placed: Placed) {
        for part in placed.model.parts {
            let corners = zip(part.mesh.positions, part.mesh.normals).map { position, normal in
                let world = placed.place(position)
                let seen = camera.view(world)
                return Corner(
                    spot: seen.z > Camera.near ? camera.flatten(seen) * scale : .zero,
                    inverse: seen.z > Camera.near ? 1 / seen.z : 0, position: position,
                    normal: normal,
                    world: world)
            }
            for triangle in part.mesh.triangles {
                draw(
                    corners[triangle.x], corners[triangle.y], corners[triangle.z], placed, part.coat
                )
            }
        }
    }

    private mutating func draw(
        _ a: Corner, _ b: Corner, _ c: Corner, _ placed: Placed, _ coat: Coat
    ) {
        guard a.inverse > 0, b.inverse > 0, c.inverse > 0 else { return }
        let ab = b.spot - a.spot
        let ac = c.spot - a.spot
        let area = ab.x * ac.y - ab.y * ac.x
        guard abs(area) > 1e-9 else { return }
        let left = max(Int(min(a.spot.x, b.spot.x, c.spot.x).rounded(.up)), 0)
        let right = min(max(a.spot.x, b.spot.x, c.spot.x), Double(columns - 1))
        let top = max(Int(min(a.spot.y, b.spot.y, c.spot.y).rounded(.up)), 0)
        let bottom = min(max(a.spot.y, b.spot.y, c.spot.y), Double(rows - 1))
        guard Double(left) <= right, Double(top) <= bottom else { return }
        for y in top...Int(bottom) {
            for x in left...Int(right) {
                let way = Point(Double(x), Double(y)) - a.spot
                let v = (way.x * ac.y - way.y * ac.x) / area
                let w = (ab.x * way.y - ab.y * way.x) / area
                guard v >= 0, w >= 0, v + w <= 1 else { continue }
                let inverse = a.inverse + (b.inverse - a.inverse) * v + (c.inverse - a.inverse) * w
                let index = y * columns + x
                guard Float(inverse) > depth[index] else { continue }
                depth[index] = Float(inverse)
                let parts =
                    Vec(
                        (1 - v - w) * a.inverse, v * b.inverse, w * c.inverse) / inverse
                colors[index] = color(a, b, c, parts, placed, coat)
            }
        }
    }

    private func color(
        _ a: Corner, _ b: Corner, _ c: Corner, _ parts: Vec, _ placed: Placed, _ coat: Coat
    ) -> SIMD4<Float> {
        let position = a.position * parts.x + b.position * parts.y + c.position * parts.z
        let normal = (a.normal * parts.x + b.normal * parts.y + c.normal * parts.z).unit
        let ink = coat.ink(position, normal)
        if coat.isLamp { return ink.premultiplied }
        let world = a.world * parts.x + b.world * parts.y + c.world * parts.z
        return light.shade(
            ink, normal: placed.turn(normal), gaze: (world - camera.eye).unit, gloss: coat.gloss)
    }

    private func resolved(like canvas: Canvas) -> Canvas {
        var layer = canvas.layer()
        let share = 1 / Float(Self.samples * Self.samples)
        for row in 0..<rows {
            let target = row / Self.samples * layer.width
            for column in 0..<columns where depth[row * columns + column] > 0 {
                layer.pixels[target + column / Self.samples] +=
                    colors[row * columns + column] * share
            }
        }
        return layer
    }

    /// The shadows the models throw on the ground at height 0, as a soft dark layer.
    static func shadow(
        _ models: [Placed], _ camera: Camera, _ light: Light, like canvas: Canvas,
        softness: Double = 0.5
    ) -> Canvas {
        var layer = canvas.layer()
        let drop = light.toward
        for placed in models {
            var path = Path()
            for part in placed.model.parts where !part.coat.isLamp {
                let flat = part.mesh.positions.map { point -> Point? in
                    let world = placed.place(point)
                    let foot = world - drop * (max(world.y, 0) / max(drop.y, 0.25))
                    return camera.project(Vec(foot.x, 0, foot.z))
                }
                for triangle in part.mesh.triangles {
                    guard let a = flat[triangle.x], let b = flat[triangle.y],
                        let c = flat[triangle.z]
                    else {
                        continue
                    }
                    let turn = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
                    path.contours.append(turn > 0 ? [a, b, c] : [a, c, b])
                }
            }
            layer.fill(path, Ink.black)
        }
        layer.soften(softness)
        return layer
    }
}
