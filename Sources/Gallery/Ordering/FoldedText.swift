/// Text as it is searched: without case and diacritics.
public struct FoldedText: Hashable, Sendable {
    /// The folded text.
    public let text: String

    /// Folds `text`: "Éclair" and "eclair" become the same.
    public init(_ text: String) {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else {
            self.text = text.lowercased()
            return
        }
        var folded = ""
        for character in text.lowercased() {
            if character.isASCII {
                folded.append(character)
            } else {
                folded += LatinBase.of(character) ?? Self.withoutMarks(character)
            }
        }
        self.text = folded
    }

    /// Whether `part` is in it; an empty one always is.
    public func contains(_ part: FoldedText) -> Bool {
        let bytes = Array(part.text.utf8)
        guard let first = bytes.first else { return true }
        let own = Array(text.utf8)
        guard own.count >= bytes.count else { return false }
        for start in 0...own.count - bytes.count where own[start] == first {
            if own[start...].starts(with: bytes) { return true }
        }
        return false
    }

    private static func withoutMarks(_ character: Character) -> String {
        String(
            String.UnicodeScalarView(
                character.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }
            ))
    }
}

/// The plain letters of Latin letters with diacritics.
///
/// Made by composing: a base letter and a mark equal the precomposed letter, as Unicode's canonical equivalence has it,
/// so no table of thousands is needed.
private enum LatinBase {
    static func of(_ character: Character) -> String? {
        composed[character]
    }

    private static let composed: [Character: String] = {
        var table: [Character: String] = [
            "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
            "ı": "i",
        ]
        let marks = (0x300...0x331).compactMap(Unicode.Scalar.init)
        for base in "abcdefghijklmnopqrstuvwxyz".unicodeScalars {
            for mark in marks {
                table[character(base, mark)] = String(base)
            }
        }
        // Letters with two marks: those of Vietnamese and Pinyin.
        for base in "aeou".unicodeScalars {
            for first in [0x302, 0x306, 0x308, 0x31B].compactMap(Unicode.Scalar.init) {
                for second in marks {
                    table[character(base, first, second)] = String(base)
                }
            }
        }
        return table
    }()

    private static func character(_ scalars: Unicode.Scalar...) -> Character {
        Character(String(String.UnicodeScalarView(scalars)))
    }
}
