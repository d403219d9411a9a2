import Basics
import Network

/// Unpacks one picture packed by `PictureWriter`.
struct PictureReader {
    private let bytes: Bytes
    private var at: Int
    private let pages: [Address]
    /// The previous address, whose prefix the next one may share.
    private var address: [UInt8] = []
    private var pathStart = 0

    init(_ bytes: Bytes, at start: Int, pages: [Address]) {
        self.bytes = bytes
        self.pages = pages
        at = start
    }

    mutating func picture() -> Picture {
        let flags = PictureFlags(rawValue: readNumber())
        let page = pages[readNumber()]
        let title = String(utf8: readText())
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
        picture.camera = readOptionalString().flatMap { Picture.Camera(text: $0) }
        picture.twin = readOptionalString().flatMap { IndexedPicture(text: $0) }
        picture.isFullKnown = flags.contains(.isFullKnown)
        picture.full = full
        picture.isFullGuessed = flags.contains(.isFullGuessed)
        picture.isNew = flags.contains(.isNew)
        picture.isRejected = flags.contains(.isRejected)
        return picture
    }

    /// Writes the picture's title, file name and caption to `text`, one per line.
    mutating func readWords(into text: inout [UInt8]) {
        let (start, flags) = readTitleAndAddress(into: &text)
        let end = text[start...].firstIndex(of: "?") ?? text.endIndex
        let name = text[start..<end].lastIndex(of: "/").map { $0 + 1 } ?? start
        let file = text[name..<end]
        let isEncoded = file.contains("%")
        let decoded = isEncoded ? PercentEncoding.decode(file) : []
        text.removeSubrange((isEncoded ? name : end)...)
        text += decoded
        text.removeSubrange(start..<name)
        if flags.contains(.hasLink) { skipAddress() }
        if flags.contains(.hasFull) {
            skipAddress()
            _ = (readNumber(), readNumber())
        }
        guard let count = readOptional() else { return }
        text.append("\n")
        text.append(contentsOf: readBytes(count))
    }

    private mutating func skipAddress() {
        if readNumber() & 1 == 1 { _ = readNumber() }
        _ = readText()
    }

    /// Writes the picture's title, a line feed and the last variant's address to `text`; returns the address's offset.
    mutating func readTitleAndAddress(
        into text: inout [UInt8]
    ) -> (start: Int, flags: PictureFlags) {
        let flags = PictureFlags(rawValue: readNumber())
        let page = pages[readNumber()]
        text.removeAll(keepingCapacity: true)
        text.append(contentsOf: readText())
        text.append("\n")
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
        return Address(normal: String(utf8: address), pathStart: pathStart)
    }

    mutating func readNumber() -> Int {
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

    private mutating func readText() -> Slice<Bytes> {
        readBytes(readNumber())
    }

    private mutating func readOptionalString() -> String? {
        readOptional().map { String(utf8: readBytes($0)) }
    }

    private mutating func readBytes(_ count: Int) -> Slice<Bytes> {
        defer { at += count }
        return bytes[at..<at + count]
    }
}
