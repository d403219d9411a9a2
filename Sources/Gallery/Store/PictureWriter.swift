import Network

/// Packs pictures into bytes; `PictureReader` is its counterpart.
///
/// A picture is: which parts it has (a byte of `Parts`), the number of its page, its title, the sizes offered, and
/// then those parts. Numbers are in groups of seven bits, lowest first; a text is its length and its bytes. An
/// address is what it has in common with the address before (the page to begin with), and the rest: the sizes of
/// one picture differ in a few letters.
struct PictureWriter {
    /// What a picture may have, in the order in which it follows.
    struct Parts: OptionSet {
        let rawValue: UInt8

        static let isAlbum = Parts(rawValue: 1)
        static let link = Parts(rawValue: 2)
        static let summary = Parts(rawValue: 4)
        static let date = Parts(rawValue: 8)
        static let width = Parts(rawValue: 16)
        static let height = Parts(rawValue: 32)
        static let byteCount = Parts(rawValue: 64)
        /// Another byte of parts follows the others.
        static let more = Parts(rawValue: 128)
    }

    /// What a picture may have besides.
    struct MoreParts: OptionSet {
        let rawValue: UInt8

        static let isFullKnown = MoreParts(rawValue: 1)
        static let full = MoreParts(rawValue: 2)
        static let isFullGuessed = MoreParts(rawValue: 4)
    }

    /// All of a picture but its page and its addresses.
    struct Fields {
        var title: String
        var summary: String?
        var date: String?
        var width: Int?
        var height: Int?
        var byteCount: Int?
        fileprivate(set) var parts: Parts
        fileprivate(set) var more: MoreParts
    }

    /// The text of an address, and where the path starts in it.
    struct AddressText {
        var bytes: UnsafeBufferPointer<UInt8>
        var pathStart: Int
    }

    private(set) var bytes: [UInt8]

    init(appendingTo bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func write(_ picture: Picture, page: Int) {
        let fields = Fields(picture)
        begin(fields, page: page, variants: picture.variants.count)
        var previous = picture.page
        for variant in picture.variants {
            write(variant, after: previous)
            previous = variant.address
        }
        if let link = picture.link {
            write(link, after: previous)
            previous = link
        }
        end(fields)
        if let full = picture.full { write(full, after: previous) }
    }

    /// Writes what comes before the addresses.
    mutating func begin(_ fields: Fields, page: Int, variants: Int) {
        bytes.append(fields.parts.rawValue)
        write(page)
        write(fields.title)
        write(variants)
    }

    /// Writes what comes after the addresses; a full size is to follow.
    mutating func end(_ fields: Fields) {
        if let summary = fields.summary { write(summary) }
        if let date = fields.date { write(date) }
        if let width = fields.width { write(width) }
        if let height = fields.height { write(height) }
        if let byteCount = fields.byteCount { write(byteCount) }
        if !fields.more.isEmpty { bytes.append(fields.more.rawValue) }
    }

    private mutating func write(_ variant: Picture.Variant, after previous: Address) {
        write(variant.address, after: previous)
        writeSize(variant.width, variant.height)
    }

    /// Writes the size of a variant, which comes after its address.
    mutating func writeSize(_ width: Int?, _ height: Int?) {
        write(width.map { $0 &+ 1 } ?? 0)
        write(height.map { $0 &+ 1 } ?? 0)
    }

    private mutating func write(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            write(utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    private mutating func write(_ address: Address, after previous: Address) {
        var text = address.text
        var other = previous.text
        text.withUTF8 { text in
            other.withUTF8 { other in
                write(
                    AddressText(bytes: text, pathStart: address.pathStart),
                    after: AddressText(bytes: other, pathStart: previous.pathStart))
            }
        }
    }

    /// Where the path starts is written only where it is not that of the address before.
    mutating func write(_ address: AddressText, after previous: AddressText) {
        let isSameOrigin = address.pathStart == previous.pathStart
        let common = PictureWriter.common(address.bytes, previous.bytes)
        write(common << 1 | (isSameOrigin ? 0 : 1))
        if !isSameOrigin { write(address.pathStart) }
        write(address.bytes.count - common)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: address.bytes[common...]))
    }

    /// How many bytes both begin with.
    private static func common(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let count = min(left.count, right.count)
        let (left, right) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        var at = 0
        while at + 8 <= count,
            left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        {
            at += 8
        }
        while at < count, left[at] == right[at] { at += 1 }
        return at
    }
}

extension PictureWriter.Fields {
    init(_ picture: Picture) {
        var parts: PictureWriter.Parts = []
        if picture.kind == .album { parts.insert(.isAlbum) }
        if picture.link != nil { parts.insert(.link) }
        var more: PictureWriter.MoreParts = []
        if picture.isFullKnown { more.insert(.isFullKnown) }
        if picture.full != nil { more.insert(.full) }
        if picture.isFullGuessed { more.insert(.isFullGuessed) }
        self.init(
            title: picture.title, summary: picture.summary, date: picture.date,
            width: picture.width, height: picture.height, byteCount: picture.byteCount,
            given: parts, more: more)
    }

    /// - Parameter given: the parts that the other fields do not show.
    init(
        title: String, summary: String?, date: String?, width: Int?, height: Int?,
        byteCount: Int? = nil, given: PictureWriter.Parts, more: PictureWriter.MoreParts
    ) {
        self.title = title
        self.summary = summary
        self.date = date
        self.width = width
        self.height = height
        self.byteCount = byteCount
        self.more = more
        parts = given
        if summary != nil { parts.insert(.summary) }
        if date != nil { parts.insert(.date) }
        if width != nil { parts.insert(.width) }
        if height != nil { parts.insert(.height) }
        if byteCount != nil { parts.insert(.byteCount) }
        if !more.isEmpty { parts.insert(.more) }
    }
}
