import Network

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
        let parts = readParts()
        let page = pages[readNumber()]
        let title = String(decoding: readText(), as: UTF8.self)
        begin(with: page)
        let variants = (0..<readNumber()).map { _ in readVariant() }
        var picture = Picture(
            variants: variants, page: page, title: title,
            kind: parts.contains(.isAlbum) ? .album : .picture)
        if parts.contains(.link) {
            readAddress()
            picture.link = currentAddress
        }
        if parts.contains(.summary) {
            picture.summary = String(decoding: readText(), as: UTF8.self)
        }
        if parts.contains(.date) { picture.date = String(decoding: readText(), as: UTF8.self) }
        if parts.contains(.width) { picture.width = readNumber() }
        if parts.contains(.height) { picture.height = readNumber() }
        if parts.contains(.byteCount) { picture.byteCount = readNumber() }
        if parts.contains(.more) {
            let more = PictureWriter.MoreParts(rawValue: bytes[at])
            at += 1
            picture.isFullKnown = more.contains(.isFullKnown)
            picture.isFullGuessed = more.contains(.isFullGuessed)
            if more.contains(.full) { picture.full = readVariant() }
        }
        return picture
    }

    private mutating func readVariant() -> Picture.Variant {
        readAddress()
        return Picture.Variant(
            address: currentAddress, width: readDimension(), height: readDimension())
    }

    /// Puts title, line feed and last address of the picture into `text`; returns where the address starts.
    mutating func readSearchText(pages: [Address], into text: inout [UInt8]) -> Int {
        _ = readParts()
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

    private mutating func readParts() -> PictureWriter.Parts {
        defer { at += 1 }
        return PictureWriter.Parts(rawValue: bytes[at])
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

    private mutating func readText() -> Slice<UnsafeBufferPointer<UInt8>> {
        let count = readNumber()
        defer { at += count }
        return bytes[at..<at + count]
    }

    private mutating func begin(with page: Address) {
        address = Array(page.text.utf8)
        pathStart = page.pathStart
    }

    private mutating func readAddress() {
        let head = readNumber()
        if head & 1 == 1 { pathStart = readNumber() }
        address.removeSubrange((head >> 1)...)
        address.append(contentsOf: readText())
    }

    private var currentAddress: Address {
        Address(normal: String(decoding: address, as: UTF8.self), pathStart: pathStart)
    }
}
