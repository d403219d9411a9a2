/// A JPEG marker segment (ITU-T T.81, B.1).
struct JPEGSegment {
    static let application1 = 0xE1
    static let application2 = 0xE2
    static let application13 = 0xED
    static let startOfScan = 0xDA
    /// The frames of pictures as everybody writes them: baseline, extended and progressive.
    static let lossy = 0xC0...0xC2

    let marker: Int
    /// The offset of the payload, after the marker and the length.
    let payload: Int
    let payloadLength: Int

    /// The offset at which the search for the next segment starts.
    var end: Int { payload + payloadLength }

    /// Searches for the next marker as libjpeg does, skipping other bytes.
    init?(_ reader: FileBytes, searchingFrom offset: Int) {
        var offset = offset
        while let byte = reader.byte(offset), let next = reader.byte(offset + 1) {
            offset += 1
            guard byte == 0xFF, next != 0, next != 0xFF else { continue }
            marker = next
            payload = offset + 3
            // 01 and D0…D9 have no length (T.81, table B.1).
            let isAlone = next == 0x01 || (0xD0...0xD9).contains(next)
            guard let length = isAlone ? 0 : reader.bigEndian(offset + 1, length: 2),
                isAlone || length >= 2
            else { return nil }
            payloadLength = length - 2
            return
        }
        return nil
    }

    /// Returns the EXIF block; nil if the segment contains none.
    func exif(_ reader: FileBytes) -> FileBytes? {
        block(Self.application1, "Exif\0\0", reader)
    }

    private func block(_ marker: Int, _ name: StaticString, _ reader: FileBytes) -> FileBytes? {
        let length = name.utf8CodeUnitCount
        guard marker == self.marker, reader.has(name, at: payload) else { return nil }
        return reader.part(payload + length, length: payloadLength - length)
    }

    /// Walks a JPEG's segments up to its first scan; returns nil without a frame header of these kinds.
    static func header(
        _ reader: FileBytes, of kinds: ClosedRange<Int> = 0xC0...0xCF
    ) -> StoredHeader? {
        var header = StoredHeader(width: 0, height: 0)
        var offset = 2
        while let segment = JPEGSegment(reader, searchingFrom: offset),
            segment.marker != startOfScan
        {
            // SOF0…SOF15, without the tables among them: C4 Huffman, C8 reserved, CC arithmetic.
            if kinds.contains(segment.marker), ![0xC4, 0xC8, 0xCC].contains(segment.marker) {
                guard let height = reader.bigEndian(segment.payload + 1, length: 2),
                    let width = reader.bigEndian(segment.payload + 3, length: 2)
                else { break }
                if header.width == 0 {
                    header.width = width
                    header.height = height
                }
            } else {
                header.exif = header.exif ?? segment.exif(reader)
                header.xmp =
                    header.xmp
                    ?? segment.block(application1, "http://ns.adobe.com/xap/1.0/\0", reader)
                header.iptc =
                    header.iptc ?? segment.block(application13, "Photoshop 3.0\0", reader)
            }
            offset = segment.end
        }
        return header.width == 0 ? nil : header
    }
}
