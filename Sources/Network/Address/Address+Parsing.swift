import Basics
import CCurl

/// The longest URL accepted, in bytes: twice what servers usually accept, so that a page cannot make us hold megabytes of URLs.
private let maxURLBytes = 16_384

/// Parses `reference`, relative to `base` if there is one, with libcurl's URL API.
///
/// Only the user gives addresses of file servers; a page there names nothing but what is on its own.
func parsedAddress(_ reference: String, base: Address?, isGiven: Bool = false) -> Address? {
    guard let cleaned = cleanedReference(reference),
        let relative = withoutOwnScheme(cleaned, base: base, isGiven: isGiven)
    else { return nil }
    // libcurl would resolve an empty reference to the page's folder.
    guard !relative.isEmpty else { return base }
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    if let base, curl_url_set(handle, CURLUPART_URL, base.text, 0) != CURLUE_OK { return nil }
    let flags = UInt32(CURLU_DISALLOW_USER)
    guard curl_url_set(handle, CURLUPART_URL, relative, flags) == CURLUE_OK else { return nil }
    guard let address = normalForm(of: handle) else { return nil }
    let isForeign = address.isOnFileServer && !isGiven && address.origin != base?.origin
    return isForeign ? nil : address
}

private func normalForm(of handle: OpaquePointer) -> Address? {
    var url: UnsafeMutablePointer<CChar>?
    let flags = UInt32(CURLU_NO_DEFAULT_PORT | CURLU_PUNYCODE)
    // In any other locale libcurl, or libidn2 below it, rejects international host names.
    let status = inUnicodeLocale { curl_url_get(handle, CURLUPART_URL, &url, flags) }
    guard status == CURLUE_OK, let url else { return nil }
    defer { curl_free(url) }
    var bytes = String(cString: url).bytes
    guard let colon = bytes.firstIndex(of: ":"),
        let start = bytes[min(colon + 3, bytes.count)...].firstIndex(of: "/")
    else { return nil }
    // File URLs must not have a host, which libcurl silently drops if fewer slashes precede it.
    guard start == colon + 3 || !Address.isFile(bytes[1]) else { return nil }
    // libcurl decodes hosts and rejects control characters in them except DEL; a remaining percent sign would be decoded again.
    let host = bytes[(colon + 3)..<start]
    guard !host.contains(0x7F), host.first == "[" || !host.contains("%")
    else { return nil }
    for at in 0..<start where ("A"..."Z").contains(bytes[at]) {
        bytes[at] |= 0x20
    }
    return Address(normal: String(utf8: bytes), pathStart: start)
}

/// Removes surrounding blanks, line breaks and the fragment, turns backslashes and percent-encodes the rest; nil if it is too long.
///
/// This is what browsers do before parsing: https://url.spec.whatwg.org/#concept-basic-url-parser
private func cleanedReference(_ reference: String) -> String? {
    // Embedded pictures are rejected before they are copied; the slack is for blanks.
    guard reference.utf8.count <= 2 * maxURLBytes, !reference.utf8.starts(with: "data:".utf8) else {
        return nil
    }
    let bytes = reference.bytes.trimming { $0 <= 0x20 }
    var cleaned: [UInt8] = []
    cleaned.reserveCapacity(bytes.count + 16)
    var isQuery = false
    for byte in bytes.prefix(while: { $0 != "#" }) {
        switch byte {
        case 9, 10, 13: break
        case "\\" where !isQuery: cleaned.append("/")
        case _ where needsEncoding(byte): PercentEncoding.append(byte, to: &cleaned)
        default:
            isQuery = isQuery || byte == "?"
            cleaned.append(byte)
        }
    }
    return cleaned.count <= maxURLBytes ? String(utf8: cleaned) : nil
}

/// Whether the byte is not allowed in a URL: blanks, controls, non-ASCII and the delimiters that RFC 3986 excludes.
private func needsEncoding(_ byte: UInt8) -> Bool {
    switch byte {
    case ...0x20, 0x7F..., "\"", "<", ">",
        "\\", "^", "`", "{",
        "|", "}":
        true
    default: false
    }
}

/// Returns the reference without the scheme that it shares with `base`; nil if its scheme is not supported.
///
/// For browsers, `http:picture.jpg` on an `http` page is relative; the scheme is removed because libcurl would reject it. In a saved page,
/// `//host/` is on the web that the page comes from.
private func withoutOwnScheme(_ text: String, base: Address?, isGiven: Bool) -> String? {
    if let base, !base.isOnWeb, text.hasPrefix("//"),
        text.dropFirst(2).prefix(while: { $0 != "/" }).contains(".")
    {
        return "https:" + text
    }
    let end = text.firstIndex { ":/?".contains($0) }
    guard let end, text[end] == ":" else { return base == nil ? nil : text }
    let scheme = text[..<end].lowercased()
    guard
        ["http", "https", "file"].contains(scheme)
            || isGiven && FileServers.schemes.contains(scheme)
    else { return nil }
    let rest = text[end...].dropFirst()
    return base?.scheme == scheme && !rest.hasPrefix("//") ? String(rest) : text
}
