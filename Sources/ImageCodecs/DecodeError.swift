public import Raster

/// Why a file gives no picture; the description is one line in plain words.
public enum DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No format that can be read; what it is instead ("HTML", "HEIC", "empty", "unknown").
    case unknownFormat(String)
    case tooLarge(PixelSize, maxPixels: Int)
    case tooSlow
    case cancelled
    /// The library's word for what is wrong.
    case broken(ImageFormat, String)
    /// What the process that decodes says, or what became of it.
    case stopped(String)

    /// The reason in plain words, as it may follow the file's name.
    public var description: String {
        switch self {
        case .unknownFormat("empty"): "is empty"
        case .unknownFormat("unknown"): "is no picture in a known format"
        case .unknownFormat(let name) where Self.pictureFormats.contains(name):
            "is in the format \(name), which cannot be read"
        case .unknownFormat(let name): "is \(name), not a picture"
        case .tooLarge(let size, let maxPixels):
            "\(grouped(size.width)) × \(grouped(size.height)) pixels, "
                + "more than the \(megapixels(maxPixels)) allowed"
        case .tooSlow: "takes too long to decode"
        case .cancelled: "cancelled"
        case .broken(let format, let words): "broken \(format.rawValue): \(words)"
        case .stopped(let words): words
        }
    }

    /// The names in `unknownFormat` that are pictures, too.
    private static let pictureFormats: Set = [
        "JPEG XL", "JPEG 2000", "TIFF", "BigTIFF", "BMP", "ICO", "Photoshop", "AVIF", "HEIC", "SVG",
    ]
}

/// The digits in groups of three, as ISO 80000-1 writes them.
private func grouped(_ number: Int) -> String {
    let digits = String(number)
    let groups = stride(from: digits.count, to: 0, by: -3).map { end in
        String(digits.prefix(end).suffix(3))
    }
    return groups.reversed().joined(separator: " ")
}

private func megapixels(_ pixels: Int) -> String {
    let million = 1_000_000
    return pixels >= million && pixels.isMultiple(of: million)
        ? "\(grouped(pixels / million)) megapixels" : "\(grouped(pixels)) pixels"
}

/// What a file is whose format cannot be read, for a helpful message.
enum ForeignFormat {
    /// A name as it may stand after "is": "HTML", "AVIF", "empty", or "unknown".
    ///
    /// Looks at the first 512 bytes.
    static func name(of bytes: some Collection<UInt8>) -> String {
        let start = Array(bytes.prefix(512))
        if start.isEmpty { return "empty" }
        return signature(start) ?? container(start) ?? text(start) ?? "unknown"
    }

    /// Formats told by their first bytes.
    private static func signature(_ start: [UInt8]) -> String? {
        let signatures: [(bytes: [UInt8], name: String)] = [
            ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], "JPEG 2000"),
            ([0x49, 0x49, 0x2B, 0], "BigTIFF"),
            ([0x4D, 0x4D, 0, 0x2B], "BigTIFF"),
            ([0, 0, 1, 0], "ICO"),
            (Array("8BPS".utf8), "Photoshop"),
            (Array("%PDF-".utf8), "PDF"),
            (Array("PK".utf8) + [3, 4], "ZIP"),
            ([0x1F, 0x8B], "gzip"),
            ([0x1A, 0x45, 0xDF, 0xA3], "WebM"),
        ]
        return signatures.first { start.starts(with: $0.bytes) }?.name
    }

    /// Formats in ISO's base media container (ISO/IEC 14496-12): the brand follows `ftyp`.
    private static func container(_ start: [UInt8]) -> String? {
        guard start.count >= 12, start[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        switch String(decoding: start[8..<12], as: UTF8.self) {
        case "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1": return "HEIC"
        default: return "MP4"
        }
    }

    /// Formats that are text: told by the first word after white space, of any case.
    private static func text(_ start: [UInt8]) -> String? {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = start.starts(with: byteOrderMark) ? start.dropFirst(3) : start[...]
        let words = String(decoding: body.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
        if words.hasPrefix("<!doctype html") || words.contains("<html") || words.contains("<head") {
            return "HTML"
        }
        if words.hasPrefix("<?xml") { return "XML" }
        if words.hasPrefix("<") { return "HTML" }
        if words.hasPrefix("{") || words.hasPrefix("[") { return "JSON" }
        return start.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 >= 9 && $0 <= 13 } ? "text" : nil
    }
}
