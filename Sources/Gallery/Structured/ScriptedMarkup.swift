import Basics
import Markup
import Network

/// Pictures that a page's scripts spell out without a list: markup in `document.write`, names in calls and assignments.
///
/// Nothing is executed: the scripts are read as text.
struct ScriptedMarkup {
    private static let maxBytes = 4 << 20
    private static let endings: [[UInt8]] = ["jpg", "jpeg", "png", "webp", "avif"].map {
        Array($0.utf8)
    }
    /// Names longer than this are no names.
    private static let maxName = 300

    private let document: Document

    init(_ document: Document) {
        self.document = document
    }

    /// The markup in the scripts as a page of its own; nil if there are no pictures in it.
    var fragment: Document? {
        let text = scripts.filter { $0.includes("<img") || $0.includes("<a ") }.joined(
            separator: "\n")
        guard !text.isEmpty else { return nil }
        var bytes: [UInt8] = Array("<main>".utf8)
        var isEscaped = false
        for byte in text.utf8 {
            // `\"` inside a string is a quote of the markup.
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if !isEscaped { bytes.append(byte) }
        }
        return Document(html: bytes, charset: "utf-8")
    }

    /// Every quoted name of a picture, in page order.
    var names: [LooseValue] {
        scripts.flatMap { script -> [LooseValue] in
            let bytes = Array(script.utf8)
            return bytes.indices.compactMap { end in
                guard bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'") else {
                    return nil
                }
                return ScriptedMarkup.name(in: bytes, endingAt: end).map(LooseValue.text)
            }
        }
    }

    /// Data and templates have a type of their own, and are read by others or not at all.
    private static func isScript(_ node: Node) -> Bool {
        guard node.name == .script, !node.has(.src) else { return false }
        guard let type = node.attribute(.type)?.lowercased(), !type.isEmpty else { return true }
        return type == "module" || type.includes("javascript") || type.includes("ecmascript")
    }

    private var scripts: [String] {
        var left = ScriptedMarkup.maxBytes
        return document.root.descendants.filter(ScriptedMarkup.isScript).map { node in
            let text = node.text(limit: left)
            left -= min(left, text.utf8.count)
            return text
        }
    }

    /// The first quoted name of a picture in a handler: `show('b1.jpg')`.
    static func name(inHandler text: String) -> String? {
        let bytes = Array(text.utf8.prefix(2_000))
        return bytes.indices.lazy.compactMap { end in
            bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'")
                ? name(in: bytes, endingAt: end) : nil
        }.first
    }

    /// What stands between the quote at `end` and the one before it, if it is named like a picture.
    private static func name(in bytes: [UInt8], endingAt end: Int) -> String? {
        guard
            endings.contains(where: { ending in
                let start = end - ending.count
                return start > 1 && bytes[start - 1] == UInt8(ascii: ".")
                    && zip(bytes[start..<end], ending).allSatisfy { $0 | 0x20 == $1 }
            })
        else { return nil }
        var start = end
        while start > 0, end - start <= maxName, bytes[start - 1] != bytes[end] {
            guard bytes[start - 1] > 0x20, bytes[start - 1] != UInt8(ascii: "<") else { return nil }
            start -= 1
        }
        guard start > 0, bytes[start - 1] == bytes[end] else { return nil }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
