public import Basics

/// Resolves the references of one page, of which a page of 2,000 pictures has 10,000, at 5 µs each in libcurl.
///
/// It asks libcurl once for what many begin with (`https://host/`, `/`, `../`), and appends the rest if that changes nothing in it. Tests
/// compare both ways over a long list.
public final class AddressResolver {
    private let base: Address
    /// The addresses that the latest beginnings lead to.
    private var known: [(head: [UInt8], address: Address?)] = []
    private static let maxKnown = 16

    /// Creates a resolver for a page whose links are relative to `base`.
    public init(base: Address) { self.base = base }

    /// Resolves UTF-8 as written on the page; see `Address.resolving(_:)`.
    public func resolve(_ reference: Bytes) -> Address? {
        var text: [UInt8] = []
        return resolve(reference, appendingTo: &text).map {
            Address(normal: String(utf8: text), pathStart: $0)
        }
    }

    /// Resolves a reference, appending the text of the address to `texts`; returns nil and leaves `texts` unchanged on failure.
    ///
    /// - Returns: The index at which the path starts, relative to the start of the appended text.
    public func resolve(_ reference: Bytes, appendingTo texts: inout [UInt8]) -> Int? {
        let text = Bytes(rebasing: reference.prefix { $0 != "#" })
        if base.isOnWeb, let length = Self.headLength(of: text),
            let head = address(ofHead: text[..<length])
        {
            texts += head.text.utf8
            texts += text[length...]
            return head.pathStart
        }
        guard let address = parsedAddress(String(utf8: reference), base: base) else { return nil }
        texts += address.text.utf8
        return address.pathStart
    }

    private func address(ofHead head: Slice<Bytes>) -> Address? {
        if let found = known.first(where: { head.elementsEqual($0.head) }) { return found.address }
        let address = parsedAddress(head.isEmpty ? "." : String(utf8: head), base: base)
        if known.count == Self.maxKnown { known.removeFirst() }
        known.append((Array(head), address))
        return address
    }

    /// Returns the number of bytes up to the first single slash, 0 for a mere name; nil if what follows may mean something else there than
    /// its own bytes.
    private static func headLength(of text: Bytes) -> Int? {
        let path = text.prefix { $0 != "?" }
        let slash = path.indices.first { index in
            let isDouble =
                index > 0 && text[index - 1] == "/"
                || index + 1 < text.count && text[index + 1] == "/"
            return path[index] == "/" && !isDouble
        }
        let length = slash.map { $0 + 1 } ?? 0
        // libcurl drops the question mark of an empty query, and the slash before that of `./?`.
        guard text.count <= 2048, !text.isEmpty, text.last != "?",
            text[length...].first != "?",
            slash != nil || !path.contains(where: { $0 == "/" || $0 == ":" })
        else { return nil }
        var mayBeDots = true
        for byte in text[length...] {
            switch byte {
            case ".", "%":
                if mayBeDots { return nil }
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "~", "=", "&", "+", ",", ";", "!", "(",
                ")", "/", "?", ":":
                break
            default: return nil
            }
            mayBeDots = byte == "/"
        }
        return length
    }
}
