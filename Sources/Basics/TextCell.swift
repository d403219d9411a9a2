import CText

extension Unicode.Scalar {
    /// The number of terminal columns the character takes: 0, 1 or 2; nil for a control character, which has no width.
    ///
    /// This is `wcwidth` in a UTF-8 locale, which ncurses uses too, whatever the process's locale. Characters unknown to the C library take
    /// two columns in planes 2 and 3, which are reserved for ideographs, and one column elsewhere.
    public var columns: Int? {
        switch value {
        case 0x20..<0x7F: return 1
        case 0..<0xA0, 0x2028, 0x2029: return nil
        case 0xA0..<0x0300: return 1
        default:
            let columns = libraryColumns
            return columns >= 0 ? columns : (0x20000...0x3FFFD).contains(value) ? 2 : 1
        }
    }

    /// The result of `wcwidth` in a UTF-8 locale; -1 for a character unknown to the C library.
    public var libraryColumns: Int {
        inUnicodeLocale { Int(wcwidth(wchar_t(truncatingIfNeeded: value))) }
    }

    /// Whether the character combines with the one before it: accents, vowel signs, joiners, variation selectors.
    var isMark: Bool { value >= 0x0300 && columns == 0 }

    /// Whether the character is a symbol or an emoji; terminals disagree about joined sequences of these.
    fileprivate var isSymbol: Bool {
        value < 0xC0 || (0x2010..<0x3400).contains(value) || (0x1F000..<0x20000).contains(value)
    }
}

/// The text in one terminal cell, or in two for a wide character: a character and its combining marks.
public struct TextCell: Hashable, Sendable {
    /// The character, never a control character.
    public let base: Unicode.Scalar
    /// The combining marks, at most `maxMarks`.
    public internal(set) var marks: [Unicode.Scalar] = []
    /// The width in terminal columns, 1 or 2.
    public let columns: Int

    /// The maximum number of marks; a cell in ncurses holds five characters in all (CCHARW_MAX).
    static let maxMarks = 4
}

extension StringProtocol {
    /// The text as terminal cells.
    ///
    /// Where some terminals draw a sequence narrower or wider than `wcwidth` reports, only what all of them agree on is kept: joined emoji
    /// stand side by side, skin tones and variation selectors are dropped. So are characters unfit for a line, and marks without a base
    /// character.
    public var cells: [TextCell] {
        var cells: [TextCell] = []
        cells.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if (0x20..<0x7F).contains(scalar.value) {
                cells.append(TextCell(base: scalar, columns: 1))
                continue
            }
            guard !scalar.isUnfitForLine, let columns = scalar.columns else { continue }
            let last = cells.indices.last
            let isOnSymbol = cells.last?.base.isSymbol ?? false
            if columns > 0 {
                let isSkinTone = (0x1F3FB...0x1F3FF).contains(scalar.value)
                guard !isSkinTone || !isOnSymbol else { continue }
                cells.append(TextCell(base: scalar, columns: columns))
            } else if let last, cells[last].marks.count < TextCell.maxMarks {
                let joins = scalar == "\u{200D}" || (0xFE00...0xFE0F).contains(scalar.value)
                guard !joins || !isOnSymbol else { continue }
                cells[last].marks.append(scalar)
            }
        }
        return cells
    }

    /// The number of terminal columns the text takes.
    public var columns: Int {
        isPlain ? utf8.count : cells.reduce(0) { $0 + $1.columns }
    }

    /// Whether all of the text is printable ASCII, each byte of which takes exactly one column.
    var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}
