import Raster

/// A directory of tagged values in a block with TIFF's layout, as in EXIF and MPF (TIFF 6.0, section 2).
struct TagDirectory {
    /// The block that the directory's offsets are relative to.
    let block: FileBytes
    private let isLittle: Bool
    private let start: Int
    private let count: Int

    private static let entryLength = 12
    /// The first bytes of raw files (RW2, ORF) that share TIFF's layout.
    static let rawMarks: [StaticString] = ["IIU\0", "IIRO", "IIRS", "MMOR"]

    /// Reads the first directory of `block`; nil if there is none.
    init?(_ block: FileBytes) {
        guard (["II*\0", "MM\0*"] + Self.rawMarks).contains(where: { block.has($0, at: 0) }) else {
            return nil
        }
        let isLittle = block.byte(0) == 0x49
        self.init(
            block, isLittle: isLittle,
            at: block.number(4, length: 4, isLittleEndian: isLittle))
    }

    /// Reads the first directory of an EXIF block; nil if there is none.
    init?(exif block: FileBytes) {
        // Some WebP writers prepend JPEG's marker.
        self.init(block.has("Exif\0\0", at: 0) ? block.part(6) : block)
    }

    private init?(_ block: FileBytes, isLittle: Bool, at start: Int?) {
        guard let start, start > 0,
            let count = block.number(start, length: 2, isLittleEndian: isLittle)
        else { return nil }
        self.block = block
        self.isLittle = isLittle
        self.start = start
        self.count = count
    }

    /// The next directory; nil if this is the last one.
    var next: TagDirectory? { directory(at: number(start + 2 + count * Self.entryLength, 4)) }

    /// Returns the number with `tag`; nil if there is none, or more than one.
    func number(of tag: Int) -> Int? {
        guard let entry = entry(of: tag), number(entry + 4, 4) == 1 else { return nil }
        // SHORT or LONG (types 3 and 4).
        return switch number(entry + 2, 2) {
        case 3: number(entry + 8, 2)
        case 4: number(entry + 8, 4)
        default: nil
        }
    }

    /// Returns the offset and count of the values with `tag` and `type`; nil if there are none.
    func value(of tag: Int, type: Int, size: Int) -> (offset: Int, count: Int)? {
        guard let entry = entry(of: tag), number(entry + 2, 2) == type,
            let count = number(entry + 4, 4), count > 0
        else { return nil }
        // Values of up to four bytes are stored in the entry itself.
        return (count * size <= 4 ? entry + 8 : number(entry + 8, 4) ?? block.count, count)
    }

    /// Returns the directory at `offset` of the block; nil if there is none.
    func directory(at offset: Int?) -> TagDirectory? {
        TagDirectory(block, isLittle: isLittle, at: offset)
    }

    /// Returns the number of `length` bytes at `offset` of the block.
    func number(_ offset: Int, _ length: Int) -> Int? {
        block.number(offset, length: length, isLittleEndian: isLittle)
    }

    private func entry(of tag: Int) -> Int? {
        let entries = (0..<count).lazy.map { start + 2 + $0 * Self.entryLength }
        return entries.prefix { number($0, 2) != nil }.first { number($0, 2) == tag }
    }
}

extension Turn {
    /// Creates the turn that brings a picture with EXIF orientation `number` upright (EXIF 2.32, 4.6.4); nil unless it is 1…8.
    init?(orientation number: Int) {
        guard (1...8).contains(number) else { return nil }
        self.init(
            quarters: [0, 0, 2, 2, 3, 1, 1, 3][number - 1],
            isMirrored: [2, 4, 5, 7].contains(number))
    }

    /// Reads the orientation of an EXIF block; nil if it has none or is broken.
    init?(exif block: FileBytes) {
        guard let number = TagDirectory(exif: block)?.number(of: 0x0112) else { return nil }
        self.init(orientation: number)
    }
}
