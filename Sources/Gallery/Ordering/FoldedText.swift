import Basics
import Markup

/// Text folded for searching: without case and diacritics.
public struct FoldedText: Hashable, Sendable {
    let bytes: [UInt8]

    /// Folds `text`: "Éclair" and "eclair" become the same.
    public init(_ text: String) {
        var folded = text.lowercased()
        if folded.utf8.contains(where: { $0 >= 0x80 }) {
            folded = folded.unicodeScalars.reduce(into: "") { folded, scalar in
                if let base = Self.bases[scalar] {
                    folded += base
                } else if scalar.isASCII || scalar.properties.generalCategory != .nonspacingMark {
                    folded.unicodeScalars.append(scalar)
                }
            }
        }
        bytes = folded.bytes
    }

    /// Whether this text contains `part`; an empty `part` is always contained.
    public func contains(_ part: FoldedText) -> Bool { Self.includes(bytes, part.bytes) }

    /// Whether the UTF-8 `text`, whose ASCII letters are lowercased in place, contains this one; always if this one is empty.
    ///
    /// Takes about a nanosecond per byte of plain ASCII; other text is folded first.
    func isIn(_ text: inout [UInt8]) -> Bool {
        let bits = text.withUnsafeMutableBufferPointer { text in
            var bits: UInt8 = 0
            for place in text.indices {
                bits |= text[place]
                text[place] = text[place].lowered
            }
            return bits
        }
        return Self.includes(bits < 0x80 ? text : FoldedText(String(utf8: text)).bytes, bytes)
    }

    /// Whether the bytes of `text` contain those of `part`.
    static func includes(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        return text.withUnsafeBufferPointer { text in
            var start = 0
            while let found = text.firstIndex(of: first, from: start) {
                if text[found...].starts(with: part) { return true }
                start = found + 1
            }
            return false
        }
    }

    /// Base letters of Latin letters with diacritics, which their names tell: `LATIN SMALL LETTER E WITH ACUTE`.
    private static let bases: [Unicode.Scalar: String] = {
        var bases: [Unicode.Scalar: String] = [
            "ß": "ss", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i",
        ]
        for scalar in [0xDF...0x24F, 0x1E00...0x1EFF].joined().compactMap(Unicode.Scalar.init) {
            let name = scalar.properties.name?.split(separator: " ") ?? []
            if name.count > 4, name[4] == "WITH", name[3].utf8.count == 1 {
                bases[scalar] = name[3].lowercased()
            }
        }
        return bases
    }()
}
