import Basics
import Network

/// What is told about a picture outside the program: one line of `--json`, and the values of `!` lines and templates.
public struct PictureRecord: Sendable {
    /// The names, in the order listed in README, and the values, decimal if they are numbers; nil if unknown.
    public let values: [(name: String, value: String?)]

    private static let numbers: Set = ["section", "index", "width", "height"]

    /// Describes `picture`; `section` and `index` are one-based, and `others` follow what is told of every picture.
    public init(
        _ picture: Picture, section: Int, index: Int, others: [(name: String, value: String?)] = []
    ) {
        let isDrawable = picture.isDrawable
        values =
            [
            ("section", String(section)), ("index", String(index)), ("page", picture.page.text),
            ("thumbnail", isDrawable ? picture.thumbnail.text : nil),
            ("image", isDrawable ? picture.image.text : nil), ("link", picture.link?.text),
            ("title", picture.title.isEmpty ? nil : picture.title),
            ("description", picture.summary), ("date", picture.date),
            ("width", picture.width.map { String($0.count) }),
            ("height", picture.height.map { String($0.count) }), ("kind", picture.kind.rawValue),
        ] + others
    }

    /// A JSON object on one line, without a line break.
    public var line: String {
        let members = values.compactMap { name, value in
            value.map {
                "\"\(name)\":" + (Self.numbers.contains(name) ? $0 : JSONString.quoted($0))
            }
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
