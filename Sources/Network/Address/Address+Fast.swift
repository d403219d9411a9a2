/// Parses references that are in normal form already, as nearly all are, without libcurl; nil means "ask libcurl", not "wrong".
///
/// A page of 2,000 pictures resolves 10,000 references, and libcurl takes microseconds for each. Only shapes are taken here for which the
/// answer is a mere concatenation; the tests compare both ways over a long list.
func parsedFast(_ reference: String, base: Address?) -> Address? {
    var reference = reference
    return reference.withUTF8 { bytes -> Address? in
        let end = plainEnd(of: bytes)
        // libcurl drops the question mark of an empty query.
        guard let end, end > 0, bytes[end - 1] != UInt8(ascii: "?") else { return nil }
        let plain = UnsafeBufferPointer(rebasing: bytes[..<end])
        if let schemeEnd = endOfPlainScheme(plain) {
            return absolute(plain, hostStart: schemeEnd)
        }
        guard let base, !base.isFile, !mayHaveScheme(plain) else { return nil }
        return relative(plain, to: base)
    }
}

/// A `file://` URL whose path is percent-encoded already, unless it has dot segments to be resolved.
func normalFile(_ url: String) -> Address? {
    var url = url
    let start = "file://".utf8.count
    return url.withUTF8 { bytes in hasDotSegment(bytes, from: start) }
        ? nil : Address(normal: url, pathStart: start)
}

/// `http://host/…` or `https://host/…`, already plain.
private func absolute(_ bytes: UnsafeBufferPointer<UInt8>, hostStart: Int) -> Address? {
    guard let pathStart = endOfPlainHost(bytes, from: hostStart) else { return nil }
    guard !hasDotSegment(bytes, from: pathStart) else { return nil }
    return Address(normal: String(decoding: bytes, as: UTF8.self), pathStart: pathStart)
}

private func relative(_ bytes: UnsafeBufferPointer<UInt8>, to base: Address) -> Address? {
    let slash = UInt8(ascii: "/")
    if bytes[0] == slash {
        // `//host/…` names a host, which needs the checks of an absolute URL.
        guard bytes.count == 1 || bytes[1] != slash, !hasDotSegment(bytes, from: 0) else {
            return nil
        }
        return joined(base, upTo: base.pathStart, bytes)
    }
    guard bytes[0] != UInt8(ascii: "?"), bytes[0] != UInt8(ascii: "."),
        bytes[0] != UInt8(ascii: "%"),
        !hasDotSegment(bytes, from: 0)
    else { return nil }
    let path = base.path.utf8
    guard let directory = path.lastIndex(of: slash) else { return nil }
    let length = path.distance(from: path.startIndex, to: directory)
    return joined(base, upTo: base.pathStart + length + 1, bytes)
}

/// The first `count` bytes of the base, then `bytes`.
private func joined(
    _ base: Address, upTo count: Int, _ bytes: UnsafeBufferPointer<UInt8>
) -> Address {
    let text = String(unsafeUninitializedCapacity: count + bytes.count) { buffer in
        let end = buffer.initialize(fromContentsOf: base.text.utf8.prefix(count))
        return buffer[end...].initialize(fromContentsOf: bytes)
    }
    return Address(normal: text, pathStart: base.pathStart)
}

/// Where the fragment (or the text) ends, if every byte before is one that stays as it is; else nil.
private func plainEnd(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count <= 2048 else { return nil }
    for (at, byte) in bytes.enumerated() {
        switch byte {
        case UInt8(ascii: "#"): return at
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "%"),
            UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: ":"):
            continue
        default: return nil
        }
    }
    return bytes.count
}

/// The offset after `http://` or `https://`.
private func endOfPlainScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if bytes.starts(with: "https://".utf8) { return 8 }
    return bytes.starts(with: "http://".utf8) ? 7 : nil
}

/// Where the path starts, if the host is a name in lower case without port that cannot be a number (libcurl rewrites `0x7f.1`).
private func endOfPlainHost(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var label = start
    for at in start..<bytes.count {
        switch bytes[at] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            // A last label that starts with a letter is no number.
            if at == label { return nil }
        case UInt8(ascii: "."):
            if at == label { return nil }
            label = at + 1
        case UInt8(ascii: "/"): return at > label ? at : nil
        default: return nil
        }
    }
    return nil
}

/// Whether a colon comes before any slash or question mark.
private func mayHaveScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in bytes {
        switch byte {
        case UInt8(ascii: ":"): return true
        case UInt8(ascii: "/"), UInt8(ascii: "?"): return false
        default: continue
        }
    }
    return false
}

/// Whether a segment of the path starts with a point, plain or encoded: it may be `.` or `..`, which have to be resolved.
private func hasDotSegment(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes[start...] {
        if byte == UInt8(ascii: "?") { return false }
        if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%"), previous == UInt8(ascii: "/") {
            return true
        }
        previous = byte
    }
    return false
}
