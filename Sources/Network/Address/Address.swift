import Basics

/// The location of a page or picture: an absolute `http`, `https` or `file` URL in normal form, or one of a file server (`FileServers`).
///
/// Normal form: scheme and host in lower case, an international host in punycode, no default port, no fragment, dot segments resolved,
/// everything that does not belong in a URL percent-encoded. It is computed by libcurl's URL API, the parser that also opens the
/// connection, so what was checked is what is fetched. URLs with a user name or password are rejected: they would end up on the screen, in
/// the output and in the cache.
///
/// A page of a document has an address with its number in the fragment, as browsers have it (`paper.pdf#page=3`), and a file in an archive
/// that is not on this machine one with its path (`book.cbz#entry=1.jpg`), both of which web pages cannot name.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// The percent-encoded URL without its fragment.
    public let text: String

    /// The index in `text.utf8` of the slash at which the path starts.
    package let pathStart: Int

    /// Creates an address from a URL that is already in normal form.
    package init(normal text: String, pathStart: Int) {
        self.text = text
        self.pathStart = pathStart
    }

    /// Parses an absolute URL; tolerates spaces, Unicode and backslashes, as browsers do.
    ///
    /// Nil if it is not absolute (a scheme is never guessed), has another scheme or a user name, or is longer than 16 KB.
    public init?(_ text: String) {
        guard let address = parsedAddress(text, base: nil) else { return nil }
        self = address
    }

    /// Parses an address that the user has given, which may also be a file server's.
    init?(given text: String) {
        guard let address = parsedAddress(text, base: nil, isGiven: true) else { return nil }
        self = address
    }

    /// Creates the `file` URL of an absolute path; `isFolder` ensures the trailing slash that relative links need.
    public init(path: String, isFolder: Bool = false) {
        let isClosed = !isFolder || path.hasSuffix("/")
        let encoded =
            (path.hasPrefix("/") ? "" : "/")
            + PercentEncoding.encode(path.systemBytes, keeping: "/") + (isClosed ? "" : "/")
        self.init(normal: "file://" + encoded, pathStart: 7)
        // Nothing else has another normal form; of a million files few have it.
        let pairs = zip(encoded.utf8, encoded.utf8.dropFirst())
        if pairs.contains(where: { $0 == "/" && ($1 == "/" || $1 == ".") }) {
            self = Address(text) ?? self
        }
    }

    /// Returns the absolute address of `reference` as written on this page; nil if it is not fetchable (`data:`, `javascript:`, …).
    ///
    /// Follows RFC 3986, section 5; an empty reference and a mere `#fragment` refer to this page.
    public func resolving(_ reference: String) -> Address? {
        parsedAddress(reference, base: self)
    }

    /// The URL for display and output.
    public var description: String { text }

    /// The scheme in lower case.
    public var scheme: String { String(text.utf8.prefix { $0 != 0x3A }) ?? "" }

    /// Whether this is the address of a local file.
    public var isFile: Bool { Self.isFile(text.utf8.dropFirst().first) }

    /// Whether the address with this second byte is a local file's: no other scheme has the same there.
    package static func isFile(_ second: UInt8?) -> Bool { second == "i" }

    /// Whether this is an `http` or `https` address.
    public var isOnWeb: Bool { text.utf8.first == "h" }

    /// Whether this is an `sftp`, `ftp` or `ftps` address, which only the user may name.
    public var isOnFileServer: Bool { !isOnWeb && !isFile }

    /// The host in lower case, IPv6 in brackets; empty for files.
    public var host: String {
        let authority = text.utf8.prefix(pathStart).dropFirst(scheme.utf8.count + 3)
        let isBracketed = authority.first == "["
        let end = authority.firstIndex(of: isBracketed ? "]" : ":")
        guard let end else { return String(authority) ?? "" }
        return String(isBracketed ? authority[...end] : authority[..<end]) ?? ""
    }

    /// The `scheme://host:port`; the port is present only if it is not the scheme's default.
    public var origin: String { String(text.utf8.prefix(pathStart)) ?? text }

    /// The port with its colon; empty if it is the scheme's default.
    var port: Substring { origin.dropFirst("\(scheme)://\(host)".count) }

    /// The decoded path of a `file` address; nil for any other, for a page of a document, or if it contains a NUL, which no path can.
    public var filePath: String? {
        guard isFile else { return nil }
        let bytes = PercentEncoding.decode(path)
        return bytes.contains(0) || page != nil ? nil : String(systemBytes: bytes)
    }

    /// The last component of the path, percent-decoded and without control characters; empty if there is none.
    public var lastPathComponent: String {
        let path = text.firstRange(of: Self.entryMark).map { text[$0.upperBound...].utf8 } ?? path
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        return String(utf8: PercentEncoding.decode(path[start...]))
            .withoutControls
    }

    /// Whether the path ends with a slash.
    public var isFolder: Bool { path.last == "/" }

    /// The path as written in the URL, without the query.
    private var path: Substring.UTF8View {
        text[...].utf8.dropFirst(pathStart).prefix { $0 != "?" && $0 != "#" }
    }

    private static let pageMark = "#page="
    private static let entryMark = "#entry="

    /// The path in the archive of the file that it is the address of; nil for anything else.
    public var entry: String? {
        text.firstRange(of: Self.entryMark).map {
            String(systemBytes: PercentEncoding.decode(text[$0.upperBound...].utf8))
        }
    }

    /// Returns the address of the file with this path in the archive at this address.
    public func entry(_ path: String) -> Address {
        Address(
            normal: page(nil).text + Self.entryMark
                + PercentEncoding.encode(path.systemBytes, keeping: "/"), pathStart: pathStart)
    }

    /// The number, from 1, of the page of a document that it is the address of; nil for anything else.
    public var page: Int? {
        text.utf8.lastIndex(of: "#").flatMap { Int(text[$0...].dropFirst(Self.pageMark.count)) }
    }

    /// Returns the address of a page, numbered from 1, of the document at this address; for nil that of all of the document or archive.
    public func page(_ number: Int?) -> Address {
        let whole = text.prefix { $0 != "#" }
        return Address(
            normal: whole + (number.map { Self.pageMark + String($0) } ?? ""), pathStart: pathStart)
    }
}
