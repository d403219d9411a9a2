import Markup
import Network

/// Brings together what belongs to one candidate: the elements around it, the link, the copy in `<noscript>`.
struct Assembler {
    private let collector: CandidateCollector
    private let context: PageContext
    private let microdata: Microdata
    private let document: Document
    /// `onclick`, if the page has such handlers.
    private let handler: Name?
    /// How many candidates an element holds, by its order; counted up to `reach` levels above each candidate.
    private var counts: [Int32]

    /// Levels around a picture that may belong to it: link, figure, wrappers, cell.
    private static let reach = 12

    init(_ collector: CandidateCollector, context: PageContext, document: Document) {
        self.collector = collector
        self.context = context
        microdata = Microdata(document, context: context)
        self.document = document
        handler = document.name("onclick")
        counts = Array(repeating: 0, count: document.nodeCount)
    }

    /// The candidates that have an address, in page order, each with all there is to know of it.
    mutating func assemble() -> [Candidate] {
        var candidates = collector.candidates
        addFallbacks(to: &candidates)
        let usedAsSource = Set(
            candidates.lazy.filter { $0.kind == .picture }.flatMap(carriers(around:)))
        candidates.removeAll {
            Junk.isOrnamental($0)
                || ($0.kind == .background && usedAsSource.contains($0.node.order))
        }
        count(candidates)
        for candidate in candidates {
            candidate.item = item(of: candidate.node)
            adoptCarried(candidate)
            adoptHandler(candidate)
            adoptLink(candidate)
            microdata.enrich(candidate)
        }
        candidates.removeAll { $0.found.isEmpty }
        return candidates
    }

    private mutating func count(_ candidates: [Candidate]) {
        document.view { view in
            for candidate in candidates {
                var order = candidate.node.order
                counts[order] += 1
                for _ in 0..<Assembler.reach where order > 0 {
                    order = view.parent(of: order)
                    counts[order] += 1
                }
            }
        }
    }

    /// The largest element around a candidate that holds no other and is still no part of the page's skeleton.
    private func item(of node: Node) -> Node {
        let order = document.view { view in
            var item = node.order
            for _ in 0..<Assembler.reach {
                let outer = view.parent(of: item)
                let name = view.name(of: outer)
                guard outer > 0, counts[outer] == 1, name != .body, name != .main else { break }
                item = outer
            }
            return item
        }
        return order.map(document.node) ?? node
    }

    /// Elements close around it that name addresses: `li[data-src] > img`, `div[data-src] > a > img`.
    private func carriers(around candidate: Candidate) -> [Int] {
        guard !collector.carried.isEmpty else { return [] }
        return candidate.node.ancestors.prefix(4).map(\.order).filter {
            collector.carried[$0] != nil
        }
    }

    private func adoptCarried(_ candidate: Candidate) {
        guard candidate.kind == .picture else { return }
        for order in carriers(around: candidate) where counts[order] == 1 {
            let offers = collector.carried[order] ?? []
            // On a wrapper a `data-src` is no lazy `src` but what a lightbox opens.
            candidate.found += offers.filter { $0.role != .background }.map { found in
                var found = found
                if found.role == .lazy || found.role == .plain { found.role = .full }
                // Its sizes are those of the picture to be opened: the `src` inside is none of them.
                if found.role == .set { found.role = .medium }
                return found
            }
            candidate.isExplicit = true
        }
    }

    /// `onclick="show('1.jpg')"` and `href="javascript:show('1.jpg')"` name what a click opens.
    private func adoptHandler(_ candidate: Candidate) {
        let anchor = candidate.anchor
        let isScript = anchor?.attribute(.href, includes: "javascript:") ?? false
        guard handler != nil || isScript else { return }
        let texts = [
            handler.flatMap { candidate.node.attribute($0) },
            handler.flatMap { anchor?.attribute($0) }, isScript ? anchor?.attribute(.href) : nil,
        ]
        guard
            let name = texts.lazy.compactMap({ $0 }).compactMap(ScriptedMarkup.name(inHandler:))
                .first,
            let address = context.resolve(name), AddressHints(address).looksLikePicture,
            !candidate.found.contains(where: { $0.address == address })
        else { return }
        candidate.linksToPicture = true
        candidate.found.append(
            Candidate.Found(address: address, role: .full, width: nil, height: nil))
    }

    private func adoptLink(_ candidate: Candidate) {
        guard let anchor = candidate.anchor ?? linkInside(candidate.item),
            let target = context.target(of: anchor)
        else { return }
        let lightbox = Lightbox.read(anchor)
        candidate.isExplicit = candidate.isExplicit || lightbox.isOne
        candidate.fullSize = candidate.fullSize ?? lightbox.size
        let hints = AddressHints(target)
        if hints.looksLikePicture
            || (lightbox.isOne && hints.couldBePicture && !target.isSamePage(as: context.address))
            || hints.ending == .program && isSameProgram(target, as: candidate)
        {
            candidate.linksToPicture = true
            candidate.found.append(
                Candidate.Found(
                    address: target, role: .full, width: lightbox.size?.width ?? hints.size?.width,
                    height: lightbox.size?.height ?? hints.size?.height))
        } else if !target.isSamePage(as: context.address) {
            candidate.link = target
        }
    }

    /// Whether the program that makes the picture shown also makes what the link leads to: `fetch.php?w=200&file=1` and
    /// `fetch.php?file=1`.
    private func isSameProgram(_ target: Address, as candidate: Candidate) -> Bool {
        let path = target.text.prefix { $0 != "?" }
        return path.utf8.count < target.text.utf8.count
            && candidate.found.contains { found in
                found.role == .plain && found.address != target
                    && found.address.text.prefix { $0 != "?" } == path
            }
    }

    /// The one link of an item whose picture does not stand inside it.
    private func linkInside(_ item: Node) -> Node? {
        let found: Int?? = item.view { view in
            var first: Int?
            var href = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            let start = item.order + 1
            for order in start..<max(start, min(view.end(of: item.order), start + 200))
            where view.name(of: order) == .a {
                guard let other = view.attribute(.href, of: order) else { continue }
                if first == nil {
                    first = order
                    href = other
                } else if !other.equals(href) {
                    return nil
                }
            }
            return first
        }
        return (found ?? nil).map { item.inSamePage($0) }
    }

    /// A copy in `<noscript>` gives its addresses to a placeholder beside it, or stands for itself if there is none.
    private func addFallbacks(to candidates: inout [Candidate]) {
        guard !collector.fallbacks.isEmpty else { return }
        let orders = candidates.map(\.node.order)
        var alone: [Candidate] = []
        for fallback in collector.fallbacks {
            if let partner = partner(of: fallback, among: candidates, orders: orders) {
                if !candidates[partner].found.contains(where: {
                    !AddressWords.isPlaceholder($0.address)
                }) {
                    candidates[partner].found += fallback.found
                }
            } else {
                alone.append(fallback)
            }
        }
        guard !alone.isEmpty else { return }
        candidates = (candidates + alone).sorted { $0.node.order < $1.node.order }
    }

    /// The nearest picture beside the `<noscript>`: under the same parent or grandparent, just before or after.
    private func partner(of fallback: Candidate, among candidates: [Candidate], orders: [Int])
        -> Int?
    {
        guard
            let noscript = fallback.node.ancestors.prefix(Assembler.reach).first(where: {
                $0.name == .noscript
            }),
            let parent = noscript.parent
        else { return nil }
        let after = orders.partition(by: fallback.node.order)
        let near = [after - 1, after].filter(candidates.indices.contains)
        return near.first {
            candidates[$0].kind == .picture && parent.contains(candidates[$0].node)
        }
    }
}

extension Address {
    /// Whether both differ in nothing.
    func isSamePage(as other: Address) -> Bool { text == other.text }
}

extension [Int] {
    /// The first place whose value is at least `value`; the values must be sorted.
    func partition(by value: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
