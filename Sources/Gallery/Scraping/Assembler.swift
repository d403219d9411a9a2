import Basics
import Markup
import Network

/// Assembles the candidates of a page with what belongs to each: surrounding elements, the link, the copy in `<noscript>`.
struct Assembler {
    /// The complete candidates that have an address, in page order.
    private(set) var candidates: [Candidate]
    /// The collector's index with what was added since.
    private(set) var pageIndex: PageIndex
    let collector: CandidateCollector
    private let context: PageContext
    private let view: PageView
    /// The attributes for clicks, and those for handlers that show a picture without one, as far as the page has them.
    private let clicks: [Name]
    private let showers: [Name]
    private let home: Int
    /// The scripts that contain data, by their order.
    private let data: [Int]
    /// Pictures in dialogs that the links of others open, by their order.
    private var opened: Set<Int> = []
    /// Icons and the links around them, by their order.
    private var icons: Set<Int> = []
    /// The number of candidates in each element, by its order, without icons; counted up to `maxLevels` levels above each candidate.
    private var counts: [Int32]

    /// Levels around a picture that may belong to it: link, figure, wrappers, cell.
    private static let maxLevels = 12

    init(
        _ document: Document, view: PageView, context: PageContext,
        net: CandidateCollector.Net = .usual
    ) {
        var collector = CandidateCollector(document, view: view, context: context, net: net)
        pageIndex = collector.handOver()
        candidates = collector.candidates
        self.collector = collector
        self.context = context
        self.view = view
        clicks = ["onclick"].compactMap(document.name)
        showers = ["onmouseover", "onload"].compactMap(document.name)
        home = pageIndex.addresses.insert(context.address)
        data = document.elements(.script).lazy.map(\.order).filter {
            view.attribute(.type, of: $0)?.equals("application/json") ?? false
        }
        counts = Array(repeating: 0, count: view.count)
        assemble(Microdata(document, context: context))
    }

    private mutating func assemble(_ microdata: Microdata) {
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
            counts = Array(repeating: 0, count: view.count)
            count()
        }
        for index in candidates.indices {
            var candidate = candidates[index]
            if !icons.contains(candidate.node) {
                candidate.item = item(of: candidate.node)
                adoptCard(&candidate)
            }
            adoptCarried(&candidate)
            let href = candidate.anchor.flatMap { view.attribute(.href, of: $0) }
            adoptHandler(&candidate, href)
            adoptLink(&candidate, href)
            adoptDialog(&candidate, href)
            microdata.enrich(&candidate, in: &pageIndex)
            adoptData(&candidate)
            candidates[index] = candidate
        }
        candidates.removeAll { $0.places.isEmpty || opened.contains($0.node) }
    }

    private mutating func count() {
        counts.withUnsafeMutableBufferPointer { counts in
            for candidate in candidates where !icons.contains(candidate.node) {
                var order = candidate.node
                counts[order] += 1
                for _ in 0..<Assembler.maxLevels where order > 0 {
                    order = view.parent(of: order)
                    counts[order] += 1
                }
            }
        }
    }

    /// In pixels; a candidate shown no larger that opens no picture is an icon in another one's item.
    private static let iconSize = 50

    private func isIcon(_ candidate: Candidate) -> Bool {
        let sides = [candidate.shown.width, candidate.shown.height].compactMap { $0?.count }
        guard candidate.kind != .drawing, let longest = sides.max(),
            longest <= Assembler.iconSize
        else { return false }
        let href = candidate.anchor.flatMap { view.attribute(.href, of: $0) }
        return !(href.map { AddressHints($0).looksLikePicture } ?? false)
    }

    /// Returns the largest element around a candidate that contains no other and is not part of the page's skeleton.
    private func item(of node: Int) -> Int {
        var item = node
        for _ in 0..<Assembler.maxLevels {
            let outer = view.parent(of: item)
            let name = view.name(of: outer)
            guard outer > 0, counts[outer] == 1, name != .body, name != .main else { break }
            item = outer
        }
        return item
    }

    /// Classes of pictures that say whose a card is rather than what it shows.
    private static let marks = Substrings(
        ["avatar", "logo", "badge", "author", "profile", "userpic", "branding"], ignoringCase: true)
    /// The most pictures of a card: the one that it is about, its author's and some badges.
    private static let maxInCard = 4

    /// Returns the pictures beside the one that each of three or more cards is about, by their order: they are marked as somebody's, or
    /// are the smaller of two.
    private func secondPictures() -> Set<Int> {
        var second: [Int: [Int]] = [:]
        for (index, candidate) in candidates.enumerated() where candidate.kind == .picture {
            guard let card = view.ancestors(of: candidate.node).first(where: { counts[$0] > 1 }),
                counts[card] <= Assembler.maxInCard, view.name(of: card) != .body
            else { continue }
            let others = candidates[max(0, index - 3)..<min(candidates.count, index + 4)].filter {
                $0.node != candidate.node && view.contains(card, $0.node)
            }
            let isMarked = isMarked(candidate, in: card)
            guard
                others.contains(where: { other in
                    isMarked
                        ? !self.isMarked(other, in: card)
                        : others.count == 1 && isSmaller(candidate, than: other)
                })
            else { continue }
            var hasher = Hasher()
            for node in [candidate.node, view.parent(of: candidate.node), card] {
                hasher.combine(view.name(of: node))
                hasher.combine(pageIndex.text(.class, of: node))
            }
            second[hasher.finalize(), default: []].append(candidate.node)
        }
        return Set(second.values.lazy.filter { $0.count >= Selection.galleryCount }.joined())
    }

    private func isMarked(_ candidate: Candidate, in card: Int) -> Bool {
        var node = candidate.node
        while node != card {
            if let classes = view.attribute(.class, of: node), Assembler.marks.occur(in: classes) {
                return true
            }
            node = view.parent(of: node)
        }
        return false
    }

    /// Whether a picture is shown at most half as wide as another, or has such a size in its address.
    private func isSmaller(_ candidate: Candidate, than other: Candidate) -> Bool {
        let widths = [candidate, other].map {
            ($0.shown.width ?? pageIndex.best(of: $0)?.width)?.count
        }
        guard let width = widths[0], let otherWidth = widths[1] else { return false }
        return 2 * width <= otherWidth
    }

    /// If two adjacent pictures are in a card whose only link is beside them, they show one product from two sides: both get the card as
    /// their item and its link, so that only the first is kept.
    private func adoptCard(_ candidate: inout Candidate) {
        let pair = view.parent(of: candidate.item)
        guard candidate.anchor == nil, candidate.item == candidate.node, counts[pair] == 2,
            ![.body, .main, .a].contains(view.name(of: pair))
        else { return }
        var card = pair
        for outer in view.ancestors(of: pair).prefix(Assembler.maxLevels) {
            guard counts[outer] == 2, ![.body, .main].contains(view.name(of: outer)) else { break }
            card = outer
        }
        guard let link = linkInside(card) else { return }
        candidate.item = card
        candidate.anchor = link
    }

    /// Returns close ancestors that name addresses: `li[data-src] > img`, `div[data-src] > a > img`.
    private func carriers(around candidate: Candidate) -> [Int] {
        guard !collector.carried.isEmpty else { return [] }
        return view.ancestors(of: candidate.node).prefix(4).filter { collector.carried[$0] != nil }
    }

    private mutating func adoptCarried(_ candidate: inout Candidate) {
        guard candidate.kind == .picture else { return }
        for order in carriers(around: candidate) where counts[order] == 1 {
            for place in collector.carried[order] ?? 0..<0 {
                var offer = pageIndex.found[place]
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
        guard !clicks.isEmpty || !showers.isEmpty || script != nil else { return }
        let isUnknown = pageIndex.bestIsPlaceholder(of: candidate)
        func names(_ handlers: [Name]) -> [String] {
            [candidate.node, candidate.anchor].compactMap(\.self).flatMap { node in
                handlers.compactMap { view.attribute($0, of: node) }
                    .filter { isUnknown || !$0.includes("this.src") }
                    .compactMap(Self.name(inHandler:))
            }
        }
        // What the pointer shows over a link to a page is a button in another state.
        let isShown =
            isUnknown || script == nil && href.map { $0.first == "#" } ?? true
        guard
            let name =
                (names(clicks) + [script.flatMap(Self.name(inHandler:))].compactMap(\.self)
                + (isShown ? names(showers) : [])).first,
            let address = context.resolve(name),
            AddressHints(address).looksLikePicture
        else { return }
        let number = pageIndex.addresses.insert(address)
        if pageIndex.found(of: candidate).contains(where: { $0.address == number }) { return }
        candidate.linksToPicture = !isUnknown
        pageIndex.add(
            Candidate.Offer(address: number, role: isUnknown ? .lazy : .full), to: &candidate)
    }

    /// Returns JSON that describes a picture: in an attribute, or in a script in its link or parent element.
    private func data(of candidate: Candidate) -> [UInt8]? {
        for node in [candidate.node, candidate.anchor ?? candidate.node] {
            let value = view.attributes(of: node).lazy.map { view.value(at: $0) }.first {
                $0.count > 9 && ($0[0] == "{" || $0[0] == "[") && $0.includes("/")
            }
            if let value { return Array(value) }
        }
        guard !data.isEmpty else { return nil }
        let around = candidate.anchor ?? view.parent(of: candidate.node)
        let first = data.partitioningIndex { $0 > around }
        guard first < data.count, view.contains(around, data[first]), counts[around] == 1
        else { return nil }
        return Array(pageIndex.node(data[first]).text(limit: 1 << 16).utf8)
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
                Candidate.Offer(
                    address: number, role: .full, width: variant.width, height: variant.height),
                to: &candidate)
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
            let href = href ?? view.attribute(.href, of: anchor),
            let target = pageIndex.addresses.insert(href, in: context)
        else { return }
        let lightbox = Lightbox(anchor, view)
        candidate.isExplicit = candidate.isExplicit || lightbox.isOne
        candidate.fullSize = candidate.fullSize ?? lightbox.size
        let hints = pageIndex.addresses.hints(of: target)
        if hints.looksLikePicture
            || lightbox.isOne && hints.couldBePicture && target != home && !areNamedAsPictures
                && (!lightbox.isMicrodata || pageIndex.isSameHost(target, as: candidate))
            || hints.ending == .program && pageIndex.isSameProgram(target, as: candidate)
        {
            candidate.linksToPicture = true
            let size = lightbox.size ?? hints.size
            pageIndex.add(
                Candidate.Offer(
                    address: target, role: .full, width: size?.width, height: size?.height),
                to: &candidate)
        } else if target != home {
            candidate.link = target
        }
    }

    /// Adopts the only picture of the element that the link targets as the full size: `a[href="#x"]` and `#x > img`.
    private mutating func adoptDialog(
        _ candidate: inout Candidate, _ href: Bytes?
    ) {
        guard let href, href.count > 1, href[0] == "#", !candidate.linksToPicture,
            let dialog = ids[String(utf8: href[1...])],
            !view.contains(dialog, candidate.node)
        else { return }
        let first = candidates.partitioningIndex { $0.node > dialog }
        let inside = candidates[first...].prefix { view.contains(dialog, $0.node) }.filter {
            !icons.contains($0.node) && $0.kind == .picture && !$0.places.isEmpty
        }
        guard inside.count == 1, let best = pageIndex.best(of: inside[0]) else { return }
        opened.insert(inside[0].node)
        candidate.linksToPicture = true
        var offer = best
        offer.role = .full
        pageIndex.add(offer, to: &candidate)
    }

    /// The first element of each id.
    private lazy var ids: [String: Int] = {
        var ids: [String: Int] = [:]
        for order in (0..<view.count).reversed() {
            if let id = pageIndex.text(.id, of: order) { ids[id] = order }
        }
        return ids
    }()

    /// Whether most lightbox links on the page have picture extensions, so that the others open videos and other pages.
    private lazy var areNamedAsPictures: Bool = {
        var (named, all) = (0, 0)
        for anchor in candidates.lazy.compactMap(\.anchor) where Lightbox(anchor, view).isOne {
            all += 1
            let href = view.attribute(.href, of: anchor)
            if href.map({ AddressHints($0).looksLikePicture }) ?? false { named += 1 }
        }
        return named * 2 > all
    }()

    private static func name(inHandler text: Bytes) -> String? {
        ScriptedMarkup.name(inHandler: String(utf8: text))
    }

    /// Returns the only area of a picture's image map.
    private func area(of node: Int) -> Int? {
        guard let name = pageIndex.text(.usemap, of: node)?.dropFirst(),
            let map = pageIndex.document.elements(.map).first(where: {
                $0.attribute(.name) ?? $0.attribute(.id) ?? "" == name
            })
        else { return nil }
        let areas = view.descendants(of: map.order).filter { view.name(of: $0) == .area }
        return areas.count == 1 ? areas[0] : nil
    }

    /// Returns an item's link when its picture is not inside one: the only link, or the only one that is repeated.
    private func linkInside(_ item: Int) -> Int? {
        var links: [(order: Int, href: Bytes, count: Int)] = []
        for order in view.descendants(of: item, limit: 200) where view.name(of: order) == .a {
            guard let href = view.attribute(.href, of: order), !icons.contains(order) else {
                continue
            }
            if let place = links.firstIndex(where: { $0.href.equals(href) }) {
                links[place].count += 1
            } else {
                links.append((order, href, 1))
            }
        }
        let repeated = links.filter { $0.count > 1 }
        return links.count == 1 ? links[0].order : repeated.count == 1 ? repeated[0].order : nil
    }

    /// Adds a `<noscript>` copy's addresses to the placeholder beside it, or the copy itself if there is none.
    private mutating func addFallbacks() {
        guard !collector.fallbacks.isEmpty else { return }
        var alone: [Candidate] = []
        for fallback in collector.fallbacks {
            guard let partner = partner(of: fallback) else {
                if candidates.isEmpty || !pageIndex.areQueries(of: fallback) {
                    alone.append(fallback)
                }
                continue
            }
            let isShown = pageIndex.found(of: candidates[partner]).contains {
                !pageIndex.isPlaceholder($0)
            }
            // If the real picture is known, only its other sizes are new.
            for place in fallback.places where !isShown || pageIndex.found[place].role == .set {
                pageIndex.add(pageIndex.found[place], to: &candidates[partner])
            }
        }
        guard !alone.isEmpty else { return }
        candidates = (candidates + alone).sorted { $0.node < $1.node }
    }

    /// Returns the nearest picture just before or after the `<noscript>`, within the same parent.
    private func partner(of fallback: Candidate) -> Int? {
        let noscript = view.ancestors(of: fallback.node).prefix(Assembler.maxLevels).first {
            view.name(of: $0) == .noscript
        }
        guard let noscript, noscript > 0 else { return nil }
        let parent = view.parent(of: noscript)
        let after = candidates.partitioningIndex { $0.node >= fallback.node }
        return [after - 1, after].first {
            candidates.indices.contains($0) && candidates[$0].kind == .picture
                && view.contains(parent, candidates[$0].node)
        }
    }
}

extension Bytes {
    /// Whether a reference is a `javascript:` URL; the first letter excludes most others.
    fileprivate var isScript: Bool {
        let start = first { $0 > 0x20 }
        return start == "j" || start == "J"
            ? includes(ignoringCase: "javascript:") : false
    }
}
