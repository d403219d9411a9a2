import Pipeline

/// What a request had in the header fields by which its server chose the answer: RFC 9111, section 4.1.
///
/// Hashes of the values, as some are secrets. A name without a value stands for a field that was not sent.
struct VaryingFields: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// By name.
    private(set) var fields: [Field] = []

    /// Those of an answer that does not vary.
    init() {}

    /// Those that were written down.
    init(_ pairs: [(String, String)]) {
        fields = pairs.map { Field(name: $0.0, value: $0.1) }
    }

    /// Those that an answer with `headers` names, out of what was `sent`.
    init(of headers: [(name: String, value: String)], sent: [(name: String, value: String)]) {
        let names = Set(
            headers.filter { $0.name == "vary" }.flatMap { header in
                header.value.lowercased().split(separator: ",").map { name in
                    name.filter { $0 != " " && $0 != "\t" }
                }
            })
        // Encodings are undone before anything is kept.
        fields = names.subtracting(["accept-encoding", ""]).sorted().map { name in
            let values = sent.filter { $0.name.lowercased() == name }.map(\.value)
            let text =
                values.isEmpty
                ? "" : ContentHash(of: Array(values.joined(separator: ", ").utf8)).text
            return Field(name: name, value: String(text.prefix(32)))
        }
    }
}
