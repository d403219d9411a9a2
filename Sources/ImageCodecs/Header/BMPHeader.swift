extension StoredHeader {
    /// The lengths of the headers there have been: OS/2's first, and Windows' with what was added to it.
    private static let bitmapHeaders = [12, 40, 52, 56, 64, 108, 124]

    /// Whether a file that starts so is a bitmap: two letters say little.
    static func isBitmap(_ start: [UInt8]) -> Bool {
        let reader = ByteReader(start[...])
        guard reader.has("BM", at: 0), let length = reader.littleEndian(14, length: 4) else {
            return false
        }
        return bitmapHeaders.contains(length)
    }

    /// Reads a bitmap's header ([MS-WMF] 2.2.2.2 and 2.2.2.3); nil without a size.
    ///
    /// Rows from the top down have a negative height.
    init?(bmp reader: ByteReader) {
        guard let length = reader.littleEndian(14, length: 4) else { return nil }
        let isOld = length == 12
        let side = isOld ? 2 : 4
        guard let width = reader.littleEndian(18, length: side),
            let height = reader.littleEndian(18 + side, length: side)
        else { return nil }
        self.init(
            width: isOld ? width : Int(Int32(truncatingIfNeeded: width)),
            height: isOld ? height : abs(Int(Int32(truncatingIfNeeded: height))))
        isInterlaced = true
    }
}
