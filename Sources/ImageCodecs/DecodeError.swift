import Basics
public import Raster

/// The reason why a file cannot be decoded; the description is one line in plain words.
public enum DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not a supported format; the name is that of the actual one ("HTML", "HEIC", "empty", "unknown").
    case unknownFormat(String)
    case tooLarge(PixelSize, maxPixels: Int)
    case tooSlow
    case cancelled
    /// The library's error message.
    case broken(ImageFormat, String)
    /// The decoder process's message, or what happened to the process.
    case stopped(String)

    /// The reason in plain words, phrased to follow the file's name.
    public var description: String {
        switch self {
        case .unknownFormat("empty"): "is empty"
        case .unknownFormat("unknown"): "is not a picture in a known format"
        case .unknownFormat(let name) where Self.pictureFormats.contains(name):
            "is in the format \(name), which cannot be read"
                + (ImageFormat(rawValue: name)?.package.map { " without \($0)" } ?? "")
        case .unknownFormat(let name): "is \(name), not a picture"
        case .tooLarge(let size, let maxPixels):
            """
            \(grouped(size.width)) × \(grouped(size.height)) pixels, \
            more than the \(megapixels(maxPixels)) allowed
            """
        case .tooSlow: "takes too long to decode"
        case .cancelled: "cancelled"
        case .broken(_, "it needs a password"): "needs a password"
        case .broken(let format, let words): "broken \(format.rawValue): \(words)"
        case .stopped(let words): words
        }
    }

    /// The names in `unknownFormat` that are picture formats as well.
    private static let pictureFormats = Set(
        ImageFormat.allCases.map(\.rawValue) + ["HEIF sequence"])
}

/// Groups digits in threes, as in ISO 80000-1.
private func grouped(_ number: Int) -> String {
    let digits = String(number)
    return stride(from: digits.count, to: 0, by: -3).map { end in
        String(digits.prefix(end).suffix(3))
    }.reversed().joined(separator: " ")
}

private func megapixels(_ pixels: Int) -> String {
    let million = 1_000_000
    return pixels >= million && pixels.isMultiple(of: million)
        ? "\(grouped(pixels / million)) megapixels" : "\(grouped(pixels)) pixels"
}

/// Identifies files in unsupported formats, for helpful error messages.
enum ForeignFormat {
    /// Returns a name that can follow "is": "HTML", "ZIP", "empty", or "unknown".
    ///
    /// Only the first 512 bytes are examined.
    static func name(of bytes: FileBytes) -> String {
        if bytes.isEmpty { return "empty" }
        if ISOBox.isSequence(bytes) { return "HEIF sequence" }
        if bytes.bigEndian(0, length: 2) == 0x1F8B { return "gzip" }
        if bytes.has("PK\u{3}\u{4}", at: 0) { return "ZIP" }
        // Text formats are recognized by the first word after white space, in capitals or not.
        let start = Array(bytes.prefix(512))
        let words = String(utf8: start.withoutMark.drop { $0 <= 0x20 }).lowercased()
        if words.contains("<html") || words.contains("<head") { return "HTML" }
        if words.hasPrefix("<?xml") { return "XML" }
        if words.hasPrefix("<") { return "HTML" }
        if words.hasPrefix("{") || words.hasPrefix("[") { return "JSON" }
        let isText = start.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 >= 9 && $0 <= 13 }
        return isText ? "text" : "unknown"
    }
}
