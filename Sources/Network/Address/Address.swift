/// Where a page or a picture is: an absolute `http`, `https` or `file` URL in normal form.
///
/// Normal form: scheme and host in lower case, no default port, no fragment, dot segments resolved, everything that does not belong in a
/// URL percent-encoded. It is worked out by libcurl's URL API, the parser that also opens the connection, so what was checked is what is
/// fetched. URLs with a user name or password are refused: they would reach the screen, the output and the cache.
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
    /// Nil if it is none (a scheme is never guessed), of another scheme, with a user name, or longer than 16 KB.
    public init?(_ text: String) {
        guard let address = parsedFast(text, base: nil) ?? parsedByCurl(text, base: nil) else {
            return nil
        }
        self = address
    }

    /// The `file` URL of an absolute path; `isFolder` gives it the slash at its end that relative links need.
    public init(path: String, isFolder: Bool = false) {
        var url = "file://" + (path.hasPrefix("/") ? "" : "/") + percentEncodedPath(path)
        if isFolder, !path.hasSuffix("/") {
            url += "/"
        }
        self = normalFile(url) ?? parsedByCurl(url, base: nil) ?? Address(normal: url, pathStart: 7)
    }

    /// The absolute address of `reference` as written on this page, or nil if it is not fetchable (`data:`, `javascript:`, …).
    ///
    /// As RFC 3986, section 5; an empty reference and a mere `#fragment` mean this page. Takes about 0.2 µs for plain
    /// references, 5 µs for others.
    public func resolving(_ reference: String) -> Address? {
        parsedFast(reference, base: self) ?? parsedByCurl(reference, base: self)
    }

    /// The URL, for people and output.
    public var description: String { text }
}
