/// Parses references that are in normal form already, as nearly all are, without libcurl; nil means "ask libcurl", not "wrong".
///
/// A page of 2,000 pictures resolves 10,000 references, and libcurl takes microseconds for each. Only shapes are taken here for which the
/// answer is a mere concatenation; the tests compare both ways over a long list.
func parsedFast(_ reference: String, base: Address?) -> Address? {
    var reference = reference
    return reference.withUTF8 { parsedFast($0, base: base, folder: nil) }
}

/// The same of bytes; `folder` is how much of the base's text its folder takes, where that is known.
func parsedFast(_ reference: UnsafeBufferPointer<UInt8>, base: Address?, folder: Int?) -> Address? {
    joint(of: reference, base: base, folder: folder).flatMap { $0.address(base: base) }
}

/// An address in two parts, so that it can be put together where it is wanted.
struct AddressJoint {
    /// Bytes of the base's text that it begins with.
    var head: Int
    /// What follows them.
    var tail: UnsafeBufferPointer<UInt8>
    /// Where the path starts in the whole.
    var pathStart: Int

    fileprivate func address(base: Address?) -> Address? {
        guard head > 0, let base else {
            return Address(normal: String(decoding: tail, as: UTF8.self), pathStart: pathStart)
        }
        let text: String? = base.text.utf8.withContiguousStorageIfAvailable { start in
            String(unsafeUninitializedCapacity: head + tail.count) { buffer in
                let end = buffer.initialize(
                    fromContentsOf: UnsafeBufferPointer(rebasing: start[..<head]))
                return buffer[end...].initialize(fromContentsOf: tail)
            }
        }
        return text.map { Address(normal: $0, pathStart: pathStart) }
    }
}

/// What a plain reference comes to; nil means "ask libcurl", as of `parsedFast`.
func joint(
    of reference: UnsafeBufferPointer<UInt8>, base: Address?, folder: Int?
) -> AddressJoint? {
    guard let (plain, kinds) = plainPart(of: reference) else { return nil }
    // libcurl drops the question mark of an empty query.
    guard plain.count > 0, plain[plain.count - 1] != UInt8(ascii: "?") else { return nil }
    if kinds.contains(.colon), let schemeEnd = endOfPlainScheme(plain) {
        guard let pathStart = endOfPlainHost(plain, from: schemeEnd) else { return nil }
        return AddressJoint(head: 0, tail: plain, pathStart: pathStart)
    }
    guard let base, !base.isFile, !(kinds.contains(.colon) && mayHaveScheme(plain)) else {
        return nil
    }
    return relative(plain, to: base, folder: folder)
}

/// A `file://` URL whose path is percent-encoded already, unless it has dot segments to be resolved.
func normalFile(_ url: String) -> Address? {
    var url = url
    let start = "file://".utf8.count
    let isPlain = url.withUTF8 { plainPart(of: UnsafeBufferPointer(rebasing: $0[start...])) != nil }
    return isPlain ? Address(normal: url, pathStart: start) : nil
}

private func relative(
    _ bytes: UnsafeBufferPointer<UInt8>, to base: Address, folder: Int?
) -> AddressJoint? {
    let slash = UInt8(ascii: "/")
    switch bytes[0] {
    case slash:
        // `//host/…` takes the base's scheme, which stands for the same checks as an absolute URL.
        guard bytes.count == 1 || bytes[1] != slash else { return otherHost(bytes, base) }
        return AddressJoint(head: base.pathStart, tail: bytes, pathStart: base.pathStart)
    case UInt8(ascii: "?"), UInt8(ascii: "."), UInt8(ascii: "%"): return nil
    default:
        return AddressJoint(
            head: folder ?? base.folderEnd, tail: bytes, pathStart: base.pathStart)
    }
}

private func otherHost(_ bytes: UnsafeBufferPointer<UInt8>, _ base: Address) -> AddressJoint? {
    guard let pathStart = endOfPlainHost(bytes, from: 2) else { return nil }
    let schemeEnd = base.text.utf8.starts(with: "https:".utf8) ? 6 : 5
    return AddressJoint(head: schemeEnd, tail: bytes, pathStart: pathStart + schemeEnd)
}

extension Address {
    /// Where the last part of the path starts in `text.utf8`.
    var folderEnd: Int {
        var text = text
        return text.withUTF8 { text in
            let end = text[pathStart...].firstIndex(of: UInt8(ascii: "?")) ?? text.count
            return (text[pathStart..<end].lastIndex(of: UInt8(ascii: "/")) ?? pathStart) + 1
        }
    }
}

/// What the bytes of a reference have among them.
private struct ByteKinds: OptionSet {
    let rawValue: UInt8
    /// A byte that does not stay as it is, which is libcurl's business.
    static let unfit = ByteKinds(rawValue: 1)
    /// The start of a fragment.
    static let hash = ByteKinds(rawValue: 2)
    static let colon = ByteKinds(rawValue: 4)
    /// `.` or `%`: after a slash it may start `.` or `..`, which have to be resolved.
    static let point = ByteKinds(rawValue: 8)
    static let slash = ByteKinds(rawValue: 16)

    static let table: [UInt8] = {
        var table = [UInt8](repeating: unfit.rawValue, count: 256)
        for byte in UInt8.min...UInt8.max {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                table[Int(byte)] = 0
            default: break
            }
        }
        for byte in "-_~?=&+,;!()".utf8 { table[Int(byte)] = 0 }
        table[Int(UInt8(ascii: "#"))] = hash.rawValue
        table[Int(UInt8(ascii: ":"))] = colon.rawValue
        table[Int(UInt8(ascii: "."))] = point.rawValue
        table[Int(UInt8(ascii: "%"))] = point.rawValue
        table[Int(UInt8(ascii: "/"))] = slash.rawValue
        return table
    }()
}

/// What stands before the fragment, if every byte of it stays as it is and no segment of the path may be `.` or `..`; else nil.
private func plainPart(
    of bytes: UnsafeBufferPointer<UInt8>
) -> (UnsafeBufferPointer<UInt8>, ByteKinds)? {
    guard bytes.count <= 2048 else { return nil }
    return ByteKinds.table.withUnsafeBufferPointer { table in
        var kinds: UInt8 = 0
        var previous: UInt8 = 0
        var hasDotSegment: UInt8 = 0
        var end = bytes.count
        for at in 0..<bytes.count {
            let kind = table[Int(bytes[at])]
            if kind & (ByteKinds.unfit.rawValue | ByteKinds.hash.rawValue) != 0 {
                guard kind == ByteKinds.hash.rawValue else { return nil }
                end = at
                break
            }
            kinds |= kind
            // The slash's bit shifted onto the point's.
            hasDotSegment |= (previous >> 1) & kind
            previous = kind
        }
        guard hasDotSegment & ByteKinds.point.rawValue == 0 else { return nil }
        return (UnsafeBufferPointer(rebasing: bytes[..<end]), ByteKinds(rawValue: kinds))
    }
}

/// The offset after `http://` or `https://`.
private func endOfPlainScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if bytes.starts(with: "https://".utf8) { return 8 }
    return bytes.starts(with: "http://".utf8) ? 7 : nil
}

/// Where the path starts, if the host is a name in lower case without port that cannot be a number (libcurl rewrites `0x7f.1`).
private func endOfPlainHost(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var label = start
    for at in start..<max(start, bytes.count) {
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
