import Markup
import Network

/// What was found on a page: its elements, and the addresses that they offer.
///
/// The view is valid as long as somebody keeps the document.
struct Findings {
    let document: Document
    let view: PageView
    /// Every address of a picture or of a link around one.
    var addresses: AddressNumbers
    /// What is offered, each candidate's in a row; `Candidate.places` tells where.
    private(set) var found: [Candidate.Found] = []
    /// What its own data calls a candidate, by its node.
    var captions: [Int: String] = [:]

    /// Makes room for about `capacity` addresses.
    init(_ document: Document, view: PageView, capacity: Int) {
        self.document = document
        self.view = view
        addresses = AddressNumbers(capacity: capacity)
        found.reserveCapacity(capacity)
    }

    /// What a candidate is offered by.
    func found(of candidate: Candidate) -> ArraySlice<Candidate.Found> { found[candidate.places] }

    /// The one that says most about the picture: one that is not only what stands in `src` while others load.
    func best(of candidate: Candidate) -> Candidate.Found? {
        for place in candidate.places.reversed() where found[place].role != .plain {
            return found[place]
        }
        return candidate.places.last.map { found[$0] }
    }

    /// Whether a candidate's full picture is among what it is offered by.
    func offersFull(_ candidate: Candidate) -> Bool {
        candidate.places.contains { found[$0].role == .full }
    }

    /// Adds to what is found, for the candidate that comes next.
    mutating func append(_ offer: Candidate.Found) { found.append(offer) }

    /// Takes back what was added from `place` on.
    mutating func removeAll(from place: Int) { found.removeSubrange(place...) }

    /// Adds to what a candidate is offered by.
    mutating func add(_ offer: Candidate.Found, to candidate: inout Candidate) {
        // A row that others follow moves to the end.
        if candidate.places.upperBound != found.count {
            let start = found.count
            for place in candidate.places { found.append(found[place]) }
            candidate.places = start..<found.count
        }
        found.append(offer)
        candidate.places = candidate.places.lowerBound..<found.count
    }

    /// The address with that number.
    func address(_ number: Int) -> Address { addresses[number] }

    /// Whether the name of what is offered says that it only holds a place.
    func isPlaceholder(_ offer: Candidate.Found) -> Bool {
        addresses.withText(of: offer.address) { AddressWords.isPlaceholder($0) }
    }

    /// What an attribute holds, as it is written.
    func text(_ name: Name, of node: Int) -> String? {
        view.attribute(name, of: node).map { String(decoding: $0, as: UTF8.self) }
    }
}
