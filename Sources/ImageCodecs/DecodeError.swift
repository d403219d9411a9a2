public import Raster

/// Why a file gives no picture; the description is one line in plain words.
public enum DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No format that can be read; what it is instead ("HTML", "HEIC", "empty", "unknown").
    case unknownFormat(String)
    /// Larger than allowed.
    case tooLarge(PixelSize, maxPixels: Int)
    /// Took longer than allowed.
    case tooSlow
    /// Cancelled by the caller.
    case cancelled
    /// The library's word for what is wrong.
    case broken(ImageFormat, String)

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
