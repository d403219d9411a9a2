import Markup

/// Which candidates stand in the same structure: a gallery is what a page repeats.
struct Repetition {
    /// Of each candidate, the number of its group.
    private(set) var groups: [Int] = []
    /// Members of each group.
    private(set) var sizes: [Int] = []

    /// Levels up to which structures are compared.
    private static let reach = 12

    init(_ candidates: [Candidate], in findings: Findings) {
        var numbers: [Int: Int] = [:]
        // Items of one kind mostly follow each other.
        var last = (key: 0, number: -1)
        // What stands above one item mostly stands above the next.
        var above = (order: -1, hash: 0)
        groups.reserveCapacity(candidates.count)
        for candidate in candidates {
            let key = Repetition.fingerprint(of: candidate, findings, &above)
            let isLast = last.number >= 0 && last.key == key
            let number = isLast ? last.number : numbers[key] ?? sizes.count
            last = (key, number)
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
        of candidate: Candidate, _ findings: Findings, _ above: inout (order: Int, hash: Int)
    ) -> Int {
        let view = findings.view
        var hash = candidate.kind == .picture ? 1 : 0
        var isAbove = false
        for ancestor in view.ancestors(of: candidate.node).prefix(reach) {
            hash = (hash ^ view.name(of: ancestor).number) &* 0x100_0000_01B3
            if isAbove {
                if above.order != ancestor {
                    above = (ancestor, classes(of: findings.document.node(ancestor)))
                }
                return hash ^ above.hash
            }
            isAbove = ancestor == candidate.item
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
