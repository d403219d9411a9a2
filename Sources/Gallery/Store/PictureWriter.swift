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

    private(set) var bytes: [UInt8]

    init(appendingTo bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func write(_ picture: Picture, page: Int) {
        bytes.append(parts(of: picture).rawValue)
        write(page)
        write(picture.title)
        write(picture.rungs.count)
        var previous = picture.page
        for rung in picture.rungs {
            write(rung, after: previous)
            previous = rung.address
        }
        if let link = picture.link {
            write(link, after: previous)
            previous = link
        }
        if let summary = picture.summary { write(summary) }
        if let date = picture.date { write(date) }
        if let width = picture.width { write(width) }
        if let height = picture.height { write(height) }
        if let byteCount = picture.byteCount { write(byteCount) }
        let more = moreParts(of: picture)
        if !more.isEmpty { bytes.append(more.rawValue) }
        if let full = picture.full { write(full, after: previous) }
    }

    private mutating func write(_ rung: Picture.Rung, after previous: Address) {
        write(rung.address, after: previous)
        write(rung.width.map { $0 &+ 1 } ?? 0)
        write(rung.height.map { $0 &+ 1 } ?? 0)
    }

    private func moreParts(of picture: Picture) -> MoreParts {
        var parts: MoreParts = []
        if picture.isFullKnown { parts.insert(.isFullKnown) }
        if picture.full != nil { parts.insert(.full) }
        if picture.isFullGuessed { parts.insert(.isFullGuessed) }
        return parts
    }

    private func parts(of picture: Picture) -> Parts {
        var parts: Parts = []
        if picture.kind == .album { parts.insert(.isAlbum) }
        if picture.link != nil { parts.insert(.link) }
        if picture.summary != nil { parts.insert(.summary) }
        if picture.date != nil { parts.insert(.date) }
        if picture.width != nil { parts.insert(.width) }
        if picture.height != nil { parts.insert(.height) }
        if picture.byteCount != nil { parts.insert(.byteCount) }
        if !moreParts(of: picture).isEmpty { parts.insert(.more) }
        return parts
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

    /// Where the path starts is written only where it is not that of the address before.
    private mutating func write(_ address: Address, after previous: Address) {
        var text = address.text
        var other = previous.text
        let isSameOrigin = address.pathStart == previous.pathStart
        text.withUTF8 { utf8 in
            let common = other.withUTF8 { PictureWriter.common(utf8, $0) }
            write(common << 1 | (isSameOrigin ? 0 : 1))
            if !isSameOrigin { write(address.pathStart) }
            write(utf8.count - common)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[common...]))
        }
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
