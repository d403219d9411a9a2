/// A directory of tagged values in a block that is laid out as TIFF is: EXIF's and MPF's.
///
/// Layout: TIFF 6.0, section 2.
struct TagDirectory {
    /// The block that the directory's offsets count from.
    let block: ByteReader
    private let isLittle: Bool
    private let start: Int
    private let count: Int

    private static let entryLength = 12
    private enum FieldType {
        static let short = 3
        static let long = 4
    }

    /// The first directory of `block`; nil if that is none.
    init?(_ block: ByteReader) {
        let isLittle = block.has("II*\0", at: 0)
        guard isLittle || block.has("MM\0*", at: 0) else { return nil }
        self.init(block, isLittle: isLittle, linkAt: 4)
    }

    /// The directory whose offset stands at `link`; nil if there is none.
    private init?(_ block: ByteReader, isLittle: Bool, linkAt link: Int) {
        self.block = block
        self.isLittle = isLittle
        guard let start = Self.number(block, isLittle, link, 4), start > 0,
            let count = Self.number(block, isLittle, start, 2)
        else { return nil }
        self.start = start
        self.count = count
    }

    /// The directory that follows this one.
    var next: TagDirectory? {
        TagDirectory(block, isLittle: isLittle, linkAt: start + 2 + count * Self.entryLength)
    }

    /// The number under `tag`; nil if there is none, or several.
    func number(of tag: Int) -> Int? {
        guard let entry = entry(of: tag), number(entry + 4, 4) == 1 else { return nil }
        switch number(entry + 2, 2) {
        case FieldType.short: return number(entry + 8, 2)
        case FieldType.long: return number(entry + 8, 4)
        default: return nil
        }
    }

    /// Where in the block the bytes under `tag` lie, and how many; nil if they fit into the directory itself.
    func place(of tag: Int) -> (offset: Int, length: Int)? {
        guard let entry = entry(of: tag), let length = number(entry + 4, 4), length > 4,
            let offset = number(entry + 8, 4)
        else { return nil }
        return (offset, length)
    }

    /// A number of `length` bytes at `offset` of the block.
    func number(_ offset: Int, _ length: Int) -> Int? {
        Self.number(block, isLittle, offset, length)
    }

    private func entry(of tag: Int) -> Int? {
        for index in 0..<count {
            let entry = start + 2 + index * Self.entryLength
            guard let found = number(entry, 2) else { return nil }
            if found == tag { return entry }
        }
        return nil
    }

    private static func number(
        _ block: ByteReader, _ isLittle: Bool, _ offset: Int, _ length: Int
    ) -> Int? {
        isLittle
            ? block.littleEndian(offset, length: length) : block.bigEndian(offset, length: length)
    }
}
