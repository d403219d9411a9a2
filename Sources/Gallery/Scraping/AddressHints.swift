import Basics
import Markup
import Network

/// What the text of an address reveals about its resource.
struct AddressHints {
    struct Ending: Meanings {
        let rawValue: UInt16
        static let photo: Ending = 1
        /// A format used for ornaments more often than for photographs.
        static let drawing: Ending = 2
        static let picture: Ending = 4
        /// A program on the server, which may respond with anything.
        static let program: Ending = 8
        /// Certainly not a picture.
        static let other: Ending = 16
        /// SVG: a picture only if there are no others.
        static let vector: Ending = 32
        /// A camera's raw file.
        static let raw: Ending = 64

        fileprivate static let known = WordTable<Ending>([
            .photo: "jpg jpeg jpe jfif pjpeg webp avif jxl heic heif hif",
            .drawing: "gif",
            .picture: "png bmp tif tiff",
            .raw: "dng cr2 cr3 nef arw orf rw2 pef raf",
            .vector: "svg svgz",
            .program: "php php5 asp aspx ashx jsp cgi pl do fcgi",
            .other:
                """
            html htm js css json xml ico mp4 webm mov mp3 pdf zip txt m3u8 xhtml shtml woff
            woff2 swf flv avi wmv mpg mpeg m4v ogv ogg mkv
            """,
        ])

        /// The endings of all kinds of pictures.
        static let pictures: Ending = [.photo, .drawing, .picture, .vector, .raw]
    }

    /// The kind of the path's extension; empty if that is unknown.
    var ending: Ending = []
    /// Whether the last path component contains a colon, as in `File:Photo.jpg`, which is a page about the file.
    private var isNamespaced = false
    /// The range of the last path component.
    var name: Range<Int> = 0..<0
    private var endsWithSlash = false
    private var isRoot = false

    init(_ address: Address) { self.init(address.text) }

    init(_ text: String) {
        var text = text
        self = text.withUTF8(AddressHints.init)
    }

    /// The size in the file name (`photo-1024x790.jpg`).
    var size: PictureSides?

    var looksLikePicture: Bool {
        !isNamespaced && !ending.isDisjoint(with: [.photo, .drawing, .picture, .raw])
    }

    var couldBePicture: Bool {
        !endsWithSlash && ending.isDisjoint(with: [.other, .program, .vector])
    }

    /// Whether an `img` source may be a picture: `thumb.php?id=7` and `/media/7/` are if a page shows them as such.
    var couldBeShown: Bool { ending.isDisjoint(with: [.other, .vector]) && !isRoot }

    init(_ text: Bytes) {
        let end = text.endOfPath
        var start = end
        var point: Int?
        while start > 0, text[start - 1] != "/" {
            start -= 1
            if text[start] == ":" { isNamespaced = true }
            if point == nil, text[start] == "." { point = start }
        }
        name = start..<end
        endsWithSlash = start == end
        isRoot = endsWithSlash && text[..<end].count(where: { $0 == "/" }) <= 3
        guard let point else { return }
        // A server's command may follow: `1.jpg!cover`, `1.jpg:large`.
        let rest = text[(point + 1)..<end].prefix { $0 != "!" && $0 != ":" }
        if rest.endIndex < end { isNamespaced = false }
        // The longest known extension has five letters.
        guard rest.count < 6 else { return }
        ending = Ending.known.meaning(ofWordsIn: rest) { _ in false }
        size = AddressHints.size(of: text[start..<point])
    }

    /// Returns the size in pixels that an address asks a server for, such as `/300x200/`, `w=300&h=200` or `80w_54h`; 0 if it names none.
    static func requestedSize(in text: Bytes) -> (width: Int, height: Int) {
        var width = 0
        var start = 0
        while let first = text[start...].firstIndex(where: \.isDigit) {
            let end = text[first...].firstIndex { !$0.isDigit } ?? text.count
            start = end
            guard (2...4).contains(end - first), first > 0 else { continue }
            let number = text[first..<end].reduce(0) { 10 * $0 + Int($1 - 0x30) }
            let before = [0x3D, 0x5F, 0x2D].contains(text[first - 1]) ? first - 2 : first - 1
            func isMarked(_ letter: UInt8) -> Bool {
                [before, end].contains { text.indices.contains($0) && text[$0].lowered == letter }
            }
            let isFirst = end + 1 < text.count && text[end].lowered == "x" && text[end + 1].isDigit
            if width > 0, text[first - 1].lowered == "x" || !isFirst && isMarked("h") {
                return (width, number)
            }
            width = isFirst || isMarked("w") ? number : 0
        }
        return (width, 0)
    }

    /// Returns the `-WxH` (or `_WxH`) at the end of a name, as added by WordPress and others.
    private static func size(of name: Slice<Bytes>) -> PictureSides? {
        guard let mark = name.lastIndex(where: { $0 == "-" || $0 == "_" }),
            let cross = name[mark...].firstIndex(where: { $0.lowered == "x" }),
            let width = side(name[(mark + 1)..<cross]), let height = side(name[(cross + 1)...]),
            // `frame-10x15` is in centimetres.
            width == height || max(width, height) >= 100
        else { return nil }
        return (width, height)
    }

    /// Parses two to five digits.
    private static func side(_ digits: Slice<Bytes>) -> Pixels? {
        (2...5).contains(digits.count) ? Bytes(rebasing: digits).pixels : nil
    }
}

extension Picture.Variant {
    /// Creates a variant with the size in the file's name.
    init(named address: Address) {
        let size = AddressHints(address).size
        self.init(address: address, width: size?.width, height: size?.height)
    }
}

extension TreeReader {
    /// Whether an element's `href` looks like a picture, or is a script that shows one.
    func leadsToPicture(_ link: Int) -> Bool {
        attribute(.href, of: link).map {
            $0.isScript
                ? ScriptedMarkup.name(inHandler: $0) != nil : AddressHints($0).looksLikePicture
        } ?? false
    }
}

extension Bytes {
    /// Whether a reference is a `javascript:` URL; the first letter excludes most others.
    var isScript: Bool {
        first { $0 > 0x20 }?.lowered == "j" && includes(ignoringCase: "javascript:")
    }
}

extension Address {
    /// The text up to the query.
    var withoutQuery: Substring { text.prefix { $0 != "?" } }

    /// The text up to the last slash of the path.
    var folder: Substring {
        let path = withoutQuery
        return path.lastIndex(of: "/").map { path[...$0] } ?? path
    }
}

extension StringProtocol {
    /// A file's name without its extension.
    package var withoutEnding: SubSequence {
        dropFirst().lastIndex(of: ".").map { self[..<$0] } ?? self[...]
    }

    /// The name without a picture's extension.
    package var withoutPictureEnding: SubSequence {
        let name = withoutEnding
        return AddressHints(String(self[name.endIndex...])).ending.isDisjoint(with: .pictures)
            ? self[...] : name
    }
}

/// The words of an address that mark ornaments: parts of the path between `/ - _ .`, so that `blankets` and
/// `logotype` are words of their own.
struct AddressWords: Meanings {
    let rawValue: UInt16
    static let ornament: AddressWords = 1
    /// A word that marks a placeholder.
    static let placeholder: AddressWords = 2
    /// A word that names a button or bullet.
    static let control: AddressWords = 4

    private static let known = WordTable<AddressWords>([
        .ornament:
            """
        sprite sprites spacer blank pixel logo logos icon icons button buttons badge badges
        avatar avatars banner banners loader loading spinner placeholder share social theme
        themes advert adverts ads promo rating stars emoji favicon flag btn btns payment
        payments visa mastercard appstore googleplay swatch swatches flags captcha arrow arrows
        facebook twitter pinterest linkedin whatsapp rss smiley smilies transparent powered award
        seal default header footer nav menu user author profile member
        """,
        .control:
            """
        prev previous next back home up down first last left right top index contents dot line
        bullet new email mail search print enlarge zoom play pause stop close button btn
        """,
        .placeholder:
            """
        placeholder spacer blank pixel loader loading spinner transparent trans lazy dummy lqip
        grey gray white empty noimage
        """,
    ])
}

extension AddressWords {
    /// Collects the words of the path in an address's text.
    init(_ text: Bytes) {
        let end = text.endOfPath
        // Nine bytes hold the longest scheme; the host ends at the next slash.
        let path = text[min(9, end)..<end].firstIndex(of: "/") ?? end
        self.init(words: text[path..<end])
    }

    /// Collects the words of a part of an address's text.
    init(words text: Slice<Bytes>) {
        var isNumbered = false
        self = Self.known.meaning(ofWordsIn: text) {
            let isEnd = $0 == "/" || $0 == "-" || $0 == "_" || $0 == "."
            // Digits may end a word, but what follows them is part of a number or a hash.
            isNumbered = !isEnd && (isNumbered || $0.isDigit)
            return isEnd || isNumbered
        }
    }
}
