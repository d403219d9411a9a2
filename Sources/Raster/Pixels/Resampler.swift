/// A single resampling run: each source row is shrunk horizontally once, then added to its target rows.
///
/// Sums are integers, so their order does not matter and symmetric pictures stay symmetric. For opaque pixels code values are summed as
/// well as light, for `LocalBrightness` to choose from.
struct Resampler {
    private let source: PixelBuffer
    private let columns: ResampleAxis
    private let rows: ResampleAxis
    private let target: PixelSize
    private let lanes: Int
    private let isBlended: Bool
    private let shrinker: RowShrinker

    /// The two source rows last shrunk horizontally; row `y` is in slot `y & 1`, since consecutive target rows share source rows.
    private var slotRows = [-1, -1]

    init(source: PixelBuffer, region: UnitRect, target: PixelSize) {
        self.source = source
        self.target = target
        columns = ResampleAxis(
            length: source.size.width, start: region.x, extent: region.width, count: target.width)
        rows = ResampleAxis(
            length: source.size.height, start: region.y, extent: region.height,
            count: target.height)
        shrinker = RowShrinker(axis: columns)
        lanes = source.isOpaque ? 6 : 4
        // Spans of this many pixels or more would overflow the sums of code values.
        isBlended =
            source.isOpaque && columns.isShrinking && rows.isShrinking
            && source.size.width / target.width < RowShrinker.widestSpan
    }

    mutating func run() -> PixelBuffer {
        let rowLength = target.width * lanes
        let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: rowLength * 2)
        let sums = UnsafeMutablePointer<UInt64>.allocate(capacity: rowLength)
        defer {
            slots.deallocate()
            sums.deallocate()
        }
        let count = target.count * 4
        var codes = [UInt8](repeating: 0, count: isBlended ? count : 0)
        var bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            for (y, span) in rows.spans.enumerated() {
                sums.update(repeating: 0, count: rowLength)
                for row in span.first...span.last {
                    let narrowed = narrow(row, into: slots, length: rowLength)
                    add(narrowed, weight: weight(of: row, in: span), to: sums, length: rowLength)
                }
                encode(sums, into: output, at: y * target.width * 4)
                if isBlended { encodeCodes(sums, into: &codes, at: y * target.width * 4) }
            }
            initialized = count
        }
        if isBlended { LocalBrightness(of: codes, target).blend(codes, into: &bytes) }
        return PixelBuffer(size: target, bytes: bytes, isOpaque: source.isOpaque)
    }

    private func weight(of row: Int, in span: ResampleAxis.Span) -> UInt64 {
        row == span.first
            ? span.firstWeight : row == span.last ? span.lastWeight : rows.interior
    }

    private func add(
        _ row: UnsafeMutablePointer<UInt32>, weight: UInt64, to sums: UnsafeMutablePointer<UInt64>,
        length: Int
    ) {
        // Like all weights less than 2³²; truncating lets the compiler use 32-bit multiplication, at a third of the cost.
        let weight = UInt64(UInt32(truncatingIfNeeded: weight))
        for index in 0..<length { sums[index] &+= UInt64(row[index]) &* weight }
    }

    /// Returns row `y` of the source at the target's width, computing it unless its slot still holds it.
    private mutating func narrow(
        _ y: Int, into slots: UnsafeMutablePointer<UInt32>, length: Int
    ) -> UnsafeMutablePointer<UInt32> {
        let slot = slots + (y & 1) * length
        guard slotRows[y & 1] != y else { return slot }
        slotRows[y & 1] = y
        source.bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            let row = start + y * source.size.width * 4
            if source.isOpaque {
                shrinker.shrinkOpaque(row, into: slot)
            } else {
                shrinker.shrinkTransparent(row, into: slot)
            }
        }
        return slot
    }

    private func encode(
        _ sums: UnsafeMutablePointer<UInt64>, into output: UnsafeMutableBufferPointer<UInt8>,
        at offset: Int
    ) {
        LinearLight.toByte.withUnsafeBufferPointer { codes in
            for x in 0..<target.width {
                let sum = sums + x * lanes
                let pixel = offset + x * 4
                let scale = source.isOpaque ? opaqueScale : lightScale(alpha: sum[3])
                for channel in 0..<3 {
                    let light = Int(Double(Int64(bitPattern: sum[channel])) * scale + 0.5)
                    output[pixel + channel] = codes[min(light, LinearLight.maximum)]
                }
                output[pixel + 3] = source.isOpaque ? 255 : alphaCode(sum[3])
            }
        }
    }

    private func encodeCodes(
        _ sums: UnsafeMutablePointer<UInt64>, into codes: inout [UInt8], at offset: Int
    ) {
        let scale = 1 / (Double(rows.total) * shrinker.codeScale)
        for x in 0..<target.width {
            for channel in 0..<3 {
                let sum = Double(Int64(bitPattern: sums[x &* lanes &+ 3 &+ channel]))
                codes[offset &+ x &* 4 &+ channel] = UInt8(
                    truncatingIfNeeded: Int(sum * scale + 0.5))
            }
        }
    }

    /// The light per unit of an opaque sum.
    private var opaqueScale: Double { 1 / (Double(rows.total) * RowShrinker.opaqueScale) }

    /// Returns the light per unit of a transparent sum, which is weighted by its alpha.
    private func lightScale(alpha: UInt64) -> Double {
        alpha == 0 ? 0 : RowShrinker.alphaScale / (Double(alpha) * RowShrinker.colorScale)
    }

    private func alphaCode(_ alpha: UInt64) -> UInt8 {
        UInt8(Double(alpha) / (Double(rows.total) * RowShrinker.alphaScale) + 0.5)
    }
}

/// The inner loop of resampling: shrinks one source row to the target's width, in linear light.
///
/// Results are fixed-point with at most 28 bits, so that a column of them times its weights (a sum of 2²¹ for 65,535 rows) fits in 64.
struct RowShrinker {
    let axis: ResampleAxis
    /// 2⁶⁴ divided by the sum of weights; multiplying by it costs a third of a floating-point division.
    private let reciprocal: UInt64
    /// The number of bits by which sums of code values exceed 32.
    private let codeShift: UInt64
    /// The unit of an opaque result's code values.
    let codeScale: Double

    init(axis: ResampleAxis) {
        self.axis = axis
        reciprocal = UInt64.max / axis.total
        codeShift = UInt64(max(0, 40 - axis.total.leadingZeroBitCount))
        codeScale = Double(axis.total) / Double(UInt64(1) << codeShift)
    }

    /// The unit of an opaque result: light × 2¹².
    static let opaqueScale = 4096.0
    /// The number of code values whose sum fits in the lower 24 bits.
    static let widestSpan = 65_000
    /// For each code value its light, in the upper 40 bits, and the code value itself: summing both costs no more than one.
    private static let lightAndCode = LinearLight.fromByte.enumerated().map {
        UInt64($0.element) << 24 | UInt64($0.offset)
    }
    /// The unit of a transparent result's colours: light × alpha × 16.
    static let colorScale = 16.0
    /// The unit of a transparent result's alpha: alpha × 2²⁰.
    static let alphaScale = 1_048_576.0

    /// Writes six values per target pixel: the light of red, green and blue, then their code values.
    func shrinkOpaque(_ row: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt32>) {
        Self.lightAndCode.withUnsafeBufferPointer { values in
            var output = target
            for span in axis.spans {
                var red: UInt64 = 0
                var green: UInt64 = 0
                var blue: UInt64 = 0
                var pixel = row + (span.first &+ 1) &* 4
                let last = row + span.last &* 4
                while pixel < last {
                    red &+= values[Int(pixel[0])]
                    green &+= values[Int(pixel[1])]
                    blue &+= values[Int(pixel[2])]
                    pixel += 4
                }
                let first = row + span.first &* 4
                let inner = SIMD4(red, green, blue, 0)
                for channel in 0..<3 {
                    write(
                        inner: inner[channel], first: values[Int(first[channel])],
                        last: values[Int(last[channel])], of: span, to: output + channel)
                }
                output += 6
            }
        }
    }

    /// Adds the edges of a span, and writes its light and, three values further on, its code value.
    private func write(
        inner: UInt64, first: UInt64, last: UInt64, of span: ResampleAxis.Span,
        to output: UnsafeMutablePointer<UInt32>
    ) {
        let light =
            (inner >> 24) &* axis.interior &+ (first >> 24) &* span.firstWeight
            &+ (last >> 24) &* span.lastWeight
        let code =
            (inner & 0xFF_FFFF) &* axis.interior &+ (first & 0xFF) &* span.firstWeight
            &+ (last & 0xFF) &* span.lastWeight
        let share = (light &<< 12).multipliedFullWidth(by: reciprocal).high
        output[0] = UInt32(truncatingIfNeeded: share)
        output[3] = UInt32(truncatingIfNeeded: code &>> codeShift)
    }

    /// Writes four values per target pixel: red, green and blue multiplied by alpha, and alpha.
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
                for channel in 0..<3 {
                    output[channel] = UInt32(Double(sum[channel]) * colorScale + 0.5)
                }
                output[3] = UInt32(Double(sum[3]) * alphaScale + 0.5)
                output += 4
            }
        }
    }

    private func premultiplied(
        _ pixel: UnsafePointer<UInt8>, _ light: UnsafeBufferPointer<UInt16>
    ) -> SIMD4<UInt64> {
        let alpha = UInt64(pixel[3])
        return SIMD4(
            UInt64(light[Int(pixel[0])]) &* alpha, UInt64(light[Int(pixel[1])]) &* alpha,
            UInt64(light[Int(pixel[2])]) &* alpha, alpha)
    }
}
