/// A histogram of a picture's colours in 512 bins of 32 code values per side.
struct ColorHistogram {
    struct Bin: Hashable {
        /// The sums of red, green and blue, each weighted by its alpha, and of the alphas.
        var sums = SIMD4<Int>.zero

        var weight: Int { sums.w }

        var color: RGB {
            let mean = sums / weight
            return RGB(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
        }
    }

    /// The non-empty bins, heaviest first.
    let bins: [Bin]
    /// The number of pixels counted, including transparent ones.
    let sampleCount: Int

    private static let sampleLimit = 1024

    init(_ pixels: PixelBuffer) {
        let count = pixels.size.count
        // An odd step does not align with the columns of pictures of even width.
        let step = count > Self.sampleLimit ? (count / Self.sampleLimit) | 1 : 1
        sampleCount = (count + step - 1) / step
        var boxes = Array(repeating: Bin(), count: 512)
        pixels.bytes.withUnsafeBufferPointer { bytes in
            for index in stride(from: 0, to: count, by: step) {
                let start = index * 4
                let red = Int(bytes[start])
                let green = Int(bytes[start + 1])
                let blue = Int(bytes[start + 2])
                boxes[(red >> 5) << 6 | (green >> 5) << 3 | blue >> 5].sums &+=
                    SIMD4(red, green, blue, 1) &* Int(bytes[start + 3])
            }
        }
        // The sort is stable, so ties keep the order of the bins.
        bins = boxes.filter { $0.weight > 0 }.sorted { $0.weight > $1.weight }
    }
}
