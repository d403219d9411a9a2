import Markup

/// Groups candidates by equal structure: a gallery is what a page repeats.
struct Repetition {
    private(set) var groups: [Int] = []
    private(set) var sizes: [Int] = []

    private static let maxLevels = 12

    init(_ candidates: [Candidate], in pageIndex: PageIndex) {
        var numbers: [Int: Int] = [:]
        // Consecutive items mostly have the same ancestors.
        var above = (node: -1, hash: 0)
        groups.reserveCapacity(candidates.count)
        for candidate in candidates {
            let key = Repetition.fingerprint(of: candidate, pageIndex, &above)
            let number = numbers[key] ?? sizes.count
            if number == sizes.count {
                numbers[key] = number
                sizes.append(0)
            }
            sizes[number] += 1
            groups.append(number)
        }
    }

    func size(of candidate: Int) -> Int { sizes[groups[candidate]] }

    /// Hashes the tags from the candidate upwards, and the classes above its item, without those with digits, which differ between items.
    private static func fingerprint(
        of candidate: Candidate, _ pageIndex: PageIndex, _ above: inout (node: Int, hash: Int)
    ) -> Int {
        let tree = pageIndex.tree
        var hash = candidate.kind == .picture ? 1 : 0
        var isAbove = false
        for ancestor in tree.ancestors(of: candidate.node).prefix(maxLevels) {
            hash = (hash ^ tree.name(of: ancestor).number) &* 0x100_0000_01B3
            if isAbove {
                if above.node != ancestor {
                    above = (ancestor, classes(of: pageIndex.node(ancestor)))
                }
                return hash ^ above.hash
            }
            isAbove = ancestor == candidate.item
        }
        return hash
    }

    private static func classes(of node: Node) -> Int {
        var hasher = Hasher()
        for name in node.classes.prefix(10) where !name.utf8.contains(where: \.isDigit) {
            hasher.combine(name)
        }
        return hasher.finalize()
    }

    func described(
        _ candidates: [Candidate], in pageIndex: PageIndex
    ) -> [(path: String, count: Int)] {
        sizes.indices.map { group in
            let first = groups.firstIndex(of: group).map {
                ElementPath.of(pageIndex.node(candidates[$0].node))
            }
            return (first ?? "", sizes[group])
        }
    }
}
