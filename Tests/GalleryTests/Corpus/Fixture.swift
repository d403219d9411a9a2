import Gallery
import Network
import Testing

/// A page with what a reader of it would take for its gallery.
///
/// A file has a head of `key: value` lines, a blank line, and the page as it came:
/// `row` (of the list of forms that the page stands for), `url`, `type`, `header` (repeatable), `next`,
/// `picture: THUMBNAIL IMAGE LINK TITLE` (`-` for no link), and `section: HEADING`, which the pictures after it belong to.
struct Fixture: Sendable {
    /// One picture as expected or as found; addresses without the test site's part.
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

    /// Reads the file's bytes.
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

    /// A third of the pages, by a hash of the name (FNV-1a): rules are never tuned on them.
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
