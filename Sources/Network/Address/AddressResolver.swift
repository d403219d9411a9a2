/// Resolves the references of one page: what depends on the page alone is worked out once.
public struct AddressResolver: Sendable {
    /// What references are relative to.
    public let base: Address
    private let folderEnd: Int

    /// Makes a resolver for a page whose links are relative to `base`.
    public init(base: Address) {
        self.base = base
        folderEnd = base.folderEnd
    }

    /// As `Address.resolving`, of UTF-8 as it stands on the page.
    public func resolve(_ reference: UnsafeBufferPointer<UInt8>) -> Address? {
        parsedFast(reference, base: base, folder: folderEnd)
            ?? parsedByCurl(String(decoding: reference, as: UTF8.self), base: base)
    }
}
