extension StoredHeader {
    /// Reads a GIF's canvas and first frame, and counts its frames (GIF89a, sections 18, 20 and 22); nil without a canvas.
    ///
    /// If the first frame extends beyond the canvas, the canvas grows, as in browsers.
    init?(gif reader: ByteReader) {
        let headerLength = 13
        let extensionIntroducer = 0x21
        let imageSeparator = 0x2C
        guard let width = reader.littleEndian(6, length: 2),
            let height = reader.littleEndian(8, length: 2), let flags = reader.byte(10)
        else { return nil }
        self.init(width: width, height: height)
        var offset = headerLength + Self.paletteLength(flags)
        while let kind = reader.byte(offset) {
            if kind == extensionIntroducer {
                offset = Self.endOfBlocks(reader, offset + 2)
                continue
            }
            guard kind == imageSeparator else { return }
            frameCount += 1
            guard let flags = reader.byte(offset + 9) else { return }
            if frameCount == 1 { grow(toGIFFrame: reader.part(offset, length: 10)) }
            // Skips the descriptor, its palette, the code size byte, and the data blocks.
            offset = Self.endOfBlocks(reader, offset + 10 + Self.paletteLength(flags) + 1)
        }
    }

    private mutating func grow(toGIFFrame frame: ByteReader) {
        let numbers = [1, 3, 5, 7].compactMap { frame.littleEndian($0, length: 2) }
        guard numbers.count == 4, let flags = frame.byte(9) else { return }
        width = max(width, numbers[0] + numbers[2])
        height = max(height, numbers[1] + numbers[3])
        isHeldWhole = flags & 0x40 != 0
    }

    /// Returns the length in bytes of the palette that `flags` announces.
    private static func paletteLength(_ flags: Int) -> Int {
        flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0
    }

    /// Skips data blocks, each of which starts with its length; a length of 0 ends them.
    private static func endOfBlocks(_ reader: ByteReader, _ start: Int) -> Int {
        var offset = start
        while let length = reader.byte(offset), length > 0 { offset += 1 + length }
        return offset + 1
    }
}

extension StoredHeader {
    /// Walks a WebP's chunks (RFC 9649, section 2); nil without a size.
    init?(webp reader: ByteReader) {
        let fileHeaderLength = 12
        var size: (width: Int, height: Int)?
        var exif: ByteReader?
        var frameCount = 0
        var offset = fileHeaderLength
        while let length = reader.littleEndian(offset + 4, length: 4) {
            let payload = offset + 8
            if reader.has("VP8X", at: offset) {
                // Width and height minus one, 24 bits each, after the flags.
                size = reader.pair(payload + 4, length: 3).map { ($0 + 1, $1 + 1) }
            } else if reader.has("VP8 ", at: offset), size == nil,
                reader.bigEndian(payload + 3, length: 3) == 0x9D012A
            {
                // 14 bits each after the frame tag and the start code (RFC 6386, 9.1).
                size = reader.pair(payload + 6, length: 2).map { ($0 & 0x3FFF, $1 & 0x3FFF) }
            } else if reader.has("VP8L", at: offset), size == nil, reader.byte(payload) == 0x2F {
                // Width and height minus one, 14 bits each, after the signature 2F (RFC 9649, 3.4).
                size = reader.littleEndian(payload + 1, length: 4).map {
                    ($0 & 0x3FFF + 1, $0 >> 14 & 0x3FFF + 1)
                }
            } else if reader.has("ANMF", at: offset) {
                frameCount += 1
            } else if reader.has("EXIF", at: offset) {
                exif = reader.part(payload, length: length)
            }
            offset = payload + length + length % 2
        }
        guard let size else { return nil }
        self.init(width: size.width, height: size.height, exif: exif, frameCount: frameCount)
    }
}

extension ByteReader {
    /// Returns two little-endian numbers of `length` bytes each; nil beyond the end.
    fileprivate func pair(_ offset: Int, length: Int) -> (Int, Int)? {
        guard let first = littleEndian(offset, length: length),
            let second = littleEndian(offset + length, length: length)
        else { return nil }
        return (first, second)
    }
}
