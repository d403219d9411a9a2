import Basics
import Markup
import Network

/// What was found on a page: its elements and the addresses that they offer.
///
/// The tree is valid while the document is retained.
struct PageIndex {
    let document: Document
    let tree: TreeReader
    var addresses: AddressNumbers
    /// The addresses offered, contiguous for each candidate; see `Candidate.offers`.
    var offers: [Candidate.Offer] = []
    /// Captions from candidates' own data, by node.
    var captions: [Int: String] = [:]
    /// The file names of the pictures that the page names for other sites and search engines, without sizes.
    var preferred: Set<Substring> = []

    init(_ document: Document, tree: TreeReader, capacity: Int) {
        self.document = document
        self.tree = tree
        addresses = AddressNumbers(capacity: capacity)
        offers.reserveCapacity(capacity)
    }

    func node(_ number: Int) -> Node { document.node(number) }

    func offers(of candidate: Candidate) -> ArraySlice<Candidate.Offer> { offers[candidate.offers] }

    /// Returns the most informative address, preferably not the `src`, which may be a placeholder while the picture loads.
    func best(of candidate: Candidate) -> Candidate.Offer? {
        let offers = offers[candidate.offers]
        return offers.last { $0.role != .plain } ?? offers.last
    }

    /// Returns the width and height in pixels at which the page shows a candidate, else those of its best address; 0 if unknown.
    func shownSize(of candidate: Candidate) -> (width: Int, height: Int) {
        guard let best = best(of: candidate) else { return (0, 0) }
        let (width, height) =
            best.width != nil && candidate.shown.width == nil
            ? (best.width, best.height) : candidate.shown
        if width == nil, height == nil {
            return addresses.withText(of: best.address, AddressHints.requestedSize)
        }
        return (width?.count ?? 0, height?.count ?? 0)
    }

    /// Adds an address to those of a candidate.
    mutating func add(_ offer: Candidate.Offer, to candidate: inout Candidate) {
        // A range that is not the last is moved to the end.
        if candidate.offers.upperBound != offers.count {
            let start = offers.count
            for place in candidate.offers { offers.append(offers[place]) }
            candidate.offers = start..<offers.count
        }
        offers.append(offer)
        candidate.offers = candidate.offers.lowerBound..<offers.count
    }

    /// Adds the address of the full picture to those of a candidate.
    mutating func add(
        full address: Int, width: Pixels? = nil, height: Pixels? = nil,
        to candidate: inout Candidate
    ) {
        add(
            Candidate.Offer(address: address, role: .full, width: width, height: height),
            to: &candidate)
    }

    /// Whether the name of the offered file suggests a placeholder.
    func isPlaceholder(_ offer: Candidate.Offer) -> Bool {
        addresses.withText(of: offer.address) {
            AddressWords(words: $0[addresses.hints[offer.address].name]).contains(.placeholder)
        }
    }

    /// Whether all addresses of a candidate are queries to programs, as those of counters and advertisements are.
    func areQueries(of candidate: Candidate) -> Bool {
        offers(of: candidate).allSatisfy { offer in
            !addresses.hints[offer.address].looksLikePicture
                && addresses[offer.address].text.includes("?")
        }
    }

    func text(_ name: Name, of node: Int?) -> String? {
        node.flatMap { tree.attribute(name, of: $0) }.map { String(utf8: $0) }
    }
}
