import Network

/// What a packed picture has, beyond what every picture has.
struct PictureParts: OptionSet {
    let rawValue: Int

    static let link = PictureParts(rawValue: 1)
    static let isAlbum = PictureParts(rawValue: 2)
    static let isFullKnown = PictureParts(rawValue: 4)
    static let summary = PictureParts(rawValue: 8)
    static let date = PictureParts(rawValue: 16)
    static let width = PictureParts(rawValue: 32)
    static let height = PictureParts(rawValue: 64)
    static let byteCount = PictureParts(rawValue: 128)
    static let full = PictureParts(rawValue: 256)
    static let isFullGuessed = PictureParts(rawValue: 512)
}

/// All of a picture but its page and its addresses.
struct PictureFields {
    var title: String
    var summary: String?
    var date: String?
    var width: Int?
    var height: Int?
    var byteCount: Int?
    /// Those that the other fields do not show.
    var flags: PictureParts

    fileprivate var parts: PictureParts {
        var parts = flags
        if summary != nil { parts.insert(.summary) }
        if date != nil { parts.insert(.date) }
        if width != nil { parts.insert(.width) }
        if height != nil { parts.insert(.height) }
        if byteCount != nil { parts.insert(.byteCount) }
        return parts
    }
}

/// Packs pictures into bytes; `PictureReader` is its counterpart.
///
/// A picture is: its parts, the number of its page, its title, the sizes offered, and then those parts: first the addresses.
/// Numbers are in groups of seven bits, lowest first; a text is its length and its bytes. An address is what it has in
/// common with the address before (the page to begin with), and the rest: the sizes of one picture differ in a few letters.
struct PictureWriter: Sendable {
    /// The text of an address, and where the path starts in it.
    struct AddressText {
        var bytes: UnsafeBufferPointer<UInt8>
        var pathStart: Int
    }

    private(set) var bytes: [UInt8] = []

    mutating func write(_ picture: Picture, page: Int) {
        var flags: PictureParts = []
        if picture.link != nil { flags.insert(.link) }
        if picture.kind == .album { flags.insert(.isAlbum) }
        if picture.isFullKnown { flags.insert(.isFullKnown) }
        if picture.full != nil { flags.insert(.full) }
        if picture.isFullGuessed { flags.insert(.isFullGuessed) }
        let fields = PictureFields(
            title: picture.title, summary: picture.summary, date: picture.date,
            width: picture.width, height: picture.height, byteCount: picture.byteCount,
            flags: flags)
        begin(fields, page: page, variants: picture.variants.count)
        var previous = picture.page
        for variant in picture.variants { write(variant, after: &previous) }
        if let link = picture.link { write(link, after: &previous) }
        if let full = picture.full { write(full, after: &previous) }
        end(fields)
    }

    /// Writes what comes before the addresses.
    mutating func begin(_ fields: PictureFields, page: Int, variants: Int) {
        write(fields.parts.rawValue)
        write(page)
        write(fields.title)
        write(variants)
    }

    /// Writes what comes after the addresses.
    mutating func end(_ fields: PictureFields) {
        if let summary = fields.summary { write(summary) }
        if let date = fields.date { write(date) }
        if let width = fields.width { write(width) }
        if let height = fields.height { write(height) }
        if let byteCount = fields.byteCount { write(byteCount) }
    }

    private mutating func write(_ variant: Picture.Variant, after previous: inout Address) {
        write(variant.address, after: &previous)
        writeSize(variant.width, variant.height)
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

    /// Writes an address; where its path starts only where it is not that of the address before.
    mutating func write(_ address: AddressText, after previous: AddressText) {
        let isSameOrigin = address.pathStart == previous.pathStart
        let common = Self.commonPrefix(address.bytes, previous.bytes)
        write(common << 1 | (isSameOrigin ? 0 : 1))
        if !isSameOrigin { write(address.pathStart) }
        write(address.bytes.count - common)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: address.bytes[common...]))
    }

    /// How many bytes both begin with; eight at a time, since scraping does it for every address of a page.
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
        write(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Gives back the capacity that growing has left over.
    mutating func trim() {
        bytes = bytes.withUnsafeBufferPointer { Array($0) }
    }
}

/// Unpacks what `PictureWriter` has packed.
struct PictureReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at: Int
    /// The address read last, of which the next one may share the beginning.
    private var address: [UInt8] = []
    private var pathStart = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        self.bytes = bytes
        at = start
    }

    mutating func picture(pages: [Address]) -> Picture {
        let parts = PictureParts(rawValue: readNumber())
        let page = pages[readNumber()]
        let title = readString()
        address = Array(page.text.utf8)
        pathStart = page.pathStart
        let variants = (0..<readNumber()).map { _ in readVariant() }
        var picture = Picture(
            variants: variants, page: page, title: title,
            kind: parts.contains(.isAlbum) ? .album : .picture)
        if parts.contains(.link) { picture.link = readAddress() }
        if parts.contains(.full) { picture.full = readVariant() }
        if parts.contains(.summary) { picture.summary = readString() }
        if parts.contains(.date) { picture.date = readString() }
        if parts.contains(.width) { picture.width = readNumber() }
        if parts.contains(.height) { picture.height = readNumber() }
        if parts.contains(.byteCount) { picture.byteCount = readNumber() }
        picture.isFullKnown = parts.contains(.isFullKnown)
        picture.isFullGuessed = parts.contains(.isFullGuessed)
        return picture
    }

    /// Puts title, line feed and last address of the picture into `text`; returns where the address starts.
    mutating func readSearchText(pages: [Address], into text: inout [UInt8]) -> Int {
        _ = readNumber()
        let page = pages[readNumber()]
        text.removeAll(keepingCapacity: true)
        text.append(contentsOf: readText())
        text.append(UInt8(ascii: "\n"))
        // The addresses are put together behind it, each in place of the one before.
        let start = text.count
        text.append(contentsOf: page.text.utf8)
        for _ in 0..<readNumber() {
            let head = readNumber()
            if head & 1 == 1 { _ = readNumber() }
            text.removeSubrange((start + head >> 1)...)
            text.append(contentsOf: readText())
            _ = (readNumber(), readNumber())
        }
        return start
    }

    private mutating func readVariant() -> Picture.Variant {
        Picture.Variant(address: readAddress(), width: readDimension(), height: readDimension())
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

    private mutating func readDimension() -> Int? {
        let number = readNumber()
        return number == 0 ? nil : number &- 1
    }

    private mutating func readString() -> String { String(decoding: readText(), as: UTF8.self) }

    private mutating func readText() -> Slice<UnsafeBufferPointer<UInt8>> {
        let count = readNumber()
        defer { at += count }
        return bytes[at..<at + count]
    }
}
