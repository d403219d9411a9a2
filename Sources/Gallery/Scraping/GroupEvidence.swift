import Network

/// What a page as a whole says about its candidates: the strongest sign of a gallery is that it repeats something with
/// different pictures in it.
struct GroupEvidence {
    /// One structure that the page repeats.
    private struct Group {
        var addresses: Set<Address> = []
        var targets: Set<Address> = []
        var count = 0
    }

    private var groups: [Group]
    private var counts: [Address: Int] = [:]
    /// The page's own address.
    private let home: String

    /// Small pictures in such number, each leading to a page or picture of its own, are thumbnails and no icons.
    private static let wallCount = 6

    init(_ candidates: [Candidate], _ repetition: Repetition, page: Address) {
        home = page.text
        groups = Array(repeating: Group(), count: repetition.sizes.count)
        for (index, candidate) in candidates.enumerated() {
            guard let best = candidate.best else { continue }
            counts[best.address, default: 0] += 1
            let number = repetition.groups[index]
            groups[number].count += 1
            groups[number].addresses.insert(best.address)
            if let target = candidate.link ?? (candidate.linksToPicture ? best.address : nil) {
                groups[number].targets.insert(target)
            }
        }
    }

    /// How many candidates have the address of this one.
    func occurrences(of candidate: Candidate) -> Int {
        candidate.best.flatMap { counts[$0.address] } ?? 1
    }

    /// Counts for `score` what the group of its candidate is.
    func add(to score: inout Score, of candidate: Candidate, group number: Int) {
        if isCover(candidate) { score.add(20, "picture of the folder it links to") }
        let group = groups[number]
        guard group.addresses.count >= Selection.galleryCount,
            group.addresses.count * 2 > group.count
        else { return }
        score.add(20, "repeated structure")
        let isWall =
            group.addresses.count >= GroupEvidence.wallCount
            && group.targets.count * 10 >= group.count * 9
        if isWall { score.add(80, "wall of linked pictures") }
    }

    /// `trip/` around `trip/thumbnails/1.jpg`: an album's picture, even if it is the only one on the page.
    private func isCover(_ candidate: Candidate) -> Bool {
        guard let link = candidate.link?.text, let own = candidate.best?.address.text,
            let slash = link.prefix(while: { $0 != "?" }).lastIndex(of: "/")
        else { return false }
        let folder = link[...slash]
        // The page's own folder and those around it hold everything.
        return !home.hasPrefix(folder) && own.hasPrefix(folder)
            && candidate.surroundings.isDisjoint(with: [.chrome, .hidden])
    }
}
