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
        var bytes: UnsafeBufferPointer<UInt8>
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
            width: picture.width, height: picture.height, byteCount: picture.byteCount)
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

/// Unpacks one picture packed by `PictureWriter`.
struct PictureReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at: Int
    private let pages: [Address]
    /// The previous address, whose prefix the next one may share.
    private var address: [UInt8] = []
    private var pathStart = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, pages: [Address]) {
        self.bytes = bytes
        self.pages = pages
        at = start
    }

    mutating func picture() -> Picture {
        let flags = PictureFlags(rawValue: readNumber())
        let page = pages[readNumber()]
        let title = String(decoding: readText(), as: UTF8.self)
        address = Array(page.text.utf8)
        pathStart = page.pathStart
        let variants = (0..<readNumber()).map { _ in readVariant() }
        let link = flags.contains(.hasLink) ? readAddress() : nil
        let full = flags.contains(.hasFull) ? readVariant() : nil
        var picture = Picture(
            variants: variants, link: link, page: page, title: title,
            summary: readOptionalString(), date: readOptionalString(), width: readPixels(),
            height: readPixels(), byteCount: readOptional(),
            kind: flags.contains(.isAlbum) ? .album : .picture)
        picture.isFullKnown = flags.contains(.isFullKnown)
        picture.full = full
        picture.isFullGuessed = flags.contains(.isFullGuessed)
        return picture
    }

    /// Writes the picture's title, a line feed and the last variant's address to `text`; returns the address's offset.
    mutating func readSearchText(into text: inout [UInt8]) -> Int {
        readTitleAndAddress(into: &text).start
    }

    /// Writes the picture's title, file name and caption to `text`, one per line.
    mutating func readWords(into text: inout [UInt8]) {
        let (start, flags) = readTitleAndAddress(into: &text)
        let end = text[start...].firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
        let name = text[start..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? start
        let file = text[name..<end]
        let isEncoded = file.contains(UInt8(ascii: "%"))
        let decoded = isEncoded ? PercentEncoding.decode(file) : []
        text.removeSubrange((isEncoded ? name : end)...)
        text += decoded
        text.removeSubrange(start..<name)
        for _ in 0..<(flags.contains(.hasLink) ? 1 : 0) + (flags.contains(.hasFull) ? 1 : 0) {
            skipAddress()
        }
        if flags.contains(.hasFull) { _ = (readNumber(), readNumber()) }
        guard let count = readOptional() else { return }
        text.append(UInt8(ascii: "\n"))
        text.append(contentsOf: readBytes(count))
    }

    private mutating func skipAddress() {
        if readNumber() & 1 == 1 { _ = readNumber() }
        _ = readText()
    }

    private mutating func readTitleAndAddress(
        into text: inout [UInt8]
    ) -> (start: Int, flags: PictureFlags) {
        let flags = PictureFlags(rawValue: readNumber())
        let page = pages[readNumber()]
        text.removeAll(keepingCapacity: true)
        text.append(contentsOf: readText())
        text.append(UInt8(ascii: "\n"))
        // Addresses are reconstructed after the title, each replacing the previous one.
        let start = text.count
        text.append(contentsOf: page.text.utf8)
        for _ in 0..<readNumber() {
            let head = readNumber()
            if head & 1 == 1 { _ = readNumber() }
            text.removeSubrange((start + head >> 1)...)
            text.append(contentsOf: readText())
            _ = (readNumber(), readNumber())
        }
        return (start, flags)
    }

    private mutating func readVariant() -> Picture.Variant {
        Picture.Variant(address: readAddress(), width: readPixels(), height: readPixels())
    }

    private mutating func readAddress() -> Address {
        let head = readNumber()
        if head & 1 == 1 { pathStart = readNumber() }
        address.removeSubrange((head >> 1)...)
        address.append(contentsOf: readText())
        return Address(normal: String(decoding: address, as: UTF8.self), pathStart: pathStart)
    }

    private mutating func readNumber() -> Int {
        var number: UInt = 0
        var shift: UInt = 0
        while true {
            let byte = bytes[at]
            at += 1
            number |= UInt(byte & 0x7F) << shift
            guard byte >= 0x80 else { return Int(bitPattern: number) }
            shift += 7
        }
    }

    private mutating func readOptional() -> Int? {
        let number = readNumber()
        return number == 0 ? nil : number &- 1
    }

    private mutating func readPixels() -> Pixels? { readOptional().flatMap { Pixels($0) } }

    private mutating func readText() -> Slice<UnsafeBufferPointer<UInt8>> {
        readBytes(readNumber())
    }

    private mutating func readOptionalString() -> String? {
        readOptional().map { String(decoding: readBytes($0), as: UTF8.self) }
    }

    private mutating func readBytes(_ count: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
        defer { at += count }
        return bytes[at..<at + count]
    }
}
