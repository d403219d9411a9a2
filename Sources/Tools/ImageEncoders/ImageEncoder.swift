import CImageEncoders

/// Encodes pixels with the real libraries, for the generator of the shipped gallery, tests and benchmarks; not part of the product.
///
/// Every function blocks for the CPU time it takes, works on any thread, and is deterministic.
public enum ImageEncoder {}

/// The reason why pixels could not be encoded.
public struct EncodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The library's error message.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension ImageEncoder {
    /// Runs a C encoder and returns a copy of what it wrote.
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
