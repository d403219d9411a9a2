import Basics

/// The context of an element, inherited by its descendants.
struct Landmarks: OptionSet, Hashable {
    let rawValue: UInt16
    /// The page's own frame: navigation, header, footer, sidebar, comments, sharing.
    static let chrome = Landmarks(rawValue: 1)
    static let hidden = Landmarks(rawValue: 2)
    static let figure = Landmarks(rawValue: 4)
    /// A class or id that mentions pictures.
    static let gallery = Landmarks(rawValue: 8)
    /// The part with the content: `main`, `article`; a header inside is not the page's.
    static let content = Landmarks(rawValue: 16)
    /// A part whose class marks it as recommending other things.
    static let related = Landmarks(rawValue: 32)
    /// A slider's copy of a slide, identified by its class.
    static let copy = Landmarks(rawValue: 64)
    // What a word calls an element, which `CandidateCollector.isFrame` weighs against what it contains.

    /// A sidebar.
    static let side = Landmarks(rawValue: 128)
    /// A header or logo.
    static let head = Landmarks(rawValue: 256)
    /// A part that pages put beside their content, and that some pages are about: a team, reviews, widgets.
    static let module = Landmarks(rawValue: 512)
}

/// What a class or id says about its part of the page.
///
/// Words end at blanks, for some meanings also at dashes; within a longer word none counts: `navy` is not `nav`.
struct ClassWords {
    private static let whole = WordTable<Landmarks>([
        .chrome:
            """
        nav navbar navigation menu main-menu site-header site-footer masthead footer
        page-header page-footer topbar sidebar side-bar comments mega-menu megamenu
        dropdown-menu sub-menu submenu nav-menu main-nav site-nav primary-menu mobile-menu
        comment comment-list commentlist comment-form respond share sharing share-buttons
        social social-links social-icons cookie cookies cookie-banner cookie-notice newsletter
        breadcrumb breadcrumbs ad ads advert advertisement adsbygoogle banner-ad sponsor
        sponsors sponsored author-box avatar photo-author payment-icons login signup
        search-form pagination pager languages lang-switcher
        """,
        .module:
            """
        testimonial testimonials review reviews partners widget widget-area team staff
        team-member team-members our-team clients client-logos
        """,
        .head: "header logo site-logo brand",
        .hidden: "screen-reader-text visually-hidden sr-only",
        .copy:
            """
        slick-cloned swiper-slide-duplicate cloned clone bx-clone splide__slide--clone
        glide__slide--clone
        """,
        .related:
            """
        related related-posts relatedposts jp-relatedposts related-galleries related-content
        recommended recommendations recommended-galleries you-may-like you-may-also-like
        also-like similar upsells more-galleries suggestions
        """,
    ])
    /// Parts of words count here (`wp-block-gallery`, `photo_item`), since most of them never lead to a rejection.
    private static let parts = WordTable<Landmarks>([
        .side: "sidebar aside", .head: "masthead",
        .module: "byline avatar userpic",
        .gallery:
            """
        gallery galleries photo photos picture pictures image images thumb thumbs thumbnail
        thumbnails album albums portfolio masonry lightbox grid collection figure media
        photoset slides
        """,
    ])

    /// Parts of ids, which themes give to their frames only.
    private static let partsOfIDs = WordTable<Landmarks>([
        .chrome: "nav navbar navigation menu footer masthead topbar", .head: "header banner logo",
    ])

    private var known = ValueCache<Landmarks>()

    /// Returns the meaning of a class or id attribute, whose bytes must outlive this value.
    mutating func landmarks(for attribute: Bytes) -> Landmarks {
        known.answer(for: attribute) { attribute in
            let parts = Self.parts.meaning(ofWordsIn: attribute[...]) {
                $0 <= 0x20 || $0 == "-" || $0 == "_"
            }
            return parts.union(Self.whole.meaning(ofWordsIn: attribute[...]) { $0 <= 0x20 })
        }
    }

    /// Returns the meaning of an id, which also is that of its parts unless it mentions pictures.
    mutating func landmarks(forID id: Bytes) -> Landmarks {
        let known = landmarks(for: id)
        return known.contains(.gallery)
            ? known
            : known.union(Self.partsOfIDs.meaning(ofWordsIn: id[...]) { $0 == "-" || $0 == "_" })
    }
}
