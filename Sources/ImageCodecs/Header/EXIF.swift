extension Orientation {
    /// The orientation in an EXIF block: a TIFF header and a directory of tags; upright if it has none or is broken.
    ///
    /// Tag 0x0112: EXIF 2.32, 4.6.4.
    init(exif block: ByteReader) {
        // Some writers of WebP put JPEG's marker in front.
        let tiff = block.has("Exif\0\0", at: 0) ? block.part(6, length: block.count) : block
        let number = TagDirectory(tiff)?.number(of: 0x0112)
        self = number.flatMap(Orientation.init) ?? .upright
    }
}
