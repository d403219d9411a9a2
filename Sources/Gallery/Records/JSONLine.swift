import Basics

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
