import Gallery
import Network
import Testing

/// A page with what a reader would consider its gallery.
///
/// A file has `key: value` lines, a blank line, and the page as received: `row` (in the list of forms that the page represents), `url`,
/// `type`, `header` (repeatable), `next`, `picture: THUMBNAIL IMAGE LINK TITLE` (`-` for no link), and `section: HEADING`, which the
/// following pictures belong to.
struct Fixture: Sendable {
    /// One expected or found picture; addresses omit the test site's part.
    struct Entry: Hashable, Sendable {
        var thumbnail: String
        var image: String
        var link: String
        var title: String
    }

    let name: String
    var row = ""
    var address = testAddress
    var type = "text/html"
    var headers: [(name: String, value: String)] = []
    var next: String?
    var pictures: [Entry] = []
    var sections: [(title: String, pictures: [Entry])] = []
    var body: [UInt8] = []

    /// Parses the file's bytes.
    init(name: String, bytes: [UInt8]) throws {
        self.name = name
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            let colon = try #require(line.firstIndex(of: ":"), "\(name): \(line)")
            add(String(line[..<colon]), String(line[line.index(colon, offsetBy: 2)...]))
        }
        body = Array(rest)
    }

    private mutating func add(_ key: String, _ value: String) {
        switch key {
        case "row": row = value
        case "url": address = value
        case "type": type = value
        case "next": next = value
        case "section": sections.append((value, []))
        case "header":
            let parts = value.split(separator: ":", maxSplits: 1)
            headers.append((String(parts[0]), String(parts[1].dropFirst())))
        case "picture":
            let parts = value.split(separator: " ", maxSplits: 3).map(String.init)
            let entry = Entry(
                thumbnail: parts[0], image: parts[1], link: parts[2],
                title: parts.count > 3 ? parts[3] : "")
            if sections.isEmpty {
                pictures.append(entry)
            } else {
                sections[sections.count - 1].pictures.append(entry)
            }
        default: Issue.record("\(name): unknown key \(key)")
        }
    }

    /// Whether the page is in the third, chosen by a hash of the name (FNV-1a), that rules are never tuned on.
    var isHeldBack: Bool {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return (hash >> 20) % 3 == 0
    }
}

extension Fixture.Entry {
    init(_ picture: Picture) {
        thumbnail = short(picture.thumbnail)
        image = short(picture.image)
        link = picture.link.map { short($0) } ?? "-"
        title = picture.title
    }
}
