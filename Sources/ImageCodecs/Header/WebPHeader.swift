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
