import Basics
import Gallery
public import ImageCodecs
import Network

/// How saved files are named: a path in which names in braces stand for what is known of a picture, those of `--json` and a few more.
///
/// `{index:03}` fills a number up with zeros, `{date:10}` takes the first ten characters. Whatever a page says, the path leads to a file
/// below the folder, and no part of it is hidden, looks like an option or is too long.
public struct NameTemplate: Hashable, Sendable {
    /// Named by title or address.
    public static let usual = NameTemplate(text: "{name}.{ext}")
    /// In order.
    static let ordered = NameTemplate(
        text: "{section:02} {index:04} {name}.{ext}")

    private let text: String

    private init(text: String) { self.text = text }

    /// Parses a template, which must not name what no picture has.
    public init(_ text: String) throws(SaveError) {
        let mistake = text.mistake(amongNames: PictureRecord.names + SaveOrder.otherNames)
        if let mistake { throw .refused(mistake) }
        self.text = text
    }

    /// Returns the path of a picture's file, relative to its folder, or if it `isFlat`, one name; never empty.
    public func path(of order: SaveOrder, format: ImageFormat, isFlat: Bool = false) -> String {
        func filled(_ text: Substring) -> String {
            text.filled { name, form in
                let value = order.value(of: name, format) ?? ""
                guard let width = Int(form), (1...99).contains(width) else { return value }
                return form.hasPrefix("0")
                    ? String(repeating: "0", count: max(0, width - value.count)) + value
                    : String(value.prefix(width))
            }
        }
        var steps = text.split(separator: "/")
        let last = steps.popLast() ?? ""
        let point = last.lastIndex(of: ".") ?? last.endIndex
        let end = Self.safe(filled(last[point...]), limit: 32)
        let suffix = end.isEmpty ? "" : ".\(end)"
        // File names may have 255 bytes; the margin is for copies on other systems, ` (9999)` and `.json`.
        let limit = 193 - suffix.utf8.count
        let stem = Self.safe(filled(last[..<point]).withoutPictureEnding, limit: limit)
        var names = steps.map { Self.safe(filled($0), limit: limit) }.nonEmpty
        names.append(stem.isEmpty ? order.name(limit: limit) : stem)
        if isFlat { names = [Self.safe(names.joined(separator: " "), limit: limit)] }
        return names.joined(separator: "/") + suffix
    }

    /// Returns `text` as a name: without slashes, control or invisible characters, or leading dots and dashes; empty if nothing is left.
    static func safe(_ text: some StringProtocol, limit: Int) -> String {
        // A leading dot hides the file; a leading dash looks like an option.
        var name = String(oneLine: text.unicodeScalars.compactMap(fit)).drop { ". -".contains($0) }
        while let last = name.last, name.utf8.count > limit || ". ".contains(last) {
            name.removeLast()
        }
        return String(name)
    }

    private static func fit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        // Those other than the slash are what FAT and NTFS refuse.
        if "/\\:*?\"<>|".unicodeScalars.contains(scalar) { return "-" }
        if (" "..."~").contains(scalar) { return scalar }
        return switch scalar.properties.generalCategory {
        case .control: " "
        case .surrogate, .privateUse, .unassigned: nil
        default: scalar
        }
    }
}

extension SaveOrder {
    /// What has a value besides the names of the record.
    fileprivate static let otherNames = ["host", "gallery", "name", "ext"]

    fileprivate func value(of name: String, _ format: ImageFormat) -> String? {
        switch name {
        case "host": return picture.page.host
        case "gallery": return gallery
        // As long as any name.
        case "name": return self.name(limit: 255)
        case "ext":
            // Raw files are of one format here, and keep their own ending.
            let own = picture.largest.lastPathComponent
            let ending = format == .raw ? own[own.withoutPictureEnding.endIndex...] : ""
            return ending.isEmpty ? format.fileExtension : String(ending.dropFirst())
        default: return record().values.first { $0.name == name }?.value
        }
    }

    /// The title, or else what the address says; a page is saved with the document that holds it.
    fileprivate func name(limit: Int) -> String {
        let title = picture.largest.page == nil ? picture.title : ""
        return [title, picture.largest.lastPathComponent, picture.largest.host]
            .map { NameTemplate.safe($0.withoutPictureEnding, limit: limit) }
            .nonEmpty.first ?? "picture"
    }
}
