import Basics
import Markup

/// What the tag, role, class and id of an element say about its part of the page.
struct Marks: Meanings, Hashable {
    let rawValue: UInt16
    /// The page's frame by tag or role: navigation, sidebar, header, footer.
    static let frame: Marks = 1
    static let hidden: Marks = 2
    static let figure: Marks = 4
    /// The part with the content: `main`, `article`; a header inside is not the page's.
    static let content: Marks = 8
    /// Those that mean the same however far out they are.
    static let ofParts: Marks = [.frame, .hidden, .figure, .content, .related, .side]
    // Words in classes and ids.
    static let gallery: Marks = 16
    static let image: Marks = 32
    static let thumbnail: Marks = 64
    static let logo: Marks = 128
    /// Somebody's face, or what somebody says.
    static let person: Marks = 256
    static let side: Marks = 512
    /// Other things that readers may like.
    static let related: Marks = 1024
    static let navigation: Marks = 2048

    private static let words = WordTable<Marks>([
        .gallery:
            """
        gallery galleries photo photos picture pictures portfolio album albums masonry lightbox
        grid collection comic strip photoset works artwork
        """,
        .image: "image images img imgs media pic pics figure",
        .thumbnail: "thumb thumbs thumbnail thumbnails",
        .logo:
            """
        logo logos brand brands partner partners client clients sponsor sponsors payment payments
        award awards
        """,
        .person:
            """
        comment comments avatar avatars author authors user users userpic profile member members
        byline team staff testimonial testimonials review reviews
        """,
        .side: "side sidebar widget widgets aside rightbar leftbar column rail",
        .related:
            """
        related relatedposts recommended recommendation recommendations similar popular recent
        also more upsells suggestions trending latest teaser teasers
        """,
        .navigation:
            """
        nav navbar navigation menu submenu topbar header masthead footer social share sharing icon
        icons btn button buttons lang language languages cookie breadcrumb breadcrumbs toolbar
        pagination pager login search
        """,
    ])

    /// The roles of the page's frame.
    static let frames = WordSet("navigation banner contentinfo complementary")
}

extension Marks {
    /// The union of the marks of the words in a class or id.
    init(wordsOf attribute: Bytes) {
        self = Self.words.meaning(ofWordsIn: attribute[...]) { !$0.isLetter }
    }

    /// - Parameter outer: what was found around the element.
    init(tag: Name, in outer: Marks) {
        switch tag {
        case .nav, .aside: self = .frame
        case .header, .footer: self = outer.contains(.content) ? [] : .frame
        case .figure: self = .figure
        case .main, .article: self = .content
        default: self = []
        }
    }
}
