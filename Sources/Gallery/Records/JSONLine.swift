/// A JSON object on one line, keys in the order they are added (RFC 8259).
struct JSONLine {
    private var members: [String] = []

    /// The object.
    var text: String { "{" + members.joined(separator: ",") + "}" }

    /// Adds a number, if there is one.
    mutating func add(_ key: String, _ value: Int?) {
        guard let value else { return }
        members.append("\(JSONLine.quoted(key)):\(value)")
    }

    /// Adds a text, if there is one.
    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        members.append("\(JSONLine.quoted(key)):\(JSONLine.quoted(value))")
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case let scalar where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
