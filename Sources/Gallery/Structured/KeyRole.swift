/// What the key of a value says about an address that stands there.
enum KeyRole: Int {
    /// A small version.
    case thumbnail
    /// A version between small and large.
    case medium
    /// A picture, without saying of which size.
    case plain
    /// A large version.
    case large
    /// The full picture.
    case full
    /// A page, or a picture if it is named like one.
    case link
    /// Something of no interest: the author's portrait, the site's sign.
    case foreign

    /// Reads a key by its words: `thumbUrl`, `url_l`, `image-large`, `source_url`.
    init?(_ key: String) {
        let words = KeyRole.words(of: key)
        var found: KeyRole?
        for word in words {
            guard let role = KeyRole.known[word] else { continue }
            // A word for a size says more than `url` or `image`; one for something else says it all.
            if role == .foreign {
                self = .foreign
                return
            }
            if found == nil || found == .plain || found == .link { found = role }
        }
        guard let found else { return nil }
        self = found
    }

    /// `thumbUrl`, `thumb_url` and `thumb-url` are `thumb` and `url`.
    private static func words(of key: String) -> [String] {
        var words: [String] = []
        var word = ""
        for character in key.prefix(60) {
            if character.isUppercase || !character.isLetter {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if character.isLetter { word += character.lowercased() }
        }
        if !word.isEmpty { words.append(word) }
        return words + [key.lowercased()]
    }

    private static let known: [String: KeyRole] = {
        let lists: [(KeyRole, [String])] = [
            (
                .thumbnail,
                [
                    "thumb", "thumbs", "thumbnail", "thumbnails", "small", "mini", "tiny",
                    "preview",
                    "square", "sq", "tn", "th", "s", "t", "xs", "sm", "icon",
                ]
            ),
            (.medium, ["medium", "mid", "m", "md", "middle", "regular", "web"]),
            (
                .plain,
                [
                    "src", "image", "images", "img", "picture", "photo", "source", "file", "uri",
                    "path", "display", "media", "content", "poster", "cover", "value",
                ]
            ),
            (.large, ["large", "l", "lg", "big", "xl", "xlarge", "slide", "zoom"]),
            (
                .full,
                [
                    "full", "original", "orig", "o", "raw", "hires", "fullsize", "download",
                    "highres",
                    "max", "hd", "origin",
                ]
            ),
            (
                .link,
                ["url", "href", "link", "permalink", "page", "html", "detail", "external"]
            ),
            (
                .foreign,
                [
                    "avatar", "author", "user", "owner", "logo", "profile", "publisher", "creator",
                    "flag", "favicon", "uploader", "photographer", "comments", "related", "tags",
                    "brand", "review", "sponsor", "placeholder", "blurhash", "exif",
                ]
            ),
        ]
        return Dictionary(
            uniqueKeysWithValues: lists.flatMap { role, words in words.map { ($0, role) } })
    }()
}
