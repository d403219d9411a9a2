import Glibc
import Raster

/// A Gaussian blur.
public struct Gaussian {
    private let columns: [Float]
    private let rows: [Float]

    /// Creates a blur with the standard deviations `x` and `y`, in pixels.
    public init(x: Double, y: Double) {
        columns = Self.kernel(x)
        rows = Self.kernel(y)
    }

    private static func kernel(_ sigma: Double) -> [Float] {
        let reach = Int((3 * sigma).rounded(.up))
        let values = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = values.reduce(0, +)
        return values.map { Float($0 / sum) }
    }

    /// Blurs `values`, `width` per row; the edges are extended.
    func blur<Value: SIMD>(_ values: [Value], width: Int) -> [Value] where Value.Scalar == Float {
        let height = values.count / width
        let across = Self.filter(values, columns, count: width, stride: 1, lines: height, width)
        return Self.filter(across, rows, count: height, stride: width, lines: width, 1)
    }

    private static func filter<Value: SIMD>(
        _ values: [Value], _ kernel: [Float], count: Int, stride: Int, lines: Int, _ lineStride: Int
    ) -> [Value] where Value.Scalar == Float {
        let reach = kernel.count / 2
        var result = values
        values.withUnsafeBufferPointer { values in
            kernel.withUnsafeBufferPointer { kernel in
                for line in 0..<lines {
                    for place in 0..<count {
                        var sum = Value.zero
                        for tap in 0..<kernel.count {
                            let source = min(max(place + tap - reach, 0), count - 1)
                            sum += values[line * lineStride + source * stride] * kernel[tap]
                        }
                        result[line * lineStride + place * stride] = sum
                    }
                }
            }
        }
        return result
    }

    /// Blurs `canvas`, averaging in `light`.
    public func blurred(_ canvas: Canvas, as light: Light) -> Canvas {
        var copy = canvas
        copy.pixels = blur(canvas.pixels.map(light.decoded), width: canvas.size.width)
            .map(light.encoded)
        return copy
    }
}

extension SIMD where Scalar == Float {
    fileprivate static var zero: Self { Self(repeating: 0) }
}
