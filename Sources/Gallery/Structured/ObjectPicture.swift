import Basics
import Markup
import Network

/// Reads the picture that an object in a page's data describes.
struct ObjectPicture {
    private struct Found {
        var address: Address
        var role: KeyRole
        /// Whether it was a bare name, which may be that of an uploaded file.
        var isName = false
        /// Whether the site or the server's root was named, too.
        var isAbsolute = false
        var width: Pixels?
        var height: Pixels?
    }

    private let context: PageContext
    private var found: [Found] = []
    private var link: Address?

    /// Levels below the object that are searched for addresses: `{urls: {small: {src: …}}}`.
    private static let maxDepth = 4
    private static let maxFound = 60

    static func picture(of object: LooseValue, context: PageContext) -> Picture? {
        var reader = ObjectPicture(context: context)
        reader.collect(object, role: nil, depth: 0)
        // A page that names its folders leaves none out.
        if reader.found.contains(where: \.isAbsolute) { reader.found.removeAll(where: \.isName) }
        return reader.picture(of: object)
    }

    /// Returns the picture of the first object in `value` that names one directly.
    static func first(in value: LooseValue, context: PageContext) -> Picture? {
        var level = [value]
        for _ in 0..<maxDepth {
            let found = level.lazy.filter { object in
                object.members.contains { member in
                    member.value.text.map { mayBeAddress($0) && isLocator($0) } ?? false
                }
            }.compactMap { picture(of: $0, context: context) }.first
            if let found { return found }
            level = level.flatMap { $0.elements + $0.members.map(\.value) }
        }
        return nil
    }

    private mutating func collect(_ object: LooseValue, role: KeyRole?, depth: Int) {
        let (width, height) = ObjectPicture.size(of: object)
        for member in object.members where found.count < ObjectPicture.maxFound {
            // In `sizes: {m: {…}}` the inner key gives the role, in `thumbnail: {url: …}` the outer one.
            let own = KeyRole(member.key)
            guard own != .foreign else { continue }
            let said = ObjectPicture.said(own, inside: role)
            let values = member.value.list
            guard values.count <= 20 else { continue }
            for value in values {
                if let text = value.text {
                    // Several addresses are not all of the object's size.
                    let isOne = values.count == 1
                    add(
                        text, role: said, isNamed: own != nil || role != nil,
                        isOne ? width : nil, isOne ? height : nil)
                } else if depth < ObjectPicture.maxDepth {
                    collect(value, role: said, depth: depth + 1)
                }
            }
        }
    }

    private static func size(of object: LooseValue) -> KnownSides {
        // `1600`, `"1600"`, `"1600 px"` or `{"value": 1600}`.
        func side(_ value: LooseValue?) -> Pixels? {
            let value = value?["value"] ?? value
            return value?.pixels ?? Pixels(value?.text?.prefix { $0.isNumber } ?? "")
        }
        return (side(object["width"] ?? object["w"]), side(object["height"] ?? object["h"]))
    }

    /// Combines the roles of nested keys: one with a size wins over one without, whether inner or outer.
    private static func said(_ own: KeyRole?, inside outer: KeyRole?) -> KeyRole? {
        switch (own, outer) {
        case (nil, _): outer
        case (.plain, let outer?), (.link, let outer?): outer == .link ? own : outer
        default: own
        }
    }

    private mutating func add(
        _ text: String, role: KeyRole?, isNamed: Bool, _ width: Pixels?, _ height: Pixels?
    ) {
        guard ObjectPicture.mayBeAddress(text) else { return }
        let addresses = context.resolve(inData: text)
        if addresses.count > 1, AddressHints(addresses[0]).looksLikePicture {
            for (place, address) in addresses.enumerated() {
                found.append(Found(address: address, role: place == 0 ? .thumbnail : .full))
            }
        }
        guard addresses.count == 1, let address = addresses.first else { return }
        let hints = AddressHints(address)
        if hints.looksLikePicture {
            let role = role == .link ? .plain : role ?? .plain
            found.append(
                Found(
                    address: address, role: role, isName: !text.includes("/"),
                    isAbsolute: ObjectPicture.isLocator(text),
                    width: width ?? hints.size?.width, height: height ?? hints.size?.height))
        } else if role == .link {
            link = link ?? address
        } else if isNamed, let role, hints.couldBePicture, ObjectPicture.isLocator(text) {
            found.append(Found(address: address, role: role, width: width, height: height))
        }
    }

    private static func mayBeAddress(_ text: String) -> Bool {
        (2...2_000).contains(text.utf8.count) && !text.utf8.contains(0x20) && !text.includes("<")
            && (text.includes("/") || text.includes("."))
    }

    /// Whether a text without a picture's extension is an address rather than a name or identifier.
    static func isLocator(_ text: String) -> Bool {
        ["/", "http://", "https://"].contains(where: text.hasPrefix)
    }

    private func picture(of object: LooseValue) -> Picture? {
        let words = ObjectWords(object)
        let size = ObjectPicture.size(of: object)
        guard
            var picture = Picture(
                data: variants, title: words.title, date: words.date, link: link,
                summary: words.summary, isFullKnown: found.contains { $0.role == .full }, context)
        else { return nil }
        picture.width = picture.width ?? size.width
        picture.height = picture.height ?? size.height
        return picture
    }

    /// Returns the variants sorted by width if every address has a distinct one, else by the roles of their keys.
    private var variants: [Picture.Variant] {
        let sorted = found.sorted { $0.role.rawValue < $1.role.rawValue }
        let variants = sorted.reversed().unique(by: \.address).reversed().map { found in
            Picture.Variant(address: found.address, width: found.width, height: found.height)
        }
        let isMeasured = Set(variants.compactMap(\.width)).count == variants.count
        // The object's own size belongs to its largest picture, not to the thumbnail beside it.
        return isMeasured
            ? variants.sorted { $0.comparedWidth < $1.comparedWidth }
            : variants.map { Picture.Variant(address: $0.address) }
    }
}

/// The role of an address according to its key.
enum KeyRole: Int {
    /// A small version.
    case thumbnail
    /// A version between small and large.
    case medium
    /// A picture of unspecified size.
    case plain
    /// A large version.
    case large
    /// The full picture.
    case full
    /// A page, or a picture if the address looks like one.
    case link
    /// Something irrelevant, such as the author's portrait or the site's logo.
    case foreign

    /// Parses the words of a key: `thumbUrl`, `url_l`, `image-large`, `source_url`.
    init?(_ key: String) {
        let roles = KeyRole.words(of: key).compactMap { KeyRole.known[$0] }
        // A size is more specific than `url` or `image`; a foreign word decides.
        let size = roles.first { $0 != .plain && $0 != .link }
        guard let role = roles.contains(.foreign) ? .foreign : size ?? roles.last else {
            return nil
        }
        self = role
    }

    /// Splits a key into words: `thumbUrl`, `thumb_url` and `thumb-url` into `thumb` and `url`.
    private static func words(of key: String) -> [String] {
        var words = [""]
        for character in key.prefix(60) {
            if character.isUppercase || !character.isLetter { words.append("") }
            if character.isLetter { words[words.count - 1] += character.lowercased() }
        }
        let key = key.lowercased()
        // `data-largesrc`.
        let size = ["src", "url", "image", "img", "href"].first(where: key.hasSuffix)
        return words + [key, String(key.dropLast(size?.count ?? 0))]
    }

    private static let known: [String: KeyRole] = meanings([
        .thumbnail:
            """
        thumb thumbs thumbnail thumbnails small mini tiny preview square sq tn th s t xs sm
        icon
        """,
        .medium: "medium mid m md middle regular web",
        .plain:
            """
        src image images img picture photo source file uri path display media content poster
        cover value
        """,
        .large: "large l lg big xl xlarge slide zoom",
        .full: "full original orig o raw hires fullsize download highres max hd origin remote",
        .link: "url href link permalink page html detail external",
        .foreign:
            """
        avatar author user owner logo profile publisher creator flag favicon uploader
        photographer comments related tags brand review sponsor placeholder blurhash exif
        """,
    ])
}

/// The title, text and date in an object of a page's data.
struct ObjectWords {
    let title: String?
    let summary: String?
    let date: String?

    private static let titles = wordList(
        """
        title name caption headline label alt alt_text altText imgalt description summary text desc
        """)
    private static let summaries = wordList("description summary caption text desc excerpt")
    private static let dates = wordList(
        """
        date dateCreated date_taken dateTaken taken taken_at datetaken datePublished date_published
        uploadDate created_at createdAt published published_at created
        """)

    init(_ object: LooseValue) {
        let title = ObjectWords.first(ObjectWords.titles, in: object, maxBytes: 300)
        self.title = title
        summary = ObjectWords.first(ObjectWords.summaries, in: object, maxBytes: 4_000).flatMap {
            $0 == title ? nil : $0
        }
        date = ObjectWords.dates.lazy.compactMap { object[$0]?.text }.compactMap(Dates.iso).first
    }

    private static func first(_ keys: [String], in object: LooseValue, maxBytes: Int) -> String? {
        for key in keys {
            // `{rendered: …}` and `{_content: …}` contain texts too.
            let value = object[key]
            guard let text = value?.text ?? value?["rendered"]?.text ?? value?["_content"]?.text,
                text.utf8.count <= maxBytes * 4
            else { continue }
            if let line = plain(text).line, line.utf8.count <= maxBytes { return line }
        }
        return nil
    }

    /// Returns the text without markup, which texts in data often contain.
    static func plain(_ text: String) -> String {
        text.includes("<") || text.includes("&")
            ? Document(markup: text).root.textContent : text
    }
}
