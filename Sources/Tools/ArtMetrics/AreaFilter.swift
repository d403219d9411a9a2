public import Raster

/// Shrinks a picture so that each new pixel is the mean of exactly the area it covers: the reference for all measurements.
///
/// Written independently of `Raster`'s resampler, in floating point and without its tables, so that a mistake there is not repeated here.
public struct AreaFilter {
    /// The light in which pixels are averaged.
    public let light: Light
    /// The light in which transparent pixels are blended with the background, before averaging.
    public let mixing: Light
    private let table: [Float]

    /// Creates a filter.
    public init(_ light: Light, mixing: Light) {
        self.light = light
        self.mixing = mixing
        table = (0...255).map { light.decoded(SIMD3(repeating: Float($0) / 255)).x }
    }

    /// Returns `picture`, composited over `ground`, at `size`.
    public func shrink(_ picture: PixelBuffer, over ground: RGB, to size: PixelSize) -> Canvas {
        let source = values(of: picture, over: SIMD3(ground))
        let columns = Self.spans(from: picture.size.width, to: size.width)
        let rows = Self.spans(from: picture.size.height, to: size.height)
        var canvas = Canvas(size: size)
        source.withUnsafeBufferPointer { source in
            for (y, rowSpan) in rows.enumerated() {
                for (x, span) in columns.enumerated() {
                    var sum = SIMD3<Float>.zero
                    for (offset, rowShare) in rowSpan.shares.enumerated() {
                        let start = (rowSpan.first + offset) * picture.size.width + span.first
                        for (column, share) in span.shares.enumerated() {
                            sum += source[start + column] * (share * rowShare)
                        }
                    }
                    canvas.pixels[y * size.width + x] = light.encoded(sum)
                }
            }
        }
        return canvas
    }

    /// Returns every pixel, composited over the background, in the values that are averaged.
    private func values(of picture: PixelBuffer, over ground: SIMD3<Float>) -> [SIMD3<Float>] {
        let behind = mixing.decoded(ground)
        return stride(from: 0, to: picture.bytes.count, by: 4).map { at in
            let code = SIMD3(
                Int(picture.bytes[at]), Int(picture.bytes[at + 1]), Int(picture.bytes[at + 2]))
            let alpha = Float(picture.bytes[at + 3]) / 255
            guard alpha < 1 else {
                return SIMD3(table[code.x], table[code.y], table[code.z])
            }
            let color = SIMD3(Float(code.x), Float(code.y), Float(code.z)) / 255
            return light.decoded(
                mixing.encoded(mixing.decoded(color) * alpha + behind * (1 - alpha)))
        }
    }

    /// The source pixels under one target pixel, and the share of it that each one covers.
    struct Span {
        var first: Int
        var shares: [Float]
    }

    /// Returns a span for each of `target` pixels.
    static func spans(from source: Int, to target: Int) -> [Span] {
        let scale = Double(source) / Double(target)
        return (0..<target).map { place in
            let start = Double(place) * scale
            let end = min(start + scale, Double(source))
            let covered = Int(start)..<min(Int(end.rounded(.up)), source)
            return Span(
                first: covered.lowerBound,
                shares: covered.map { index in
                    let length = min(end, Double(index + 1)) - max(start, Double(index))
                    return Float(length / scale)
                })
        }
    }
}
