import Raster

/// The last touches, and the way out to pixels of 8 bits.
extension Canvas {
    /// Darkens towards the corners.
    mutating func vignette(_ strength: Double) {
        let reach = center.length
        flood(
            .radial(
                center, reach,
                [
                    Stop(0, .clear), Stop(0.55, .clear),
                    Stop(1, Ink(0x000000, strength)),
                ]))
    }

    /// Steepens the tones around the middle: 0 does nothing, 1 is a full S curve.
    mutating func contrast(_ amount: Float) {
        for index in pixels.indices {
            let pixel = pixels[index]
            let curve = pixel * pixel * (3 - 2 * pixel)
            var result = pixel + (curve - pixel) * amount
            result.w = pixel.w
            pixels[index] = result
        }
    }

    /// The picture at `newWidth` pixels across, each the average of the area it covers, with straight alpha.
    func exported(width newWidth: Int) -> PixelBuffer {
        let newHeight = max(Int((Double(height * newWidth) / Double(width)).rounded()), 1)
        let narrow = Self.shrink(pixels, lines: height, count: width, to: newWidth)
        let turned = Self.transposed(narrow, width: newWidth, height: height)
        let small = Self.shrink(turned, lines: newWidth, count: height, to: newHeight)
        let result = Self.transposed(small, width: newHeight, height: newWidth)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(result.count * 4)
        var isOpaque = true
        for pixel in result {
            let alpha = min(max(pixel.w, 0), 1)
            if alpha < 0.999 { isOpaque = false }
            let color = alpha > 0 ? pixel / alpha : .zero
            for channel in 0..<3 { bytes.append(Self.byte(color[channel])) }
            bytes.append(Self.byte(alpha))
        }
        if isOpaque { for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 255 } }
        return PixelBuffer(
            size: PixelSize(width: newWidth, height: newHeight), bytes: bytes, isOpaque: isOpaque)
    }

    private static func byte(_ value: Float) -> UInt8 {
        UInt8(min(max(value * 255 + 0.5, 0), 255))
    }

    /// Shrinks every line of `count` pixels to `target`.
    private static func shrink(
        _ source: [SIMD4<Float>], lines: Int, count: Int, to target: Int
    ) -> [SIMD4<Float>] {
        guard target < count else { return source }
        var result = [SIMD4<Float>](repeating: .zero, count: lines * target)
        let ratio = Float(count) / Float(target)
        for line in 0..<lines {
            for index in 0..<target {
                let start = Float(index) * ratio
                let end = min(start + ratio, Float(count))
                var sum = SIMD4<Float>.zero
                var pixel = Int(start)
                while Float(pixel) < end, pixel < count {
                    let part = min(Float(pixel + 1), end) - max(Float(pixel), start)
                    sum += source[line * count + pixel] * part
                    pixel += 1
                }
                result[line * target + index] = sum / (end - start)
            }
        }
        return result
    }

    private static func transposed(
        _ source: [SIMD4<Float>], width: Int, height: Int
    ) -> [SIMD4<Float>] {
        var result = source
        for y in 0..<height {
            for x in 0..<width { result[x * height + y] = source[y * width + x] }
        }
        return result
    }
}
