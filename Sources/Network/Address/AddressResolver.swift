/// Resolves the references of one page: what depends on the page alone is worked out once.
public struct AddressResolver: Sendable {
    /// What references are relative to.
    public let base: Address
    private let folderEnd: Int
    /// The base's text.
    private let baseBytes: [UInt8]

    /// Makes a resolver for a page whose links are relative to `base`.
    public init(base: Address) {
        self.base = base
        folderEnd = base.folderEnd
        baseBytes = Array(base.text.utf8)
    }

    /// As `Address.resolving`, of UTF-8 as it stands on the page.
    public func resolve(_ reference: UnsafeBufferPointer<UInt8>) -> Address? {
        parsedFast(reference, base: base, folder: folderEnd)
            ?? parsedByCurl(String(decoding: reference, as: UTF8.self), base: base)
    }

    /// The same, with the address's text appended to `texts` in place of a value of its own; `texts` is as it was after a nil.
    ///
    /// - Returns: where the path starts in the text, counted from the text's start.
    public func resolve(
        _ reference: UnsafeBufferPointer<UInt8>, appendingTo texts: inout [UInt8]
    ) -> Int? {
        if let joint = joint(of: reference, base: base, folder: folderEnd) {
            if joint.head > 0 {
                baseBytes.withUnsafeBufferPointer { base in
                    texts.append(contentsOf: UnsafeBufferPointer(rebasing: base[..<joint.head]))
                }
            }
            texts.append(contentsOf: joint.tail)
            return joint.pathStart
        }
        let text = String(decoding: reference, as: UTF8.self)
        guard let address = parsedByCurl(text, base: base) else { return nil }
        texts.append(contentsOf: address.text.utf8)
        return address.pathStart
    }
}
