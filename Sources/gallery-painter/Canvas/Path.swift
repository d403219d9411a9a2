import Glibc

/// Closed outlines, flattened to straight pieces, filled by the non-zero rule.
struct Path {
    /// Each contour is closed by itself.
    var contours: [[Point]] = []

    /// Pieces a curve is cut into: at 1000 pixels a picture's largest arc then bends by less than 1° a piece.
    private static let pieces = 28

    /// Starts a new contour.
    mutating func move(_ point: Point) {
        contours.append([point])
    }

    /// A straight piece.
    mutating func line(_ point: Point) {
        if contours.isEmpty { contours.append([]) }
        contours[contours.count - 1].append(point)
    }

    /// A cubic Bézier piece.
    mutating func curve(_ end: Point, _ first: Point, _ second: Point) {
        guard let start = contours.last?.last else { return }
        for step in 1...Self.pieces {
            let t = Double(step) / Double(Self.pieces)
            let u = 1 - t
            let head = start * (u * u * u) + first * (3 * u * u * t)
            line(head + second * (3 * u * t * t) + end * (t * t * t))
        }
    }

    /// A quadratic Bézier piece.
    mutating func bend(_ end: Point, _ control: Point) {
        guard let start = contours.last?.last else { return }
        curve(end, start.toward(control, 2 / 3), end.toward(control, 2 / 3))
    }

    /// Adds the contours of `other`.
    mutating func add(_ other: Path) {
        contours += other.contours
    }

    /// The path with every point moved by `map`.
    func mapped(_ map: (Point) -> Point) -> Path {
        Path(contours: contours.map { $0.map(map) })
    }
}

extension Path {
    /// A polygon.
    static func polygon(_ points: [Point]) -> Path {
        Path(contours: [points])
    }

    /// A rectangle.
    static func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Path {
        polygon([
            Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height),
        ])
    }

    /// An ellipse; turned by `angle` radians.
    static func ellipse(_ center: Point, _ rx: Double, _ ry: Double, angle: Double = 0) -> Path {
        let place = Affine(scale: Point(rx, ry), angle: angle, offset: center)
        return polygon((0..<72).map { place(.polar(Double($0) / 72 * 2 * .pi, 1)) })
    }

    /// A circle.
    static func circle(_ center: Point, _ radius: Double) -> Path {
        ellipse(center, radius, radius)
    }

    /// A rectangle with round corners.
    static func rounded(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double
    ) -> Path {
        let r = min(radius, width / 2, height / 2)
        let corners = [
            Point(x + width - r, y + r), Point(x + width - r, y + height - r),
            Point(x + r, y + height - r), Point(x + r, y + r),
        ]
        var points: [Point] = []
        for (index, corner) in corners.enumerated() {
            let start = Double(index - 1) * .pi / 2
            points += (0...8).map { corner + .polar(start + Double($0) / 8 * .pi / 2, r) }
        }
        return polygon(points)
    }

    /// A smooth closed curve through `points` (Catmull–Rom).
    static func smooth(_ points: [Point], closed: Bool = true) -> Path {
        var path = Path()
        let count = points.count
        func at(_ index: Int) -> Point {
            closed ? points[(index + count) % count] : points[min(max(index, 0), count - 1)]
        }
        path.move(points[0])
        for index in 0..<(closed ? count : count - 1) {
            let (p0, p1, p2, p3) = (at(index - 1), at(index), at(index + 1), at(index + 2))
            path.curve(p2, p1 + (p2 - p0) / 6, p2 - (p3 - p1) / 6)
        }
        return path
    }
}

extension Path {
    /// The outline of a line of `width` drawn along every contour, with round joins and ends.
    func stroked(_ width: Double, closed: Bool = false) -> Path {
        var result = Path()
        for contour in contours where !contour.isEmpty {
            let last = closed ? contour.count : contour.count - 1
            for index in 0..<max(last, 0) {
                let from = contour[index]
                let to = contour[(index + 1) % contour.count]
                let step = to - from
                guard step.length > 1e-9 else { continue }
                let side = Point(-step.y, step.x) * (width / 2 / step.length)
                result.contours.append([from - side, to - side, to + side, from + side])
            }
            for point in contour { result.add(.dot(point, width / 2)) }
        }
        return result
    }

    /// A circle of few corners, for the joins of strokes, wound like the pieces they join.
    private static func dot(_ center: Point, _ radius: Double) -> Path {
        polygon((0..<14).map { center + .polar(Double($0) / 14 * 2 * .pi, radius) })
    }
}
