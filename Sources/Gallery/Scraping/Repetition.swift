import Markup

/// Which candidates stand in the same structure: a gallery is what a page repeats.
struct Repetition {
    /// Of each candidate, the number of its group.
    private(set) var groups: [Int] = []
    /// Members of each group.
    private(set) var sizes: [Int] = []

    /// Levels up to which structures are compared.
    private static let reach = 12

    init(_ candidates: [Candidate]) {
        var numbers: [Int: Int] = [:]
        // What stands above one item mostly stands above the next.
        var above = (order: -1, hash: 0)
        groups.reserveCapacity(candidates.count)
        for candidate in candidates {
            let key = Repetition.fingerprint(of: candidate, &above)
            let number = numbers[key] ?? sizes.count
            if number == sizes.count {
                numbers[key] = number
                sizes.append(0)
            }
            sizes[number] += 1
            groups.append(number)
        }
    }

    /// How many candidates stand as this one does.
    func size(of candidate: Int) -> Int { sizes[groups[candidate]] }

    /// The tags from the candidate upwards, and the classes of what is above its item, without numbers: those differ between items.
    private static func fingerprint(
        of candidate: Candidate, _ above: inout (order: Int, hash: Int)
    ) -> Int {
        var hash = candidate.kind == .picture ? 1 : 0
        var isAbove = false
        let item = candidate.item.order
        for ancestor in candidate.node.ancestors.prefix(reach) {
            hash = (hash ^ ancestor.name.number) &* 0x100_0000_01B3
            if isAbove {
                if above.order != ancestor.order {
                    above = (ancestor.order, classes(of: ancestor))
                }
                return hash ^ above.hash
            }
            isAbove = ancestor.order == item
        }
        return hash
    }

    private static func classes(of node: Node) -> Int {
        var hasher = Hasher()
        for name in node.classes.prefix(10)
        where !name.utf8.contains(where: { (0x30...0x39).contains($0) }) {
            hasher.combine(name)
        }
        return hasher.finalize()
    }
}
