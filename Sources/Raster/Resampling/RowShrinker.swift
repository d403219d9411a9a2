/// The inner loop of resampling: one source row to the target's width, in linear light.
///
/// Results are fixed-point, at most 28 bits, so that a column of them times its weights (2²¹ in sum for
/// 65,535 rows) fits in 64.
struct RowShrinker {
    let axis: ResampleAxis

    /// An opaque result's unit: light × this.
    static let opaqueScale = 4096.0
    /// A transparent result's unit of colour: light × alpha × this.
    static let colorScale = 16.0
    /// A transparent result's unit of alpha: alpha × this.
    static let alphaScale = 1_048_576.0

    /// Three values a target pixel: red, green and blue.
    func shrinkOpaque(_ row: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt32>) {
        let scale = Self.opaqueScale / Double(axis.total)
        LinearLight.fromByte.withUnsafeBufferPointer { light in
            var output = target
            for span in axis.spans {
                var red: UInt64 = 0
                var green: UInt64 = 0
                var blue: UInt64 = 0
                var pixel = row + (span.first &+ 1) &* 4
                let last = row + span.last &* 4
                while pixel < last {
                    red &+= UInt64(light[Int(pixel[0])])
                    green &+= UInt64(light[Int(pixel[1])])
                    blue &+= UInt64(light[Int(pixel[2])])
                    pixel += 4
                }
                let first = row + span.first &* 4
                output[0] = edges(red, light[Int(first[0])], light[Int(last[0])], span, scale)
                output[1] = edges(green, light[Int(first[1])], light[Int(last[1])], span, scale)
                output[2] = edges(blue, light[Int(first[2])], light[Int(last[2])], span, scale)
                output += 3
            }
        }
    }

    @inline(__always)
    private func edges(
        _ inner: UInt64, _ first: UInt16, _ last: UInt16, _ span: ResampleAxis.Span, _ scale: Double
    ) -> UInt32 {
        let sum =
            inner &* axis.interior &+ UInt64(first) &* span.firstWeight
            &+ UInt64(last) &* span.lastWeight
        return UInt32(Double(sum) * scale + 0.5)
    }

    /// Four values a target pixel: red, green and blue times alpha, and alpha.
    func shrinkTransparent(_ row: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt32>) {
        let colorScale = Self.colorScale / Double(axis.total)
        let alphaScale = Self.alphaScale / Double(axis.total)
        LinearLight.fromByte.withUnsafeBufferPointer { light in
            var output = target
            for span in axis.spans {
                var sum = SIMD4<UInt64>.zero
                var index = span.first &+ 1
                while index < span.last {
                    sum &+= premultiplied(row + index &* 4, light)
                    index &+= 1
                }
                sum &*= SIMD4(repeating: axis.interior)
                sum &+=
                    premultiplied(row + span.first &* 4, light)
                    &* SIMD4(repeating: span.firstWeight)
                sum &+=
                    premultiplied(row + span.last &* 4, light)
                    &* SIMD4(repeating: span.lastWeight)
                output[0] = UInt32(Double(sum[0]) * colorScale + 0.5)
                output[1] = UInt32(Double(sum[1]) * colorScale + 0.5)
                output[2] = UInt32(Double(sum[2]) * colorScale + 0.5)
                output[3] = UInt32(Double(sum[3]) * alphaScale + 0.5)
                output += 4
            }
        }
    }

    @inline(__always)
    private func premultiplied(
        _ pixel: UnsafePointer<UInt8>, _ light: UnsafeBufferPointer<UInt16>
    ) -> SIMD4<UInt64> {
        let alpha = UInt64(pixel[3])
        return SIMD4(
            UInt64(light[Int(pixel[0])]) &* alpha, UInt64(light[Int(pixel[1])]) &* alpha,
            UInt64(light[Int(pixel[2])]) &* alpha, alpha)
    }
}
