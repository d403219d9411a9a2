import Basics
import Markup

/// Object and array literals in a page's scripts: `var data = [{…}]`, `window.state = {…}`, `JSON.parse("…")`, and JSON scripts.
struct ScriptLiterals {
    /// The literals in page order, without those nested in others.
    var values: [LooseValue] = []

    /// Bytes of scripts that are read; the states of the largest pages have some five megabytes.
    private static let maxBytes = 16 << 20
    /// The work allowed for unterminated literals, as a multiple of the script's size.
    private static let maxWork = 8
    /// In bytes; shorter literals contain no gallery.
    private static let minBytes = 60

    /// - Parameter onlyLinkedData: whether only JSON-LD (https://json-ld.org) is read.
    init(of document: Document, onlyLinkedData: Bool = false) {
        document.scripts(maxBytes: Self.maxBytes) { _, type in
            !onlyLinkedData || type == "application/ld+json"
        }.forEach { read($0) }
    }

    private mutating func read(_ bytes: [UInt8]) {
        var work = bytes.count * ScriptLiterals.maxWork
        var at = 0
        while at < bytes.count, work > 0 {
            var end = at + 1
            if end < bytes.count, ScriptLiterals.mayStart(bytes[at], before: bytes[end]) {
                var parser = LooseParser(bytes[at...])
                let value = parser.value()
                let length = parser.at - at
                work -= length
                if let value {
                    end = parser.at
                    // A text is the argument of `JSON.parse`.
                    let literal = value.text.map { LooseParser.value(of: $0.bytes) } ?? value
                    if length >= ScriptLiterals.minBytes, let literal { values.append(literal) }
                }
            }
            at = end
        }
    }

    /// Whether a literal may start here: at a bracket, or at a quote before one.
    ///
    /// Other strings are skipped byte by byte, since quotes in comments and regular expressions are unbalanced.
    private static func mayStart(_ byte: UInt8, before next: UInt8) -> Bool {
        switch byte {
        case "{", "[": true
        case "\"", "'":
            next == "{" || next == "["
        default: false
        }
    }
}

extension Document {
    /// Returns the texts of some scripts, chosen by their type in lower case, in so many bytes.
    fileprivate func scripts(
        maxBytes: Int, where isRead: (Node, _ type: String) -> Bool
    ) -> [[UInt8]] {
        var left = maxBytes
        return elements(.script).filter {
            isRead($0, $0.attribute(.type)?.lowercased() ?? "")
        }.map {
            let bytes = $0.text(limit: left).bytes
            left = max(0, left - bytes.count)
            return bytes
        }
    }
}

/// Pictures that scripts contain outside lists: markup in `document.write`, file names in calls and assignments.
///
/// Nothing is executed; the scripts are read as text.
struct ScriptedMarkup {
    private static let maxBytes = 4 << 20
    private static let maxName = 300

    let document: Document

    /// The picture names in the scripts, consecutive ones of one picture together: `add('thumbs/1.jpg', 'photos/1.jpg')`.
    var names: [LooseValue] {
        var pictures: [[LooseValue]] = []
        var last: Substring?
        // What is put together of variables names nothing.
        for name in scripts.flatMap(ScriptedMarkup.names) where !name.contains("${") {
            let own = name.split(separator: "/").last
            if own != last { pictures.append([]) }
            pictures[pictures.count - 1].append(.text(name))
            last = own
        }
        return pictures.map(LooseValue.array)
    }

    private static let maxFolders = 3

    /// The folders that scripts put before names, the thumbnails' first: `'<img src="thumbs/' + name`, `` `photos/${name}` ``.
    var folders: [String] {
        var found: [(folder: String, isOpened: Bool)] = []
        for bytes in scripts {
            for end in bytes.indices.dropLast()
            where bytes[end] == "/" && ScriptedMarkup.joins(bytes[(end + 1)...]) {
                let start =
                    (bytes[..<end].lastIndex(where: ScriptedMarkup.separators.contains) ?? -1) + 1
                let folder = String(utf8: bytes[start...end])
                let before = String(utf8: bytes[max(0, start - 30)..<start])
                guard found.count < ScriptedMarkup.maxFolders, start < end, !before.hasSuffix("}"),
                    end - start < ScriptedMarkup.maxName,
                    before.includes("src") || before.includes("href"),
                    !found.contains(where: { $0.folder == folder })
                else { continue }
                found.append((folder, !before.includes("src")))
            }
        }
        return (found.filter { !$0.isOpened } + found.filter(\.isOpened)).map(\.folder)
    }

    /// The bytes before a folder, the end of another variable among them, so that no folder is read twice.
    private static let separators = Set("\"'`=(<>{}$ \n\t\\".utf8)

    /// Whether a variable follows the text before `rest`: after the end of its literal, or in a template.
    private static func joins(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.starts(with: "${".utf8)
            || (rest.first == "\"" || rest.first == "'")
                && rest.dropFirst().first { $0 > 0x20 } == "+"
    }

    /// Returns the first quoted picture name in an event handler: `show('b1.jpg')`.
    static func name(inHandler script: Bytes) -> String? {
        // In bytes: more than handlers of one picture have.
        names(in: Array(script.prefix(2_000))).first
    }

    private static func names(in bytes: [UInt8]) -> [String] {
        bytes.indices.compactMap { end in
            bytes[end] == "\"" || bytes[end] == "'"
                ? name(in: bytes, endingAt: end) : nil
        }
    }

    /// The inline scripts; data and templates have other types and are read elsewhere, if at all.
    private var scripts: [[UInt8]] {
        document.scripts(maxBytes: Self.maxBytes) { script, type in
            !script.has(.src)
                && (type.isEmpty || type == "module" || type.includes("javascript")
                    || type.includes("ecmascript"))
        }
    }

    /// Returns the text between the quote at `end` and the previous one, if it is a picture's file name, or the value at its end that is one.
    private static func name(in bytes: [UInt8], endingAt end: Int) -> String? {
        let before = bytes[..<end].suffix(maxName)
        let start = before.lastIndex { $0 == bytes[end] || $0 <= 0x20 || $0 == "<" }
        guard let start, bytes[start] == bytes[end], before[start...].contains(".") else {
            return nil
        }
        let text = before[(start + 1)...]
        // `show('popup.php?img=1.jpg')`
        let value = text.lastIndex(of: "=").map { text[($0 + 1)...] }
        return nonNil(text, value).lazy.map { String(utf8: $0) }.first {
            !AddressHints($0).ending.isDisjoint(with: [.photo, .picture]) && !$0.hasPrefix(".")
        }
    }
}
