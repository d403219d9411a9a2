import Basics
import Network

/// What is told about a picture outside the program: one line of `--json`, and the values of `!` lines and templates.
public struct PictureRecord: Sendable {
    /// Names, and values, decimal if they are numbers; nil if unknown.
    public typealias Values = [(name: String, value: String?)]

    /// What is told, in the order listed in the manual.
    public let values: Values

    private static let numbers = wordSet("section index width height iso rating")

    /// The names of what is told of every picture.
    public static let names: [String] = {
        let place = Address(path: "/")
        let picture = Picture(variants: [.init(address: place)], page: place, title: "")
        return PictureRecord(picture, section: 1, index: 1).values.map(\.name)
    }()

    /// Describes `picture`, whose file is at `path` if that is not nil; `section` and `index` are one-based, and `others` follow what is
    /// told of every picture.
    public init(
        _ picture: Picture, section: Int, index: Int, path: String? = nil,
        others: Values = []
    ) {
        let isDrawable = picture.isDrawable
        values =
            [
                ("section", String(section)), ("index", String(index)), ("page", picture.page.text),
                ("thumbnail", isDrawable ? picture.thumbnail.text : nil),
                ("image", isDrawable ? picture.image.text : nil), ("link", picture.link?.text),
                ("title", picture.title.isEmpty ? nil : picture.title),
                ("description", picture.summary), ("date", picture.date),
                ("width", picture.width?.description),
                ("height", picture.height?.description),
                ("kind", picture.kind.rawValue), ("path", path ?? picture.place.filePath),
            ] + (picture.camera ?? Picture.Camera()).fields
            + picture.others.sorted { $0.key < $1.key }.map { ($0, $1) } + others
    }

    /// A JSON object on one line, without a line break.
    public var line: String {
        let members = values.compactMap { name, value -> String? in
            // JSON cannot name a file whose name is not UTF-8.
            guard let value, name != "path" || value.systemBytes == value.bytes else {
                return nil
            }
            return "\"\(name)\":"
                + (Self.numbers.contains(name) ? value : JSONString.quoted(value))
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Returns what is wrong with the names in braces, as one line; nil if all of them are `known`.
    public func mistake(amongNames known: [String]) -> String? {
        var mistake: String?
        _ = filled { name, _ in
            if !known.contains(name) {
                mistake = "{\(name.oneLine())} is not one of \(known.joined(separator: ", "))"
            }
            return ""
        }
        return mistake
    }

    /// Returns the text with values in place of names in braces, which may be followed by a colon and a form; where `value` is nil, it is
    /// left as it is.
    public func filled<Failure: Error>(
        _ value: (_ name: String, _ form: Substring) throws(Failure) -> String?
    ) throws(Failure) -> String {
        var filled = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "{") {
            filled += rest[..<start]
            rest = rest[start...].dropFirst()
            let inner = rest.prefix { $0 != "}" }
            let name = inner.prefix { $0 != ":" }
            if inner.endIndex < rest.endIndex,
                let value = try value(String(name), inner.dropFirst(name.count + 1))
            {
                filled += value
                rest = rest[inner.endIndex...].dropFirst()
            } else {
                filled += "{"
            }
        }
        return filled + rest
    }
}
