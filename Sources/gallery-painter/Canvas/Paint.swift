/// A place in a gradient: where (0…1) and which colour.
struct Stop {
    var at: Double
    var ink: Ink

    init(_ at: Double, _ ink: Ink) {
        self.at = at
        self.ink = ink
    }
}

/// What a shape is filled with.
enum Paint {
    /// One colour.
    case solid(Ink)
    /// Colours along the line between two points.
    case linear(Point, Point, [Stop])
    /// Colours from a centre out to a radius.
    case radial(Point, Double, [Stop])

    /// The colour at `point`, alpha premultiplied.
    func color(at point: Point) -> SIMD4<Float> {
        switch self {
        case .solid(let ink): return ink.premultiplied
        case .linear(let from, let to, let stops):
            let axis = to - from
            let along = (point - from) * axis
            let square = axis * axis
            return Self.ink(stops, (along.x + along.y) / (square.x + square.y)).premultiplied
        case .radial(let center, let radius, let stops):
            return Self.ink(stops, (point - center).length / radius).premultiplied
        }
    }

    /// The colour of `stops` at `t`; the end colours go on beyond.
    static func ink(_ stops: [Stop], _ t: Double) -> Ink {
        guard var before = stops.first else { return .clear }
        for stop in stops {
            if t < stop.at {
                let width = stop.at - before.at
                return before.ink.mixed(stop.ink, width > 0 ? (t - before.at) / width : 1)
            }
            before = stop
        }
        return before.ink
    }

    /// From top to bottom between two heights.
    static func vertical(_ top: Double, _ bottom: Double, _ inks: [Ink]) -> Paint {
        .linear(Point(0, top), Point(0, bottom), even(inks))
    }

    /// Light that fades out from a centre.
    static func glow(_ center: Point, _ radius: Double, _ ink: Ink) -> Paint {
        .radial(
            center, radius,
            [
                Stop(0, ink), Stop(0.25, ink.faded(0.55)), Stop(0.6, ink.faded(0.14)),
                Stop(1, ink.faded(0)),
            ])
    }

    /// Evenly spaced stops.
    static func even(_ inks: [Ink]) -> [Stop] {
        inks.enumerated().map { Stop(Double($0) / Double(max(inks.count - 1, 1)), $1) }
    }
}

/// How a colour joins what is there.
enum Blend {
    /// Over it.
    case over
    /// Added to it, as light.
    case add
    /// Multiplied with it, as shade.
    case multiply

    /// `source` (premultiplied) joined to `under` (premultiplied).
    func join(_ source: SIMD4<Float>, _ under: SIMD4<Float>) -> SIMD4<Float> {
        switch self {
        case .over: return source + under * (1 - source.w)
        case .add:
            var sum = under + source
            sum.w = under.w
            return sum.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 1))
        case .multiply:
            var result = under * (source + SIMD4(repeating: 1 - source.w))
            result.w = under.w
            return result
        }
    }
}
