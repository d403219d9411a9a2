extension StoredHeader {
    /// Reads the first directory of a TIFF (TIFF 6.0, sections 2 and 8); nil without a size.
    init?(tiff reader: ByteReader) {
        guard let directory = TagDirectory(reader), let width = directory.number(of: 0x0100),
            let height = directory.number(of: 0x0101)
        else { return nil }
        self.init(width: width, height: height)
        orientation = directory.number(of: 0x0112).flatMap(Orientation.init) ?? .upright
    }
}
