import Glibc

/// A point, or a step, on the canvas, in scene units: the shorter side of a picture measures 100.
typealias Point = SIMD2<Double>

extension SIMD2 where Scalar == Double {
    /// The distance from the origin.
    var length: Double { (x * x + y * y).squareRoot() }

    /// The point at `angle` (radians, clockwise from the right) and `radius` from the origin.
    static func polar(_ angle: Double, _ radius: Double) -> Point {
        Point(cos(angle) * radius, sin(angle) * radius)
    }

    /// A part of the way to `other`.
    func toward(_ other: Point, _ part: Double) -> Point {
        self + (other - self) * part
    }
}

/// Scale, rotation and shift of the plane.
struct Affine {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 1.0
    var offset = Point(0, 0)

    /// Scales, then turns by `angle` radians, then moves to `offset`.
    init(scale: Point = Point(1, 1), angle: Double = 0, offset: Point = Point(0, 0)) {
        a = cos(angle) * scale.x
        b = sin(angle) * scale.x
        c = -sin(angle) * scale.y
        d = cos(angle) * scale.y
        self.offset = offset
    }

    /// Where `point` goes.
    func callAsFunction(_ point: Point) -> Point {
        Point(a * point.x + c * point.y, b * point.x + d * point.y) + offset
    }
}

/// Blends between `from` and `to` smoothly as `x` goes from `low` to `high`.
func smoothstep(_ low: Double, _ high: Double, _ x: Double) -> Double {
    let t = min(max((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}
