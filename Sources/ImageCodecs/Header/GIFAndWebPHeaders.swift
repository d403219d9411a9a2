extension StoredHeader {
    /// Reads a GIF's canvas and its first frame, and counts the frames (GIF89a, sections 18, 20 and 22); nil without a canvas.
    ///
    /// Where the first frame reaches beyond the canvas, the canvas grows, as in browsers.
    init?(gif reader: ByteReader) {
        guard let width = reader.littleEndian(6, length: 2),
            let height = reader.littleEndian(8, length: 2), let flags = reader.byte(10)
        else { return nil }
        self.init(width: width, height: height)
        let headerLength = 13
        var offset: Int? = headerLength + Self.paletteLength(flags)
        while let start = offset, let frame = Self.frame(reader, from: start) {
            frameCount += 1
            offset = Self.endOfFrame(reader, frame)
            guard frameCount == 1, let left = reader.littleEndian(frame + 1, length: 2),
                let top = reader.littleEndian(frame + 3, length: 2),
                let frameWidth = reader.littleEndian(frame + 5, length: 2),
                let frameHeight = reader.littleEndian(frame + 7, length: 2),
                let frameFlags = reader.byte(frame + 9)
            else { continue }
            self.width = max(width, left + frameWidth)
            self.height = max(height, top + frameHeight)
            isHeldWhole = frameFlags & 0x40 != 0
        }
    }

    /// Bytes of the palette that these flags announce.
    private static func paletteLength(_ flags: Int) -> Int {
        flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0
    }

    /// Where the next frame's descriptor stands, past extensions: an introducer, a label, and blocks.
    private static func frame(_ reader: ByteReader, from start: Int) -> Int? {
        let extensionIntroducer = 0x21
        let imageSeparator = 0x2C
        var offset = start
        while reader.byte(offset) == extensionIntroducer {
            offset = endOfBlocks(reader, offset + 2)
        }
        return reader.byte(offset) == imageSeparator ? offset : nil
    }

    /// Past a frame's descriptor, its palette, a byte for the coder, and its blocks.
    private static func endOfFrame(_ reader: ByteReader, _ frame: Int) -> Int? {
        let descriptorLength = 10
        guard let flags = reader.byte(frame + 9) else { return nil }
        return endOfBlocks(reader, frame + descriptorLength + paletteLength(flags) + 1)
    }

    /// Blocks each begin with their length; a length of 0 ends them.
    private static func endOfBlocks(_ reader: ByteReader, _ start: Int) -> Int {
        var offset = start
        while let length = reader.byte(offset), length > 0 {
            offset += 1 + length
        }
        return offset + 1
    }
}

extension StoredHeader {
    /// Walks a WebP's chunks (RFC 9649, section 2); nil without a size.
    init?(webp reader: ByteReader) {
        let fileHeaderLength = 12
        var found: StoredHeader?
        var orientation = Orientation.upright
        var frameCount = 0
        var offset = fileHeaderLength
        while let length = reader.littleEndian(offset + 4, length: 4) {
            let payload = offset + 8
            if reader.has("VP8X", at: offset) {
                found = Self.extended(reader, payload)
            } else if reader.has("VP8 ", at: offset) {
                found = found ?? Self.lossy(reader, payload)
            } else if reader.has("VP8L", at: offset) {
                found = found ?? Self.lossless(reader, payload)
            } else if reader.has("ANMF", at: offset) {
                frameCount += 1
            } else if reader.has("EXIF", at: offset) {
                orientation = Orientation(exif: reader.part(payload, length: length))
            }
            offset = payload + length + length % 2
        }
        guard let found else { return nil }
        self = found
        self.orientation = orientation
        self.frameCount = frameCount
    }

    /// Width and height less one, 24 bits each, after the flags.
    private static func extended(_ reader: ByteReader, _ payload: Int) -> StoredHeader? {
        guard let width = reader.littleEndian(payload + 4, length: 3),
            let height = reader.littleEndian(payload + 7, length: 3)
        else { return nil }
        return StoredHeader(width: width + 1, height: height + 1)
    }

    /// 14 bits each after the frame tag and the start code (RFC 6386, 9.1).
    private static func lossy(_ reader: ByteReader, _ payload: Int) -> StoredHeader? {
        guard reader.bigEndian(payload + 3, length: 3) == 0x9D012A,
            let width = reader.littleEndian(payload + 6, length: 2),
            let height = reader.littleEndian(payload + 8, length: 2)
        else { return nil }
        return StoredHeader(width: width & 0x3FFF, height: height & 0x3FFF)
    }

    /// Width and height less one, 14 bits each, after the signature 2F (RFC 9649, 3.4).
    private static func lossless(_ reader: ByteReader, _ payload: Int) -> StoredHeader? {
        guard reader.byte(payload) == 0x2F,
            let bits = reader.littleEndian(payload + 1, length: 4)
        else { return nil }
        return StoredHeader(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
}
