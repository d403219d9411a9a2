import Basics
import Network

/// One line of `--json` (CONTRACT): the keys in their order, absent where unknown.
public struct PictureRecord: Sendable {
    /// The object on one line, without a line break.
    public let line: String

    /// Writes `picture`; `section` and `index` count from 1.
    public init(_ picture: Picture, section: Int, index: Int) {
        var object = JSONLine()
        object.add("section", section)
        object.add("index", index)
        object.add("page", picture.page.text)
        object.add("thumbnail", picture.isDrawable ? picture.thumbnail.text : nil)
        object.add("image", picture.isDrawable ? picture.image.text : nil)
        object.add("link", picture.link?.text)
        object.add("title", picture.title.isEmpty ? nil : picture.title)
        object.add("description", picture.summary)
        object.add("date", picture.date)
        object.add("width", picture.width)
        object.add("height", picture.height)
        object.add("kind", picture.kind.rawValue)
        line = object.text
    }
}

/// A JSON object on one line, keys in the order they are added (RFC 8259).
struct JSONLine {
    private var members: [String] = []

    /// The object.
    var text: String { "{" + members.joined(separator: ",") + "}" }

    /// Adds a number, if there is one.
    mutating func add(_ key: String, _ value: Int?) {
        guard let value else { return }
        members.append("\(JSONString.quoted(key)):\(value)")
    }

    /// Adds a text, if there is one.
    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        members.append("\(JSONString.quoted(key)):\(JSONString.quoted(value))")
    }
}
