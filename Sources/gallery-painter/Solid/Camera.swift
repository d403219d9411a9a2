import Glibc

/// Where the world is seen from, and where on the canvas it appears.
struct Camera {
    let eye: Vec
    /// Scene units a metre at a distance of one metre.
    let focal: Double
    /// Where on the canvas the line of sight arrives.
    let center: Point
    let forward: Vec
    private let across: Vec
    private let upward: Vec

    /// Nearer than this, in metres, nothing is drawn.
    static let near = 0.3

    /// Looks from `eye` at `target`; `focal` of 100 shows about 53° of the shorter side; `roll` in radians.
    init(eye: Vec, target: Vec, focal: Double, center: Point, roll: Double = 0) {
        self.eye = eye
        self.focal = focal
        self.center = center
        forward = (target - eye).unit
        let flat = forward.cross(Vec(0, 1, 0)).unit
        let steep = flat.cross(forward)
        across = flat * cos(roll) + steep * sin(roll)
        upward = steep * cos(roll) - flat * sin(roll)
    }

    /// The point as the camera has it: across, up, and away.
    func view(_ point: Vec) -> Vec {
        let way = point - eye
        return Vec(way.dot(across), way.dot(upward), way.dot(forward))
    }

    /// Where a point of `view` lands on the canvas.
    func flatten(_ view: Vec) -> Point {
        center + Point(view.x, -view.y) * (focal / view.z)
    }

    /// Where `point` lands on the canvas; nil behind the camera.
    func project(_ point: Vec) -> Point? {
        let seen = view(point)
        return seen.z > Self.near ? flatten(seen) : nil
    }

    /// Scene units a metre at `point`.
    func scale(at point: Vec) -> Double {
        focal / max(view(point).z, Self.near)
    }

    /// The outline of a polygon in the world, cut off at the near plane.
    func outline(_ points: [Vec]) -> Path {
        let seen = points.map(view)
        var kept: [Vec] = []
        for (index, from) in seen.enumerated() {
            let to = seen[(index + 1) % seen.count]
            if from.z > Self.near { kept.append(from) }
            if (from.z > Self.near) != (to.z > Self.near) {
                kept.append(from + (to - from) * ((Self.near - from.z) / (to.z - from.z)))
            }
        }
        return .polygon(kept.map(flatten))
    }

    /// The height on the canvas of the horizon, straight ahead.
    var horizon: Double {
        let far = Vec(forward.x, 0, forward.z).unit * 1e6
        return project(eye + far)?.y ?? center.y
    }
}
