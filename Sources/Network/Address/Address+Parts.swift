/// The parts of an address, read off its normal form.
extension Address {
    /// The scheme, in lower case.
    public var scheme: String {
        isFile ? "file" : text.utf8.starts(with: "https:".utf8) ? "https" : "http"
    }

    /// Whether it names a file of this machine.
    public var isFile: Bool { text.utf8.first == UInt8(ascii: "f") }

    /// The host, in lower case, IPv6 in brackets; empty for files.
    public var host: String {
        let authority = authority.utf8
        let isBracketed = authority.first == UInt8(ascii: "[")
        let end = authority.firstIndex(of: UInt8(ascii: isBracketed ? "]" : ":"))
        guard let end else { return String(authority) ?? "" }
        return String(isBracketed ? authority[...end] : authority[..<end]) ?? ""
    }

    /// The port, the scheme's own if the URL names none; nil for files.
    public var port: Int? {
        guard !isFile else { return nil }
        let tail = authority.split(separator: ":", omittingEmptySubsequences: false).last
        if let tail, authority.utf8.count > tail.utf8.count, let port = Int(tail) {
            return port
        }
        return scheme == "https" ? 443 : 80
    }

    /// `scheme://host:port`, the port only where it is not the scheme's own.
    public var origin: String { String(text.utf8.prefix(pathStart)) ?? text }

    /// The decoded path of a `file` address; nil for any other, and if it holds a NUL, which no path can.
    public var filePath: String? {
        guard isFile else { return nil }
        let bytes = percentDecoded(path.utf8)
        return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The last part of the path, percent-decoded, without control characters; empty if the path ends with a slash.
    public var lastPathComponent: String {
        let path = path.utf8
        let start = path.lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex
        return printable(String(decoding: percentDecoded(path[start...]), as: UTF8.self))
    }

    /// What follows the last point of `lastPathComponent`, in lower case; empty without one.
    public var pathExtension: String {
        let name = lastPathComponent
        guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "" }
        return name[name.index(after: point)...].lowercased()
    }

    /// Whether the path ends with a slash.
    public var isFolder: Bool { path.hasSuffix("/") }

    /// The path as it is in the URL, without the query.
    var path: Substring {
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: pathStart)
        return text[start..<(utf8[start...].firstIndex(of: UInt8(ascii: "?")) ?? utf8.endIndex)]
    }

    private var authority: Substring {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: scheme.utf8.count + 3)
        let end = text.utf8.index(text.utf8.startIndex, offsetBy: pathStart)
        return start < end ? text[start..<end] : ""
    }
}

/// Without control characters and the marks that reverse the direction of text, which make a name lie about its ending.
private func printable(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
                default: true
                }
            }))
}
