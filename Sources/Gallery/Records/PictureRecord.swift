import Basics
import Network

/// One line of `--json`: the keys in the order listed in README, omitted if unknown.
public struct PictureRecord: Sendable {
    /// The object on one line, without a line break.
    public let line: String

    /// Encodes `picture`; `section` and `index` are one-based.
    public init(_ picture: Picture, section: Int, index: Int) {
        func number(_ value: Int?) -> String? { value.map { String($0) } }
        func text(_ value: String?) -> String? { value.map { JSONString.quoted($0) } }
        let members: [(key: String, value: String?)] = [
            ("section", number(section)), ("index", number(index)),
            ("page", text(picture.page.text)),
            ("thumbnail", picture.isDrawable ? text(picture.thumbnail.text) : nil),
            ("image", picture.isDrawable ? text(picture.image.text) : nil),
            ("link", text(picture.link?.text)),
            ("title", picture.title.isEmpty ? nil : text(picture.title)),
            ("description", text(picture.summary)), ("date", text(picture.date)),
            ("width", number(picture.width?.count)), ("height", number(picture.height?.count)),
            ("kind", text(picture.kind.rawValue)),
        ]
        let known = members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
        line = "{" + known.joined(separator: ",") + "}"
    }
}
