import Basics
import Markup

/// Text folded for searching: without case and diacritics.
public struct FoldedText: Hashable, Sendable {
    let bytes: [UInt8]

    /// Folds `text`: "Éclair" and "eclair" become the same.
    public init(_ text: String) {
        var folded = text.lowercased()
        if folded.utf8.contains(where: { $0 >= 0x80 }) {
            folded = folded.reduce(into: "") { folded, character in
                if character.isASCII {
                    folded.append(character)
                } else {
                    folded += LatinBase.table[character] ?? Self.withoutMarks(character)
                }
            }
        }
        bytes = Array(folded.utf8)
    }

    /// Whether the text is empty, so that every text contains it.
    public var isEmpty: Bool { bytes.isEmpty }

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
        guard bits < 0x80 else {
            return FoldedText(String(utf8: text)).contains(self)
        }
        return Self.includes(text, bytes)
    }

    /// Whether the bytes of `text` contain those of `part`.
    static func includes(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        return text.withUnsafeBufferPointer { text in
            var start = 0
            while let found = text.firstIndex(of: first, from: start),
                found + part.count <= text.count
            {
                if text[found...].starts(with: part) { return true }
                start = found + 1
            }
            return false
        }
    }

    private static func withoutMarks(_ character: Character) -> String {
        String(
            String.UnicodeScalarView(
                character.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }
            ))
    }
}

/// Base letters of Latin letters with diacritics.
///
/// Built by composition: a base letter with a combining mark equals the precomposed letter by Unicode's canonical equivalence, so no table
/// of thousands is needed.
private enum LatinBase {
    static let table: [Character: String] = {
        var table: [Character: String] = [
            "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
            "ı": "i",
        ]
        let marks = (0x300...0x331).compactMap(Unicode.Scalar.init)
        func add(_ base: Unicode.Scalar, _ others: [Unicode.Scalar] = []) {
            for mark in marks {
                let scalars = String.UnicodeScalarView([base] + others + [mark])
                table[Character(String(scalars))] = String(base)
            }
        }
        "abcdefghijklmnopqrstuvwxyz".unicodeScalars.forEach { add($0) }
        // Letters with two marks, as in Vietnamese and Pinyin.
        for base in "aeou".unicodeScalars {
            for first: Unicode.Scalar in ["\u{302}", "\u{306}", "\u{308}", "\u{31B}"] {
                add(base, [first])
            }
        }
        return table
    }()
}
