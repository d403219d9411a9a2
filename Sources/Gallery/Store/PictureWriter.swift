import Basics
import Markup
import Network

/// The Boolean properties of a packed picture.
struct PictureFlags: OptionSet {
    let rawValue: Int

    static let hasLink = PictureFlags(rawValue: 1)
    static let isAlbum = PictureFlags(rawValue: 2)
    static let isFullKnown = PictureFlags(rawValue: 4)
    static let hasFull = PictureFlags(rawValue: 8)
    static let isFullGuessed = PictureFlags(rawValue: 16)
    static let isNew = PictureFlags(rawValue: 32)
    static let isRejected = PictureFlags(rawValue: 64)
}

/// Packs pictures into bytes; `PictureReader` is its counterpart.
///
/// A picture consists of its flags, page number, title, variants, link and full size if flagged, and the other fields. Integers are LEB128
/// (groups of seven bits, lowest first); a string is its length and bytes; an optional is 0 for nil, else one more than its number or
/// length. An address is stored relative to the previous one (initially the page's): the length of the common prefix, and the rest, since a
/// picture's sizes differ in a few letters.
struct PictureWriter: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The previous address.
    private var address: [UInt8] = []
    private var pathStart = 0

    /// Begins a picture found on `page`.
    mutating func begin(on page: Address) {
        address.removeAll(keepingCapacity: true)
        address.append(contentsOf: page.text.utf8)
        pathStart = page.pathStart
    }

    mutating func write(_ picture: Picture, page: Int) {
        var flags: PictureFlags = []
        if picture.link != nil { flags.insert(.hasLink) }
        if picture.kind == .album { flags.insert(.isAlbum) }
        if picture.isFullKnown { flags.insert(.isFullKnown) }
        if picture.full != nil { flags.insert(.hasFull) }
        if picture.isFullGuessed { flags.insert(.isFullGuessed) }
        if picture.isNew { flags.insert(.isNew) }
        if picture.isRejected { flags.insert(.isRejected) }
        writeHead(flags, page: page, title: picture.title, variants: picture.variants.count)
        for variant in picture.variants { write(variant) }
        if let link = picture.link { write(link) }
        if let full = picture.full { write(full) }
        writeRest(
            summary: picture.summary, date: picture.date, width: picture.width,
            height: picture.height, byteCount: picture.byteCount, camera: picture.camera?.text,
            twin: picture.twin?.text)
    }

    /// Writes a draft; its addresses are numbers in `texts`.
    mutating func write(_ draft: PictureDraft, page: Int, _ texts: AddressNumbers.Texts) {
        var flags = draft.flags
        if draft.link != nil { flags.insert(.hasLink) }
        writeHead(flags, page: page, title: draft.title, variants: draft.variants.count)
        for variant in draft.variants {
            write(texts[variant.address])
            write(variant.width?.count)
            write(variant.height?.count)
        }
        if let link = draft.link { write(texts[link]) }
        writeRest(
            summary: draft.summary, date: draft.date, width: draft.width, height: draft.height)
    }

    /// Writes what precedes the addresses.
    private mutating func writeHead(
        _ flags: PictureFlags, page: Int, title: String, variants: Int
    ) {
        write(flags.rawValue)
        write(page)
        write(title.utf8.count)
        bytes.append(contentsOf: title.utf8)
        write(variants)
    }

    /// Writes what follows the addresses; `camera` and `twin` are texts.
    private mutating func writeRest(
        summary: String?, date: String?, width: Pixels?, height: Pixels?, byteCount: Int? = nil,
        camera: String? = nil, twin: String? = nil
    ) {
        write(summary)
        write(date)
        write(width?.count)
        write(height?.count)
        write(byteCount)
        write(camera)
        write(twin)
    }

    private mutating func write(_ variant: Picture.Variant) {
        write(variant.address)
        write(variant.width?.count)
        write(variant.height?.count)
    }

    private mutating func write(_ address: Address) {
        var text = address.text
        text.withUTF8 { write(($0, address.pathStart)) }
    }

    /// Writes an address, including its path's offset only if the previous address has another.
    private mutating func write(_ other: (text: Bytes, pathStart: Int)) {
        let common = address.withUnsafeBufferPointer { Self.commonPrefix(other.text, $0) }
        let isSameOrigin = other.pathStart == pathStart
        write(common << 1 | (isSameOrigin ? 0 : 1))
        if !isSameOrigin { write(other.pathStart) }
        let rest = other.text[common...]
        write(rest.count)
        bytes.append(contentsOf: rest)
        address.removeLast(address.count - common)
        address.append(contentsOf: rest)
        pathStart = other.pathStart
    }

    /// Returns the length of the common prefix; compares eight bytes at a time, since scraping calls it for every address of a page.
    private static func commonPrefix(_ left: Bytes, _ right: Bytes) -> Int {
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
    mutating func trim() {
        bytes = bytes.withUnsafeBufferPointer { Array($0) }
        address = []
    }
}
