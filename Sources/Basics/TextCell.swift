import CText
import Glibc

/// A UTF-8 locale; nil, meaning the process's own locale, if none is installed.
///
/// nonisolated(unsafe): never changed or freed.
private nonisolated(unsafe) let unicodeLocale: locale_t? = {
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] {
        if let locale = newlocale(1 << LC_CTYPE, name, nil) { return locale }
    }
    return nil
}()

/// Returns the result of `body`, run with a UTF-8 locale on this thread, for C libraries that depend on the process's locale.
public func inUnicodeLocale<Answer, Failure>(
    _ body: () throws(Failure) -> Answer
) throws(Failure) -> Answer {
    let before = uselocale(unicodeLocale)
    defer { uselocale(before) }
    return try body()
}

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
        inUnicodeLocale { Int(wcwidth(wchar_t(bitPattern: value))) }
    }

    /// Whether the character combines with the one before it: accents, vowel signs, joiners, variation selectors.
    var isMark: Bool { value >= 0x0300 && columns == 0 }

    /// Whether the character is a symbol or an emoji; terminals disagree about joined sequences of these.
    fileprivate var isSymbol: Bool {
        value < 0xC0 || (0x2010..<0x3400).contains(value) || (0x1F000..<0x20000).contains(value)
    }
}

extension String {
    /// The text in ASCII, as transliterated by the C library: accents are dropped, and `?` replaces characters without an equivalent,
    /// except for arrow keys.
    public var ascii: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        return inUnicodeLocale(transliterated)
    }

    private func transliterated() -> String {
        let converter = iconv_open("ASCII//TRANSLIT", "UTF-8")
        guard converter != iconv_t(bitPattern: -1) else {
            return map { $0.isASCII ? "\($0)" : "?" }.joined()
        }
        defer { iconv_close(converter) }
        let text = replacing("↑", with: "Up").replacing("↓", with: "Down")
        var source = text.utf8CString
        // A character becomes at most four, as in "(C)".
        var target = [CChar](repeating: 0, count: 4 * source.count)
        var (left, room) = (source.count, target.count)
        source.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                var (from, to) = (source.baseAddress, target.baseAddress)
                iconv(converter, &from, &left, &to, &room)
            }
        }
        return String(systemName: target)
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
    public static let maxMarks = 4
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
            let isOnSymbol = last.map { cells[$0].base.isSymbol } ?? false
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
        // Every byte of plain text takes exactly one.
        let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return isPlain ? utf8.count : cells.reduce(0) { $0 + $1.columns }
    }
}

/// Where to cut text that is too long.
public enum TruncationMode: Sendable {
    /// "The end is mis…"
    case tail
    /// "The mid…missing", for names and URLs, whose end is the most informative part.
    case middle
}

extension String {
    /// Returns the text cut to at most `limit` columns, with `ellipsis` in place of the part removed.
    ///
    /// Grapheme clusters are never split, so the result may be shorter. If not even the ellipsis fits, the result is as many whole clusters
    /// as fit.
    public func truncated(
        to limit: Int, mode: TruncationMode = .tail, ellipsis: String = "…"
    ) -> String {
        guard limit > 0 else { return "" }
        // A scalar that takes two columns has at least two bytes in UTF-8, so a short text need not be measured.
        guard utf8.count > limit, columns > limit else { return self }
        let room = limit - ellipsis.columns
        guard room > 0 else { return String(head(limit)) }
        switch mode {
        case .tail: return head(room) + ellipsis
        case .middle:
            let front = head(room - room / 2)
            return front + ellipsis + tail(room - front.columns)
        }
    }

    /// Returns the text in exactly `width` columns: cut at the end, or padded with spaces.
    public func padded(to width: Int) -> String {
        let text = truncated(to: width)
        return text + String(repeating: " ", count: max(0, width - text.columns))
    }

    private func head(_ limit: Int) -> Substring {
        var used = 0
        return prefix { character in
            used += String(character).columns
            return used <= limit
        }
    }

    private func tail(_ limit: Int) -> Substring {
        var used = 0
        var start = endIndex
        while start > startIndex {
            let before = index(before: start)
            used += self[before..<start].columns
            guard used <= limit else { break }
            start = before
        }
        return self[start...]
    }
}
