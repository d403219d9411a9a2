import Glibc

/// One cut through a body, across its length.
struct Section {
    /// Where along the car.
    var x: Double
    /// The underside's height.
    var low: Double
    /// The top's height.
    var high: Double
    /// Half of the width.
    var half: Double
    /// 2 is an ellipse; higher is boxier.
    var square: Double
    /// Where its middle lies across the car.
    var z: Double

    /// A cut at `x` from `low` to `high`, `half` wide to each side.
    init(
        _ x: Double, _ low: Double, _ high: Double, _ half: Double, square: Double = 3,
        z: Double = 0
    ) {
        self.x = x
        self.low = low
        self.high = high
        self.half = half
        self.square = square
        self.z = z
    }

    /// The outline: a superellipse, drawn in above by `lean`.
    func ring(lean: Double) -> [Vec] {
        let middle = (low + high) / 2
        let rise = (high - low) / 2
        return (0..<32).map { step in
            let angle = Double(step) / 32 * 2 * .pi
            let c = cos(angle)
            let s = sin(angle)
            let across = copysign(pow(abs(c), 2 / square), c)
            let up = copysign(pow(abs(s), 2 / square), s)
            return Vec(x, middle + rise * up, z + half * across * (1 - lean * (up + 1) / 2))
        }
    }

    /// A cut between this one and `other`.
    func mixed(_ other: Section, _ part: Double) -> Section {
        func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * part }
        return Section(
            mix(x, other.x), mix(low, other.low), mix(high, other.high), mix(half, other.half),
            square: mix(square, other.square), z: mix(z, other.z))
    }
}

extension Mesh {
    /// A closed skin over `sections`; curved between them, narrower at the top by the part `lean`.
    static func loft(_ sections: [Section], lean: Double = 0) -> Mesh {
        var dense: [Section] = []
        for (index, from) in sections.enumerated().dropLast() {
            let to = sections[index + 1]
            for step in 0..<4 { dense.append(from.mixed(to, Double(step) / 4)) }
        }
        dense += sections.suffix(1)
        var mesh = Mesh()
        mesh.addGrid(dense.map { $0.ring(lean: lean) }, wraps: true)
        mesh.addFace(dense[0].ring(lean: lean))
        mesh.addFace(dense[dense.count - 1].ring(lean: lean).reversed())
        return mesh
    }

    /// A thin horizontal plate with four corners in (x, z), for wings and floors.
    static func plate(_ corners: [Point], y: Double, thickness: Double, pitch: Double = 0) -> Mesh {
        let front = corners.map(\.x).max() ?? 0
        func lift(_ point: Point, _ height: Double) -> Vec {
            Vec(point.x, y + height + (front - point.x) * pitch, point.y)
        }
        var mesh = Mesh()
        mesh.addFace(corners.map { lift($0, thickness) })
        mesh.addFace(corners.map { lift($0, 0) })
        for (index, from) in corners.enumerated() {
            let to = corners[(index + 1) % corners.count]
            mesh.addFace([lift(from, 0), lift(to, 0), lift(to, thickness), lift(from, thickness)])
        }
        return mesh
    }

    /// A wing: `span` to each side, `chord` long from its leading edge at `x`, rising backwards by `pitch`.
    static func wing(
        x: Double, y: Double, span: Double, chord: Double, thickness: Double = 0.035,
        pitch: Double = 0.2
    ) -> Mesh {
        plate(
            [Point(x, -span), Point(x, span), Point(x - chord, span), Point(x - chord, -span)],
            y: y,
            thickness: thickness, pitch: pitch)
    }
}
