/// The name of an element or attribute, as a number: comparing two costs nothing.
///
/// The well-known names below have the same number in every document.
@frozen public struct Name: Hashable, Sendable, ExpressibleByIntegerLiteral {
    @usableFromInline let id: UInt16

    @inlinable init(_ id: UInt16) { self.id = id }

    /// Creates the name with this number.
    @inlinable public init(integerLiteral id: UInt16) { self.id = id }

    /// Written out, because a synthesised one would not be inlined into other modules.
    @inlinable public static func == (left: Name, right: Name) -> Bool { left.id == right.id }

    /// The number of the name: its index in `Document.names`.
    @inlinable public var number: Int { Int(id) }

    /// The empty name of the root.
    static let none: Name = 0
    static let text: Name = 1

    /// The well-known names; the index of each is its number.
    static let wellKnown: [String] =
        [""]
            + """
            #text a alt article aside base body button class div figcaption figure footer
            form h1 h2 h3 h4 h5 h6 head header height hidden href html id img input label li
            link main nav noscript ol p picture pre rel role script section source span src
            srcset style svg table tbody td template textarea th time title tr type ul video
            width plaintext aria-label aria-hidden datetime meta name content image iframe
            option select item entry channel br data-date itemprop data-fancybox
            data-lightbox data-pswp-width data-pswp-src data-pswp-height data-lg-size
            data-glightbox data-featherlight data-fslightbox data-gallery data-size
            data-fancybox-group data-lightbox-gallery data-src data-srcset aria-current
            property audio embed object dl dt dd blockquote area map usemap b i font center strong em u
            small big nobr tt
            """.split(whereSeparator: \.isWhitespace).map(String.init)

    static let wellKnownIDs: [String: UInt16] = Dictionary(
        uniqueKeysWithValues: wellKnown.enumerated().map { ($1, UInt16($0)) })
}

// Literal numbers rather than look-ups, so that a comparison is one instruction.
extension Name {
    @inlinable package static var a: Name { 2 }
    @inlinable package static var alt: Name { 3 }
    @inlinable package static var article: Name { 4 }
    @inlinable package static var aside: Name { 5 }
    @inlinable package static var base: Name { 6 }
    @inlinable package static var body: Name { 7 }
    @inlinable package static var `class`: Name { 9 }
    @inlinable package static var figcaption: Name { 11 }
    @inlinable package static var figure: Name { 12 }
    @inlinable package static var footer: Name { 13 }
    @inlinable package static var h1: Name { 15 }
    @inlinable package static var header: Name { 22 }
    @inlinable package static var height: Name { 23 }
    @inlinable package static var hidden: Name { 24 }
    @inlinable package static var href: Name { 25 }
    @inlinable package static var html: Name { 26 }
    @inlinable package static var id: Name { 27 }
    @inlinable package static var img: Name { 28 }
    @inlinable package static var link: Name { 32 }
    @inlinable package static var td: Name { 52 }
    @inlinable package static var main: Name { 33 }
    @inlinable package static var nav: Name { 34 }
    @inlinable package static var noscript: Name { 35 }
    @inlinable package static var picture: Name { 38 }
    @inlinable package static var rel: Name { 40 }
    @inlinable package static var role: Name { 41 }
    @inlinable package static var script: Name { 42 }
    @inlinable package static var source: Name { 44 }
    @inlinable package static var src: Name { 46 }
    @inlinable package static var style: Name { 48 }
    @inlinable package static var time: Name { 56 }
    @inlinable package static var title: Name { 57 }
    @inlinable package static var type: Name { 59 }
    @inlinable package static var width: Name { 62 }
    @inlinable package static var ariaLabel: Name { 64 }
    @inlinable package static var meta: Name { 67 }
    @inlinable package static var name: Name { 68 }
    @inlinable package static var content: Name { 69 }
    @inlinable package static var image: Name { 70 }
    @inlinable package static var br: Name { 77 }
    @inlinable package static var dataDate: Name { 78 }
    @inlinable package static var itemprop: Name { 79 }
    @inlinable package static var dataPswpWidth: Name { 82 }
    @inlinable package static var dataPswpHeight: Name { 84 }
    @inlinable package static var dataLgSize: Name { 85 }
    @inlinable package static var dataSize: Name { 90 }
    @inlinable package static var area: Name { 104 }
}

/// A fixed set of well-known names; a look-up tests a single bit.
public struct NameSet: Sendable {
    /// One bit for each of up to 256 well-known names.
    private var bits: SIMD4<UInt64> = .zero

    /// Creates a set of names separated by blanks, all well known.
    public init(_ names: String) {
        for name in names.split(whereSeparator: \.isWhitespace) {
            guard let id = Name.wellKnownIDs[String(name)], id < 256 else {
                preconditionFailure("\(name) is not well known")
            }
            bits[Int(id) / 64] |= 1 << UInt64(id % 64)
        }
    }

    /// Whether the set contains the name.
    public func contains(_ name: Name) -> Bool {
        name.id < 256 && bits[name.number / 64] >> UInt64(name.id % 64) & 1 == 1
    }
}
