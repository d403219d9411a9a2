import Markup
import Network

/// Goes through a page once and gathers everything that the rules look at afterwards.
///
/// A page has ten times as many elements as pictures, so the pass works on numbers and bytes; nodes and texts are made of what is kept.
struct CandidateCollector {
    private let document: Document
    private let context: PageContext
    private let roles: AttributeTable
    /// The names by which SVG's `image` names its picture.
    private let drawn: [Name]
    private var words = ClassWords()
    /// Of each node, by its order.
    private var surroundings: [Surroundings]
    /// Of each node, by its order: the place in `links` of the link around it; -1 for none.
    private var anchors: [Int32]
    /// The places of the attributes of the element at hand that may name addresses.
    private var offering: [Int] = []

    /// Candidates that are seen without scripts too, in page order.
    private(set) var candidates: [Candidate] = []
    /// Candidates in `<noscript>`: the same pictures once more, mostly.
    private(set) var fallbacks: [Candidate] = []
    /// Every `a` with a `href`.
    private(set) var links: [Node] = []
    /// Every `h1` to `h6`.
    private(set) var headings: [Node] = []
    /// Elements that recommend other things by their class.
    private(set) var relatedBlocks: [Node] = []
    /// What elements other than pictures say about one: by the element's order.
    private(set) var carried: [Int: [Candidate.Found]] = [:]
    /// What the `source`s of a `picture` offer, by the order of the `picture`.
    private var sources: [Int: [Candidate.Found]] = [:]

    /// Pages with more pictures than this are read up to it.
    private static let maxCandidates = 100_000

    init(document: Document, context: PageContext) {
        self.document = document
        self.context = context
        roles = AttributeTable(document)
        drawn = [document.name("xlink:href"), .href].compactMap { $0 }
        surroundings = Array(repeating: [], count: document.nodeCount)
        anchors = Array(repeating: -1, count: document.nodeCount)
    }

    /// Goes through the page.
    mutating func run() {
        document.view { view in
            for node in 1..<max(1, view.count) where !view.isText(node) && !view.isInert(node) {
                visit(node, view)
                if candidates.count >= CandidateCollector.maxCandidates { break }
            }
        }
    }

    private mutating func visit(_ node: Int, _ view: PageView) {
        let parent = view.parent(of: node)
        let name = view.name(of: node)
        let outer = surroundings[parent]
        let around = outer.union(readAttributes(of: node, name, view, in: outer))
        surroundings[node] = around
        anchors[node] = anchors[parent]
        switch name {
        case .img, .image: addPicture(node, around, view)
        case .source: addSource(node, view)
        case .a: addLink(node, view)
        case .h1, .h2, .h3, .h4, .h5, .h6: headings.append(document.node(node))
        default: break
        }
        if !offering.isEmpty, !CandidateCollector.carriesNothing.contains(name) {
            carry(node, around, view)
        }
        if around.contains(.related), !outer.contains(.related) {
            relatedBlocks.append(document.node(node))
        }
    }

    private mutating func addLink(_ node: Int, _ view: PageView) {
        guard view.attribute(.href, of: node) != nil else { return }
        anchors[node] = Int32(links.count)
        links.append(document.node(node))
    }

    /// The link around a node.
    func anchor(of node: Node) -> Node? { anchor(of: node.order) }

    private func anchor(of node: Int) -> Node? {
        let index = Int(anchors[node])
        return index < 0 ? nil : links[index]
    }

    /// What a node stands in.
    func surroundings(of node: Node) -> Surroundings { surroundings[node.order] }
}

// MARK: - Surroundings

extension CandidateCollector {
    /// What an element's tag and attributes say of the place; notes the attributes that may name addresses.
    private mutating func readAttributes(
        of node: Int, _ tag: Name, _ view: PageView, in outer: Surroundings
    ) -> Surroundings {
        offering.removeAll(keepingCapacity: true)
        var own = CandidateCollector.surroundings(ofTag: tag, in: outer)
        for place in view.attributes(of: node) {
            let name = view.attributeName(at: place)
            let use = roles.use(of: name)
            if use.placesElement {
                own.formUnion(placement(by: name, view.value(at: place)))
            }
            if use.role != nil { offering.append(place) }
        }
        // The page as a whole is neither its own frame nor an advertisement, whatever classes a theme puts there.
        if tag == .body || tag == .html || tag == .main {
            own.subtract([.chrome, .related, .hidden])
        }
        return own
    }

    private mutating func placement(
        by name: Name, _ value: UnsafeBufferPointer<UInt8>
    ) -> Surroundings {
        switch name {
        case .class, .id: words.surroundings(for: value)
        case .hidden: .hidden
        case .ariaHidden: value.elementsEqual("true".utf8) ? .hidden : []
        case .role:
            ["navigation", "banner", "contentinfo"].contains { value.elementsEqual($0.utf8) }
                ? .chrome : []
        case Style.name:
            value.includes("none") && Style.hides(String(decoding: value, as: UTF8.self))
                ? .hidden : []
        default: []
        }
    }

    private static func surroundings(ofTag tag: Name, in outer: Surroundings) -> Surroundings {
        switch tag {
        case .nav, .aside: .chrome
        case .header, .footer: outer.contains(.content) ? [] : .chrome
        case .figure: .figure
        case .main, .article, .figcaption: .content
        default: []
        }
    }
}

// MARK: - Addresses

extension CandidateCollector {
    private mutating func addPicture(_ node: Int, _ around: Surroundings, _ view: PageView) {
        let candidate = Candidate(
            node: document.node(node), kind: .picture, surroundings: around)
        candidate.anchor = anchor(of: node)
        candidate.found = offers(of: node, view)
        candidate.shown = ShownSize.of(candidate.node, view)
        if !sources.isEmpty, let picture = pictureAround(candidate.node) {
            candidate.found += sources[picture] ?? []
        }
        if view.isInNoscript(node) {
            fallbacks.append(candidate)
        } else {
            candidates.append(candidate)
        }
    }

    /// The `picture` around it; libxml2 nests `source`s, which it does not know to be empty.
    private func pictureAround(_ node: Node) -> Int? {
        // Nobody writes more than ten sources.
        let picture = node.ancestors.prefix(12).first { $0.name != .source && $0.name != .a }
        return picture.flatMap { $0.name == .picture ? $0.order : nil }
    }

    private mutating func addSource(_ node: Int, _ view: PageView) {
        let undrawn = ["image/avif", "image/jxl", "image/heic", "image/svg+xml"]
        let element = document.node(node)
        guard let picture = element.ancestors.prefix(12).first(where: { $0.name != .source }),
            picture.name == .picture,
            !undrawn.contains(element.attribute(.type) ?? "")
        else { return }
        sources[picture.order, default: []] += offers(of: node, view)
    }

    /// Every address that an element's attributes name.
    private func offers(of node: Int, _ view: PageView) -> [Candidate.Found] {
        var found: [Candidate.Found] = []
        for place in offering {
            let value = view.value(at: place)
            guard let role = roles.use(of: view.attributeName(at: place)).role, value.count > 0
            else { continue }
            Offers.read(value, as: role, in: context, into: &found)
        }
        guard found.isEmpty else { return found }
        switch view.name(of: node) {
        case .img: return lastResort(node, view)
        case .image:
            for name in drawn {
                guard let value = view.attribute(name, of: node) else { continue }
                Offers.read(value, as: .plain, in: context, into: &found)
            }
            return found
        default: return found
        }
    }

    /// Any attribute that ends like a picture: lazy loaders invent new names every year.
    private func lastResort(_ node: Int, _ view: PageView) -> [Candidate.Found] {
        var found: [Candidate.Found] = []
        for place in view.attributes(of: node) {
            let name = view.attributeName(at: place)
            let value = view.value(at: place)
            guard name != .alt, name != .title, value.count < 2_000, value.includes(".") else {
                continue
            }
            found += Offers.read(String(decoding: value, as: UTF8.self), as: .weak, in: context)
        }
        return found
    }

    private static let carriesNothing = NameSet([
        "img", "source", "script", "style", "link", "body", "html", "head", "base", "picture",
        "iframe", "meta", "audio", "embed", "object", "input",
    ])

    private mutating func carry(_ node: Int, _ around: Surroundings, _ view: PageView) {
        let offers = offers(of: node, view).filter { found in
            found.role == .background || AddressHints(found.address).looksLikePicture
        }
        guard !offers.isEmpty else { return }
        carried[node] = offers
        let candidate = Candidate(
            node: document.node(node), kind: .background, surroundings: around)
        candidate.anchor = anchor(of: node)
        candidate.found = offers
        candidates.append(candidate)
    }
}
