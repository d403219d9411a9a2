import Markup
import Network

/// Brings together what belongs to one candidate: the elements around it, the link, the copy in `<noscript>`.
struct Assembler {
    /// What the collector found, and what was found since.
    private(set) var findings: Findings
    private let collector: CandidateCollector
    private let context: PageContext
    private let microdata: Microdata
    private let view: PageView
    /// `onclick`, if the page has such handlers.
    private let handler: Name?
    /// The number of the page's own address.
    private let home: Int
    /// How many candidates an element holds, by its order; counted up to `reach` levels above each candidate.
    private var counts: [Int32]

    /// Levels around a picture that may belong to it: link, figure, wrappers, cell.
    private static let reach = 12

    /// Takes what was found from `collector`, to add to it.
    init(_ collector: inout CandidateCollector, context: PageContext) {
        findings = collector.handOver()
        self.collector = collector
        self.context = context
        view = findings.view
        microdata = Microdata(findings.document, context: context)
        handler = findings.document.name("onclick")
        home = findings.addresses.insert(context.address).number
        counts = Array(repeating: 0, count: findings.view.count)
    }

    /// The candidates that have an address, in page order, each with all there is to know of it.
    mutating func assemble() -> [Candidate] {
        var candidates = collector.candidates
        addFallbacks(to: &candidates)
        var usedAsSource: Set<Int> = []
        for candidate in candidates where candidate.kind == .picture {
            usedAsSource.formUnion(carriers(around: candidate))
        }
        candidates = withoutOrnaments(candidates, usedAsSource)
        count(candidates)
        for index in candidates.indices {
            candidates[index].item = item(of: candidates[index].node)
            adoptCarried(&candidates[index])
            adoptHandler(&candidates[index])
            adoptLink(&candidates[index])
            microdata.enrich(&candidates[index], in: &findings)
        }
        candidates.removeAll { $0.places.isEmpty }
        return candidates
    }

    private func withoutOrnaments(
        _ candidates: [Candidate], _ usedAsSource: Set<Int>
    ) -> [Candidate] {
        candidates.filter {
            !Junk.isOrnamental($0, in: findings)
                && !($0.kind == .background && usedAsSource.contains($0.node))
        }
    }

    private mutating func count(_ candidates: [Candidate]) {
        counts.withUnsafeMutableBufferPointer { counts in
            for candidate in candidates {
                var order = candidate.node
                counts[order] += 1
                for _ in 0..<Assembler.reach where order > 0 {
                    order = view.parent(of: order)
                    counts[order] += 1
                }
            }
        }
    }

    /// The largest element around a candidate that holds no other and is still no part of the page's skeleton.
    private func item(of node: Int) -> Int {
        var item = node
        for _ in 0..<Assembler.reach {
            let outer = view.parent(of: item)
            let name = view.name(of: outer)
            guard outer > 0, counts[outer] == 1, name != .body, name != .main else { break }
            item = outer
        }
        return item
    }

    /// Elements close around it that name addresses: `li[data-src] > img`, `div[data-src] > a > img`.
    private func carriers(around candidate: Candidate) -> [Int] {
        guard !collector.carried.isEmpty else { return [] }
        return view.ancestors(of: candidate.node).prefix(4).filter {
            collector.carried[$0] != nil
        }
    }

    private mutating func adoptCarried(_ candidate: inout Candidate) {
        guard candidate.kind == .picture else { return }
        for order in carriers(around: candidate) where counts[order] == 1 {
            for place in collector.carried[order] ?? 0..<0 {
                var offer = findings.found[place]
                switch offer.role {
                case .background: continue
                // On a wrapper a `data-src` is no lazy `src` but what a lightbox opens.
                case .lazy, .plain: offer.role = .full
                // Its sizes are those of the picture to be opened: the `src` inside is none of them.
                case .set: offer.role = .medium
                default: break
                }
                findings.add(offer, to: &candidate)
            }
            candidate.isExplicit = true
        }
    }

    /// `onclick="show('1.jpg')"` and `href="javascript:show('1.jpg')"` name what a click opens.
    private mutating func adoptHandler(_ candidate: inout Candidate) {
        let anchor = candidate.anchor
        let href = anchor.flatMap { view.attribute(.href, of: $0) }
        let isScript = href?.includesScriptScheme ?? false
        guard handler != nil || isScript else { return }
        let texts = [
            handler.flatMap { findings.text($0, of: candidate.node) },
            handler.flatMap { handler in anchor.flatMap { findings.text(handler, of: $0) } },
            isScript ? href.map { String(decoding: $0, as: UTF8.self) } : nil,
        ]
        guard
            let name = texts.lazy.compactMap({ $0 }).compactMap(ScriptedMarkup.name(inHandler:))
                .first,
            let address = context.resolve(name), AddressHints(address).looksLikePicture
        else { return }
        let number = findings.addresses.insert(address).number
        guard !findings.found(of: candidate).contains(where: { $0.address == number }) else {
            return
        }
        candidate.linksToPicture = true
        findings.add(
            Candidate.Found(address: number, role: .full, width: nil, height: nil), to: &candidate)
    }

    private mutating func adoptLink(_ candidate: inout Candidate) {
        guard let anchor = candidate.anchor ?? linkInside(candidate.item),
            let href = view.attribute(.href, of: anchor),
            let target = findings.addresses.insert(href, in: context)
        else { return }
        let lightbox = Lightbox.read(anchor, view)
        candidate.isExplicit = candidate.isExplicit || lightbox.isOne
        candidate.fullSize = candidate.fullSize ?? lightbox.size
        let hints = findings.addresses.hints(of: target)
        if hints.looksLikePicture
            || (lightbox.isOne && hints.couldBePicture && target != home)
            || hints.ending == .program && isSameProgram(target, as: candidate)
        {
            candidate.linksToPicture = true
            let size = lightbox.size ?? hints.size
            findings.add(
                Candidate.Found(
                    address: target, role: .full, width: size?.width, height: size?.height),
                to: &candidate)
        } else if target != home {
            candidate.link = target
        }
    }

    /// Whether the program that makes the picture shown also makes what the link leads to: `fetch.php?w=200&file=1` and
    /// `fetch.php?file=1`.
    private func isSameProgram(_ target: Int, as candidate: Candidate) -> Bool {
        let text = findings.address(target).text
        let path = text.prefix { $0 != "?" }
        return path.utf8.count < text.utf8.count
            && findings.found(of: candidate).contains { found in
                found.role == .plain && found.address != target
                    && findings.address(found.address).text.prefix { $0 != "?" } == path
            }
    }

    /// The one link of an item whose picture does not stand inside it.
    private func linkInside(_ item: Int) -> Int? {
        var first: Int?
        var href = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        for order in view.descendants(of: item, limit: 200) where view.name(of: order) == .a {
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

    /// A copy in `<noscript>` gives its addresses to a placeholder beside it, or stands for itself if there is none.
    private mutating func addFallbacks(to candidates: inout [Candidate]) {
        guard !collector.fallbacks.isEmpty else { return }
        let orders = candidates.map(\.node)
        var alone: [Candidate] = []
        for fallback in collector.fallbacks {
            if let partner = partner(of: fallback, among: candidates, orders: orders) {
                let isShown = findings.found(of: candidates[partner]).contains {
                    !findings.isPlaceholder($0)
                }
                if isShown { continue }
                for place in fallback.places {
                    findings.add(findings.found[place], to: &candidates[partner])
                }
            } else {
                alone.append(fallback)
            }
        }
        guard !alone.isEmpty else { return }
        candidates = (candidates + alone).sorted { $0.node < $1.node }
    }

    /// The nearest picture beside the `<noscript>`: under the same parent or grandparent, just before or after.
    private func partner(of fallback: Candidate, among candidates: [Candidate], orders: [Int])
        -> Int?
    {
        let noscript = view.ancestors(of: fallback.node).prefix(Assembler.reach).first {
            view.name(of: $0) == .noscript
        }
        guard let noscript, noscript > 0 else { return nil }
        let parent = view.parent(of: noscript)
        let after = orders.partition(by: fallback.node)
        let near = [after - 1, after].filter(candidates.indices.contains)
        return near.first {
            candidates[$0].kind == .picture && view.contains(parent, candidates[$0].node)
        }
    }
}

extension Address {
    /// Whether both differ in nothing.
    func isSamePage(as other: Address) -> Bool { text == other.text }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `javascript:` occurs, in either case.
    fileprivate var includesScriptScheme: Bool {
        let scheme: StaticString = "javascript"
        let length = scheme.utf8CodeUnitCount
        var at = length
        while let colon = firstIndex(of: UInt8(ascii: ":"), from: at) {
            let isOne = (0..<length).allSatisfy {
                self[colon - length + $0].loweredLetter == scheme.utf8Start[$0]
            }
            if isOne { return true }
            at = colon + 1
        }
        return false
    }
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
