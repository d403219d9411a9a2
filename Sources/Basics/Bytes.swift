/// Bytes owned by somebody else, such as text of a page.
public typealias Bytes = UnsafeBufferPointer<UInt8>

/// Bytes are written as ASCII characters: `byte == "/"`.
extension UInt8: @retroactive ExpressibleByUnicodeScalarLiteral {
    /// Creates the byte of an ASCII character.
    @inlinable @inline(__always)
    public init(unicodeScalarLiteral character: Unicode.Scalar) { self.init(ascii: character) }
}

extension BidirectionalCollection {
    /// Returns what is left without the elements at both ends that satisfy `isSurplus`.
    @inlinable public func trimming(while isSurplus: (Element) -> Bool) -> SubSequence {
        var rest = drop(while: isSurplus)
        while let last = rest.last, isSurplus(last) { rest.removeLast() }
        return rest
    }
}

extension StringProtocol {
    /// The text in UTF-8.
    @inlinable public var bytes: [UInt8] { Array(utf8) }
}

extension String {
    /// Decodes UTF-8; invalid sequences become U+FFFD.
    @inlinable public init(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
    }
}
