/// The name of an element or attribute, as a number: comparing two costs nothing.
///
/// The well-known names below have the same number in every document.
@frozen public struct Name: Hashable, Sendable {
    @usableFromInline let id: UInt16

    @inlinable init(id: UInt16) { self.id = id }

    /// Written out, because a synthesised one would not be inlined into other modules.
    @inlinable public static func == (left: Name, right: Name) -> Bool { left.id == right.id }

    /// The number of the name: its index in `Document.names`.
    @inlinable public var number: Int { Int(id) }

    /// The empty name of the root.
    static let none = Name(id: 0)
    static let text = Name(id: 1)

    /// The well-known names; the index of each is its number.
    static let wellKnown: [String] =
        [""]
            + """
            #text a alt article aside base body button class div figcaption figure footer form h1
            h2 h3 h4 h5 h6 head header height hidden href html id img input label li link main nav
            noscript ol p picture pre rel role script section source span src srcset style svg
            table tbody td template textarea th time title tr type ul video width plaintext
            aria-label aria-hidden datetime meta name content image iframe option select item
            entry channel br data-caption data-sub-html data-title data-image-title
            data-lightbox-title data-image-description data-description data-date itemprop
            data-fancybox data-lightbox data-pswp-width data-pswp-src data-pswp-height
            data-lg-size data-glightbox data-featherlight data-fslightbox data-gallery data-size
            data-fancybox-group data-lightbox-gallery data-src data-srcset aria-current property
            audio embed object dl dt dd blockquote
            """.split(whereSeparator: \.isWhitespace).map(String.init)

    static let wellKnownIDs: [String: UInt16] = Dictionary(
        uniqueKeysWithValues: wellKnown.enumerated().map { ($1, UInt16($0)) })
}

// Literal numbers rather than look-ups, so that a comparison is one instruction.
extension Name {
    @inlinable package static var a: Name { Name(id: 2) }
    @inlinable package static var alt: Name { Name(id: 3) }
    @inlinable package static var article: Name { Name(id: 4) }
    @inlinable package static var aside: Name { Name(id: 5) }
    @inlinable package static var base: Name { Name(id: 6) }
    @inlinable package static var body: Name { Name(id: 7) }
    @inlinable package static var button: Name { Name(id: 8) }
    @inlinable package static var `class`: Name { Name(id: 9) }
    @inlinable package static var div: Name { Name(id: 10) }
    @inlinable package static var figcaption: Name { Name(id: 11) }
    @inlinable package static var figure: Name { Name(id: 12) }
    @inlinable package static var footer: Name { Name(id: 13) }
    @inlinable package static var h1: Name { Name(id: 15) }
    @inlinable package static var h2: Name { Name(id: 16) }
    @inlinable package static var h3: Name { Name(id: 17) }
    @inlinable package static var h4: Name { Name(id: 18) }
    @inlinable package static var h5: Name { Name(id: 19) }
    @inlinable package static var h6: Name { Name(id: 20) }
    @inlinable package static var head: Name { Name(id: 21) }
    @inlinable package static var header: Name { Name(id: 22) }
    @inlinable package static var height: Name { Name(id: 23) }
    @inlinable package static var hidden: Name { Name(id: 24) }
    @inlinable package static var href: Name { Name(id: 25) }
    @inlinable package static var html: Name { Name(id: 26) }
    @inlinable package static var id: Name { Name(id: 27) }
    @inlinable package static var img: Name { Name(id: 28) }
    @inlinable package static var li: Name { Name(id: 31) }
    @inlinable package static var link: Name { Name(id: 32) }
    @inlinable package static var main: Name { Name(id: 33) }
    @inlinable package static var nav: Name { Name(id: 34) }
    @inlinable package static var noscript: Name { Name(id: 35) }
    @inlinable package static var picture: Name { Name(id: 38) }
    @inlinable package static var pre: Name { Name(id: 39) }
    @inlinable package static var rel: Name { Name(id: 40) }
    @inlinable package static var role: Name { Name(id: 41) }
    @inlinable package static var script: Name { Name(id: 42) }
    @inlinable package static var section: Name { Name(id: 43) }
    @inlinable package static var source: Name { Name(id: 44) }
    @inlinable package static var src: Name { Name(id: 46) }
    @inlinable package static var style: Name { Name(id: 48) }
    @inlinable package static var svg: Name { Name(id: 49) }
    @inlinable package static var td: Name { Name(id: 52) }
    @inlinable package static var template: Name { Name(id: 53) }
    @inlinable package static var textarea: Name { Name(id: 54) }
    @inlinable package static var time: Name { Name(id: 56) }
    @inlinable package static var title: Name { Name(id: 57) }
    @inlinable package static var tr: Name { Name(id: 58) }
    @inlinable package static var type: Name { Name(id: 59) }
    @inlinable package static var width: Name { Name(id: 62) }
    @inlinable package static var plaintext: Name { Name(id: 63) }
    @inlinable package static var ariaLabel: Name { Name(id: 64) }
    @inlinable package static var ariaHidden: Name { Name(id: 65) }
    @inlinable package static var datetime: Name { Name(id: 66) }
    @inlinable package static var name: Name { Name(id: 68) }
    @inlinable package static var content: Name { Name(id: 69) }
    @inlinable package static var image: Name { Name(id: 70) }
    @inlinable package static var br: Name { Name(id: 77) }
    @inlinable package static var dataCaption: Name { Name(id: 78) }
    @inlinable package static var dataSubHtml: Name { Name(id: 79) }
    @inlinable package static var dataTitle: Name { Name(id: 80) }
    @inlinable package static var dataImageTitle: Name { Name(id: 81) }
    @inlinable package static var dataLightboxTitle: Name { Name(id: 82) }
    @inlinable package static var dataImageDescription: Name { Name(id: 83) }
    @inlinable package static var dataDescription: Name { Name(id: 84) }
    @inlinable package static var dataDate: Name { Name(id: 85) }
    @inlinable package static var itemprop: Name { Name(id: 86) }
    @inlinable package static var dataPswpWidth: Name { Name(id: 89) }
    @inlinable package static var dataPswpHeight: Name { Name(id: 91) }
    @inlinable package static var dataLgSize: Name { Name(id: 92) }
    @inlinable package static var dataSize: Name { Name(id: 97) }
}

/// A fixed set of well-known names; a look-up tests a single bit.
public struct NameSet: Sendable {
    /// One bit for each of up to 256 well-known names.
    private var bits: SIMD4<UInt64> = .zero

    /// Creates a set; all names must be well known.
    public init(_ names: [String]) {
        for name in names {
            guard let id = Name.wellKnownIDs[name], id < 256 else {
                preconditionFailure("\(name) is not well known")
            }
            bits[Int(id) / 64] |= 1 << UInt64(id % 64)
        }
    }

    /// Whether the set contains the name.
    public func contains(_ name: Name) -> Bool {
        name.id < 256 && bits[Int(name.id) / 64] >> UInt64(name.id % 64) & 1 == 1
    }
}
