import Basics
import Markup
import Network

/// Scans a page once and collects everything that the rules examine later.
///
/// A page has ten times as many elements as pictures, so the scan works on numbers and bytes; only what is kept gets nodes and strings.
struct CandidateCollector {
    private let tree: TreeReader
    private let context: PageContext
    /// The meaning of each attribute's name, by its number: an attribute costs one look-up.
    private let uses: [AttributeUse]
    private let net: Net
    /// The attributes with which SVG's `image` names its picture.
    private let drawn: [Name]
    private var words = ClassWords()
    /// Every `img`, by its number.
    private lazy var images = pageIndex.document.elements(.img).map(\.number)
    /// How many children with pictures the parent of the last module has, by their class.
    private var modules: (parent: Int, classes: [String?: Int]) = (-1, [:])
    /// The landmarks of each node, by its number.
    private var landmarks: [Landmarks]
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
    /// Elements whose class marks them as recommending other things.
    private(set) var relatedBlocks: [Int] = []
    /// Addresses offered by elements other than pictures: the range in `PageIndex.offers`, by the element's number.
    private(set) var carried: [Int: Range<Int>] = [:]
    /// The addresses offered by the `source`s of each `picture`.
    private var sources: [Int: [Candidate.Offer]] = [:]

    /// Where to look for pictures: in the usual places, also in any attribute of any element, or only for SVG files.
    enum Net {
        case usual, anyAttribute, drawings
    }

    /// Pages with more pictures are read up to this number.
    private static let maxCandidates = 100_000

    init(
        _ document: Document, tree: TreeReader, context: PageContext, net: Net = .usual
    ) {
        self.tree = tree
        self.net = net
        self.context = context
        // A page of pictures has an address for every fourth node, or some more.
        pageIndex = PageIndex(document, tree: tree, capacity: min(tree.count / 3, 1 << 18))
        uses = document.names.map(AttributeUse.init)
        drawn = [document.name("xlink:href"), .href].compactMap { $0 }
        landmarks = Array(repeating: [], count: document.nodeCount)
        anchors = Array(repeating: -1, count: document.nodeCount)
        for node in 1..<max(1, tree.count) where !tree.isText(node) && !tree.isInert(node) {
            visit(node)
            if candidates.count >= CandidateCollector.maxCandidates { break }
        }
    }

    private mutating func visit(_ node: Int) {
        let parent = tree.parent(of: node)
        let name = tree.name(of: node)
        let outer = landmarks[parent]
        let around = outer.union(readAttributes(of: node, name, in: outer))
        landmarks[node] = around
        anchors[node] = anchors[parent]
        switch name {
        case .img, .image: addPicture(node, around)
        case .source: addSource(node)
        case .a, .area:
            guard tree.attribute(.href, of: node) != nil else { break }
            anchors[node] = Int32(node)
            links.append(node)
        case _ where Titles.headings.contains(name): headings.append(node)
        default: break
        }
        if !offering.isEmpty, net != .drawings, !CandidateCollector.carriesNothing.contains(name) {
            carry(node, around)
        }
        if around.contains(.related), !outer.contains(.related) { relatedBlocks.append(node) }
    }

    /// Moves the index out, so that it can be extended without a copy.
    mutating func handOver() -> PageIndex {
        var pageIndex = PageIndex(pageIndex.document, tree: tree, capacity: 0)
        swap(&pageIndex, &self.pageIndex)
        return pageIndex
    }

    func anchor(of node: Int) -> Int? { anchors[node] < 0 ? nil : Int(anchors[node]) }

    func landmarks(of node: Int) -> Landmarks { landmarks[node] }
}

extension CandidateCollector {
    /// Returns the landmarks implied by an element's tag and attributes; records the attributes that may name addresses.
    private mutating func readAttributes(
        of node: Int, _ tag: Name, in outer: Landmarks
    ) -> Landmarks {
        offering.removeAll(keepingCapacity: true)
        var own = CandidateCollector.landmarks(ofTag: tag, in: outer)
        for place in tree.attributes(of: node) {
            let name = tree.attributeName(at: place)
            let use = uses[name.number]
            own.formUnion(placement(by: name, tree.value(at: place)))
            if use.role != nil
                || net == .anyAttribute && ![.href, .alt, .title, .class, .id].contains(name)
            {
                offering.append(place)
            }
        }
        if isFrame(node, own, in: outer) { own.insert(.chrome) }
        // The page as a whole is neither its own frame nor an advertisement, whatever classes a theme puts on it.
        if tag == .body || tag == .html || tag == .main
            || !own.isDisjoint(with: [.chrome, .hidden]) && net != .drawings && holdsMost(node)
        {
            own.subtract([.chrome, .related, .hidden])
        }
        return own
    }

    /// Whether an element belongs to the page's frame: by its tag, role or class; as a sidebar, or a header outside of the content, unless it
    /// is half of the page, as the wrapper of a page with a sidebar is; or as a module that the page is not about, which drawings never are.
    private mutating func isFrame(_ node: Int, _ own: Landmarks, in outer: Landmarks) -> Bool {
        let beside: Landmarks = outer.contains(.content) ? .side : [.side, .head]
        return own.contains(.chrome)
            || !own.isDisjoint(with: beside) && !isHalf(node)
            || own.contains(.module) && (net == .drawings || !isSubject(node))
    }

    private func isHalf(_ node: Int) -> Bool { 2 * (tree.end(of: node) - node) > tree.count }

    /// Whether the page is about an element of a frame's name: it holds half of the pictures, or has siblings of its class with pictures.
    private mutating func isSubject(_ node: Int) -> Bool {
        let inside = pictureCount(in: node)
        if inside >= Selection.galleryCount, 2 * inside >= images.count { return true }
        let parent = tree.parent(of: node)
        if modules.parent != parent {
            // Only the first children are compared, so that a long list costs no more.
            var classes: [String?: Int] = [:]
            for child in pageIndex.node(parent).children.prefix(200)
            where !child.isText && pictureCount(in: child.number) > 0 {
                classes[child.attribute(.class), default: 0] += 1
            }
            modules = (parent, classes)
        }
        return modules.classes[pageIndex.text(.class, of: node), default: 0]
            > Selection.galleryCount
    }

    private mutating func pictureCount(in node: Int) -> Int {
        images.partitioningIndex { $0 >= tree.end(of: node) }
            - images.partitioningIndex { $0 > node }
    }

    /// Whether an element contains most of the page and nearly all of its pictures: it is no frame, and scripts will show it.
    private mutating func holdsMost(_ node: Int) -> Bool {
        isHalf(node) && 10 * pictureCount(in: node) >= 9 * images.count
    }

    /// The roles of the page's frame.
    private static let frames = WordSet("navigation banner contentinfo complementary")

    private mutating func placement(
        by name: Name, _ value: Bytes
    ) -> Landmarks {
        switch name {
        case .class: words.landmarks(for: value)
        case .id: words.landmarks(forID: value)
        case .hidden: .hidden
        case .role: CandidateCollector.frames.containsWord(of: value) ? .chrome : []
        case .style:
            value.includes("none") && Style.hides(String(utf8: value))
                ? .hidden : []
        default: []
        }
    }

    private static func landmarks(ofTag tag: Name, in outer: Landmarks) -> Landmarks {
        switch tag {
        case .nav, .aside: .chrome
        case .header, .footer: outer.contains(.content) ? [] : .chrome
        case .figure: .figure
        case .main, .article, .figcaption: .content
        default: []
        }
    }
}

extension CandidateCollector {
    private mutating func addPicture(_ node: Int, _ around: Landmarks) {
        let start = pageIndex.offers.count
        addOffers(of: node)
        if !sources.isEmpty, let picture = picture(around: node) {
            pageIndex.offers += sources[picture] ?? []
        }
        let candidate = candidate(node, .picture, around, from: start)
        if tree.isInNoscript(node) {
            fallbacks.append(candidate)
        } else {
            candidates.append(candidate)
        }
    }

    /// Returns an element with the addresses found from `start` on.
    private func candidate(
        _ node: Int, _ kind: Candidate.Kind, _ around: Landmarks, from start: Int
    ) -> Candidate {
        Candidate(
            node: node, kind: kind, landmarks: around, offers: start..<pageIndex.offers.count,
            anchor: anchor(of: node), item: node,
            shown: kind == .background ? (nil, nil) : Style.shownSize(of: node, tree))
    }

    /// Returns the enclosing `picture`; libxml2 nests `source`s, since it does not know that they are void elements.
    private func picture(around node: Int) -> Int? {
        // Ten sources are more than pages use.
        let picture = tree.ancestors(of: node).prefix(12).first {
            ![.source, .a, .noscript].contains(tree.name(of: $0))
        }
        return picture.flatMap { tree.name(of: $0) == .picture ? $0 : nil }
    }

    private static let undrawn = WordSet("image/avif image/jxl image/heic image/svg+xml")

    private mutating func addSource(_ node: Int) {
        guard let picture = picture(around: node),
            tree.attribute(.type, of: node).map(Self.undrawn.containsWord) != true
        else { return }
        let start = pageIndex.offers.count
        addOffers(of: node)
        sources[picture, default: []] += pageIndex.offers[start...]
        pageIndex.offers.removeSubrange(start...)
    }

    private mutating func addOffers(of node: Int) {
        let start = pageIndex.offers.count
        for place in offering {
            let value = tree.value(at: place)
            let use = uses[tree.attributeName(at: place).number]
            guard value.count > 0, !use.isGuessed || CandidateCollector.namesPicture(value) else {
                continue
            }
            read(value, as: use.role ?? .weak)
        }
        guard pageIndex.offers.count == start else { return }
        switch tree.name(of: node) {
        case .img: addLastResort(node)
        case .image:
            for name in drawn {
                guard let value = tree.attribute(name, of: node) else { continue }
                read(value, as: .plain)
            }
        default: break
        }
    }

    private static func namesPicture(_ value: Bytes) -> Bool {
        value.count < 2_000 && AddressHints(value).looksLikePicture
    }

    /// Adds any attribute with a picture's extension: lazy loaders invent new names every year.
    private mutating func addLastResort(_ node: Int) {
        for place in tree.attributes(of: node) {
            let name = tree.attributeName(at: place)
            let value = tree.value(at: place)
            guard name != .alt, name != .title, CandidateCollector.namesPicture(value) else {
                continue
            }
            read(value, as: .weak)
        }
    }

    private static let carriesNothing = NameSet(
        """
        img source script style link body html head base picture iframe meta audio embed object
        input
        """)

    private mutating func carry(_ node: Int, _ around: Landmarks) {
        let start = pageIndex.offers.count
        addOffers(of: node)
        let offers = pageIndex.offers[start...].filter { found in
            found.role == .background
                || pageIndex.addresses.hints(of: found.address).looksLikePicture
        }
        pageIndex.offers.replaceSubrange(start..., with: offers)
        guard !offers.isEmpty else { return }
        carried[node] = start..<pageIndex.offers.count
        // A guessed attribute may belong to a button that shares the picture beside it.
        let isGuessed = offering.allSatisfy { place in
            let use = uses[tree.attributeName(at: place).number]
            return use.isGuessed || use.role == .style
        }
        if isGuessed, net == .usual, !offers.contains(where: { $0.role == .background }) { return }
        candidates.append(candidate(node, .background, around, from: start))
    }
}

extension CandidateCollector {
    /// Reads the addresses in an attribute's value, working on the page's bytes where a page has thousands of them.
    private mutating func read(_ value: Bytes, as role: AttributeRole) {
        switch role {
        case .set, .looseSet:
            Srcset.forEach(in: value, areLoose: role == .looseSet) { candidate in
                let isDoubled = (candidate.density ?? 1) > 1
                offer(
                    candidate.url, isDoubled ? .large : .set, candidate.width, candidate.height)
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
        let hints = pageIndex.addresses.hints(of: number)
        guard net == .drawings ? hints.ending == .vector : hints.couldBeShown,
            role != .weak || hints.looksLikePicture
        else { return }
        pageIndex.offers.append(
            Candidate.Offer(
                address: number, role: role == .weak ? .lazy : role,
                width: width ?? hints.size?.width, height: height ?? hints.size?.height))
    }
}
