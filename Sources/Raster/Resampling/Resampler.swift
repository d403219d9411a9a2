/// One resampling run: each source row is shrunk in width once, then added to the target rows it belongs to.
///
/// Sums are whole numbers, so their order changes nothing and symmetric pictures stay symmetric.
struct Resampler {
    private let source: PixelBuffer
    private let columns: ResampleAxis
    private let rows: ResampleAxis
    private let target: PixelSize
    private let lanes: Int

    /// The two source rows last shrunk in width; row `y` is kept in slot `y & 1`, as targets need neighbours.
    private var slotRows = (even: -1, odd: -1)

    init(source: PixelBuffer, region: UnitRect, target: PixelSize) {
        self.source = source
        self.target = target
        columns = ResampleAxis(
            length: source.size.width, start: region.x, extent: region.width, count: target.width)
        rows = ResampleAxis(
            length: source.size.height, start: region.y, extent: region.height,
            count: target.height)
        lanes = source.isOpaque ? 3 : 4
    }

    mutating func run() -> PixelBuffer {
        let rowLength = target.width * lanes
        let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: rowLength * 2)
        let sums = UnsafeMutablePointer<UInt64>.allocate(capacity: rowLength)
        defer {
            slots.deallocate()
            sums.deallocate()
        }
        let count = target.width * target.height * 4
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            for (y, span) in rows.spans.enumerated() {
                sums.update(repeating: 0, count: rowLength)
                for row in span.first...span.last {
                    let narrowed = narrow(row, into: slots, length: rowLength)
                    add(narrowed, weight: weight(of: row, in: span), to: sums, length: rowLength)
                }
                encode(sums, into: output, at: y * target.width * 4)
            }
            initialized = count
        }
        return PixelBuffer(size: target, bytes: bytes, isOpaque: source.isOpaque)
    }

    private func weight(of row: Int, in span: ResampleAxis.Span) -> UInt64 {
        if row == span.first { return span.firstWeight }
        return row == span.last ? span.lastWeight : rows.interior
    }

    private func add(
        _ row: UnsafeMutablePointer<UInt32>, weight: UInt64, to sums: UnsafeMutablePointer<UInt64>,
        length: Int
    ) {
        for index in 0..<length {
            sums[index] &+= UInt64(row[index]) &* weight
        }
    }

    /// Row `y` of the source at the target's width, computed unless it is still in its slot.
    private mutating func narrow(
        _ y: Int, into slots: UnsafeMutablePointer<UInt32>, length: Int
    ) -> UnsafeMutablePointer<UInt32> {
        let isOdd = y & 1 == 1
        let slot = slots + (isOdd ? length : 0)
        guard (isOdd ? slotRows.odd : slotRows.even) != y else { return slot }
        if isOdd { slotRows.odd = y } else { slotRows.even = y }
        source.bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            let row = start + y * source.size.width * 4
            if source.isOpaque {
                RowShrinker(axis: columns).shrinkOpaque(row, into: slot)
            } else {
                RowShrinker(axis: columns).shrinkTransparent(row, into: slot)
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
                    let light = Int(Double(sum[channel]) * scale + 0.5)
                    output[pixel + channel] = codes[min(light, LinearLight.maximum)]
                }
                output[pixel + 3] = source.isOpaque ? 255 : alphaCode(sum[3])
            }
        }
    }

    /// Light per unit of an opaque sum.
    private var opaqueScale: Double {
        1 / (Double(rows.total) * RowShrinker.opaqueScale)
    }

    /// Light per unit of a transparent sum, whose weight is its alpha.
    private func lightScale(alpha: UInt64) -> Double {
        alpha == 0 ? 0 : RowShrinker.alphaScale / (Double(alpha) * RowShrinker.colorScale)
    }

    private func alphaCode(_ alpha: UInt64) -> UInt8 {
        UInt8(Double(alpha) / (Double(rows.total) * RowShrinker.alphaScale) + 0.5)
    }
}
