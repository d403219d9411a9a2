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
    private let scope: Name?
    /// The scripts that contain data, by their numbers.
    private let data: [Int]
    /// The number of candidates in each element, by its number; counted up to `maxLevels` levels above each candidate.
    private var counts: [Int32] = []

    /// Levels around a picture that may belong to it: link, figure, wrappers, cell.
    static let maxLevels = 12

    init(
        _ document: Document, tree: TreeReader, context: PageContext
    ) {
        var collector = CandidateCollector(document, tree: tree, context: context)
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
        addFallbacks()
        var usedAsSource: Set<Int> = []
        for candidate in candidates where candidate.kind == .picture {
            usedAsSource.formUnion(carriers(around: candidate))
        }
        candidates = candidates.filter { candidate in
            let isTracker =
                candidate.isTracker(in: pageIndex)
                && !(candidate.anchor.map(tree.leadsToPicture) ?? false)
            if isTracker { context.log?.decide(candidate, in: pageIndex, .rejected, "a tracker") }
            return !isTracker
                && (candidate.kind != .background || !usedAsSource.contains(candidate.node))
        }
        count()
        for index in candidates.indices {
            var candidate = candidates[index]
            candidate.item = item(of: candidate.node)
            adoptCarried(&candidate)
            adoptHandler(&candidate)
            adoptLink(&candidate)
            adoptData(&candidate)
            candidates[index] = candidate
        }
        candidates.removeAll { $0.offers.isEmpty }
    }

    /// Keeps only these candidates, and gives each the item that it has without the others.
    mutating func keep(_ kept: [Candidate]) {
        candidates = []
        for candidate in kept {
            // The two sides of a card that turns, or what it shows under the pointer.
            if let anchor = candidate.anchor, candidates.last?.anchor == anchor,
                candidate.link != nil
            {
                context.log?.decide(
                    candidate, in: pageIndex, .rejected, "one more picture of the same link")
            } else {
                candidates.append(candidate)
            }
        }
        count()
        for index in candidates.indices {
            var candidate = candidates[index]
            candidate.item = item(of: candidate.node)
            if candidate.link == nil, !candidate.linksToPicture { adoptLink(&candidate) }
            candidate.isAlbum = isCover(candidate)
            candidates[index] = candidate
        }
    }

    /// Whether a candidate is in the folder that it links to, and further down: `trip/thumbnails/1.jpg` linked to `trip/`.
    private func isCover(_ candidate: Candidate) -> Bool {
        guard collector.isOfContent(candidate.node), let link = candidate.link,
            let own = pageIndex.best(of: candidate)?.address
        else { return false }
        return pageIndex.addresses.withText(of: link) { target in
            let path = target[..<target.endOfPath]
            guard let slash = path.lastIndex(of: "/") else { return false }
            let folder = Bytes(rebasing: path[...slash])
            let page = Bytes(rebasing: path[(slash + 1)...])
            // The page's own folder and its parents contain everything.
            return (page.isEmpty || page.begins(with: "index."))
                && !context.address.text.utf8.starts(with: folder)
                && pageIndex.addresses.withText(of: own) { picture in
                    picture.begins(with: folder)
                        && picture[folder.count..<picture.endOfPath].contains("/")
                }
        }
    }

    private mutating func count() {
        counts = Array(repeating: 0, count: tree.count)
        counts.withUnsafeMutableBufferPointer { counts in
            for candidate in candidates {
                var node = candidate.node
                counts[node] += 1
                for _ in 0..<Assembler.maxLevels where node > 0 {
                    node = tree.parent(of: node)
                    counts[node] += 1
                }
            }
        }
    }

    /// Returns the largest element around a candidate's that contains no other and is not part of the page's skeleton.
    private func item(of node: Int) -> Int {
        var largest = node
        for outer in tree.ancestors(of: node).prefix(Assembler.maxLevels) {
            let name = tree.name(of: outer)
            guard outer > 0, counts[outer] == 1, name != .body, name != .main else { break }
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

    /// Adds the picture that a click opens (`onclick="show('1.jpg')"`); what a handler puts in place of a placeholder, or of a picture that
    /// is smaller by its address; or what the pointer shows over a link to no page.
    private mutating func adoptHandler(_ candidate: inout Candidate) {
        guard !clickHandlers.isEmpty || !otherHandlers.isEmpty else { return }
        let best = pageIndex.best(of: candidate)
        let isUnknown = best.map(pageIndex.isPlaceholder) ?? true
        // What the pointer shows over a link to a page is a button in another state.
        let leadsNowhere =
            candidate.anchor.flatMap { tree.attribute(.href, of: $0) }.map { $0.first == "#" }
            ?? true
        let nodes = [candidate.node, candidate.anchor ?? candidate.node]
        for (handlers, isOpened) in [(clickHandlers, true), (otherHandlers, leadsNowhere)] {
            for script in handlers.flatMap({ name in nodes.map { tree.attribute(name, of: $0) } }) {
                guard let script,
                    let address = context.resolve(ScriptedMarkup.name(inHandler: script)),
                    AddressHints(address).looksLikePicture,
                    isUnknown || !script.includes("this.src") && isOpened
                        || best.flatMap({
                            FileNameText.isLarger(address, than: pageIndex.addresses[$0.address])
                        }) ?? false
                else { continue }
                candidate.linksToPicture = !isUnknown
                return pageIndex.add(
                    Candidate.Offer(
                        address: pageIndex.addresses.insert(address),
                        role: isUnknown ? .lazy : .full), to: &candidate)
            }
        }
    }

    /// In bytes: more than descriptions of one picture have.
    private static let maxData = 1 << 16

    /// Returns JSON that describes a picture: in an attribute of it or close around it, or in a script in its link or parent element.
    private func data(of candidate: Candidate) -> [UInt8]? {
        var node = candidate.node
        // What is around several pictures describes none of them.
        for _ in 0..<5 where counts[node] == 1 {
            defer { node = tree.parent(of: node) }
            for place in tree.attributes(of: node) {
                let value = tree.value(at: place)
                if (10...Assembler.maxData).contains(value.count),
                    value[0] == "{" || value[0] == "[", value.includes("/")
                {
                    return Array(value)
                }
            }
        }
        let outer = candidate.anchor ?? tree.parent(of: candidate.node)
        let first = data.partitioningIndex { $0 > outer }
        guard first < data.count, tree.contains(outer, data[first]), counts[outer] == 1
        else { return nil }
        return pageIndex.node(data[first]).text(limit: Assembler.maxData).bytes
    }

    /// Levels above a picture that are searched for the microdata's item.
    private static let maxScope = 8
    /// Elements of that item that are read.
    private static let maxElements = 100

    /// Returns the microdata of an `ImageObject` (https://html.spec.whatwg.org/#microdata) around a picture.
    private func microdata(of candidate: Candidate) -> LooseValue? {
        guard let scope,
            let item = sequence(first: pageIndex.node(candidate.node), next: \.parent)
                .prefix(Self.maxScope).first(where: { $0.has(scope) }),
            let type = item.attribute(scope),
            type.hasSuffix("ImageObject") || type.hasSuffix("Photograph")
        else { return nil }
        let members = item.descendants.prefix(Self.maxElements).compactMap {
            node -> LooseValue.Member? in
            guard !node.isText, let key = node.attribute(.itemprop) else { return nil }
            let value = [.content, .href, .src].lazy.compactMap(node.attribute).first
            // A link to the page about the picture may be called its contents.
            let isPage = node.name == .a && !tree.leadsToPicture(node.number)
            return .init(
                key: isPage ? "url" : String(key.prefix { $0 != " " }),
                value: .text(value ?? node.textContent))
        }
        return .object(members)
    }

    /// Adds the picture that data or microdata beside the candidate describe.
    private mutating func adoptData(_ candidate: inout Candidate) {
        guard !candidate.linksToPicture,
            let value = data(of: candidate).flatMap(LooseParser.value(of:))
                ?? microdata(of: candidate),
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

    private mutating func adoptLink(_ candidate: inout Candidate) {
        guard
            let anchor = candidate.anchor ?? area(of: candidate.node) ?? linkInside(candidate.item),
            let href = tree.attribute(.href, of: anchor),
            let target = pageIndex.addresses.insert(href, in: context)
        else { return }
        let lightbox = Lightbox(anchor, tree)
        candidate.isExplicit = candidate.isExplicit || lightbox.isOne
        candidate.fullSize = candidate.fullSize ?? lightbox.size
        let hints = pageIndex.addresses.hints[target]
        if hints.looksLikePicture
            || lightbox.isOne && hints.couldBePicture && target != home
        {
            candidate.linksToPicture = true
            let size = lightbox.size ?? hints.size
            pageIndex.add(full: target, width: size?.width, height: size?.height, to: &candidate)
        } else if target != home {
            candidate.link = target
        }
    }

    /// The first image map of each name: a page may have as many maps as pictures.
    private lazy var maps: [String: Int] = Dictionary(
        pageIndex.document.elements(called: "map").compactMap { map in
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
    private func linkInside(_ item: Int) -> Int? {
        let links = tree.descendants(of: item, limit: 200).filter {
            tree.name(of: $0) == .a && tree.attribute(.href, of: $0) != nil
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
            if candidates[partner].isTiny { candidates[partner].shown = fallback.shown }
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
