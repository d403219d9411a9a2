/// A text that is looked for in many, without regard to case and diacritics.
public struct SoughtText: Sendable {
    private let folded: FoldedText
    private let bytes: [UInt8]

    /// Looks for `text`.
    public init(_ text: String) {
        folded = FoldedText(text)
        bytes = Array(folded.text.utf8)
    }

    /// Whether it is empty, and so found everywhere.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Whether the UTF-8 `text` holds it.
    ///
    /// About a nanosecond a byte of plain ASCII; other text is folded first.
    func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.allSatisfy({ $0 < 0x80 }) else {
            return FoldedText(String(decoding: text, as: UTF8.self)).contains(folded)
        }
        guard let first = bytes.first else { return true }
        guard text.count >= bytes.count else { return false }
        for start in 0...text.count - bytes.count where Self.lowercased(text[start]) == first {
            let rest = text[start..<start + bytes.count]
            if zip(rest, bytes).allSatisfy({ Self.lowercased($0) == $1 }) { return true }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension PictureList {
    /// The first of `places` whose picture holds `text` in its title or in the address of its largest size.
    public func first(of places: some Sequence<Int>, holding text: SoughtText) -> Int? {
        var scratch: [UInt8] = []
        return places.first { holds(text, at: $0, scratch: &scratch) }
    }

    /// Those of `places` whose pictures hold `text` in their title or in the address of their largest size.
    func all(of places: some Sequence<Int>, holding text: SoughtText) -> [UInt32] {
        var scratch: [UInt8] = []
        var found: [UInt32] = []
        for place in places where text.isEmpty || holds(text, at: place, scratch: &scratch) {
            found.append(UInt32(place))
        }
        return found
    }

    private func holds(_ text: SoughtText, at place: Int, scratch: inout [UInt8]) -> Bool {
        readSearchText(at: place, into: &scratch)
        return scratch.withUnsafeBufferPointer(text.isIn)
    }
}
