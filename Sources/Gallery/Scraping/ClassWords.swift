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

    private var known: [String: Surroundings] = [:]
    /// Pages with more different class attributes than this are hostile.
    private static let maxKnown = 10_000

    /// What `attribute`, a class or id attribute, says; remembered, since pages repeat them.
    mutating func surroundings(for attribute: String) -> Surroundings {
        if let answer = known[attribute] {
            return answer
        }
        var answer: Surroundings = []
        for word in attribute.lowercased().split(whereSeparator: \.isWhitespace).prefix(50) {
            answer.formUnion(ClassWords.surroundings(forWord: String(word)))
        }
        if known.count < ClassWords.maxKnown {
            known[attribute] = answer
        }
        return answer
    }

    private static func surroundings(forWord word: String) -> Surroundings {
        var answer: Surroundings = []
        if chrome.contains(word) { answer.insert(.chrome) }
        if hidden.contains(word) { answer.insert(.hidden) }
        if related.contains(word) { answer.insert(.related) }
        // `wp-block-gallery`, `photo_item`: parts count here, since nothing is rejected for them.
        let parts = word.split { $0 == "-" || $0 == "_" }
        if parts.contains(where: { gallery.contains(String($0)) }) { answer.insert(.gallery) }
        return answer
    }
}
