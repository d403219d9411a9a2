import Glibc

/// A point or direction in the world, in metres: x forwards along a car, y up, z to its right.
typealias Vec = SIMD3<Double>

extension SIMD3 where Scalar == Double {
    /// The inner product.
    func dot(_ other: Vec) -> Double {
        let product = self * other
        return product.x + product.y + product.z
    }

    /// The vector at right angles to both.
    func cross(_ other: Vec) -> Vec {
        Vec(
            y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The direction, at length 1.
    var unit: Vec {
        let square = dot(self)
        return square > 1e-18 ? self / square.squareRoot() : Vec(0, 1, 0)
    }

    /// Turned about the upright axis through the origin, by `angle` radians from x towards z.
    func yawed(_ angle: Double) -> Vec {
        Vec(x * cos(angle) - z * sin(angle), y, x * sin(angle) + z * cos(angle))
    }
}
