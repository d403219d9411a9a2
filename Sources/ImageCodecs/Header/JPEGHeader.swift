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
