import Glibc

/// A wheel and its tyre.
struct Wheel {
    /// What is seen inside the tyre.
    enum Rim {
        /// Cast spokes, blurred by speed.
        case spinning
        /// Cast spokes, standing.
        case spokes(Int)
        /// Wire spokes.
        case wire
        /// A smooth disc with a hub.
        case disc
    }

    var radius: Double
    var width: Double
    var rim: Rim
    /// The colour of the rim.
    var ink = Ink(0x9AA0AA)
    /// The ring painted on the tyre's flank.
    var ring: Ink?

    /// Adds the wheel to `model` at both sides, its axle at `x` and its outer face `out` from the middle.
    func add(to model: inout Model, x: Double, out: Double) {
        let center = Vec(x, radius, out - width / 2)
        let half = width / 2
        let tyre: [Point] = [
            Point(radius * 0.6, -half), Point(radius * 0.93, -half), Point(radius, -half * 0.78),
            Point(radius, half * 0.78), Point(radius * 0.93, half), Point(radius * 0.6, half),
        ]
        let rim = coat(around: center)
        let flank = tyreCoat(around: center)
        model.addPair(.lathe(tyre, center: center, axis: Vec(0, 0, 1)), flank)
        let disc = [
            Point(0, half * 0.8), Point(radius * 0.3, half * 0.7), Point(radius * 0.62, half * 0.9),
        ]
        model.addPair(.lathe(disc, center: center, axis: Vec(0, 0, 1)), rim)
        let back = [Point(0, -half * 0.5), Point(radius * 0.65, -half * 0.5)]
        model.addPair(.lathe(back, center: center, axis: Vec(0, 0, 1)), .pit)
    }

    private func tyreCoat(around center: Vec) -> Coat {
        guard let ring else { return .rubber }
        let radius = radius
        return Coat(gloss: 0.06) { position, normal in
            let distance = Point(position.x - center.x, position.y - center.y).length / radius
            return abs(normal.z) > 0.6 && distance > 0.74 && distance < 0.82 ? ring : Ink(0x1A1A1E)
        }
    }

    private func coat(around center: Vec) -> Coat {
        let (radius, ink, rim) = (radius, ink, rim)
        return Coat(gloss: 0.3) { position, _ in
            let place = Point(position.x - center.x, position.y - center.y)
            let distance = place.length / radius
            if distance < 0.1 { return ink.darker(0.3) }
            if distance > 0.55 { return ink }
            let angle = atan2(place.y, place.x)
            switch rim {
            case .spinning: return ink.darker(0.45 + 0.2 * sin(distance * 40))
            case .disc: return ink.darker(distance > 0.5 ? 0.3 : 0)
            case .wire:
                return abs(sin(angle * 12)) > 0.75 || abs(sin(angle * 12 + 1)) > 0.92
                    ? ink.lighter(0.3) : Ink(0x141416)
            case .spokes(let count):
                return cos(angle * Double(count)) > 0.1 - distance * 0.6 ? ink : Ink(0x101014)
            }
        }
    }
}
