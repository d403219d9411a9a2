import Basics
import Markup
import Network

/// A picture that may be part of the gallery: an element, and where the addresses found for it stand among the page's findings.
///
/// Numbers and no references, because the rules hand lists of thousands on many times.
struct Candidate {
    enum Kind {
        /// An `img`, or what stands for one.
        case picture
        /// An element with a background.
        case background
        /// A link to a picture without a picture in it.
        case textLink
        /// An `svg`, or an `img` of such a file.
        case drawing
    }

    struct Found {
        var address: Int
        var role: AttributeRole
        var width: Pixels?
        var height: Pixels?
    }

    /// The element, by its order on the page, as all elements below.
    let node: Int
    let kind: Kind
    let surroundings: Surroundings
    /// The places in `Findings.found` of what the picture is offered by, in page order.
    var places = 0..<0
    /// Its thumbnail in a strip beside the slides: the element, and the places of what that is offered by.
    var thumbnail: (node: Int, places: Range<Int>)?
    var anchor: Int?
    /// The number of the address where that link leads, if not to a picture.
    var link: Int?
    /// The largest part of the page that holds this candidate and no other.
    var item: Int
    /// The size at which the page shows it.
    var shown: (width: Pixels?, height: Pixels?) = (nil, nil)
    /// The size of the full picture, where the page tells.
    var fullSize: (width: Pixels, height: Pixels)?
    /// Whether it stands in the markup of a lightbox or gallery.
    var isExplicit = false
    /// Whether its link leads to the picture in full.
    var linksToPicture = false

    init(node: Int, kind: Kind, surroundings: Surroundings) {
        self.node = node
        self.kind = kind
        self.surroundings = surroundings
        item = node
    }
}

/// What an element stands in, inherited from outside to inside.
struct Surroundings: OptionSet, Hashable {
    let rawValue: UInt16
    /// The page's own frame: navigation, header, footer, sidebar, comments, sharing.
    static let chrome = Surroundings(rawValue: 1 << 0)
    static let hidden = Surroundings(rawValue: 1 << 1)
    static let figure = Surroundings(rawValue: 1 << 2)
    /// A class or id that speaks of pictures.
    static let gallery = Surroundings(rawValue: 1 << 3)
    /// The part with the content: `main`, `article`; a header in it is not the page's.
    static let content = Surroundings(rawValue: 1 << 4)
    /// A part whose class says that it recommends other things.
    static let related = Surroundings(rawValue: 1 << 5)
    /// A slider's copy of a slide, by its class.
    static let copy = Surroundings(rawValue: 1 << 6)
}

/// What was found on a page: its elements, and the addresses that they offer.
///
/// The view is valid while the document is kept.
struct Findings {
    let document: Document
    let view: PageView
    var addresses: AddressNumbers
    /// What is offered, each candidate's in a row; `Candidate.places` tells where.
    private(set) var found: [Candidate.Found] = []
    /// What its own data calls a candidate, by its node.
    var captions: [Int: String] = [:]

    init(_ document: Document, view: PageView, capacity: Int) {
        self.document = document
        self.view = view
        addresses = AddressNumbers(capacity: capacity)
        found.reserveCapacity(capacity)
    }

    func found(of candidate: Candidate) -> ArraySlice<Candidate.Found> { found[candidate.places] }

    /// The one that says most about the picture: preferably not its `src`, which may be a placeholder while the picture loads.
    func best(of candidate: Candidate) -> Candidate.Found? {
        for place in candidate.places.reversed() where found[place].role != .plain {
            return found[place]
        }
        return candidate.places.last.map { found[$0] }
    }

    func count(of role: AttributeRole, for candidate: Candidate) -> Int {
        // A closure over the findings would copy them.
        var count = 0
        for place in candidate.places where found[place].role == role { count += 1 }
        return count
    }

    /// Adds to what is found, for the candidate that comes next.
    mutating func append(_ offer: Candidate.Found) { found.append(offer) }

    /// Takes back what was added from `place` on.
    mutating func removeAll(from place: Int) { found.removeSubrange(place...) }

    /// Adds to what a candidate is offered by.
    mutating func add(_ offer: Candidate.Found, to candidate: inout Candidate) {
        // A row that others follow moves to the end.
        if candidate.places.upperBound != found.count {
            let start = found.count
            for place in candidate.places { found.append(found[place]) }
            candidate.places = start..<found.count
        }
        found.append(offer)
        candidate.places = candidate.places.lowerBound..<found.count
    }

    func address(_ number: Int) -> Address { addresses[number] }

    /// Whether the name of the offered file says that it only holds a place.
    func isPlaceholder(_ offer: Candidate.Found) -> Bool {
        let name = addresses.hints(of: offer.address).name
        return addresses.withText(of: offer.address) { text in
            AddressWords(words: text[Int(name.lowerBound)..<Int(name.upperBound)])
                .contains(.placeholder)
        }
    }

    func text(_ name: Name, of node: Int) -> String? {
        view.attribute(name, of: node).map { String(decoding: $0, as: UTF8.self) }
    }
}
