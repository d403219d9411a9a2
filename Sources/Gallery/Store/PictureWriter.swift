import Basics
import Network

/// The Boolean properties of a packed picture.
struct PictureFlags: OptionSet {
    let rawValue: Int

    static let hasLink = PictureFlags(rawValue: 1)
    static let isAlbum = PictureFlags(rawValue: 2)
    static let isFullKnown = PictureFlags(rawValue: 4)
    static let hasFull = PictureFlags(rawValue: 8)
    static let isFullGuessed = PictureFlags(rawValue: 16)
}

/// The fields of a picture except its page and its addresses.
struct PictureFields {
    var flags: PictureFlags
    var title: String
    var summary: String?
    var date: String?
    var width: Pixels?
    var height: Pixels?
    var byteCount: Int?
    /// The text of what is known of the camera.
    var camera: String?
}

/// Packs pictures into bytes; `PictureReader` is its counterpart.
///
/// A picture consists of its flags, page number, title, variants, link and full size if flagged, and the other fields. Integers are LEB128
/// (groups of seven bits, lowest first); a string is its length and bytes; an optional is 0 for nil, else one more than its number or
/// length. An address is stored relative to the previous one (initially the page's): the length of the common prefix, and the rest, since a
/// picture's sizes differ in a few letters.
struct PictureWriter: Sendable {
    /// The text of an address and the offset of its path.
    struct AddressText {
        var bytes: Bytes
        var pathStart: Int
    }

    private(set) var bytes: [UInt8] = []

    mutating func write(_ picture: Picture, page: Int) {
        var flags: PictureFlags = []
        if picture.link != nil { flags.insert(.hasLink) }
        if picture.kind == .album { flags.insert(.isAlbum) }
        if picture.isFullKnown { flags.insert(.isFullKnown) }
        if picture.full != nil { flags.insert(.hasFull) }
        if picture.isFullGuessed { flags.insert(.isFullGuessed) }
        let fields = PictureFields(
            flags: flags, title: picture.title, summary: picture.summary, date: picture.date,
            width: picture.width, height: picture.height, byteCount: picture.byteCount,
            camera: picture.camera?.text)
        write(fields, flags, page: page, variants: picture.variants.count) { writer in
            var previous = picture.page
            for variant in picture.variants { writer.write(variant, after: &previous) }
            if let link = picture.link { writer.write(link, after: &previous) }
            if let full = picture.full { writer.write(full, after: &previous) }
        }
    }

    /// Writes a draft found on the page with the text `start`; its addresses are numbers in `texts`.
    mutating func write(
        _ draft: PictureDraft, page: Int, after start: AddressText, _ texts: AddressNumbers.Texts
    ) {
        var flags = draft.fields.flags
        if draft.link != nil { flags.insert(.hasLink) }
        write(draft.fields, flags, page: page, variants: draft.variants.count) { writer in
            var previous = start
            for variant in draft.variants {
                let address = texts[variant.address]
                writer.write(address, after: previous)
                writer.write(variant.width?.count)
                writer.write(variant.height?.count)
                previous = address
            }
            if let link = draft.link { writer.write(texts[link], after: previous) }
        }
    }

    private mutating func write(
        _ fields: PictureFields, _ flags: PictureFlags, page: Int, variants: Int,
        addresses: (inout PictureWriter) -> Void
    ) {
        write(flags.rawValue)
        write(page)
        write(fields.title.utf8.count)
        bytes.append(contentsOf: fields.title.utf8)
        write(variants)
        addresses(&self)
        write(fields.summary)
        write(fields.date)
        write(fields.width?.count)
        write(fields.height?.count)
        write(fields.byteCount)
        write(fields.camera)
    }

    private mutating func write(_ variant: Picture.Variant, after previous: inout Address) {
        write(variant.address, after: &previous)
        write(variant.width?.count)
        write(variant.height?.count)
    }

    private mutating func write(_ address: Address, after previous: inout Address) {
        var (text, other) = (address.text, previous.text)
        text.withUTF8 { text in
            other.withUTF8 { other in
                write(
                    AddressText(bytes: text, pathStart: address.pathStart),
                    after: AddressText(bytes: other, pathStart: previous.pathStart))
            }
        }
        previous = address
    }

    /// Writes an address, including its path's offset only if the previous address has another.
    private mutating func write(_ address: AddressText, after previous: AddressText) {
        let isSameOrigin = address.pathStart == previous.pathStart
        let common = Self.commonPrefix(address.bytes, previous.bytes)
        write(common << 1 | (isSameOrigin ? 0 : 1))
        if !isSameOrigin { write(address.pathStart) }
        write(address.bytes.count - common)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: address.bytes[common...]))
    }

    /// Returns the length of the common prefix; compares eight bytes at a time, since scraping calls it for every address of a page.
    private static func commonPrefix(
        _ left: Bytes, _ right: Bytes
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

    private mutating func write(_ number: Int?) { write(number.map { $0 &+ 1 } ?? 0) }

    private mutating func write(_ text: String?) {
        write(text?.utf8.count)
        if let text { bytes.append(contentsOf: text.utf8) }
    }

    private mutating func write(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Frees the capacity left over from growing.
    mutating func trim() { bytes = bytes.withUnsafeBufferPointer { Array($0) } }
}
