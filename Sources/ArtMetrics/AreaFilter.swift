public import Raster

/// Shrinks a picture so that each new pixel is the mean of exactly the area it covers: the reference that all are measured against.
///
/// Written apart from `Raster`'s resampler, in floating point and without its tables, so that a mistake there is not repeated here.
public struct AreaFilter {
    /// What is averaged.
    public let light: Light
    private let table: [Float]

    /// Makes a filter.
    public init(_ light: Light) {
        self.light = light
        table = (0...255).map { light.decoded(SIMD3(repeating: Float($0) / 255)).x }
    }

    /// `picture` over `ground` at `size`.
    public func shrink(_ picture: PixelBuffer, over ground: RGB, to size: PixelSize) -> Canvas {
        let behind = light.decoded(SIMD3(ground))
        let columns = Self.spans(from: picture.size.width, to: size.width)
        let rows = Self.spans(from: picture.size.height, to: size.height)
        var canvas = Canvas(size: size)
        var sums = [SIMD3<Float>](repeating: .zero, count: size.width)
        for (y, span) in rows.enumerated() {
            for x in sums.indices { sums[x] = .zero }
            for (row, weight) in span {
                add(row, of: picture, over: behind, columns, weight, to: &sums)
            }
            for x in sums.indices {
                canvas.pixels[y * size.width + x] = light.encoded(sums[x])
            }
        }
        return canvas
    }

    private func add(
        _ row: Int, of picture: PixelBuffer, over behind: SIMD3<Float>,
        _ columns: [[(Int, Float)]], _ weight: Float, to sums: inout [SIMD3<Float>]
    ) {
        picture.bytes.withUnsafeBufferPointer { bytes in
            for (x, span) in columns.enumerated() {
                var sum = SIMD3<Float>.zero
                for (column, share) in span {
                    let at = (row * picture.size.width + column) * 4
                    let color = SIMD3(
                        table[Int(bytes[at])], table[Int(bytes[at + 1])], table[Int(bytes[at + 2])])
                    let alpha = Float(bytes[at + 3]) / 255
                    sum += (color * alpha + behind * (1 - alpha)) * share
                }
                sums[x] += sum * weight
            }
        }
    }

    /// For each target pixel the source pixels that it covers, with their shares of it.
    static func spans(from source: Int, to target: Int) -> [[(Int, Float)]] {
        let scale = Double(source) / Double(target)
        return (0..<target).map { place in
            let start = Double(place) * scale
            let end = min(start + scale, Double(source))
            return (Int(start)..<min(Int(end.rounded(.up)), source)).map { index in
                let covered = min(end, Double(index + 1)) - max(start, Double(index))
                return (index, Float(covered / scale))
            }
        }
    }
}
