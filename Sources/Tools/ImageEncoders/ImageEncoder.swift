import CImageEncoders

/// Encodes pixels with the real libraries: for the painter of the shipped gallery, tests and benchmarks; not part of the product.
///
/// Every function blocks for the CPU time it takes, works on any thread, and gives the same bytes for the same pixels.
public enum ImageEncoder {}

/// Why pixels could not be encoded.
public struct EncodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The library's words.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension ImageEncoder {
    /// Runs one of the C encoders and takes over what it wrote.
    static func file(
        _ encode: (inout halftone_encoded) -> Bool
    ) throws(EncodeError) -> [UInt8] {
        var file = halftone_encoded()
        defer { halftone_encoded_free(&file) }
        guard encode(&file) else {
            throw EncodeError(
                withUnsafeBytes(of: file.error) { words in
                    String(decoding: words.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
