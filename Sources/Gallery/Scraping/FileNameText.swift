import Basics
import Markup
import Network

/// Names of files as titles: what is left of them, and whether another text says more.
enum FileNameText {
    /// Words that say what a file is to another one, not what is on it.
    private static let small: Set<Substring> = [
        "thumb", "thumbs", "thumbnail", "thumbnails", "tn", "th", "preview",
    ]
    private static let marks: Set<Substring> = small.union([
        "image", "photo", "picture", "foto", "bild",
    ])
    /// At the end of a name only, where nobody writes them into a title.
    private static let tails: Set<Substring> = [
        "small", "medium", "large", "sm", "lg", "scaled", "web",
    ]

    /// Whether a word only says that something is a picture or a small version of it.
    static func isMark(_ word: Substring) -> Bool { marks.contains(Substring(word.lowercased())) }

    /// Whether a word says that something is a small version.
    static func isSmall(_ word: Substring) -> Bool { small.contains(Substring(word.lowercased())) }

    /// The name without ending, size and marks, in words.
    static func words(of address: Address) -> String {
        let hints = AddressHints(address)
        var name = (hints.ending == .program ? queried(address) : address.lastPathComponent)[...]
        if let point = name.lastIndex(of: "."), point > name.startIndex { name = name[..<point] }
        if hints.size != nil,
            let dash = name.lastIndex(where: { $0 == "-" || $0 == "_" }),
            dash > name.startIndex
        {
            name = name[..<dash]
        }
        let text = Text.line(
            String(name.map { $0 == "_" || $0 == "-" || $0 == "+" ? " " : $0 }))
        var words = text.split(separator: " ")[...]
        if words.count > 1, let last = words.last {
            let last = Substring(last.lowercased())
            if marks.contains(last) || tails.contains(last) { words.removeLast() }
        }
        if words.count > 1, let first = words.first, isMark(first) { words.removeFirst() }
        // Where nothing was dropped the text stays as it is written.
        return words.count == text.split(separator: " ").count ? text : words.joined(separator: " ")
    }

    /// What a program was asked for: the value that names a file, else the last one.
    private static func queried(_ address: Address) -> String {
        let query = address.text.drop { $0 != "?" }.dropFirst()
        let values = query.split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() }
        let value = values.last { isFileName(String($0)) } ?? values.last ?? ""
        let name = value.split { $0 == "/" || $0 == ":" }.last ?? ""
        return String(decoding: PercentEncoding.decode(name.utf8), as: UTF8.self)
    }

    /// Whether `text` says more than a number, a size, or the name of one of the candidate's own files.
    static func isMore(
        _ text: String, than candidate: Candidate, in findings: Findings
    ) -> Bool {
        guard isWorded(text), !isFileName(text) else { return false }
        let key = key(of: text)
        if key.isEmpty { return true }
        for found in findings.found(of: candidate).prefix(8) {
            let name = findings.address(found.address).lastPathComponent
            if isName(key, of: name) { return false }
        }
        return candidate.link.map {
            !isName(key, of: findings.address($0).lastPathComponent)
        } ?? true
    }

    /// Only the very spelling counts as the file's name: `Red kite` beside `red-kite.jpg` was written by somebody.
    private static func isName(_ key: [UInt8], of name: String) -> Bool {
        let bytes = Array(name.utf8)
        if bytes == key { return true }
        guard let point = bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return bytes[..<point].elementsEqual(key)
    }

    private static func key(of text: String) -> [UInt8] { Array(text.utf8) }

    /// `photo-17.jpg` was written by a program.
    private static func isFileName(_ text: String) -> Bool {
        guard let point = text.lastIndex(of: "."), !text.contains(" ") else { return false }
        let endings: Set<String> = [
            "jpg", "jpeg", "png", "gif", "webp", "avif", "jxl", "svg", "bmp", "tif", "tiff",
        ]
        return endings.contains(text[text.index(after: point)...].lowercased())
    }

    /// Whether there is a letter in it that is not part of a size: `[1]`, `310 KB` and `1200x800` say nothing.
    private static func isWorded(_ text: String) -> Bool {
        if text.utf8.count > 24 { return true }
        let units: Set<Substring> = ["kb", "mb", "kib", "mib", "bytes", "b", "k", "px", "x"]
        let words = text.split { !$0.isLetter }
        return words.contains { !units.contains(Substring($0.lowercased())) }
    }
}
