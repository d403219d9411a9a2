public import Basics

/// A reference that already is in normal form, as nearly all are, resolved without libcurl by mere concatenation.
///
/// A page of 2,000 pictures resolves 10,000 references; at 5 µs each in libcurl, plus an allocation per `Address`, scraping would exceed
/// its limit (`make bench ARGS=scrape`: 1.75 times the cost of libxml2's bare events). Hence the byte table and, in `AddressResolver`, the
/// method that creates no `Address`. Tests compare both parsers over a long list.
struct PlainReference {
    /// The number of bytes of the base's text that the address begins with.
    let head: Int
    /// The part of the reference that follows them.
    let tail: Bytes
    /// The index in the whole address at which the path starts.
    let pathStart: Int

    /// Nil means "ask libcurl", not "invalid"; `folderEnd` is that of `base`, if known.
    init?(_ reference: Bytes, base: Address?, folderEnd: Int? = nil) {
        // libcurl drops the question mark of an empty query.
        guard let (plain, kinds) = plainPart(of: reference), plain.count > 0,
            plain[plain.count - 1] != "?"
        else { return nil }
        tail = plain
        let hasColon = kinds & Kind.colon != 0
        if hasColon, let schemeEnd = endOfPlainScheme(plain) {
            let isFile = plain[0] == "f"
            let hostEnd = isFile ? schemeEnd : endOfPlainHost(plain, from: schemeEnd)
            guard let pathStart = hostEnd, pathStart < plain.count,
                plain[pathStart] == "/"
            else { return nil }
            head = 0
            self.pathStart = pathStart
            return
        }
        guard let base, base.isOnWeb, !(hasColon && mayHaveScheme(plain)) else { return nil }
        switch plain[0] {
        case "/" where plain.count > 1 && plain[1] == "/":
            // `//host/…` inherits the base's scheme.
            guard let hostEnd = endOfPlainHost(plain, from: 2) else { return nil }
            head = base.scheme.utf8.count + 1
            pathStart = head + hostEnd
        case "/":
            head = base.pathStart
            pathStart = base.pathStart
        case "?", ".", "%": return nil
        default:
            head = folderEnd ?? base.folderEnd
            pathStart = base.pathStart
        }
    }

    func address(base: Address?) -> Address {
        let text = String(unsafeUninitializedCapacity: head + tail.count) { buffer in
            var count = 0
            if let base, head > 0 {
                count = buffer.update(fromContentsOf: base.text.utf8.prefix(head))
            }
            return buffer[count...].update(fromContentsOf: tail)
        }
        return Address(normal: text, pathStart: pathStart)
    }
}

extension Address {
    /// The index in `text.utf8` at which the last component of the path starts.
    fileprivate var folderEnd: Int {
        var text = text
        return text.withUTF8 { text in
            let end = text[pathStart...].firstIndex(of: "?") ?? text.count
            return (text[pathStart..<end].lastIndex(of: "/") ?? pathStart) + 1
        }
    }
}

/// Resolves the references of one page; whatever depends only on the page is computed once.
public struct AddressResolver: Sendable {
    private let base: Address
    private let folderEnd: Int
    private let baseBytes: [UInt8]

    /// Creates a resolver for a page whose links are relative to `base`.
    public init(base: Address) {
        self.base = base
        folderEnd = base.folderEnd
        baseBytes = Array(base.text.utf8)
    }

    /// Resolves UTF-8 as written on the page; see `Address.resolving(_:)`.
    public func resolve(_ reference: Bytes) -> Address? {
        parsedAddress(reference, base: base, folderEnd: folderEnd)
    }

    /// Resolves a reference, appending the text of the address to `texts`; returns nil and leaves `texts` unchanged on failure.
    ///
    /// - Returns: The index at which the path starts, relative to the start of the appended text.
    public func resolve(
        _ reference: Bytes, appendingTo texts: inout [UInt8]
    ) -> Int? {
        if let plain = PlainReference(reference, base: base, folderEnd: folderEnd) {
            baseBytes.withUnsafeBufferPointer { texts.append(contentsOf: $0[..<plain.head]) }
            texts.append(contentsOf: plain.tail)
            return plain.pathStart
        }
        let text = String(utf8: reference)
        guard let address = parsedByCurl(text, base: base) else { return nil }
        texts.append(contentsOf: address.text.utf8)
        return address.pathStart
    }
}

/// The role of a byte in a reference; zero if it is copied as is.
private enum Kind {
    /// Needs to be changed, which is left to libcurl.
    static let unfit: UInt8 = 1
    /// Starts the fragment.
    static let hash: UInt8 = 2
    static let colon: UInt8 = 4
    /// `.` or `%`: after a slash it may start a `.` or `..` segment, which must be resolved.
    static let point: UInt8 = 8
    static let slash: UInt8 = 16

    static let table: [UInt8] = {
        var table = [UInt8](repeating: unfit, count: 256)
        func set(_ kind: UInt8, _ bytes: String) {
            for byte in bytes.utf8 { table[Int(byte)] = kind }
        }
        let letters = "abcdefghijklmnopqrstuvwxyz"
        set(0, letters + letters.uppercased() + "0123456789-_~?=&+,;!()")
        set(hash, "#")
        set(colon, ":")
        set(point, ".%")
        set(slash, "/")
        return table
    }()
}

/// Returns the part before the fragment and the kinds of its bytes; nil if a byte needs to be changed or a segment may be `.` or `..`.
private func plainPart(
    of bytes: Bytes
) -> (Bytes, kinds: UInt8)? {
    guard bytes.count <= 2048 else { return nil }
    return Kind.table.withUnsafeBufferPointer { table in
        var kinds: UInt8 = 0
        var previous: UInt8 = 0
        var end = bytes.count
        for at in 0..<bytes.count {
            let kind = table[Int(bytes[at])]
            if kind & (Kind.unfit | Kind.hash) != 0 {
                guard kind == Kind.hash else { return nil }
                end = at
                break
            }
            kinds |= kind
            // Shifts the slash's bit onto that of the point; a point before a letter only begins a name.
            if (previous >> 1) & kind & Kind.point != 0,
                bytes[at] == "%" || at + 1 == bytes.count || bytes[at + 1] == "?"
                    || table[Int(bytes[at + 1])] != 0
            {
                return nil
            }
            previous = kind
        }
        return (UnsafeBufferPointer(rebasing: bytes[..<end]), kinds)
    }
}

/// Returns the offset after `http://`, `https://` or `file://`.
private func endOfPlainScheme(_ bytes: Bytes) -> Int? {
    // Compares buffers, because that comparison is specialised; with a string's bytes it is not.
    func begins(with scheme: StaticString) -> Bool {
        bytes.starts(
            with: UnsafeBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount))
    }
    return begins(with: "https://")
        ? 8 : begins(with: "http://") || begins(with: "file://") ? 7 : nil
}

/// Returns where the path starts if the host is a lower-case name without a port and cannot be a number (libcurl rewrites `0x7f.1`).
private func endOfPlainHost(_ bytes: Bytes, from start: Int) -> Int? {
    var label = start
    for at in start..<max(start, bytes.count) {
        switch bytes[at] {
        case "a"..."z": continue
        case "0"..."9", "-":
            // A last label that starts with a letter is not a number.
            if at == label { return nil }
        case ".":
            if at == label { return nil }
            label = at + 1
        case "/": return at > label ? at : nil
        default: return nil
        }
    }
    return nil
}

private func mayHaveScheme(_ bytes: Bytes) -> Bool {
    let end = bytes.first { ":/?".utf8.contains($0) }
    return end == ":"
}
