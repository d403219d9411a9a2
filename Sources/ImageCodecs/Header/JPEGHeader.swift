extension StoredHeader {
    /// Walks a JPEG's segments up to its first scan (ITU-T T.81, B.1); nil without a frame header.
    init?(jpeg reader: ByteReader) {
        var found: StoredHeader?
        var orientation: Orientation?
        var offset = 2
        while let segment = JPEGSegment(reader, searchingFrom: offset) {
            if segment.marker == JPEGSegment.startOfScan { break }
            if segment.isFrameHeader {
                guard let height = reader.bigEndian(segment.start + 3, length: 2),
                    let width = reader.bigEndian(segment.start + 5, length: 2)
                else { break }
                found = found ?? StoredHeader(width: width, height: height)
            } else if segment.marker == JPEGSegment.application1, orientation == nil,
                reader.has("Exif\0\0", at: segment.start + 2)
            {
                let block = reader.part(segment.start + 8, length: segment.length - 8)
                orientation = Orientation(exif: block)
            }
            offset = segment.start + segment.length
        }
        guard let found else { return nil }
        self = found
        self.orientation = orientation ?? .upright
    }
}

/// A marker and what follows it.
private struct JPEGSegment {
    static let application1 = 0xE1
    static let startOfScan = 0xDA

    let marker: Int
    /// Where the two bytes of the length stand.
    let start: Int
    /// Bytes from `start` to the next segment; 0 for a marker that stands alone.
    let length: Int

    /// Searches the next marker as libjpeg does: whatever is none is skipped.
    init?(_ reader: ByteReader, searchingFrom offset: Int) {
        var offset = offset
        while let byte = reader.byte(offset), let next = reader.byte(offset + 1) {
            offset += 1
            if byte == 0xFF, next != 0, next != 0xFF {
                marker = next
                start = offset + 1
                // 01 and D0…D9 stand alone (T.81, table B.1).
                let isAlone = next == 0x01 || (0xD0...0xD9).contains(next)
                guard let length = isAlone ? 0 : reader.bigEndian(start, length: 2),
                    isAlone || length >= 2
                else { return nil }
                self.length = length
                return
            }
        }
        return nil
    }

    /// SOF0…SOF15, without the tables between them: C4 Huffman, C8 reserved, CC arithmetic.
    var isFrameHeader: Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
}
