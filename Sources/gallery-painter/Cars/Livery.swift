/// The colours of a car, and how they lie on it.
struct Livery {
    /// How the second colour is laid on the first.
    enum Pattern {
        /// Not at all.
        case plain
        /// Two stripes along the middle.
        case stripes
        /// A band along the sides.
        case band
        /// The lower half.
        case split
        /// The nose.
        case nose
        /// A wedge that rises towards the tail.
        case wedge
    }

    var main: Ink
    var second: Ink
    var accent: Ink
    var pattern: Pattern
    /// The start number, 0…99.
    var number: Int

    init(_ main: UInt32, _ second: UInt32, _ accent: UInt32, _ pattern: Pattern, _ number: Int) {
        self.main = Ink(main)
        self.second = Ink(second)
        self.accent = Ink(accent)
        self.pattern = pattern
        self.number = number
    }

    /// The paint of a body with `waist` as the height of its band and a roundel at `spot` on its sides.
    func coat(
        waist: Double, front: Double, roundel spot: Point, radius: Double, gloss: Double = 0.55
    ) -> Coat {
        let livery = self
        return Coat(gloss: gloss) { position, normal in
            if abs(normal.z) > 0.5 {
                let flip = position.z > 0 ? 1.0 : -1.0
                let place = Point((position.x - spot.x) * flip, position.y - spot.y) / radius
                if place.length < 1 {
                    return Digits.covers(livery.number, place) ? Ink(0x141418) : Ink(0xF8F4EA)
                }
            }
            return livery.paint(position, normal, waist, front)
        }
    }

    private func paint(_ position: Vec, _ normal: Vec, _ waist: Double, _ front: Double) -> Ink {
        switch pattern {
        case .plain: return main
        case .stripes:
            let across = abs(position.z)
            return normal.y > 0.25 && across > 0.07 && across < 0.24 ? second : main
        case .band:
            let off = abs(position.y - waist)
            return off < 0.07 ? second : off < 0.1 ? accent : main
        case .split: return position.y < waist ? second : position.y < waist + 0.04 ? accent : main
        case .nose:
            return position.x > front - 0.75 ? second : position.x > front - 0.82 ? accent : main
        case .wedge:
            let edge = position.x * 0.32 + position.y - waist
            return edge < -0.05 ? second : edge < 0.03 ? accent : main
        }
    }
}

/// Figures of three by five squares.
enum Digits {
    /// Rows from the top, three bits each.
    private static let rows: [[Int]] = [
        [7, 5, 5, 5, 7], [2, 6, 2, 2, 7], [7, 1, 7, 4, 7], [7, 1, 7, 1, 7], [5, 5, 7, 1, 1],
        [7, 4, 7, 1, 7], [7, 4, 7, 5, 7], [7, 1, 2, 2, 2], [7, 5, 7, 5, 7], [7, 5, 7, 1, 7],
    ]

    /// Whether `number` covers `place`, in a disc of radius 1 with y upwards.
    static func covers(_ number: Int, _ place: Point) -> Bool {
        let figures = number > 9 ? [number / 10 % 10, number % 10] : [number % 10]
        let pitch = 0.17 * (figures.count == 1 ? 1.3 : 1)
        let width = Double(figures.count * 4 - 1)
        let column = Int((place.x / pitch + width / 2).rounded(.down))
        let row = Int((2.5 - place.y / (pitch * 1.3)).rounded(.down))
        guard column >= 0, column < figures.count * 4 - 1, (0..<5).contains(row) else {
            return false
        }
        guard column % 4 < 3 else { return false }
        return rows[figures[column / 4]][row] >> (2 - column % 4) & 1 == 1
    }
}
