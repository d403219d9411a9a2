extension StoredHeader {
    /// Reads a PNG's IHDR, and looks for eXIf and acTL (animation) among its chunks (PNG, third edition, 11.2.1, 11.3).
    init?(png reader: ByteReader) {
        let signatureLength = 8
        guard reader.has("IHDR", at: signatureLength + 4),
            let width = reader.bigEndian(16, length: 4),
            let height = reader.bigEndian(20, length: 4),
            let interlace = reader.byte(28)
        else { return nil }
        self.init(width: width, height: height)
        isInterlaced = interlace != 0
        var offset = signatureLength
        let framing = 12  // length, name, checksum
        while let length = reader.bigEndian(offset, length: 4), !reader.has("IEND", at: offset + 4)
        {
            if reader.has("eXIf", at: offset + 4) {
                orientation = Orientation(exif: reader.part(offset + 8, length: length))
            } else if reader.has("acTL", at: offset + 4) {
                frameCount = reader.bigEndian(offset + 8, length: 4) ?? 0
            }
            offset += framing + length
        }
    }
}
