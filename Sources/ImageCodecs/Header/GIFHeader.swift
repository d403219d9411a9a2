extension StoredHeader {
    /// Reads a GIF's canvas and its first frame (GIF89a, sections 18 and 20); nil without a canvas.
    ///
    /// Where the frame reaches beyond the canvas, the canvas grows, as in browsers.
    init?(gif reader: ByteReader) {
        guard let width = reader.littleEndian(6, length: 2),
            let height = reader.littleEndian(8, length: 2), let flags = reader.byte(10)
        else { return nil }
        self.init(width: width, height: height)
        let headerLength = 13
        let paletteLength = flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0
        guard let frame = Self.firstFrame(reader, from: headerLength + paletteLength),
            let left = reader.littleEndian(frame + 1, length: 2),
            let top = reader.littleEndian(frame + 3, length: 2),
            let frameWidth = reader.littleEndian(frame + 5, length: 2),
            let frameHeight = reader.littleEndian(frame + 7, length: 2),
            let frameFlags = reader.byte(frame + 9)
        else { return }
        self.width = max(width, left + frameWidth)
        self.height = max(height, top + frameHeight)
        isInterlaced = frameFlags & 0x40 != 0
    }

    /// Skips extensions: an introducer, a label, and blocks that each begin with their length; a length of 0 ends them.
    private static func firstFrame(_ reader: ByteReader, from start: Int) -> Int? {
        let extensionIntroducer = 0x21
        let imageSeparator = 0x2C
        var offset = start
        while reader.byte(offset) == extensionIntroducer {
            offset += 2
            while let length = reader.byte(offset), length > 0 {
                offset += 1 + length
            }
            offset += 1
        }
        return reader.byte(offset) == imageSeparator ? offset : nil
    }
}
