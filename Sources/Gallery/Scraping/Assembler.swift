import Basics
import Markup
import Network

/// Assembles the candidates of a page with what belongs to each: surrounding elements, the link, the copy in `<noscript>`.
struct Assembler {
    /// The complete candidates that have an address, in page order.
    private(set) var candidates: [Candidate]
    /// The collector's index with what was added since.
    var pageIndex: PageIndex
    let collector: CandidateCollector
    let context: PageContext
    let tree: TreeReader
    /// The attributes that handle clicks, and those that handle the pointer and loading, as far as the page has them.
    private let clickHandlers: [Name]
    private let otherHandlers: [Name]
    private let home: Int
    /// The attribute of microdata's items, if the page has any.
    let scope: Name?
    /// The scripts that contain data, by their numbers.
    private let data: [Int]
    /// Icons and the links around them, by their numbers.
    private var icons: Set<Int> = []
    /// The number of candidates in each element, by its number, without icons; counted up to `maxLevels` levels above each candidate.
    private(set) var counts: [Int32] = []

    /// Levels around a picture that may belong to it: link, figure, wrappers, cell.
    static let maxLevels = 12

    init(
        _ document: Document, tree: TreeReader, context: PageContext,
        net: CandidateCollector.Net = .usual
    ) {
        var collector = CandidateCollector(document, tree: tree, context: context, net: net)
        pageIndex = collector.handOver()
        candidates = collector.candidates
        self.collector = collector
        self.context = context
        self.tree = tree
        clickHandlers = document.names(in: "onclick")
        otherHandlers = document.names(in: "onmouseover onload")
        home = pageIndex.addresses.insert(context.address)
        data = document.elements(.script).lazy.map(\.number).filter {
            tree.attribute(.type, of: $0)?.equals("application/json") ?? false
        }
        scope = document.name("itemtype")
        assemble()
    }

    private mutating func assemble() {
        addFallbacks()
        var usedAsSource: Set<Int> = []
        for candidate in candidates where candidate.kind == .picture {
            usedAsSource.formUnion(carriers(around: candidate))
        }
        for candidate in candidates where isIcon(candidate) {
            icons.formUnion([candidate.node, candidate.anchor ?? candidate.node])
        }
        candidates.removeAll {
            Junk.isOrnamental($0, in: pageIndex)
                || ($0.kind == .background && usedAsSource.contains($0.node))
        }
        count()
        let second = secondPictures()
        if !second.isEmpty {
            candidates.removeAll { second.contains($0.node) }
            count()
        }
        for index in candidates.indices {
            var candidate = candidates[index]
            if !icons.contains(candidate.node) {
                candidate.item = largest(around: candidate.node, with: 1)
            }
            adoptCarried(&candidate)
            let href = candidate.anchor.flatMap { tree.attribute(.href, of: $0) }
            adoptHandler(&candidate, href)
            adoptLink(&candidate, href)
            adoptMicrodata(&candidate)
            adoptData(&candidate)
            candidates[index] = candidate
        }
        candidates.removeAll { $0.offers.isEmpty }
    }

    private mutating func count() {
        counts = Array(repeating: 0, count: tree.count)
        counts.withUnsafeMutableBufferPointer { counts in
            for candidate in candidates where !icons.contains(candidate.node) {
                var node = candidate.node
                counts[node] += 1
                for _ in 0..<Assembler.maxLevels where node > 0 {
                    node = tree.parent(of: node)
                    counts[node] += 1
                }
            }
        }
    }

    /// In pixels; a candidate shown no larger that opens no picture is an icon in another one's item.
    private static let iconSize: Pixels = 50

    private func isIcon(_ candidate: Candidate) -> Bool {
        guard candidate.hasSide({ $0 <= Assembler.iconSize }),
            !candidate.hasSide({ $0 > Assembler.iconSize })
        else { return false }
        return !(candidate.anchor.map(tree.leadsToPicture) ?? false)
    }

    /// Returns the largest element around a node that contains `count` candidates and is not part of the page's skeleton.
    func largest(around node: Int, with count: Int32) -> Int {
        var largest = node
        for outer in tree.ancestors(of: node).prefix(Assembler.maxLevels) {
            let name = tree.name(of: outer)
            guard outer > 0, counts[outer] == count, name != .body, name != .main else { break }
            largest = outer
        }
        return largest
    }

    /// Returns close ancestors that name addresses: `li[data-src] > img`, `div[data-src] > a > img`.
    private func carriers(around candidate: Candidate) -> [Int] {
        tree.ancestors(of: candidate.node).prefix(4).filter { collector.carried[$0] != nil }
    }

    private mutating func adoptCarried(_ candidate: inout Candidate) {
        guard candidate.kind == .picture else { return }
        for carrier in carriers(around: candidate) where counts[carrier] == 1 {
            for place in collector.carried[carrier] ?? 0..<0 {
                var offer = pageIndex.offers[place]
                switch offer.role {
                case .background: continue
                // A wrapper's `data-src` is not a lazy `src` but what a lightbox opens.
                case .lazy, .plain: offer.role = .full
                // A wrapper's sizes are those of the picture to open, which do not include the inner `src`.
                case .set: offer.role = .medium
                default: break
                }
                pageIndex.add(offer, to: &candidate)
            }
            candidate.isExplicit = true
        }
    }

    /// Adds the picture that a click opens: `onclick="show('1.jpg')"` or `href="javascript:show('1.jpg')"`; or, in place of a
    /// placeholder, what a handler puts there.
    private mutating func adoptHandler(
        _ candidate: inout Candidate, _ href: Bytes?
    ) {
        let script = href.flatMap { $0.isScript ? $0 : nil }
        guard !clickHandlers.isEmpty || !otherHandlers.isEmpty || script != nil else { return }
        let isUnknown = pageIndex.bestIsPlaceholder(of: candidate)
        func scripts(in handlers: [Name]) -> [Bytes?] {
            [candidate.node, candidate.anchor ?? candidate.node].flatMap { node in
                handlers.map { tree.attribute($0, of: node) }
            }
        }
        // What the pointer shows over a link to a page is a button in another state.
        let leadsNowhere = script == nil && href.map { $0.first == "#" } ?? true
        let all =
            scripts(in: clickHandlers) + [script]
            + (isUnknown || leadsNowhere ? scripts(in: otherHandlers) : [])
        let names = all.lazy.compactMap(\.self).compactMap { script in
            let start = Bytes(rebasing: script.prefix(Assembler.maxHandler))
            return isUnknown || !start.includes("this.src")
                ? ScriptedMarkup.name(inHandler: start) : nil
        }
        guard let address = context.resolve(names.first),
            AddressHints(address).looksLikePicture
        else { return }
        let number = pageIndex.addresses.insert(address)
        if pageIndex.offers(of: candidate).contains(where: { $0.address == number }) { return }
        candidate.linksToPicture = !isUnknown
        pageIndex.add(
            Candidate.Offer(address: number, role: isUnknown ? .lazy : .full), to: &candidate)
    }

    /// In bytes: more than handlers and descriptions of one picture have.
    private static let (maxHandler, maxData) = (2_000, 1 << 16)

    /// Returns JSON that describes a picture: in an attribute, or in a script in its link or parent element.
    private func data(of candidate: Candidate) -> [UInt8]? {
        // A link around several pictures describes none of them.
        let anchor = candidate.anchor.flatMap { counts[$0] == 1 ? $0 : nil }
        for node in [candidate.node, anchor ?? candidate.node] {
            for place in tree.attributes(of: node) {
                let value = tree.value(at: place)
                if (10...Assembler.maxData).contains(value.count),
                    value[0] == "{" || value[0] == "[", value.includes("/")
                {
                    return Array(value)
                }
            }
        }
        let around = candidate.anchor ?? tree.parent(of: candidate.node)
        let first = data.partitioningIndex { $0 > around }
        guard first < data.count, tree.contains(around, data[first]), counts[around] == 1
        else { return nil }
        return Array(pageIndex.node(data[first]).text(limit: Assembler.maxData).utf8)
    }

    /// Adds the picture that data beside the candidate describe.
    private mutating func adoptData(_ candidate: inout Candidate) {
        guard !candidate.linksToPicture, let data = data(of: candidate),
            let value = LooseParser.value(of: data),
            let found = ObjectPicture.first(in: value, context: context)
        else { return }
        for variant in found.variants {
            let number = pageIndex.addresses.insert(variant.address)
            pageIndex.add(
                full: number, width: variant.width, height: variant.height, to: &candidate)
        }
        candidate.linksToPicture = true
        if found.title != FileNameText.words(of: found.image) {
            pageIndex.captions[candidate.node] = found.title
        }
    }

    private mutating func adoptLink(
        _ candidate: inout Candidate, _ href: Bytes?
    ) {
        guard
            let anchor = candidate.anchor ?? area(of: candidate.node) ?? linkInside(candidate.item),
            let href = href ?? tree.attribute(.href, of: anchor),
            let target = pageIndex.addresses.insert(href, in: context)
        else { return }
        let lightbox = Lightbox(anchor, tree)
        candidate.isExplicit = candidate.isExplicit || lightbox.isOne
        candidate.fullSize = candidate.fullSize ?? lightbox.size
        let hints = pageIndex.addresses.hints(of: target)
        if hints.looksLikePicture
            || lightbox.isOne && hints.couldBePicture && target != home && !areNamedAsPictures
            || hints.ending == .program && pageIndex.isSameProgram(target, as: candidate)
        {
            candidate.linksToPicture = true
            let size = lightbox.size ?? hints.size
            pageIndex.add(full: target, width: size?.width, height: size?.height, to: &candidate)
        } else if target != home {
            candidate.link = target
        }
    }

    /// Whether most lightbox links on the page have picture extensions, so that the others open videos and other pages.
    private lazy var areNamedAsPictures: Bool = {
        let anchors = candidates.compactMap(\.anchor).filter { Lightbox($0, tree).isOne }
        return anchors.count(where: tree.leadsToPicture) * 2 > anchors.count
    }()

    /// The first image map of each name: a page may have as many maps as pictures.
    private lazy var maps: [String: Int] = Dictionary(
        pageIndex.document.elements(.map).compactMap { map in
            (map.attribute(.name) ?? map.attribute(.id)).map { ($0, map.number) }
        }
    ) { first, _ in first }

    /// Returns the only area of a picture's image map.
    private mutating func area(of node: Int) -> Int? {
        guard let name = pageIndex.node(node).attribute("usemap")?.dropFirst(),
            let map = maps[String(name)]
        else { return nil }
        let areas = tree.descendants(of: map, limit: 200).filter { tree.name(of: $0) == .area }
        return areas.count == 1 ? areas[0] : nil
    }

    /// Returns an item's link when its picture is not inside one: the only link, or the only one that is repeated.
    func linkInside(_ item: Int) -> Int? {
        let links = tree.descendants(of: item, limit: 200).filter {
            tree.name(of: $0) == .a && tree.attribute(.href, of: $0) != nil && !icons.contains($0)
        }
        guard links.count > 1 else { return links.first }
        let targets = Dictionary(grouping: links) { pageIndex.text(.href, of: $0) }.values
        let repeated = targets.count > 1 ? targets.filter { $0.count > 1 } : Array(targets)
        return repeated.count == 1 ? repeated[0][0] : nil
    }

    /// Adds a `<noscript>` copy's addresses to the placeholder beside it, or the copy itself if there is none.
    private mutating func addFallbacks() {
        var alone: [Candidate] = []
        for fallback in collector.fallbacks {
            guard let partner = partner(of: fallback) else {
                if candidates.isEmpty || !pageIndex.areQueries(of: fallback) {
                    alone.append(fallback)
                }
                continue
            }
            let isShown = pageIndex.offers(of: candidates[partner]).contains {
                !pageIndex.isPlaceholder($0)
            }
            // If the real picture is known, only its other sizes are new.
            for place in fallback.offers where !isShown || pageIndex.offers[place].role == .set {
                pageIndex.add(pageIndex.offers[place], to: &candidates[partner])
            }
        }
        guard !alone.isEmpty else { return }
        candidates = (candidates + alone).sorted { $0.node < $1.node }
    }

    /// Returns the nearest picture just before or after the `<noscript>`, within the same parent.
    private func partner(of fallback: Candidate) -> Int? {
        let noscript = tree.ancestors(of: fallback.node).prefix(Assembler.maxLevels).first {
            tree.name(of: $0) == .noscript
        }
        guard let noscript else { return nil }
        let parent = tree.parent(of: noscript)
        let after = candidates.partitioningIndex { $0.node >= fallback.node }
        return [after - 1, after].first {
            candidates.indices.contains($0) && candidates[$0].kind == .picture
                && tree.contains(parent, candidates[$0].node)
        }
    }
}

extension Bytes {
    /// Whether a reference is a `javascript:` URL; the first letter excludes most others.
    fileprivate var isScript: Bool {
        first { $0 > 0x20 }?.lowered == "j" && includes(ignoringCase: "javascript:")
    }
}
