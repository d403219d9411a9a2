import Network

/// What the text of an address tells about the thing behind it.
struct AddressHints {
    /// What follows the last point of the path, in lower case; empty without one.
    let fileExtension: String
    /// The size in the file's name (`photo-1024x790.jpg`).
    let size: (width: Int, height: Int)?
    /// Whether the last part of the path holds a colon, as in `File:Photo.jpg`, which is a page about the file.
    private let isNamespaced: Bool
    private let endsWithSlash: Bool

    init(_ address: Address) {
        let utf8 = address.text.utf8
        let end = utf8.firstIndex(of: UInt8(ascii: "?")) ?? utf8.endIndex
        let path = utf8[..<end]
        let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        let name = path[path.index(after: slash)...]
        endsWithSlash = name.isEmpty
        isNamespaced = name.contains(UInt8(ascii: ":"))
        guard let point = name.lastIndex(of: UInt8(ascii: ".")),
            name.distance(from: point, to: name.endIndex) <= 6
        else {
            fileExtension = ""
            size = nil
            return
        }
        fileExtension = (String(name[name.index(after: point)...]) ?? "").lowercased()
        size = AddressHints.size(in: Array(name[..<point]))
    }

    private static let pictures: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "pjpeg", "png", "webp", "gif", "avif", "bmp",
    ]
    /// Endings of things that are certainly no pictures, or none that this program draws.
    private static let others: Set<String> = [
        "html", "htm", "php", "asp", "aspx", "jsp", "js", "css", "json", "xml", "svg", "ico", "mp4",
        "webm",
        "mov", "mp3", "pdf", "zip", "txt", "m3u8", "xhtml", "shtml", "cgi", "svgz", "woff", "woff2",
    ]

    /// Whether the name is that of a picture.
    var looksLikePicture: Bool {
        !isNamespaced && AddressHints.pictures.contains(fileExtension)
    }

    /// Whether nothing speaks against a picture.
    var couldBePicture: Bool {
        !endsWithSlash && !AddressHints.others.contains(fileExtension)
    }

    /// The `-WxH` (or `_WxH`) at the end of a name, as WordPress and others add it.
    private static func size(in name: [UInt8]) -> (width: Int, height: Int)? {
        var at = name.count
        let height = number(endingAt: &at, in: name)
        guard let height, at > 0, name[at - 1] | 0x20 == UInt8(ascii: "x") else { return nil }
        at -= 1
        guard let width = number(endingAt: &at, in: name), at > 0,
            [UInt8(ascii: "-"), UInt8(ascii: "_")].contains(name[at - 1])
        else { return nil }
        return (width, height)
    }

    /// Two to five digits that end at `end`, which moves to where they start.
    private static func number(endingAt end: inout Int, in name: [UInt8]) -> Int? {
        let last = end
        while end > 0, (0x30...0x39).contains(name[end - 1]), last - end < 6 { end -= 1 }
        guard (2...5).contains(last - end) else { return nil }
        return name[end..<last].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

/// The words of an address, for telling photographs from ornaments: parts of the path between `/ - _ .` and the like, so that
/// `blankets` and `logotype` are words of their own.
struct AddressWords {
    private static let ornaments: Set<String> = [
        "sprite", "sprites", "spacer", "blank", "pixel", "logo", "logos", "icon", "icons", "button",
        "buttons",
        "badge", "badges", "avatar", "avatars", "banner", "banners", "bg", "background",
        "backgrounds", "loader", "loading",
        "spinner", "placeholder", "share", "social", "theme", "themes", "advert", "adverts", "ads",
        "promo",
        "rating", "stars", "emoji", "favicon", "flag", "flags", "captcha", "arrow", "arrows",
    ]
    private static let photos: Set<String> = [
        "upload", "uploads", "photo", "photos", "gallery", "galleries", "media", "large",
        "pictures", "images", "thumbs",
        "thumbnails", "album", "albums", "image", "full", "original",
    ]
    private static let placeholders: Set<String> = [
        "placeholder", "spacer", "blank", "pixel", "loader", "loading", "spinner", "transparent",
        "1x1", "lazy",
        "dummy", "lqip", "grey", "gray",
    ]

    /// Words of ornaments in it.
    private(set) var isOrnament = false
    /// Words of photographs in it.
    private(set) var isPhoto = false
    /// Whether the file's own name says that it only holds a place.
    private(set) var isPlaceholder = false

    init(_ address: Address) {
        let text = address.text
        let start =
            text.utf8.index(text.startIndex, offsetBy: 8, limitedBy: text.endIndex) ?? text.endIndex
        let path = text[start...].drop { $0 != "/" }.prefix { $0 != "?" }
        let parts = path.split(separator: "/")
        for (index, part) in parts.suffix(12).enumerated() {
            let isName = index == min(parts.count, 12) - 1
            for word in part.lowercased().split(whereSeparator: { "-_.".contains($0) }).prefix(30) {
                note(String(word), isName: isName)
            }
        }
    }

    private mutating func note(_ word: String, isName: Bool) {
        if AddressWords.ornaments.contains(word) { isOrnament = true }
        if AddressWords.photos.contains(word) { isPhoto = true }
        if isName, AddressWords.placeholders.contains(word) { isPlaceholder = true }
    }
}
