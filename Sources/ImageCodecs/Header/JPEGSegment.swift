/// A marker and what follows it.
struct JPEGSegment {
    static let application1 = 0xE1
    static let application2 = 0xE2
    static let startOfScan = 0xDA

    let marker: Int
    /// Where the two bytes of the length stand.
    let start: Int
    /// Bytes from `start` to the next segment; 0 for a marker that stands alone.
    let length: Int

    /// Where what it holds begins, after the marker and the length.
    var payload: Int { start + 2 }
    /// How long that is.
    var payloadLength: Int { max(0, length - 2) }
    /// Where the search for the next one begins.
    var end: Int { start + length }

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
