/// Replaces each pixel by a colour of a small palette and hands the error on to its neighbours (Floyd and Steinberg, 1976).
///
/// Rows go alternately right and left, or the errors would gather into diagonal worms.
struct ErrorDiffusion {
    let palette: Palette

    /// The palette's indices, one a pixel, row by row.
    func indices(of pixels: PixelBuffer) -> [UInt8] {
        let width = pixels.size.width
        var indices = [UInt8](repeating: 0, count: width * pixels.size.height)
        // One pixel more at both ends, so that errors may fall off the edge.
        var current = [SIMD4<Int32>](repeating: .zero, count: width + 2)
        var next = current
        for y in 0..<pixels.size.height {
            let step = y & 1 == 0 ? 1 : -1
            for place in 0..<width {
                let x = step > 0 ? place : width - 1 - place
                let wanted = color(of: pixels, at: y * width + x) &+ current[x + 1] / 16
                let index = palette.nearest(to: clamped(wanted))
                indices[y * width + x] = index
                let error = wanted &- vector(palette.colors[Int(index)])
                spread(error, around: x + 1, step, &current, &next)
            }
            swap(&current, &next)
            for place in next.indices { next[place] = .zero }
        }
        return indices
    }

    /// In sixteenths: 7 ahead, 3 behind below, 5 below, 1 ahead below.
    private func spread(
        _ error: SIMD4<Int32>, around place: Int, _ step: Int, _ current: inout [SIMD4<Int32>],
        _ next: inout [SIMD4<Int32>]
    ) {
        // An error beyond this is no longer a matter of rounding but a colour that the palette lacks; passing all of it on
        // would smear it over the whole row.
        let limit = SIMD4<Int32>(repeating: 96)
        let error = error.clamped(lowerBound: .zero &- limit, upperBound: limit) &* 3 / 4
        current[place + step] &+= error &* 7
        next[place - step] &+= error &* 3
        next[place] &+= error &* 5
        next[place + step] &+= error
    }

    private func color(of pixels: PixelBuffer, at index: Int) -> SIMD4<Int32> {
        let start = index * 4
        return SIMD4(
            Int32(pixels.bytes[start]), Int32(pixels.bytes[start + 1]),
            Int32(pixels.bytes[start + 2]), 0)
    }

    private func vector(_ color: RGB) -> SIMD4<Int32> {
        SIMD4(Int32(color.red), Int32(color.green), Int32(color.blue), 0)
    }

    private func clamped(_ color: SIMD4<Int32>) -> RGB {
        let color = color.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        return RGB(red: UInt8(color.x), green: UInt8(color.y), blue: UInt8(color.z))
    }
}
