import Basics
import CLibXML

/// The encoding of a page, for converting it to UTF-8.
struct Encoding: Hashable {
    let name: String
    /// The name used by iconv; UTF-8 and windows-1252 are converted without it.
    private let converter: String

    private static let utf8 = Encoding(name: "utf-8", converter: "UTF-8")
    private static let windows1252 = Encoding(name: "windows-1252", converter: "CP1252")
    private static let marks: [(encoding: Encoding, bytes: [UInt8])] = [
        (.utf8, [0xEF, 0xBB, 0xBF]),
        (Encoding(name: "utf-16le", converter: "UTF-16LE"), [0xFF, 0xFE]),
        (Encoding(name: "utf-16be", converter: "UTF-16BE"), [0xFE, 0xFF]),
    ]

    /// Determines the encoding: byte order mark, then `charset`, then UTF-8 if the bytes are valid, then `<meta>`, then windows-1252.
    static func detect(in bytes: [UInt8], charset: String?) -> Encoding {
        mark(of: bytes)?.encoding ?? charset.flatMap(named)
            ?? (isUTF8(bytes) ? .utf8 : claimed(in: bytes) ?? .windows1252)
    }

    /// Converts the bytes to UTF-8, without byte order mark and without NULs, at which libxml2 would stop.
    ///
    /// Bytes that cannot be converted become U+FFFD; a page declared as UTF-8 keeps its invalid bytes until its text is read.
    func decode(_ bytes: [UInt8]) -> [UInt8] {
        let mark = Encoding.mark(of: bytes).flatMap { $0.encoding == self ? $0.bytes : nil } ?? []
        let content = bytes.dropFirst(mark.count)
        let decoded: [UInt8] =
            switch self {
            case .utf8: mark.isEmpty ? bytes : Array(content)
            case .windows1252: Windows1252.decode(content)
            default: convert(content)
            }
        let hasNUL = decoded.withUnsafeBufferPointer { $0.firstIndex(of: 0, from: 0) != nil }
        return hasNUL ? decoded.filter { $0 != 0 } : decoded
    }

    private static func mark(of bytes: [UInt8]) -> (encoding: Encoding, bytes: [UInt8])? {
        marks.first { bytes.starts(with: $0.bytes) }
    }

    /// Returns whether the bytes are valid UTF-8; an incomplete sequence at the end is accepted, as the page was probably truncated.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        // Most of a page is ASCII, which is passed faster than it is decoded.
        let start: Int = bytes.firstIndex { $0 >= 0x80 } ?? bytes.count
        let end: Int = bytes.suffix(3).lastIndex { 0xC2...0xF4 ~= $0 } ?? bytes.count
        return start >= end || String(validating: bytes[start..<end], as: UTF8.self) != nil
    }

    /// Bytes searched for a declaration; browsers search 1,024, but it is often preceded by longer scripts.
    private static let searched = 8 << 10

    /// Returns the encoding of `<?xml encoding>`, `<meta charset>` or `<meta http-equiv content>`; UTF-16 is taken for UTF-8, since the
    /// declaration was readable as ASCII.
    private static func claimed(in bytes: [UInt8]) -> Encoding? {
        let head = String(utf8: bytes.prefix(searched).map { $0 < 0x80 ? $0.lowered : 0x3F })
        let declaration =
            head.hasPrefix("<?xml") ? label("encoding", in: head.prefix { $0 != ">" }) : nil
        let metas = head.split(separator: "<meta", omittingEmptySubsequences: false).dropFirst()
        let labels = [declaration] + metas.map { label("charset", in: $0.prefix { $0 != ">" }) }
        return labels.lazy.compactMap { $0.flatMap(named) }.first
            .map { $0.name.hasPrefix("utf-16") ? .utf8 : $0 }
    }

    private static func label(_ word: String, in tag: Substring) -> String? {
        guard let place = tag.firstRange(of: word) else { return nil }
        let value = tag[place.upperBound...].drop(while: \.isWhitespace)
        guard value.first == "=" else { return nil }
        let isBetween = { (sign: Character) in sign.isWhitespace || "\"'".contains(sign) }
        return String(
            value.dropFirst().drop(while: isBetween).prefix { !isBetween($0) && $0 != ";" })
    }

    /// Looks up a label, ignoring case (https://encoding.spec.whatwg.org/#names-and-labels).
    private static func named(_ label: String) -> Encoding? {
        labels[
            label.lowercased().split { " \t\n\r\u{0C}\"'".contains($0) }.joined(separator: " ")]
    }

    /// The labels found in practice, in each line the standard's name, iconv's, and others; Latin 1 and 5 are decoded as their Windows
    /// supersets, as the standard demands.
    ///
    /// A closed list on purpose: no name from a page reaches iconv, which would search for modules of that name.
    private static let labels: [String: Encoding] = {
        var labels: [String: Encoding] = [:]
        let lines = """
            utf-8 UTF-8 utf8 unicode-1-1-utf-8
            utf-16le UTF-16LE utf-16
            utf-16be UTF-16BE
            shift_jis CP932 shift-jis sjis x-sjis ms_kanji windows-31j
            euc-jp EUC-JP x-euc-jp
            iso-2022-jp ISO-2022-JP
            euc-kr CP949 ks_c_5601-1987 ksc5601 korean windows-949 cp949
            gbk GB18030 gb2312 x-gbk gb_2312-80
            gb18030 GB18030
            big5 BIG5-HKSCS big5-hkscs
            koi8-r KOI8-R
            koi8-u KOI8-U
            macintosh MACINTOSH
            iso-8859-2 ISO-8859-2 latin2
            iso-8859-3 ISO-8859-3
            iso-8859-4 ISO-8859-4
            iso-8859-5 ISO-8859-5
            iso-8859-6 ISO-8859-6
            iso-8859-7 ISO-8859-7
            iso-8859-8 ISO-8859-8
            iso-8859-10 ISO-8859-10
            iso-8859-13 ISO-8859-13
            iso-8859-14 ISO-8859-14
            iso-8859-15 ISO-8859-15
            iso-8859-16 ISO-8859-16
            windows-874 CP874 tis-620
            windows-1250 CP1250 cp1250
            windows-1251 CP1251 cp1251
            windows-1252 CP1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso_8859-1 latin1 l1 ascii us-ascii ansi_x3.4-1968 iso88591
            windows-1253 CP1253 cp1253
            windows-1254 CP1254 cp1254 iso-8859-9 latin5
            windows-1255 CP1255 cp1255
            windows-1256 CP1256 cp1256
            windows-1257 CP1257 cp1257
            windows-1258 CP1258 cp1258
            """
        for line in lines.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for label in words { labels[label] = Encoding(name: words[0], converter: words[1]) }
        }
        return labels
    }()

    private static let pieceBytes = 32 << 10

    /// Converts the bytes to UTF-8 with iconv; invalid bytes become U+FFFD.
    private func convert(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let descriptor = iconv_open("UTF-8", converter)
        // iconv_open returns (iconv_t)-1 for an unknown encoding.
        guard let descriptor, descriptor != iconv_t(bitPattern: -1) else {
            return Windows1252.decode(bytes)
        }
        defer { iconv_close(descriptor) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 3 / 2)
        // iconv takes mutable input, though it never writes to it; a copy avoids a cast that drops `const`.
        var input = bytes.map { CChar(bitPattern: $0) }
        var piece = [CChar](repeating: 0, count: Encoding.pieceBytes)
        input.withUnsafeMutableBufferPointer { input in
            var source = input.baseAddress
            var left = input.count
            var isFlushed = false
            while !isFlushed {
                // windows-1255 and -1258 hold back a letter that the next byte may combine with; without input, iconv returns it.
                isFlushed = left == 0
                if isFlushed { source = nil }
                let (status, written) = piece.withUnsafeMutableBufferPointer { piece in
                    var target = piece.baseAddress
                    var room = piece.count
                    let status = iconv(descriptor, &source, &left, &target, &room)
                    return (status, piece.count - room)
                }
                text.append(contentsOf: piece[..<written].lazy.map { UInt8(bitPattern: $0) })
                // Failed with room to spare: an invalid or incomplete sequence, one byte of which is skipped, in UTF-16 one unit.
                if status == -1, written < Encoding.pieceBytes - 64, left > 0 {
                    text.append(contentsOf: [0xEF, 0xBF, 0xBD])
                    let unit = min(name.hasPrefix("utf-16") ? 2 : 1, left)
                    source = source.map { $0 + unit }
                    left -= unit
                }
            }
        }
        return text
    }
}

/// windows-1252, the usual encoding of pages that do not declare one.
enum Windows1252 {
    /// The characters 0x80 to 0x9F; the five unassigned bytes map to themselves, as in the Encoding standard (iconv rejects them).
    private static let special = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// Returns the intended character of a reference such as `&#150;`: a dash of windows-1252, not a control (HTML's numeric references).
    static func meant(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        (0x80...0x9F).contains(scalar.value) ? special[Int(scalar.value) - 0x80] : scalar
    }

    static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        String(decoding: bytes.map { UInt16(meant(Unicode.Scalar($0)).value) }, as: UTF16.self)
            .bytes
    }
}
