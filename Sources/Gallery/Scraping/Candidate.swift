import Basics
import Markup
import Network

/// A picture that may be part of the gallery: its element, and the range of its addresses in the page's findings.
///
/// Consists of numbers instead of references, because the rules pass on lists of thousands many times.
struct Candidate {
    enum Kind {
        /// An `img`, or an equivalent element.
        case picture
        /// An element with a background.
        case background
        /// A link to a picture without a picture inside.
        case textLink
        /// An `svg`, or an `img` of an SVG file.
        case drawing
    }

    struct Found {
        var address: Int
        var role: AttributeRole
        var width: Pixels?
        var height: Pixels?
    }

    /// The element by its order on the page, like all elements below.
    let node: Int
    let kind: Kind
    let surroundings: Surroundings
    /// The range of its addresses in `Findings.found`, in page order.
    var places = 0..<0
    /// Its thumbnail in a strip beside the slides: the element, its item, and the range of the thumbnail's addresses.
    var thumbnail: (node: Int, item: Int, places: Range<Int>)?
    var anchor: Int?
    /// The number of the address that the link leads to, if that is not a picture.
    var link: Int?
    /// The largest element that contains this candidate and no other.
    var item: Int
    /// The size at which the page shows the picture.
    var shown: (width: Pixels?, height: Pixels?) = (nil, nil)
    /// The size of the full picture, if the page specifies it.
    var fullSize: (width: Pixels, height: Pixels)?
    /// Whether the candidate is in the markup of a lightbox or gallery.
    var isExplicit = false
    /// Whether the link leads to the full picture.
    var linksToPicture = false
    /// Whether this is the cover of a gallery of its own.
    var isAlbum = false

    init(node: Int, kind: Kind, surroundings: Surroundings) {
        self.node = node
        self.kind = kind
        self.surroundings = surroundings
        item = node
    }
}

/// The context of an element, inherited by its descendants.
struct Surroundings: OptionSet, Hashable {
    let rawValue: UInt16
    /// The page's own frame: navigation, header, footer, sidebar, comments, sharing.
    static let chrome = Surroundings(rawValue: 1 << 0)
    static let hidden = Surroundings(rawValue: 1 << 1)
    static let figure = Surroundings(rawValue: 1 << 2)
    /// A class or id that mentions pictures.
    static let gallery = Surroundings(rawValue: 1 << 3)
    /// The part with the content: `main`, `article`; a header inside is not the page's.
    static let content = Surroundings(rawValue: 1 << 4)
    /// A part whose class marks it as recommending other things.
    static let related = Surroundings(rawValue: 1 << 5)
    /// A slider's copy of a slide, identified by its class.
    static let copy = Surroundings(rawValue: 1 << 6)
    /// A sidebar by a word in its class: chrome, unless it contains half of the page, as the wrapper of a page with a sidebar does.
    static let side = Surroundings(rawValue: 1 << 7)
    /// A header or logo by its class: likewise, unless it is part of the content.
    static let head = Surroundings(rawValue: 1 << 8)
}

/// What was found on a page: its elements and the addresses that they offer.
///
/// The view is valid while the document is retained.
struct Findings {
    let document: Document
    let view: PageView
    var addresses: AddressNumbers
    /// The addresses offered, contiguous for each candidate; see `Candidate.places`.
    private(set) var found: [Candidate.Found] = []
    /// Captions from candidates' own data, by node.
    var captions: [Int: String] = [:]

    init(_ document: Document, view: PageView, capacity: Int) {
        self.document = document
        self.view = view
        addresses = AddressNumbers(capacity: capacity)
        found.reserveCapacity(capacity)
    }

    func found(of candidate: Candidate) -> ArraySlice<Candidate.Found> { found[candidate.places] }

    /// Returns the most informative address, preferably not the `src`, which may be a placeholder while the picture loads.
    func best(of candidate: Candidate) -> Candidate.Found? {
        for place in candidate.places.reversed() where found[place].role != .plain {
            return found[place]
        }
        return candidate.places.last.map { found[$0] }
    }

    func count(of role: AttributeRole, for candidate: Candidate) -> Int {
        // A closure that captures the findings would copy them.
        var count = 0
        for place in candidate.places where found[place].role == role { count += 1 }
        return count
    }

    /// Appends an address for the next candidate.
    mutating func append(_ offer: Candidate.Found) { found.append(offer) }

    /// Removes everything appended from `place` on.
    mutating func removeAll(from place: Int) { found.removeSubrange(place...) }

    /// Adds an address to those of a candidate.
    mutating func add(_ offer: Candidate.Found, to candidate: inout Candidate) {
        // A range that is not the last is moved to the end.
        if candidate.places.upperBound != found.count {
            let start = found.count
            for place in candidate.places { found.append(found[place]) }
            candidate.places = start..<found.count
        }
        found.append(offer)
        candidate.places = candidate.places.lowerBound..<found.count
    }

    func address(_ number: Int) -> Address { addresses[number] }

    /// Whether the name of the offered file suggests a placeholder.
    func isPlaceholder(_ offer: Candidate.Found) -> Bool {
        let name = addresses.hints(of: offer.address).name
        return addresses.withText(of: offer.address) { text in
            AddressWords(words: text[Int(name.lowerBound)..<Int(name.upperBound)])
                .contains(.placeholder)
        }
    }

    /// Whether an address in microdata is on the host of the picture shown; one elsewhere is the page about it.
    func isSameHost(_ target: Int, as candidate: Candidate) -> Bool {
        let host = address(target).host
        return found(of: candidate).contains {
            address($0.address).host == host
        }
    }

    /// Whether the link leads to the program that generates the picture shown: `fetch.php?w=200&file=1` and `fetch.php?file=1`.
    func isSameProgram(_ target: Int, as candidate: Candidate) -> Bool {
        let text = address(target).text
        let path = text.prefix { $0 != "?" }
        return path.utf8.count < text.utf8.count
            && found(of: candidate).contains { found in
                found.role == .plain && found.address != target
                    && address(found.address).text.prefix { $0 != "?" } == path
            }
    }

    /// Whether all addresses of a candidate are queries to programs, as those of counters and advertisements are.
    func areQueries(of candidate: Candidate) -> Bool {
        found(of: candidate).allSatisfy { found in
            !addresses.hints(of: found.address).looksLikePicture
                && address(found.address).text.includes("?")
        }
    }

    func text(_ name: Name, of node: Int) -> String? {
        view.attribute(name, of: node).map { String(decoding: $0, as: UTF8.self) }
    }
}
