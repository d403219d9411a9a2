import Network

/// What a class or id says about its part of the page.
///
/// Only whole words count: `blankets` is not `blank`.
struct ClassWords {
    private static let whole = WordTable<Surroundings>([
        .chrome: "nav navbar navigation menu main-menu site-header site-footer masthead footer",
        .chrome: "page-header page-footer topbar sidebar side-bar widget widget-area comments",
        .chrome: "comment comment-list commentlist comment-form respond share sharing",
        .chrome: "share-buttons social social-links social-icons cookie cookies cookie-banner",
        .chrome: "cookie-notice newsletter breadcrumb breadcrumbs ad ads advert advertisement",
        .chrome: "adsbygoogle banner-ad sponsor sponsors sponsored author-box avatar photo-author",
        .chrome:
            "testimonial testimonials review reviews partners payment-icons login signup search-form pagination pager languages",
        .chrome: "lang-switcher team team-member team-members our-team staff clients client-logos",
        .head: "header logo site-logo brand",
        .hidden: "screen-reader-text visually-hidden sr-only",
        .copy: "slick-cloned swiper-slide-duplicate cloned clone bx-clone splide__slide--clone",
        .copy: "glide__slide--clone",
        .related: "related related-posts relatedposts jp-relatedposts related-galleries",
        .related: "related-content recommended recommendations recommended-galleries you-may-like",
        .related: "you-may-also-like also-like similar upsells more-galleries suggestions",
    ])
    /// Parts of words count here (`wp-block-gallery`, `photo_item`), since most of them never lead to a rejection.
    private static let parts = WordTable<Surroundings>([
        .side: "sidebar aside",
        .gallery: "gallery galleries photo photos picture pictures image images thumb thumbs",
        .gallery: "thumbnail thumbnails album albums portfolio masonry lightbox grid collection",
        .gallery: "figure media photoset slides",
    ])

    private var known = ValueCache<Surroundings>(none: [])

    /// Returns the meaning of a class or id attribute, whose bytes must outlive this value.
    mutating func surroundings(for attribute: UnsafeBufferPointer<UInt8>) -> Surroundings {
        guard attribute.count > 0 else { return [] }
        return known.answer(for: attribute) { attribute in
            let parts = Self.parts.meaning(ofWordsIn: attribute[...]) {
                $0 <= 0x20 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
            return parts.union(Self.whole.meaning(ofWordsIn: attribute[...]) { $0 <= 0x20 })
        }
    }
}

/// The words of an address that distinguish photographs from ornaments: parts of the path between `/ - _ .`, so that `blankets` and
/// `logotype` are words of their own.
struct AddressWords: OptionSet {
    let rawValue: UInt8
    static let ornament = AddressWords(rawValue: 1)
    static let photo = AddressWords(rawValue: 2)
    /// A word that marks a placeholder.
    static let placeholder = AddressWords(rawValue: 4)

    private static let known = WordTable<AddressWords>([
        .ornament: "sprite sprites spacer blank pixel logo logos icon icons button buttons badge",
        .ornament: "badges avatar avatars banner banners loader loading spinner placeholder share",
        .ornament: "social theme themes advert adverts ads promo rating stars emoji favicon flag",
        .ornament: "flags captcha arrow arrows facebook twitter pinterest linkedin whatsapp rss",
        .photo: "upload uploads photo photos gallery galleries media large pictures images thumbs",
        .photo: "thumbnails album albums image full original",
        .placeholder: "placeholder spacer blank pixel loader loading spinner transparent 1x1 lazy",
        .placeholder: "dummy lqip grey gray",
    ])

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ address: Address) {
        var text = address.text
        self = text.withUTF8 { AddressWords($0) }
    }

    /// Collects the words of the path in an address's text.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        let end = text.endOfPath
        // Nine bytes hold the longest scheme; the host ends at the next slash.
        let path = text[min(9, end)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
        self.init(words: text[path..<end])
    }

    /// Collects the words of a part of an address's text.
    init(words text: Slice<UnsafeBufferPointer<UInt8>>) {
        self = Self.known.meaning(ofWordsIn: text) {
            $0 == 0x2F || $0 == 0x2D || $0 == 0x5F || $0 == 0x2E
        }
    }

    private static let controls = Set(
        wordList(
            """
            prev previous next back home up down first last left right top index contents thumb dot
            line bullet new email mail search print enlarge zoom play pause stop fullscreen mute unmute
            rewind forward close slideshow
            """))

    /// Whether a file or text is named like a button or bullet: `prev.gif`, `play-button.png`, `Fullscreen (f)`.
    static func isControl(_ name: String) -> Bool {
        guard name.utf8.count <= 30 else { return false }
        let words = name.prefix { $0 != "." && $0 != "(" }.lowercased().split {
            !$0.isLetter && !$0.isNumber
        }
        return controls.contains(
            words.filter { !["button", "btn", "icon", "slide"].contains($0) }.joined())
    }

    /// Whether the ornament is just one word in a longer name: `after-the-flag.jpg` shows a race.
    static func isInPhrase(_ address: Address) -> Bool {
        let name = address.lastPathComponent
        let words = name.split { $0 == "-" || $0 == "_" || $0 == "." }.dropLast()
        // Numbers are not words: `icon-32-2.jpg`.
        guard words.count(where: { $0.contains(where: \.isLetter) }) >= 3 else { return false }
        let folder = address.text.prefix { $0 != "?" }.dropLast(name.utf8.count)
        return Address(String(folder)).map { !AddressWords($0).contains(.ornament) } ?? false
    }
}
