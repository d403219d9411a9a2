import Network

/// The words of an address, for telling photographs from ornaments: parts of the path between `/ - _ .`, so that `blankets` and
/// `logotype` are words of their own.
struct AddressWords: OptionSet {
    let rawValue: UInt8
    /// Words of ornaments in it.
    static let ornament = AddressWords(rawValue: 1)
    /// Words of photographs in it.
    static let photo = AddressWords(rawValue: 2)
    /// A word that says that something only holds a place.
    static let placeholder = AddressWords(rawValue: 4)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The words of the path.
    init(_ address: Address) {
        var text = address.text
        self = text.withUTF8 { AddressWords.read($0, nameOnly: false) }
    }

    /// The words of the path in an address's text.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        self = AddressWords.read(text, nameOnly: false)
    }

    /// Whether the file's own name says that it only holds a place.
    static func isPlaceholder(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        read(text, nameOnly: true).contains(.placeholder)
    }

    /// Whether the ornament is but a word in a longer name: `after-the-flag.jpg` shows a race.
    static func isInPhrase(_ address: Address) -> Bool {
        let name = address.lastPathComponent
        let words = name.split { $0 == "-" || $0 == "_" || $0 == "." }.dropLast()
        // Numbers are no words: `icon-32-2.jpg`.
        guard words.count(where: { $0.contains(where: \.isLetter) }) >= 3 else { return false }
        let folder = address.text.prefix { $0 != "?" }.dropLast(name.utf8.count)
        return Address(String(folder)).map { !AddressWords($0).contains(.ornament) } ?? false
    }

    private static func read(_ text: UnsafeBufferPointer<UInt8>, nameOnly: Bool) -> AddressWords {
        let end = text.endOfPath
        // Nine bytes hold the longest scheme; the host ends at the next slash.
        let path = text[min(9, end)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
        let name = nameOnly ? text[path..<end].lastIndex(of: UInt8(ascii: "/")) ?? path : path
        return words(in: text[name..<end])
    }

    private static func words(in text: Slice<UnsafeBufferPointer<UInt8>>) -> AddressWords {
        let known = known
        var found: AddressWords = []
        var at = text.startIndex
        while at < text.endIndex {
            let mayBeKnown = known.mayHold(wordsWith: text[at])
            var word = WordHash()
            while at < text.endIndex, !endsWord(text[at]) {
                if mayBeKnown { word.add(text[at]) }
                at += 1
            }
            if mayBeKnown { found.formUnion(known[word] ?? []) }
            at += 1
        }
        return found
    }

    /// Whether a byte is one of `/ - _ .`.
    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == 0x2F || byte == 0x2D || byte == 0x5F || byte == 0x2E
    }

    private static let known: WordTable<AddressWords> = {
        let lists: [(AddressWords, [String])] = [
            (
                .ornament,
                [
                    "sprite", "sprites", "spacer", "blank", "pixel", "logo", "logos", "icon",
                    "icons",
                    "button", "buttons", "badge", "badges", "avatar", "avatars", "banner",
                    "banners",
                    "loader", "loading", "spinner",
                    "placeholder",
                    "share", "social", "theme", "themes", "advert", "adverts", "ads", "promo",
                    "rating",
                    "stars", "emoji", "favicon", "flag", "flags", "captcha", "arrow", "arrows",
                ]
            ),
            (
                .photo,
                [
                    "upload", "uploads", "photo", "photos", "gallery", "galleries", "media",
                    "large",
                    "pictures", "images", "thumbs", "thumbnails", "album", "albums", "image",
                    "full",
                    "original",
                ]
            ),
            (
                .placeholder,
                [
                    "placeholder", "spacer", "blank", "pixel", "loader", "loading", "spinner",
                    "transparent", "1x1", "lazy", "dummy", "lqip", "grey", "gray",
                ]
            ),
        ]
        var table = WordTable<AddressWords>(capacity: 256)
        for (kind, words) in lists {
            for word in words { table.add(word) { $0.formUnion(kind) } }
        }
        return table
    }()
}
