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
    /// Of each candidate, the number of its best address; -1 for none.
    private var numbers: [Int32] = []
    /// Candidates with an address, by its number.
    private var counts: [Int32]
    /// The page's own address.
    private let home: String

    /// Small pictures in such number, each leading to a page or picture of its own, are thumbnails and no icons.
    private static let wallCount = 6

    init(_ candidates: [Candidate], _ repetition: Repetition, page: Address) {
        home = page.text
        groups = Array(repeating: Group(), count: repetition.sizes.count)
        var table = AddressNumbers(capacity: 2 * candidates.count)
        numbers.reserveCapacity(candidates.count)
        var pictures = Members(count: 2 * candidates.count)
        var targets = pictures
        counts = Array(repeating: 0, count: 2 * candidates.count)
        for (index, candidate) in candidates.enumerated() {
            guard let best = candidate.best else {
                numbers.append(-1)
                continue
            }
            let number = table.insert(best.address).number
            numbers.append(Int32(number))
            counts[number] += 1
            let group = repetition.groups[index]
            groups[group].count += 1
            if pictures.isNew(number, in: group) { groups[group].addresses += 1 }
            let link = candidate.link.map { table.insert($0).number }
            if let target = link ?? (candidate.linksToPicture ? number : nil),
                targets.isNew(target, in: group)
            {
                groups[group].targets += 1
            }
        }
    }

    /// How many candidates have the address of the one at `index`.
    func occurrences(at index: Int) -> Int {
        numbers[index] < 0 ? 1 : Int(counts[Int(numbers[index])])
    }

    /// Counts for `score` what the group of its candidate is.
    func add(to score: inout Score, of candidate: Candidate, group number: Int) {
        if isCover(candidate) { score.add(20, "picture of the folder it links to") }
        let group = groups[number]
        guard group.addresses >= Selection.galleryCount, group.addresses * 2 > group.count
        else { return }
        score.add(20, "repeated structure")
        let isWall =
            group.addresses >= GroupEvidence.wallCount && group.targets * 10 >= group.count * 9
        if isWall { score.add(80, "wall of linked pictures") }
    }

    /// `trip/` around `trip/thumbnails/1.jpg`: an album's picture, even if it is the only one on the page.
    private func isCover(_ candidate: Candidate) -> Bool {
        guard candidate.surroundings.isDisjoint(with: [.chrome, .hidden]),
            var link = candidate.link?.text, var own = candidate.best?.address.text
        else { return false }
        return link.withUTF8 { link in
            let path = link.firstIndex(of: UInt8(ascii: "?")).map { link[..<$0] } ?? link[...]
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return false }
            let folder = UnsafeBufferPointer(rebasing: link[...slash])
            guard own.withUTF8({ GroupEvidence.starts($0, with: folder) }) else { return false }
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
