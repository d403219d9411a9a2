package import Basics
import Pipeline

/// A cookie, as browsers and Netscape's cookie files have it.
package struct Cookie: Equatable, Sendable {
    /// The host, or with a leading dot it and all below it.
    package var domain: String
    package var path: String
    package var isSecure: Bool
    package var name: String, value: String

    /// Larger ones are never sent (RFC 6265, section 6.1), nor are more of one page.
    fileprivate static let maxBytes = 4096, maxCount = 150

    /// Creates a cookie.
    package init(domain: String, path: String, isSecure: Bool, name: String, value: String) {
        (self.domain, self.path, self.isSecure) = (domain, path, isSecure)
        (self.name, self.value) = (name, value)
    }

    /// Reads a line of a cookie file; nil for comments and broken ones.
    init?(line: Substring) {
        let fields = line.trimmingPrefix("#HttpOnly_").split(
            separator: "\t", omittingEmptySubsequences: false
        ).map(String.init)
        guard fields.count == 7, !fields[0].hasPrefix("#") else { return nil }
        self.init(
            domain: fields[0], path: fields[2], isSecure: fields[3] == "TRUE", name: fields[5],
            value: fields[6])
    }

    /// The line in a cookie file, for this run of the program.
    var line: String {
        [
            domain, domain.hasPrefix(".") ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE",
            "0", name, value,
        ].map(\.withoutControls).joined(separator: "\t")
    }

    /// Whether it is sent to a host.
    func matches(_ host: String) -> Bool {
        let name = bareName(domain)
        return host == name || domain.hasPrefix(".") && host.hasSuffix("." + name)
    }
}

extension FetchStage {
    /// Returns the user's cookies for an address; blocks on the disk.
    package func cookies(for address: Address) -> [Cookie] {
        let file = options.cookieFile(for: address).flatMap { smallFile($0, limit: 1 << 20) }
        return String(utf8: file ?? []).split(whereSeparator: \.isNewline)
            .compactMap(Cookie.init(line:)).filter { $0.matches(address.host) }
    }

    /// Keeps the cookies of a page that a browser drew, to be sent with the requests that they are for; callable on any thread.
    package func note(cookies: [Cookie]) {
        let known = cookies.filter { $0.line.utf8.count <= Cookie.maxBytes }
            .prefix(Cookie.maxCount)
        if !known.isEmpty { transfers.settings.drawnCookies.withLock { $0 = Array(known) } }
    }

    /// Returns the user's header fields for an address.
    package func ownFields(for address: Address) -> HeaderFields {
        options.ownFields(for: address).filter {
            isSafeInHeader($0.name) && isSafeInHeader($0.value)
        }
    }
}
