import Basics
import Gallery
import ImageCodecs
import Network

/// The name a saved picture gets: a stem from title or URL, and the extension of what its bytes are.
struct FileName: Hashable, Sendable {
    /// The name without its extension; never empty, without anything a file system or terminal could take amiss.
    let stem: String
    /// The extension, with its point.
    let suffix: String

    /// A file name may have 255 bytes; some room is left for copies to other systems.
    private static let mostBytes = 200
    /// Bytes kept free for ` (9999)`.
    private static let numberBytes = 7

    /// Names `picture`, whose bytes are of `format`.
    init(_ picture: Picture, format: ImageFormat) {
        suffix = Self.suffix(of: format)
        let limit = Self.mostBytes - suffix.utf8.count - Self.numberBytes
        let candidates = [picture.title, picture.largest.lastPathComponent, picture.largest.host]
        stem =
            candidates.lazy.map { Self.stem($0, limit: limit) }.first { !$0.isEmpty } ?? "picture"
    }

    /// The name for the `number`th picture so called, from 1.
    func text(number: Int) -> String {
        number == 1 ? stem + suffix : "\(stem) (\(number))\(suffix)"
    }

    private static func suffix(of format: ImageFormat) -> String {
        switch format {
        case .jpeg: ".jpg"
        case .png: ".png"
        case .webp: ".webp"
        case .gif: ".gif"
        case .tiff: ".tiff"
        case .bmp: ".bmp"
        case .avif: ".avif"
        case .jpegXL: ".jxl"
        case .svg: ".svg"
        }
    }

    /// `text` as a stem: no picture extension, slash, control or invisible character, no point or dash in front.
    private static func stem(_ text: String, limit: Int) -> String {
        let words = String(String.UnicodeScalarView(text.unicodeScalars.compactMap(fit)))
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let name = withoutExtension(words)
        // A point in front hides the file; a dash looks like an option.
        return String(cut(name.drop { ". -".contains($0) }, to: limit).trimmingEnd(". "))
    }

    private static func fit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar == "/" || scalar == "\\" { return "-" }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return " "
        case .surrogate, .privateUse, .unassigned: return nil
        case .format where scalar.isUnfitForLine: return nil
        default: return scalar
        }
    }

    private static func withoutExtension(_ name: String) -> Substring {
        let known = [
            "jpg", "jpeg", "png", "webp", "gif", "tif", "tiff", "bmp", "avif", "jxl", "svg",
        ]
        guard let point = name.lastIndex(of: "."),
            known.contains(name[name.index(after: point)...].lowercased())
        else { return name[...] }
        return name[..<point]
    }

    /// As many whole characters as have at most `limit` bytes.
    private static func cut(_ text: Substring, to limit: Int) -> Substring {
        var end = text.startIndex
        var bytes = 0
        while end < text.endIndex {
            bytes += text[end].utf8.count
            guard bytes <= limit else { break }
            end = text.index(after: end)
        }
        return text[..<end]
    }
}

extension Substring {
    fileprivate func trimmingEnd(_ characters: String) -> Substring {
        var rest = self
        while let last = rest.last, characters.contains(last) {
            rest.removeLast()
        }
        return rest
    }
}
