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
        for candidate in candidates {
            let key = Repetition.fingerprint(of: candidate)
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
    private static func fingerprint(of candidate: Candidate) -> Int {
        var hasher = Hasher()
        hasher.combine(candidate.kind == .picture)
        var isAbove = false
        for ancestor in candidate.node.ancestors.prefix(reach) {
            hasher.combine(ancestor.name)
            if isAbove {
                for name in ancestor.classes.prefix(10)
                where !name.utf8.contains(where: { (0x30...0x39).contains($0) }) {
                    hasher.combine(name)
                }
                break
            }
            isAbove = ancestor == candidate.item
        }
        return hasher.finalize()
    }
}
