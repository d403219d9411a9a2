import Raster

/// The smaller pictures in a JPEG: EXIF's thumbnail, and the previews of a multi-picture file.
///
/// Only found here: nothing says yet that they can be decoded, or show what they should.
struct EmbeddedJPEGs {
    /// The picture's own size, as stored.
    let mainSize: PixelSize
    /// How it is to be turned, and they with it.
    let orientation: Orientation
    /// From the smallest up.
    let pictures: [EmbeddedJPEG]

    /// Searches the segments of `bytes` up to the first scan; nil if they end before it.
    ///
    /// The beginning of a file may do, then without the previews that lie behind it.
    init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes[...])
        guard ImageFormat(sniffing: bytes) == .jpeg, let header = StoredHeader(jpeg: reader),
            header.width > 0, header.height > 0
        else { return nil }
        let mainSize = PixelSize(width: header.width, height: header.height)
        var found: [ArraySlice<UInt8>] = []
        var offset = 2
        var reachesScan = false
        while let segment = JPEGSegment(reader, searchingFrom: offset), !reachesScan {
            reachesScan = segment.marker == JPEGSegment.startOfScan
            if segment.marker == JPEGSegment.application1,
                reader.has("Exif\0\0", at: segment.payload)
            {
                let block = reader.part(segment.payload + 6, length: segment.payloadLength - 6)
                if let thumbnail = Self.thumbnail(exif: block) { found.append(thumbnail) }
            } else if segment.marker == JPEGSegment.application2,
                reader.has("MPF\0", at: segment.payload)
            {
                // Counted from here, but not to the end of the segment: the previews lie behind the picture.
                found += Self.previews(multiPicture: reader.rest(from: segment.payload + 4))
            }
            offset = segment.end
        }
        guard reachesScan else { return nil }
        self.mainSize = mainSize
        orientation = header.orientation
        pictures =
            found.compactMap { EmbeddedJPEG($0, of: mainSize) }
            .sorted { $0.size.width * $0.size.height < $1.size.width * $1.size.height }
    }

    /// The thumbnail in the second directory (EXIF 2.32, 4.5.8; tags: 4.6.4).
    private static func thumbnail(exif block: ByteReader) -> ArraySlice<UInt8>? {
        let jpegCompression = 6
        guard let directory = TagDirectory(block)?.next,
            (directory.number(of: 0x0103) ?? jpegCompression) == jpegCompression,
            let offset = directory.number(of: 0x0201), let length = directory.number(of: 0x0202)
        else { return nil }
        return block.slice(offset, length: length)
    }

    /// The large thumbnails among a multi-picture file's entries (CIPA DC-007, 5.2.3.3).
    ///
    /// The others are no smaller copies: other views, the parts of a panorama, a map of brightness.
    private static func previews(multiPicture block: ByteReader) -> [ArraySlice<UInt8>] {
        let entryLength = 16
        // Cameras write two, VGA and Full HD.
        let mostEntries = 16
        guard let directory = TagDirectory(block), let list = directory.place(of: 0xB002) else {
            return []
        }
        return (0..<min(list.length / entryLength, mostEntries)).compactMap { index in
            let entry = list.offset + index * entryLength
            guard let attributes = directory.number(entry, 4),
                let length = directory.number(entry + 4, 4),
                let offset = directory.number(entry + 8, 4), offset > 0
            else { return nil }
            let format = attributes >> 24 & 7
            let kind = attributes & 0xFF_FFFF
            guard format == 0, [0x01_0001, 0x01_0002].contains(kind) else { return nil }
            return block.slice(offset, length: length)
        }
    }
}
