extension StoredHeader {
    /// Whether a file that starts so is JPEG XL: a bare codestream, or one in a container.
    static func isJPEGXL(_ start: [UInt8]) -> Bool {
        start.starts(with: [0xFF, 0x0A])
            || start.starts(with: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
    }

    /// Reads the size of a JPEG XL (ISO/IEC 18181-1, D.2 and D.3; container: 18181-2); nil without one.
    ///
    /// Upright already: its library turns pictures itself.
    init?(jpegXL reader: ByteReader) {
        guard let stream = Self.codestream(reader), stream.bigEndian(0, length: 2) == 0xFF0A else {
            return nil
        }
        var bits = BitReader(stream, from: 2)
        guard let (width, height) = Self.size(&bits) else { return nil }
        self.init(width: width, height: height)
        isInterlaced = true
        // All by default: nothing is turned, nothing moves.
        guard bits.take(1) == 0, bits.take(1) == 1, let turn = bits.take(3) else { return }
        if Orientation(rawValue: turn + 1)?.swapsSides == true {
            (self.width, self.height) = (height, width)
        }
    }

    /// The first part of the codestream, which is all there is of it in most containers.
    private static func codestream(_ reader: ByteReader) -> ByteReader? {
        guard reader.byte(0) == 0 else { return reader }
        for box in ISOBox.all(in: reader) {
            if box.has("jxlc") { return box.payload }
            // Parts begin with a number.
            if box.has("jxlp") { return box.payload.rest(from: 4) }
        }
        return nil
    }

    private static func size(_ bits: inout BitReader) -> (Int, Int)? {
        guard let isSmall = bits.take(1), let height = side(&bits, isSmall == 1),
            let ratio = bits.take(3)
        else { return nil }
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        if ratio > 0 {
            return (height * ratios[ratio - 1].0 / ratios[ratio - 1].1, height)
        }
        return side(&bits, isSmall == 1).map { ($0, height) }
    }

    private static func side(_ bits: inout BitReader, _ isSmall: Bool) -> Int? {
        if isSmall { return bits.take(5).map { ($0 + 1) * 8 } }
        guard let kind = bits.take(2) else { return nil }
        return bits.take([9, 13, 18, 30][kind]).map { $0 + 1 }
    }
}

/// Reads numbers of bits, the lowest first.
private struct BitReader {
    private let reader: ByteReader
    private var position: Int

    init(_ reader: ByteReader, from offset: Int) {
        self.reader = reader
        position = offset * 8
    }

    mutating func take(_ count: Int) -> Int? {
        var value = 0
        for index in 0..<count {
            guard let byte = reader.byte((position + index) / 8) else { return nil }
            value |= (byte >> ((position + index) % 8) & 1) << index
        }
        position += count
        return value
    }
}
