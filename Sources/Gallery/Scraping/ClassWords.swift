/// What a class or id says about the part of the page that carries it.
///
/// Whole words only: `blankets` is not `blank`.
struct ClassWords {
    private static let chrome: Set<String> = [
        "nav", "navbar", "navigation", "menu", "main-menu", "site-header", "site-footer",
        "masthead", "footer",
        "page-header", "page-footer", "topbar", "sidebar", "side-bar", "widget", "widget-area",
        "comments", "comment",
        "comment-list", "commentlist", "comment-form", "respond", "share", "sharing",
        "share-buttons",
        "social", "social-links", "social-icons", "cookie", "cookies", "cookie-banner",
        "cookie-notice",
        "newsletter", "breadcrumb", "breadcrumbs", "ad", "ads", "advert", "advertisement",
        "adsbygoogle", "banner-ad",
        "sponsor", "sponsors", "sponsored", "author-box", "avatar", "photo-author", "partners",
        "payment-icons",
        "login", "signup", "search-form", "pagination", "pager", "languages", "lang-switcher",
    ]
    private static let hidden: Set<String> = [
        "screen-reader-text", "visually-hidden", "sr-only", "slick-cloned",
        "swiper-slide-duplicate",
    ]
    private static let gallery: Set<String> = [
        "gallery", "galleries", "photo", "photos", "picture", "pictures", "image", "images",
        "thumb", "thumbs",
        "thumbnail", "thumbnails", "album", "albums", "portfolio", "masonry", "lightbox", "grid",
        "collection",
        "figure", "media", "photoset", "slides",
    ]
    private static let related: Set<String> = [
        "related", "related-posts", "relatedposts", "jp-relatedposts", "related-galleries",
        "related-content",
        "recommended", "recommendations", "recommended-galleries", "you-may-like",
        "you-may-also-like", "also-like",
        "similar", "upsells", "more-galleries", "suggestions",
    ]

    private static let table: WordTable<Surroundings> = {
        var table = WordTable<Surroundings>(capacity: 512)
        for (words, meaning) in [
            (chrome, Surroundings.chrome), (hidden, .hidden), (related, .related),
        ] {
            for word in words { table.add(word) { $0.formUnion(meaning) } }
        }
        return table
    }()
    private static let parts: WordTable<Surroundings> = {
        var table = WordTable<Surroundings>(capacity: 128)
        for word in gallery { table.add(word) { $0.insert(.gallery) } }
        return table
    }()

    private var known = ValueCache<Surroundings>(none: [])

    /// What `attribute`, a class or id attribute, says; its bytes must live as long as this.
    mutating func surroundings(for attribute: UnsafeBufferPointer<UInt8>) -> Surroundings {
        guard attribute.count > 0 else { return [] }
        return known.answer(for: attribute, ClassWords.read)
    }

    /// Up to fifty words.
    private static func read(_ attribute: UnsafeBufferPointer<UInt8>) -> Surroundings {
        var answer: Surroundings = []
        var word = WordHash()
        var part = WordHash()
        var words = 0
        for byte in attribute {
            if byte <= 0x20 {
                guard !word.isEmpty else { continue }
                answer.formUnion(table[word] ?? [])
                answer.formUnion(parts[part] ?? [])
                word = WordHash()
                part = WordHash()
                words += 1
                if words == 50 { return answer }
            } else {
                word.add(byte)
                // `wp-block-gallery`, `photo_item`: parts count here, since nothing is rejected for them.
                if byte == 0x2D || byte == 0x5F {
                    answer.formUnion(parts[part] ?? [])
                    part = WordHash()
                } else {
                    part.add(byte)
                }
            }
        }
        return answer.union(table[word] ?? []).union(parts[part] ?? [])
    }
}
