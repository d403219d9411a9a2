import Glibc
import Network

/// What a page as a whole says about its candidates: the strongest sign of a gallery is that it repeats something with
/// different pictures in it.
struct GroupEvidence {
    /// One structure that the page repeats.
    private struct Group {
        /// Different pictures in it.
        var addresses = 0
        /// Different pages and pictures that it leads to.
        var targets = 0
        var count = 0
    }

    /// Tells which addresses a group has not had yet.
    private struct Members {
        /// Of each address, the group that had it first; few stand in more than one.
        private var first: [Int32]
        private var others: Set<Int> = []

        init(count: Int) {
            first = Array(repeating: -1, count: count)
        }

        mutating func isNew(_ address: Int, in group: Int) -> Bool {
            if first[address] < 0 {
                first[address] = Int32(group)
                return true
            }
            return Int(first[address]) != group && others.insert(group << 32 | address).inserted
        }
    }

    private var groups: [Group]
    /// Candidates whose best address it is, by its number.
    private var counts: [Int32]
    /// The page's own address.
    private let home: String

    /// Small pictures in such number, each leading to a page or picture of its own, are thumbnails and no icons.
    private static let wallCount = 6

    init(
        _ candidates: [Candidate], in findings: Findings, _ repetition: Repetition, page: Address
    ) {
        home = page.text
        groups = Array(repeating: Group(), count: repetition.sizes.count)
        var pictures = Members(count: findings.addresses.count)
        var targets = pictures
        counts = Array(repeating: 0, count: findings.addresses.count)
        for (index, candidate) in candidates.enumerated() {
            guard let number = findings.best(of: candidate)?.address else { continue }
            counts[number] += 1
            let group = repetition.groups[index]
            groups[group].count += 1
            if pictures.isNew(number, in: group) { groups[group].addresses += 1 }
            if let target = candidate.link ?? (candidate.linksToPicture ? number : nil),
                targets.isNew(target, in: group)
            {
                groups[group].targets += 1
            }
        }
    }

    /// How many candidates have the best address of `candidate`.
    func occurrences(of candidate: Candidate, in findings: Findings) -> Int {
        findings.best(of: candidate).map { Int(counts[$0.address]) } ?? 1
    }

    /// Counts for `score` what the group of its candidate is.
    func add(
        to score: inout Score, of candidate: Candidate, in findings: Findings, group number: Int
    ) {
        if isCover(candidate, findings) { score.add(20, "picture of the folder it links to") }
        let group = groups[number]
        guard group.addresses >= Selection.galleryCount, group.addresses * 2 > group.count
        else { return }
        score.add(20, "repeated structure")
        let isWall =
            group.addresses >= GroupEvidence.wallCount && group.targets * 10 >= group.count * 9
        if isWall { score.add(80, "wall of linked pictures") }
    }

    /// `trip/` around `trip/thumbnails/1.jpg`: an album's picture, even if it is the only one on the page.
    private func isCover(_ candidate: Candidate, _ findings: Findings) -> Bool {
        guard candidate.surroundings.isDisjoint(with: [.chrome, .hidden]),
            let link = candidate.link, let own = findings.best(of: candidate)?.address
        else { return false }
        return findings.addresses.withTexts { texts in
            let text = texts[link].bytes
            let path = text[..<text.endOfPath]
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return false }
            let folder = UnsafeBufferPointer(rebasing: text[...slash])
            guard GroupEvidence.starts(texts[own].bytes, with: folder) else { return false }
            // The page's own folder and those around it hold everything.
            var home = home
            return home.withUTF8 { !GroupEvidence.starts($0, with: folder) }
        }
    }

    private static func starts(
        _ text: UnsafeBufferPointer<UInt8>, with head: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let base = text.baseAddress, let start = head.baseAddress else { return head.isEmpty }
        return text.count >= head.count && memcmp(base, start, head.count) == 0
    }
}
