import Basics
import Markup

/// The object and array literals in a page's scripts: `var data = [{…}]`, `window.state = {…}`, `JSON.parse("…")`, and
/// scripts of JSON.
struct ScriptLiterals {
    /// The literals, in page order; those inside another one are not named again.
    private(set) var values: [LooseValue] = []
    /// Objects too small for a list: `p.push({src: "1.jpg"})` has one a call.
    private(set) var small: [LooseValue] = []

    /// Bytes of scripts that are looked at; the states of the largest pages have some five megabytes.
    private static let maxBytes = 16 << 20
    /// Literals that begin and do not end may cost so many times the script's size.
    private static let maxWork = 8
    /// Shorter literals hold no gallery.
    private static let minBytes = 60
    private static let maxSmall = 100_000

    /// Reads the scripts of a page; those of type `types` only, if any are named.
    init(of document: Document, types: Set<String>? = nil) {
        var left = ScriptLiterals.maxBytes
        for node in document.elements(.script) where left > 0 {
            let type = node.attribute(.type)?.lowercased() ?? ""
            if let types {
                guard types.contains(type) else { continue }
            } else {
                guard type != "application/ld+json" else { continue }
            }
            let bytes = Array(node.text(limit: left).utf8)
            left -= bytes.count
            read(bytes)
        }
    }

    /// Reads one script.
    init(script: [UInt8]) {
        read(script)
    }

    private mutating func read(_ bytes: [UInt8]) {
        var work = bytes.count * ScriptLiterals.maxWork
        var at = 0
        while at < bytes.count, work > 0 {
            guard bytes.count - at >= 2,
                ScriptLiterals.mayStart(bytes[at], before: bytes[at + 1])
            else {
                at += 1
                continue
            }
            var parser = LooseParser(bytes[at...])
            let value = parser.value()
            work -= parser.at - at
            guard let value else {
                at += 1
                continue
            }
            keep(value, bytes: parser.at - at)
            at = parser.at
        }
    }

    private mutating func keep(_ value: LooseValue, bytes: Int) {
        // Both lists have it: a short list of long objects is one by itself.
        if !value.members.isEmpty, small.count < ScriptLiterals.maxSmall { small.append(value) }
        guard bytes >= ScriptLiterals.minBytes else { return }
        switch value {
        case .object, .array: values.append(value)
        // What `JSON.parse` gets.
        case .text(let text):
            guard let first = text.utf8.first,
                first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
                let inner = LooseParser.value(of: Array(text.utf8))
            else { return }
            values.append(inner)
        default: break
        }
    }

    /// A bracket, or a quote before one: other strings are passed over byte by byte, since a quote in a comment or a pattern
    /// would turn inside and outside round.
    private static func mayStart(_ byte: UInt8, before next: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): true
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            next == UInt8(ascii: "{") || next == UInt8(ascii: "[")
        default: false
        }
    }
}
