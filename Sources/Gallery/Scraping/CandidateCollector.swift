import Basics
import Markup
import Network

/// Scans a page once and collects everything that the rules examine later.
///
/// A page has ten times as many elements as pictures, so the scan works on numbers and bytes; only what is kept gets nodes and strings.
struct CandidateCollector {
    let tree: TreeReader
    let context: PageContext
    /// The meaning of each attribute's name, by its number: an attribute costs one look-up.
    private let uses: [AttributeUse]
    private var words = ValueCache<Marks>()
    /// What each element says of its part of the page, and the union of that with what those around it say, by its number.
    private(set) var own: [Marks]
    private(set) var around: [Marks]
    /// The link around each node, by its number; -1 for none.
    private var anchors: [Int32]
    /// The indices of the current element's attributes that may name addresses.
    private var offering: [Int] = []

    private(set) var pageIndex: PageIndex
    /// Candidates that are visible without scripts too, in page order.
    private(set) var candidates: [Candidate] = []
    /// Candidates in `<noscript>`, mostly copies of the same pictures.
    private(set) var fallbacks: [Candidate] = []
    /// Every `a` with an `href`.
    private(set) var links: [Int] = []
    private(set) var headings: [Int] = []
    /// Addresses offered by elements other than pictures: the range in `PageIndex.offers`, by the element's number.
    private(set) var carried: [Int: Range<Int>] = [:]

    /// Pages with more pictures are read up to this number.
    private static let maxCandidates = 100_000

    init(_ document: Document, tree: TreeReader, context: PageContext) {
        self.tree = tree
        self.context = context
        // A page of pictures has an address for every fourth node, or some more.
        pageIndex = PageIndex(document, tree: tree, capacity: min(tree.count / 3, 1 << 18))
        uses = document.names.map(AttributeUse.init)
        own = Array(repeating: [], count: document.nodeCount)
        around = own
        anchors = Array(repeating: -1, count: document.nodeCount)
        for node in 1..<max(1, tree.count) where !tree.isText(node) && !tree.isInert(node) {
            visit(node)
            if candidates.count >= CandidateCollector.maxCandidates { break }
        }
    }

    private mutating func visit(_ node: Int) {
        let parent = tree.parent(of: node)
        let name = tree.name(of: node)
        own[node] = readAttributes(of: node, name, in: around[parent])
        around[node] = around[parent].union(own[node])
        anchors[node] = anchors[parent]
        switch name {
        case .img, .image: addPicture(node)
        case .a, .area:
            guard tree.attribute(.href, of: node) != nil else { break }
            anchors[node] = Int32(node)
            links.append(node)
        case _ where Titles.headings.contains(name): headings.append(node)
        default: break
        }
        if !offering.isEmpty, !CandidateCollector.carriesNothing.contains(name) {
            carry(node)
        }
    }

    /// Moves the index out, so that it can be extended without a copy.
    mutating func handOver() -> PageIndex {
        defer { pageIndex = PageIndex(pageIndex.document, tree: tree, capacity: 0) }
        return pageIndex
    }

    /// Whether an element is shown, and outside the page's frame.
    func isOfContent(_ node: Int) -> Bool { around[node].isDisjoint(with: [.frame, .hidden]) }

    func anchor(of node: Int) -> Int? { anchors[node] < 0 ? nil : Int(anchors[node]) }

    /// Returns what an element says of its part of the page; records the attributes that may name addresses.
    private mutating func readAttributes(of node: Int, _ tag: Name, in outer: Marks) -> Marks {
        offering.removeAll(keepingCapacity: true)
        var own = Marks(tag: tag, in: outer)
        // Themes put classes of all kinds on the page as a whole.
        let isWhole = tag == .body || tag == .html
        for place in tree.attributes(of: node) {
            let name = tree.attributeName(at: place)
            let value = tree.value(at: place)
            switch name {
            case .class, .id:
                if !isWhole { own.formUnion(words.answer(for: value, Marks.init(wordsOf:))) }
            case .hidden: own.insert(.hidden)
            case .role where Marks.frames.containsWord(of: value): own.insert(.frame)
            case .style
            where value.includes("none") && Style.hiding?.match(String(utf8: value)) != nil:
                own.insert(.hidden)
            default: break
            }
            if use(of: place).role != nil { offering.append(place) }
        }
        return own
    }

    private func use(of place: Int) -> AttributeUse { uses[tree.attributeName(at: place).number] }

    private mutating func addPicture(_ node: Int) {
        let start = pageIndex.offers.count
        addOffers(of: node)
        if let picture = picture(around: node) {
            // Ten sources are more than pages use.
            for source in tree.descendants(of: picture, limit: 20)
            where tree.name(of: source) == .source
                && tree.attribute(.type, of: source).map(Self.undrawn.containsWord) != true
            {
                addOffers(of: source)
            }
        }
        let candidate = candidate(node, .picture, from: start)
        if tree.isInNoscript(node) {
            fallbacks.append(candidate)
        } else {
            candidates.append(candidate)
        }
    }

    /// Returns an element with the addresses found from `start` on.
    private func candidate(
        _ node: Int, _ kind: Candidate.Kind, from start: Int
    ) -> Candidate {
        var candidate = Candidate(
            node: node, kind: kind, offers: start..<pageIndex.offers.count,
            anchor: anchor(of: node), item: node,
            shown: kind == .background ? (nil, nil) : Style.shownSize(of: node, tree))
        // The size of a tracker is the placeholder's if the picture comes later.
        if candidate.isTiny, pageIndex.offers[start...].contains(where: { $0.role != .plain }) {
            candidate.shown = (nil, nil)
        }
        return candidate
    }

    /// Returns the enclosing `picture`; libxml2 nests `source`s, since it does not know that they are void elements.
    private func picture(around node: Int) -> Int? {
        // Ten sources are more than pages use.
        tree.ancestors(of: node).prefix(12).first {
            ![.source, .a, .noscript].contains(tree.name(of: $0))
        }.flatMap { tree.name(of: $0) == .picture ? $0 : nil }
    }

    private static let undrawn = WordSet("image/avif image/jxl image/heic image/svg+xml")

    private mutating func addOffers(of node: Int) {
        let start = pageIndex.offers.count
        for place in tree.attributes(of: node) {
            let use = use(of: place)
            let value = tree.value(at: place)
            guard let role = use.role, value.count > 0,
                !use.isGuessed || CandidateCollector.namesPicture(value)
            else { continue }
            read(value, as: role)
        }
        if tree.name(of: node) == .img { addUnlisted(node, from: start) }
    }

    private static func namesPicture(_ value: Bytes) -> Bool {
        value.count < 2_000 && AddressHints(value).looksLikePicture
    }

    private static let describing = NameSet("alt title class id style width height")

    /// Adds addresses from attributes of any name, since lazy loaders invent new ones every year: in place of a placeholder what looks like
    /// a picture, else any but the link's; beside a picture what has its name.
    private mutating func addUnlisted(_ node: Int, from start: Int) {
        let values = tree.attributes(of: node).filter { place in
            let value = tree.value(at: place)
            return use(of: place).isGuessed
                && !Self.describing.contains(tree.attributeName(at: place))
                && value.count < 2_000
                && (value.begins(with: "/") || value.begins(with: "http")
                    || CandidateCollector.namesPicture(value))
        }
        guard !values.isEmpty else { return }
        // A copy, so that the offers can be added to in place.
        let known = Array(pageIndex.offers[start...])
        let isUnknown = known.allSatisfy(pageIndex.isPlaceholder)
        let pictures = values.filter { CandidateCollector.namesPicture(tree.value(at: $0)) }
        let page = anchor(of: node).flatMap { tree.attribute(.href, of: $0) }
        for place in isUnknown && !pictures.isEmpty ? pictures : values {
            let value = tree.value(at: place)
            guard page.map(value.equals) != true,
                let number = pageIndex.addresses.insert(value, in: context)
            else { continue }
            lazy var stem = FileNameText.stem(of: pageIndex.addresses[number])
            let isSize = known.contains { offer in
                offer.address != number && !stem.isEmpty
                    && FileNameText.stem(of: pageIndex.addresses[offer.address]) == stem
            }
            guard isUnknown || isSize else { continue }
            offer(value, use(of: place).role ?? .lazy)
        }
    }

    private static let carriesNothing = NameSet(
        """
        img source script style link body html head base picture iframe meta audio embed
        """)

    private mutating func carry(_ node: Int) {
        let start = pageIndex.offers.count
        addOffers(of: node)
        let offers = pageIndex.offers[start...].filter { found in
            found.role == .background
                || pageIndex.addresses.hints[found.address].looksLikePicture
        }
        pageIndex.offers.replaceSubrange(start..., with: offers)
        guard !offers.isEmpty else { return }
        carried[node] = start..<pageIndex.offers.count
        // A guessed attribute may belong to a button that shares the picture beside it.
        let isGuessed = offering.allSatisfy { place in
            let use = use(of: place)
            return use.isGuessed || use.role == .style
        }
        if isGuessed, !offers.contains(where: { $0.role == .background }) { return }
        candidates.append(candidate(node, .background, from: start))
    }

    /// Reads the addresses in an attribute's value, working on the page's bytes where a page has thousands of them.
    private mutating func read(_ value: Bytes, as role: AttributeRole) {
        switch role {
        case .set:
            // lightGallery's widths have no unit.
            Srcset.forEach(in: value, areLoose: true) { candidate in
                offer(candidate.url, .set, candidate.width, candidate.height)
            }
        case .style, .background:
            if value.includes("url(") {
                guard var url = Style.url(in: String(utf8: value)) else { return }
                url.withUTF8 { offer($0, .background) }
            } else if role == .background {
                offer(value, .background)
            }
        default: offer(value, role)
        }
    }

    private mutating func offer(
        _ reference: Bytes, _ role: AttributeRole, _ width: Pixels? = nil, _ height: Pixels? = nil
    ) {
        // Inline placeholders are the most common references that lead nowhere.
        guard !reference.begins(with: "data:"),
            let number = pageIndex.addresses.insert(reference, in: context)
        else { return }
        let hints = pageIndex.addresses.hints[number]
        guard hints.couldBeShown else { return }
        pageIndex.offers.append(
            Candidate.Offer(
                address: number, role: role, width: width ?? hints.size?.width,
                height: height ?? hints.size?.height))
    }
}
