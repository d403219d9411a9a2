/// The name of an element or attribute, as a number: comparing two costs nothing.
///
/// The well-known ones below have the same number in every document.
@frozen public struct Name: Hashable, Sendable {
    @usableFromInline let id: UInt16

    @inlinable init(id: UInt16) {
        self.id = id
    }

    /// Equal if both are the same name of one document, or well known.
    @inlinable public static func == (left: Name, right: Name) -> Bool { left.id == right.id }

    /// No name: that of the root.
    static let none = Name(id: 0)
    /// A run of text.
    static let text = Name(id: 1)

    /// The well-known names, each at its number.
    static let wellKnown: [String] = [
        "", "#text", "a", "alt", "article", "aside", "base", "body", "button", "class", "div",
        "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head",
        "header", "height", "hidden", "href", "html", "id", "img", "input", "label", "li", "link",
        "main", "nav", "noscript", "ol", "p", "picture", "pre", "rel", "role", "script", "section",
        "source", "span", "src", "srcset", "style", "svg", "table", "tbody", "td", "template",
        "textarea", "th", "time", "title", "tr", "type", "ul", "video", "width", "plaintext",
        "aria-label", "aria-hidden", "datetime", "meta", "name", "content", "image", "iframe",
        "option", "select", "item", "entry", "channel", "br", "data-caption", "data-sub-html",
        "data-title", "data-image-title", "data-lightbox-title", "data-image-description",
        "data-description", "data-date", "itemprop", "data-fancybox", "data-lightbox",
        "data-pswp-width", "data-pswp-src", "data-pswp-height", "data-lg-size", "data-glightbox",
        "data-featherlight", "data-fslightbox", "data-gallery", "data-size", "data-fancybox-group",
        "data-lightbox-gallery", "data-src", "data-srcset", "aria-current", "property", "audio",
        "embed", "object",
    ]

    static let wellKnownIDs: [String: UInt16] = Dictionary(
        uniqueKeysWithValues: wellKnown.enumerated().map { ($1, UInt16($0)) })
}

// Numbers and not look-ups, so that a comparison is one instruction; a test compares them with the list.
extension Name {
    /// An element.
    @inlinable public static var a: Name { Name(id: 2) }
    /// An element.
    @inlinable public static var article: Name { Name(id: 4) }
    /// An element.
    @inlinable public static var aside: Name { Name(id: 5) }
    /// An element.
    @inlinable public static var base: Name { Name(id: 6) }
    /// An element.
    @inlinable public static var body: Name { Name(id: 7) }
    /// An element.
    @inlinable public static var button: Name { Name(id: 8) }
    /// An element.
    @inlinable public static var div: Name { Name(id: 10) }
    /// An element.
    @inlinable public static var figcaption: Name { Name(id: 11) }
    /// An element.
    @inlinable public static var figure: Name { Name(id: 12) }
    /// An element.
    @inlinable public static var footer: Name { Name(id: 13) }
    /// An element.
    @inlinable public static var form: Name { Name(id: 14) }
    /// An element.
    @inlinable public static var h1: Name { Name(id: 15) }
    /// An element.
    @inlinable public static var h2: Name { Name(id: 16) }
    /// An element.
    @inlinable public static var h3: Name { Name(id: 17) }
    /// An element.
    @inlinable public static var h4: Name { Name(id: 18) }
    /// An element.
    @inlinable public static var h5: Name { Name(id: 19) }
    /// An element.
    @inlinable public static var h6: Name { Name(id: 20) }
    /// An element.
    @inlinable public static var head: Name { Name(id: 21) }
    /// An element.
    @inlinable public static var header: Name { Name(id: 22) }
    /// An element.
    @inlinable public static var html: Name { Name(id: 26) }
    /// An element.
    @inlinable public static var img: Name { Name(id: 28) }
    /// An element.
    @inlinable public static var li: Name { Name(id: 31) }
    /// An element.
    @inlinable public static var link: Name { Name(id: 32) }
    /// An element.
    @inlinable public static var main: Name { Name(id: 33) }
    /// An element.
    @inlinable public static var nav: Name { Name(id: 34) }
    /// An element.
    @inlinable public static var noscript: Name { Name(id: 35) }
    /// An element.
    @inlinable public static var picture: Name { Name(id: 38) }
    /// An element.
    @inlinable public static var pre: Name { Name(id: 39) }
    /// An element.
    @inlinable public static var script: Name { Name(id: 42) }
    /// An element.
    @inlinable public static var section: Name { Name(id: 43) }
    /// An element.
    @inlinable public static var source: Name { Name(id: 44) }
    /// An element.
    @inlinable public static var style: Name { Name(id: 48) }
    /// An element.
    @inlinable public static var template: Name { Name(id: 53) }
    /// An element.
    @inlinable public static var textarea: Name { Name(id: 54) }
    /// An element.
    @inlinable public static var time: Name { Name(id: 56) }
    /// An element, or an attribute.
    @inlinable public static var title: Name { Name(id: 57) }
    /// An element.
    @inlinable public static var tr: Name { Name(id: 58) }
    /// An element.
    @inlinable public static var td: Name { Name(id: 52) }
    /// An element.
    @inlinable public static var video: Name { Name(id: 61) }
    /// An element.
    @inlinable public static var image: Name { Name(id: 70) }
    /// An element.
    static var plaintext: Name { Name(id: 63) }
    /// An attribute.
    @inlinable public static var alt: Name { Name(id: 3) }
    /// An attribute.
    @inlinable public static var ariaHidden: Name { Name(id: 65) }
    /// An attribute.
    @inlinable public static var ariaLabel: Name { Name(id: 64) }
    /// An attribute.
    @inlinable public static var `class`: Name { Name(id: 9) }
    /// An attribute.
    @inlinable public static var datetime: Name { Name(id: 66) }
    /// An attribute.
    @inlinable public static var height: Name { Name(id: 23) }
    /// An attribute.
    @inlinable public static var hidden: Name { Name(id: 24) }
    /// An attribute.
    @inlinable public static var href: Name { Name(id: 25) }
    /// An attribute.
    @inlinable public static var id: Name { Name(id: 27) }
    /// An attribute.
    @inlinable public static var rel: Name { Name(id: 40) }
    /// An attribute.
    @inlinable public static var role: Name { Name(id: 41) }
    /// An attribute.
    @inlinable public static var src: Name { Name(id: 46) }
    /// An attribute.
    @inlinable public static var srcset: Name { Name(id: 47) }
    /// The attribute, which shares its number with the element.
    @inlinable public static var styleAttribute: Name { Name(id: 48) }
    /// An attribute.
    @inlinable public static var type: Name { Name(id: 59) }
    /// An attribute.
    @inlinable public static var width: Name { Name(id: 62) }
    /// An attribute.
    @inlinable public static var dataCaption: Name { Name(id: 78) }
    /// An attribute.
    @inlinable public static var dataSubHtml: Name { Name(id: 79) }
    /// An attribute.
    @inlinable public static var dataTitle: Name { Name(id: 80) }
    /// An attribute.
    @inlinable public static var dataImageTitle: Name { Name(id: 81) }
    /// An attribute.
    @inlinable public static var dataLightboxTitle: Name { Name(id: 82) }
    /// An attribute.
    @inlinable public static var dataImageDescription: Name { Name(id: 83) }
    /// An attribute.
    @inlinable public static var dataDescription: Name { Name(id: 84) }
    /// An attribute.
    @inlinable public static var dataDate: Name { Name(id: 85) }
    /// An attribute.
    @inlinable public static var itemprop: Name { Name(id: 86) }
    /// An attribute.
    @inlinable public static var dataSrc: Name { Name(id: 100) }
    /// An element.
    @inlinable public static var meta: Name { Name(id: 67) }
    /// An attribute.
    @inlinable public static var content: Name { Name(id: 69) }
    /// An attribute.
    @inlinable public static var name: Name { Name(id: 68) }
    /// An attribute.
    @inlinable public static var property: Name { Name(id: 103) }
    /// An element.
    @inlinable public static var br: Name { Name(id: 77) }
    /// An attribute.
    @inlinable public static var dataPswpWidth: Name { Name(id: 89) }
    /// An attribute.
    @inlinable public static var dataPswpHeight: Name { Name(id: 91) }
    /// An attribute.
    @inlinable public static var dataSize: Name { Name(id: 97) }
    /// An attribute.
    @inlinable public static var dataLgSize: Name { Name(id: 92) }
}
