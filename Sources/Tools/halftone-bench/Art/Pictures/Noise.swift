import Glibc

/// Random numbers by position instead of by order: reproducible everywhere.
enum Noise {
    /// Returns a number 0…1 for an integer point.
    static func random(_ x: Int, _ y: Int, seed: UInt64 = 0) -> Double {
        var random = SplitMix(
            state: UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15
                ^ UInt64(bitPattern: Int64(y)) &* 0xC2B2_AE3D_27D4_EB4F ^ seed &* 0x1656_67B1_9E37)
        return random.unit()
    }

    /// Returns noise 0…1, smooth between integer points.
    static func smooth(_ x: Double, _ y: Double, seed: UInt64 = 0) -> Double {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (column, row) = (Int(left), Int(top))
        let across = smoothStep(0, 1, x - left)
        let down = smoothStep(0, 1, y - top)
        let upper =
            random(column, row, seed: seed) * (1 - across)
            + random(column + 1, row, seed: seed) * across
        let lower =
            random(column, row + 1, seed: seed) * (1 - across)
            + random(column + 1, row + 1, seed: seed) * across
        return upper * (1 - down) + lower * down
    }

    /// Returns noise 0…1 with detail in `octaves` sizes, each half as large and half as strong as the previous one, as in nature.
    static func fractal(_ x: Double, _ y: Double, octaves: Int = 5, seed: UInt64 = 0) -> Double {
        var (sum, weight, scale) = (0.0, 0.5, 1.0)
        for octave in 0..<octaves {
            sum += weight * smooth(x * scale, y * scale, seed: seed &+ UInt64(octave) &* 77)
            weight /= 2
            scale *= 2
        }
        return sum / (1 - weight * 2)
    }

    /// Returns the distance to the nearest of the random points, one in each unit square, and that point's number 0…1.
    static func cell(_ x: Double, _ y: Double, seed: UInt64 = 0) -> (distance: Double, id: Double) {
        var best = (distance: Double.infinity, id: 0.0)
        for row in Int(y.rounded(.down)) - 1...Int(y.rounded(.down)) + 1 {
            for column in Int(x.rounded(.down)) - 1...Int(x.rounded(.down)) + 1 {
                let pointX = Double(column) + random(column, row, seed: seed)
                let pointY = Double(row) + random(column, row, seed: seed &+ 1)
                let distance = hypot(pointX - x, pointY - y)
                if distance < best.distance {
                    best = (distance, random(column, row, seed: seed &+ 2))
                }
            }
        }
        return best
    }
}
