import Basics

/// Where a page or a picture is: an absolute `http`, `https` or `file` URL in normal form.
///
/// Normal form: scheme and host in lower case, an international host in punycode, no default port, no fragment, dot segments resolved,
/// everything that does not belong in a URL percent-encoded. It is worked out by libcurl's URL API, the parser that also opens the
/// connection, so what was checked is what is fetched. URLs with a user name or password are refused: they would reach the screen, the
/// output and the cache.
///
/// A drawing that a page holds itself has an address as well, in which it stands (`data:`); no page can name one.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// The URL, percent-encoded, without fragment.
    public let text: String

    /// Where the path starts in `text.utf8`: at its first slash.
    package let pathStart: Int

    /// Takes over a URL that is in normal form already.
    package init(normal text: String, pathStart: Int) {
        self.text = text
        self.pathStart = pathStart
    }

    /// Parses an absolute URL; tolerates spaces, Unicode and backslashes as browsers do.
    ///
    /// Nil if it is not one (a scheme is never guessed), of another scheme, with a user name, or longer than 16 KB.
    public init?(_ text: String) {
        var text = text
        guard let address = text.withUTF8({ parsedAddress($0, base: nil) }) else { return nil }
        self = address
    }

    /// The `file` URL of an absolute path; `isFolder` gives it the slash at its end that relative links need.
    public init(path: String, isFolder: Bool = false) {
        let isClosed = !isFolder || path.hasSuffix("/")
        let url =
            "file://" + (path.hasPrefix("/") ? "" : "/")
            + PercentEncoding.encode(path, keeping: "/") + (isClosed ? "" : "/")
        self = Address(url) ?? Address(normal: url, pathStart: 7)
    }

    /// The address of a drawing in SVG, which it holds; nil if it would be longer than 64 KB.
    public init?(drawing: String) {
        let body = PercentEncoding.encode(drawing, keeping: "/:;=,()!*@$+")
        guard body.utf8.count <= Self.longestDrawing else { return nil }
        self.init(normal: Self.drawingMark + body, pathStart: "data:".utf8.count)
    }

    /// The address of a drawing that the user names, as `--urls` lists it; nil for anything else.
    public init?(drawingAddress text: String) {
        guard text.utf8.starts(with: Self.drawingMark.utf8),
            text.utf8.count <= 2 * Self.longestDrawing
        else { return nil }
        let body = PercentEncoding.decode(text.utf8.dropFirst(Self.drawingMark.utf8.count))
        self.init(drawing: String(decoding: body, as: UTF8.self))
    }

    private static let longestDrawing = 64 << 10
    private static let drawingMark = "data:image/svg+xml,"

    /// The drawing that it holds, as a file of SVG; nil if it holds none.
    public var drawing: [UInt8]? {
        isInline ? PercentEncoding.decode(text.utf8.dropFirst(Self.drawingMark.utf8.count)) : nil
    }

    /// Whether it holds what it names.
    public var isInline: Bool { text.utf8.first == UInt8(ascii: "d") }

    /// The absolute address of `reference` as written on this page, or nil if it is not fetchable (`data:`, `javascript:`, …).
    ///
    /// As RFC 3986, section 5; an empty reference and a mere `#fragment` mean this page.
    public func resolving(_ reference: String) -> Address? {
        var reference = reference
        return reference.withUTF8 { parsedAddress($0, base: self) }
    }

    /// The URL, for people and output.
    public var description: String { text }

    /// The scheme, in lower case.
    public var scheme: String {
        isFile
            ? "file" : isInline ? "data" : text.utf8.starts(with: "https:".utf8) ? "https" : "http"
    }

    /// Whether it names a file of this machine.
    public var isFile: Bool { text.utf8.first == UInt8(ascii: "f") }

    /// The host, in lower case, IPv6 in brackets; empty for files.
    public var host: String {
        let authority = text.utf8.prefix(pathStart).dropFirst(scheme.utf8.count + 3)
        let isBracketed = authority.first == UInt8(ascii: "[")
        let end = authority.firstIndex(of: UInt8(ascii: isBracketed ? "]" : ":"))
        guard let end else { return String(authority) ?? "" }
        return String(isBracketed ? authority[...end] : authority[..<end]) ?? ""
    }

    /// `scheme://host:port`, the port only where it is not the scheme's own.
    public var origin: String { String(text.utf8.prefix(pathStart)) ?? text }

    /// The decoded path of a `file` address; nil for any other, and if it holds a NUL, which no path can.
    public var filePath: String? {
        guard isFile else { return nil }
        let bytes = PercentEncoding.decode(path)
        return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The last part of the path, percent-decoded, without control characters; empty if there is none.
    public var lastPathComponent: String {
        guard !isInline else { return "" }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex
        return String(decoding: PercentEncoding.decode(path[start...]), as: UTF8.self)
            .withoutControls
    }

    /// Whether the path ends with a slash.
    public var isFolder: Bool { path.last == UInt8(ascii: "/") }

    /// The path as it is in the URL, without the query.
    private var path: Substring.UTF8View {
        text[...].utf8.dropFirst(pathStart).prefix { $0 != UInt8(ascii: "?") }
    }
}
