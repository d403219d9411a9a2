extension Orientation {
    /// The orientation in an EXIF block: a TIFF header and a directory of tags; upright if it has none or is broken.
    ///
    /// Layout: TIFF 6.0, section 2; tag 0x0112: EXIF 2.32, 4.6.4.
    init(exif block: ByteReader) {
        self = Self.find(in: block) ?? .upright
    }

    private static func find(in block: ByteReader) -> Orientation? {
        // Some writers of WebP put JPEG's marker in front.
        let tiff = block.has("Exif\0\0", at: 0) ? block.part(6, length: block.count) : block
        let isLittle = tiff.has("II*\0", at: 0)
        guard isLittle || tiff.has("MM\0*", at: 0) else { return nil }
        func number(_ offset: Int, _ length: Int) -> Int? {
            isLittle
                ? tiff.littleEndian(offset, length: length)
                : tiff.bigEndian(offset, length: length)
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        let entryLength = 12
        let shortType = 3
        for index in 0..<count {
            let entry = directory + 2 + index * entryLength
            guard let tag = number(entry, 2) else { return nil }
            if tag == 0x0112 {
                guard number(entry + 2, 2) == shortType else { return nil }
                return number(entry + 8, 2).flatMap { Orientation(rawValue: $0) }
            }
        }
        return nil
    }
}
