/// Bytes are written as ASCII characters: `byte == "/"`.
extension UInt8: @retroactive ExpressibleByUnicodeScalarLiteral {
    /// Creates the byte of an ASCII character.
    @inlinable @inline(__always)
    public init(unicodeScalarLiteral character: Unicode.Scalar) { self.init(ascii: character) }
}
