import Glibc

/// Softening: by speed, by depth of field, by rushing forwards.
extension Canvas {
    /// Smears along the horizontal by `amount` scene units, as a camera does that follows a car.
    mutating func panBlur(_ amount: Double) {
        boxBlur(
            radius: Int(amount * scale / 2), step: 1, lines: height, count: width, stride: width)
    }

    /// Softens evenly; three passes of a box come close to a bell curve.
    mutating func soften(_ radius: Double) {
        let pixelRadius = Int((radius * scale / 1.7).rounded())
        for _ in 0..<3 {
            boxBlur(radius: pixelRadius, step: 1, lines: height, count: width, stride: width)
            boxBlur(radius: pixelRadius, step: width, lines: width, count: height, stride: 1)
        }
    }

    private mutating func boxBlur(radius: Int, step: Int, lines: Int, count: Int, stride: Int) {
        guard radius > 0 else { return }
        var line = [SIMD4<Float>](repeating: .zero, count: count)
        let share = 1 / Float(2 * radius + 1)
        for number in 0..<lines {
            let base = number * stride
            for index in 0..<count { line[index] = pixels[base + index * step] }
            var sum = line[0] * Float(radius + 1)
            for index in 1...radius { sum += line[min(index, count - 1)] }
            for index in 0..<count {
                pixels[base + index * step] = sum * share
                sum += line[min(index + radius + 1, count - 1)] - line[max(index - radius, 0)]
            }
        }
    }

    /// Smears away from `focus`, the more the farther: each pixel is drawn from up to `strength` of its way there.
    mutating func zoomBlur(around focus: Point, strength: Double, still: Double = 0) {
        let source = pixels
        let center = focus * scale
        let samples = 20
        for row in 0..<height {
            for column in 0..<width {
                let here = Point(Double(column), Double(row))
                let way = center - here
                let reach = strength * smoothstep(still, still + 60, way.length / scale)
                guard reach > 0.001 else { continue }
                var sum = SIMD4<Float>.zero
                for sample in 0..<samples {
                    let spot = here + way * (reach * Double(sample) / Double(samples))
                    let x = min(max(Int(spot.x.rounded()), 0), width - 1)
                    let y = min(max(Int(spot.y.rounded()), 0), height - 1)
                    sum += source[y * width + x]
                }
                pixels[row * width + column] = sum / Float(samples)
            }
        }
    }
}
