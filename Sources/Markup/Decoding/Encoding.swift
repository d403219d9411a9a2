/// How a page's bytes become UTF-8.
struct Encoding: Hashable {
    /// The name in the Encoding standard, in lower case.
    let name: String
    /// The name by which iconv knows it; nil for UTF-8 and windows-1252, which need no table of its.
    let converter: String?

    static let utf8 = Encoding(name: "utf-8", converter: nil)
    static let windows1252 = Encoding(name: "windows-1252", converter: nil)
    static let utf16LE = Encoding(name: "utf-16le", converter: "UTF-16LE")
    static let utf16BE = Encoding(name: "utf-16be", converter: "UTF-16BE")

    /// Byte order mark, then what the transport says, then UTF-8 if the bytes are valid, then `<meta>`, then windows-1252.
    static func detect(in bytes: [UInt8], charset: String?) -> Encoding {
        if let marked = markedEncoding(of: bytes) {
            return marked
        }
        if let charset, let known = EncodingLabel.encoding(named: charset) {
            return known
        }
        if UTF8Check.isValid(bytes) {
            return .utf8
        }
        return MetaCharset.find(in: bytes) ?? .windows1252
    }

    /// The bytes as UTF-8 without byte order mark and without NULs, after which libxml2 would stop reading.
    ///
    /// What cannot be converted becomes U+FFFD; a page said to be UTF-8 keeps its broken bytes until text is read of it.
    func decode(_ bytes: [UInt8]) -> [UInt8] {
        let mark = markLength(of: bytes)
        let content = bytes.dropFirst(mark)
        let decoded: [UInt8] =
            switch self {
            case .utf8: mark == 0 ? bytes : Array(content)
            case .windows1252: Windows1252.decode(content)
            default: Converter.decode(content, from: converter ?? name)
            }
        return Bytes.hasZero(decoded) ? decoded.filter { $0 != 0 } : decoded
    }

    private static func markedEncoding(of bytes: [UInt8]) -> Encoding? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        if bytes.starts(with: [0xFF, 0xFE]) { return .utf16LE }
        if bytes.starts(with: [0xFE, 0xFF]) { return .utf16BE }
        return nil
    }

    private func markLength(of bytes: [UInt8]) -> Int {
        guard Encoding.markedEncoding(of: bytes) == self else { return 0 }
        return self == .utf8 ? 3 : 2
    }
}
