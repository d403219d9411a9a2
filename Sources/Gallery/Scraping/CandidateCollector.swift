import Markup
import Network

/// Goes through a page once and gathers everything that the rules look at afterwards.
struct CandidateCollector {
    private let document: Document
    private let context: PageContext
    private let roles: [AttributeRole?]
    private var words = ClassWords()
    /// Of each node, by its order.
    private var surroundings: [Surroundings]
    /// Of each node, by its order: the place in `links` of the link around it; -1 for none.
    private var anchors: [Int32]

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
        roles = AttributeRole.table(for: document)
        surroundings = Array(repeating: [], count: document.nodeCount)
        anchors = Array(repeating: -1, count: document.nodeCount)
    }

    /// Goes through the page.
    mutating func run() {
        for node in document.root.descendants where !node.isText {
            guard !node.isInTemplate, !node.isInRawText else { continue }
            visit(node)
            if candidates.count >= CandidateCollector.maxCandidates { break }
        }
    }

    private mutating func visit(_ node: Node) {
        let parent = node.parent?.order ?? 0
        let around = surroundings[parent].union(ownSurroundings(of: node, in: surroundings[parent]))
        surroundings[node.order] = around
        anchors[node.order] = anchors[parent]
        switch node.name {
        case .img, .image: addPicture(node, around)
        case .source: addSource(node)
        case .a: addLink(node)
        case .h1, .h2, .h3, .h4, .h5, .h6: headings.append(node)
        case .script, .style, .link, .body, .html, .head: break
        default: break
        }
        if node.name != .img, node.name != .source, CandidateCollector.mayCarry(node) {
            carry(node, around)
        }
        if around.contains(.related), !surroundings[parent].contains(.related) {
            relatedBlocks.append(node)
        }
    }

    private mutating func addLink(_ node: Node) {
        guard node.has(.href) else { return }
        anchors[node.order] = Int32(links.count)
        links.append(node)
    }

    /// The link around a node.
    func anchor(of node: Node) -> Node? {
        let index = Int(anchors[node.order])
        return index < 0 ? nil : links[index]
    }

    /// What a node stands in.
    func surroundings(of node: Node) -> Surroundings { surroundings[node.order] }
}

// MARK: - Surroundings

extension CandidateCollector {
    private mutating func ownSurroundings(of node: Node, in outer: Surroundings) -> Surroundings {
        var own = CandidateCollector.surroundings(ofTag: node.name, in: outer)
        node.forEachAttribute(where: CandidateCollector.placesElement) { name, value in
            switch name {
            case .class, .id:
                own.formUnion(words.surroundings(for: value))
            case .hidden: own.insert(.hidden)
            case .ariaHidden where value == "true": own.insert(.hidden)
            case .role where value == "navigation" || value == "banner" || value == "contentinfo":
                own.insert(.chrome)
            case Style.name where Style.hides(value): own.insert(.hidden)
            default: break
            }
        }
        // The page as a whole is neither its own frame nor an advertisement, whatever classes a theme puts there.
        if node.name == .body || node.name == .html || node.name == .main {
            own.subtract([.chrome, .related, .hidden])
        }
        return own
    }

    private static func placesElement(_ name: Name) -> Bool {
        switch name {
        case .class, .id, .hidden, .ariaHidden, .role, Style.name: true
        default: false
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
    private mutating func addPicture(_ node: Node, _ around: Surroundings) {
        var candidate = Candidate(node: node, kind: .picture, surroundings: around)
        candidate.anchor = anchor(of: node)
        candidate.found = offers(of: node)
        candidate.shown = ShownSize.of(node)
        for source in pictureAround(node) {
            candidate.found += sources[source] ?? []
        }
        if node.isInNoscript {
            fallbacks.append(candidate)
        } else {
            candidates.append(candidate)
        }
    }

    /// The `picture` around it; libxml2 nests `source`s, which it does not know to be empty.
    private func pictureAround(_ node: Node) -> [Int] {
        guard !sources.isEmpty else { return [] }
        // Nobody writes more than ten sources.
        let picture = node.ancestors.prefix(12).first { $0.name != .source && $0.name != .a }
        return picture.map { $0.name == .picture ? [$0.order] : [] } ?? []
    }

    private mutating func addSource(_ node: Node) {
        let undrawn = ["image/avif", "image/jxl", "image/heic", "image/svg+xml"]
        guard let picture = node.ancestors.prefix(12).first(where: { $0.name != .source }),
            picture.name == .picture,
            !undrawn.contains(node.attribute(.type) ?? "")
        else { return }
        sources[picture.order, default: []] += offers(of: node)
    }

    /// Every address that an element's attributes name.
    private func offers(of node: Node) -> [Candidate.Found] {
        var found: [Candidate.Found] = []
        node.forEachAttribute(where: { roles[$0.number] != nil }) { name, value in
            guard let role = roles[name.number], !value.isEmpty else { return }
            found += Offers.read(value, as: role, in: context)
        }
        return found.isEmpty && node.name == .img ? lastResort(node) : found
    }

    /// Any attribute that ends like a picture: lazy loaders invent new names every year.
    private func lastResort(_ node: Node) -> [Candidate.Found] {
        var found: [Candidate.Found] = []
        node.forEachAttribute { name, value in
            guard name != .alt, name != .title, value.utf8.count < 2_000, value.includes(".") else {
                return
            }
            found += Offers.read(value, as: .weak, in: context)
        }
        return found
    }

    private static func mayCarry(_ node: Node) -> Bool {
        switch node.name {
        case .script, .style, .link, .body, .html, .head, .base, .picture: false
        default: !["iframe", "meta", "audio", "embed", "object", "input"].contains(node.tagName)
        }
    }

    private mutating func carry(_ node: Node, _ around: Surroundings) {
        let offers = offers(of: node).filter { found in
            found.role == .background || AddressHints(found.address).looksLikePicture
        }
        guard !offers.isEmpty else { return }
        carried[node.order] = offers
        var candidate = Candidate(node: node, kind: .background, surroundings: around)
        candidate.anchor = anchor(of: node)
        candidate.found = offers
        candidates.append(candidate)
    }
}
