extension StoredHeader {
    /// Reads a GIF's canvas and its first frame, and counts the frames (GIF89a, sections 18, 20 and 22); nil without a canvas.
    ///
    /// Where the first frame reaches beyond the canvas, the canvas grows, as in browsers.
    init?(gif reader: ByteReader) {
        guard let width = reader.littleEndian(6, length: 2),
            let height = reader.littleEndian(8, length: 2), let flags = reader.byte(10)
        else { return nil }
        self.init(width: width, height: height)
        let headerLength = 13
        var offset: Int? = headerLength + Self.paletteLength(flags)
        while let start = offset, let frame = Self.frame(reader, from: start) {
            frameCount += 1
            offset = Self.endOfFrame(reader, frame)
            guard frameCount == 1, let left = reader.littleEndian(frame + 1, length: 2),
                let top = reader.littleEndian(frame + 3, length: 2),
                let frameWidth = reader.littleEndian(frame + 5, length: 2),
                let frameHeight = reader.littleEndian(frame + 7, length: 2),
                let frameFlags = reader.byte(frame + 9)
            else { continue }
            self.width = max(width, left + frameWidth)
            self.height = max(height, top + frameHeight)
            isInterlaced = frameFlags & 0x40 != 0
        }
    }

    /// Bytes of the palette that these flags announce.
    private static func paletteLength(_ flags: Int) -> Int {
        flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0
    }

    /// Where the next frame's descriptor stands, past extensions: an introducer, a label, and blocks.
    private static func frame(_ reader: ByteReader, from start: Int) -> Int? {
        let extensionIntroducer = 0x21
        let imageSeparator = 0x2C
        var offset = start
        while reader.byte(offset) == extensionIntroducer {
            offset = endOfBlocks(reader, offset + 2)
        }
        return reader.byte(offset) == imageSeparator ? offset : nil
    }

    /// Past a frame's descriptor, its palette, a byte for the coder, and its blocks.
    private static func endOfFrame(_ reader: ByteReader, _ frame: Int) -> Int? {
        let descriptorLength = 10
        guard let flags = reader.byte(frame + 9) else { return nil }
        return endOfBlocks(reader, frame + descriptorLength + paletteLength(flags) + 1)
    }

    /// Blocks each begin with their length; a length of 0 ends them.
    private static func endOfBlocks(_ reader: ByteReader, _ start: Int) -> Int {
        var offset = start
        while let length = reader.byte(offset), length > 0 {
            offset += 1 + length
        }
        return offset + 1
    }
}
