/// Where a page or a picture is: an absolute `http`, `https` or `file` URL in normal form.
///
/// Stub: to be written on libcurl's URL API, the parser that also opens the connection, so what was checked is what is fetched.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// The URL, percent-encoded, without fragment.
    public let text: String

    /// Parses an absolute URL; tolerates spaces, Unicode and backslashes as browsers do. Nil if it is none, or of another scheme.
    public init?(_ text: String) {
        self.text = text
    }

    /// The `file` URL of an absolute path; `isFolder` gives it the slash at its end that relative links need.
    public init(path: String, isFolder: Bool = false) {
        text = "file://" + path + (isFolder ? "/" : "")
    }

    /// The absolute address of `reference` as written on this page, or nil if it is not fetchable (`data:`, `javascript:`, …).
    public func resolving(_ reference: String) -> Address? { nil }

    /// The scheme, in lower case.
    public var scheme: String { "" }

    /// The host, in lower case; empty for files.
    public var host: String { "" }

    /// The decoded path of a `file` address; nil for any other.
    public var filePath: String? { nil }

    /// The last part of the path, percent-decoded, without control characters; empty if the path ends with a slash.
    public var lastPathComponent: String { "" }

    /// The URL, for people and output.
    public var description: String { text }
}
