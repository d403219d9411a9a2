import Glibc

/// Triangles with smooth normals.
struct Mesh {
    var positions: [Vec] = []
    var normals: [Vec] = []
    var triangles: [SIMD3<Int>] = []

    /// Adds a grid of points, joined row to row; `wraps` joins each row's end to its start.
    mutating func addGrid(_ rows: [[Vec]], wraps: Bool) {
        let base = positions.count
        let count = rows[0].count
        for row in rows { positions += row }
        for row in 0..<rows.count - 1 {
            for column in 0..<(wraps ? count : count - 1) {
                let next = (column + 1) % count
                let a = base + row * count + column
                let b = base + row * count + next
                triangles.append(SIMD3(a, b, a + count))
                triangles.append(SIMD3(b, b + count, a + count))
            }
        }
        smooth(from: base)
    }

    /// Adds a flat polygon as a fan.
    mutating func addFace(_ points: [Vec]) {
        let base = positions.count
        positions += points
        for index in 1..<points.count - 1 {
            triangles.append(SIMD3(base, base + index, base + index + 1))
        }
        smooth(from: base)
    }

    /// Normals of the points from `base` on: the mean of their triangles', by area.
    private mutating func smooth(from base: Int) {
        normals += Array(repeating: .zero, count: positions.count - base)
        for triangle in triangles where triangle.x >= base {
            let a = positions[triangle.x]
            let normal = (positions[triangle.y] - a).cross(positions[triangle.z] - a)
            for corner in 0..<3 { normals[triangle[corner]] += normal }
        }
        for index in base..<positions.count { normals[index] = normals[index].unit }
    }

    /// Adds another mesh.
    mutating func add(_ other: Mesh) {
        let base = positions.count
        positions += other.positions
        normals += other.normals
        triangles += other.triangles.map { $0 &+ base }
    }

    /// The mesh with every point moved by a rigid `map`.
    func placed(_ map: (Vec) -> Vec) -> Mesh {
        let origin = map(.zero)
        return Mesh(
            positions: positions.map(map), normals: normals.map { map($0) - origin },
            triangles: triangles)
    }
}

/// Solids of which everything is put together.
extension Mesh {
    /// A box between two corners.
    static func box(_ low: Vec, _ high: Vec) -> Mesh {
        var mesh = Mesh()
        func corner(_ x: Int, _ y: Int, _ z: Int) -> Vec {
            Vec(x == 0 ? low.x : high.x, y == 0 ? low.y : high.y, z == 0 ? low.z : high.z)
        }
        let faces = [
            [(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)],
            [(1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)],
            [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)],
            [(0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)],
            [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)],
            [(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
        ]
        for face in faces { mesh.addFace(face.map { corner($0.0, $0.1, $0.2) }) }
        return mesh
    }

    /// A sphere, stretched to `radii`.
    static func sphere(_ center: Vec, _ radii: Vec) -> Mesh {
        var mesh = Mesh()
        let rows = (0...14).map { row -> [Vec] in
            let polar = Double(row) / 14 * .pi
            return (0..<24).map { column in
                let around = Double(column) / 24 * 2 * .pi
                return center + radii
                    * Vec(sin(polar) * cos(around), cos(polar), sin(polar) * sin(around))
            }
        }
        mesh.addGrid(rows, wraps: true)
        return mesh
    }

    /// A round bar along `path`.
    static func tube(_ path: [Vec], _ radius: Double) -> Mesh {
        var mesh = Mesh()
        let rows = path.enumerated().map { index, point -> [Vec] in
            let along = (path[min(index + 1, path.count - 1)] - path[max(index - 1, 0)]).unit
            let side = along.cross(abs(along.y) > 0.9 ? Vec(1, 0, 0) : Vec(0, 1, 0)).unit
            let up = side.cross(along)
            return (0..<10).map { step in
                let angle = Double(step) / 10 * 2 * .pi
                return point + (side * cos(angle) + up * sin(angle)) * radius
            }
        }
        mesh.addGrid(rows, wraps: true)
        return mesh
    }

    /// A profile of (radius, distance along the axis) turned about an axis through `center`.
    static func lathe(_ profile: [Point], center: Vec, axis: Vec, sides: Int = 40) -> Mesh {
        var mesh = Mesh()
        let side = axis.cross(abs(axis.y) > 0.9 ? Vec(1, 0, 0) : Vec(0, 1, 0)).unit
        let up = side.cross(axis.unit)
        let rows = profile.map { ring -> [Vec] in
            (0..<sides).map { step in
                let angle = Double(step) / Double(sides) * 2 * .pi
                return center + axis.unit * ring.y + (side * cos(angle) + up * sin(angle)) * ring.x
            }
        }
        for pair in zip(rows, rows.dropFirst()) { mesh.addGrid([pair.0, pair.1], wraps: true) }
        return mesh
    }
}
