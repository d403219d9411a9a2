import Basics

/// The kind of an archive, determined by its first bytes, never by its name.
enum ArchiveKind {
    /// zip, tar, 7z, RAR: read by libarchive.
    case files
    /// gzip, xz or zstd, with any content.
    case compressed
    case mhtml
    case warc

    private static let marks: [([UInt8], ArchiveKind)] = [
        (Array("PK\u{3}\u{4}".utf8), .files), (Array("PK\u{5}\u{6}".utf8), .files),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .files), (Array("Rar!\u{1A}\u{7}".utf8), .files),
        ([0x1F, 0x8B, 0x08], .compressed), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .compressed),
        ([0x28, 0xB5, 0x2F, 0xFD], .compressed), (Array("WARC/".utf8), .warc),
    ]
    private static let tarMark = 257..<262

    /// Detects the kind; nil if it is not one of these; `head` is the file's first kilobytes.
    init?(_ head: [UInt8]) {
        if let mark = Self.marks.first(where: { head.starts(with: $0.0) }) {
            self = mark.1
        } else if head.count > 262, head[Self.tarMark].elementsEqual("ustar".utf8) {
            self = .files
        } else if MailPage.isOne(head) {
            self = .mhtml
        } else {
            return nil
        }
    }
}
