import Markup
import Network

/// Groups candidates by equal structure: a gallery is what a page repeats.
struct Repetition {
    private(set) var groups: [Int] = []
    private(set) var sizes: [Int] = []

    private static let maxLevels = 12

    init(_ candidates: [Candidate], in findings: Findings) {
        var numbers: [Int: Int] = [:]
        // Consecutive items mostly have the same ancestors.
        var above = (order: -1, hash: 0)
        groups.reserveCapacity(candidates.count)
        for candidate in candidates {
            let key = Repetition.fingerprint(of: candidate, findings, &above)
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
        of candidate: Candidate, _ findings: Findings, _ above: inout (order: Int, hash: Int)
    ) -> Int {
        let view = findings.view
        var hash = candidate.kind == .picture ? 1 : 0
        var isAbove = false
        for ancestor in view.ancestors(of: candidate.node).prefix(maxLevels) {
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
        for name in node.classes.prefix(10) where !name.utf8.contains(where: \.isDigit) {
            hasher.combine(name)
        }
        return hasher.finalize()
    }

    func described(
        _ candidates: [Candidate], in findings: Findings
    ) -> [(path: String, count: Int)] {
        sizes.indices.map { group in
            let first = groups.firstIndex(of: group).map {
                ElementPath.of(findings.document.node(candidates[$0].node))
            }
            return (first ?? "", sizes[group])
        }
    }
}

/// Evidence from the page as a whole: the strongest sign of a gallery is a repeated structure with different pictures in it.
struct GroupEvidence {
    /// Signs about one candidate that only the page as a whole gives.
    struct Signs {
        /// Whether its group repeats a structure with different pictures in it.
        var isRepeated = false
        /// Whether nearly all of its group lead to pages or pictures of their own.
        var isWall = false
        /// Whether its address occurs more often on the page than those beside it.
        var isNamedAgain = false
        /// Whether it is the picture of the folder that it links to.
        var isCover = false
        /// Whether that folder is a gallery: the picture is in a folder of its own in it, with others like it.
        var isAlbum = false
        /// Whether it is a drawing among photographs that are in another folder.
        var isStranger = false
    }

    private struct Group {
        var addresses = 0
        /// The number of different pages and pictures that its members lead to.
        var targets = 0
        var count = 0
        var photos = 0
        /// The address of the first photograph.
        var photo: Int?
    }

    private var groups: [Group]
    /// The number of candidates with each best address, by the address's number.
    private var counts: [Int32]
    private let home: String

    /// The minimum number of small pictures, each with a target of its own, that are thumbnails rather than icons.
    private static let wallCount = 6

    init(
        _ candidates: [Candidate], in findings: Findings, _ repetition: Repetition, page: Address
    ) {
        home = page.text
        groups = Array(repeating: Group(), count: repetition.sizes.count)
        // Group and address or target packed into one number; sorting finds duplicates faster than a set.
        var pictures: [Int] = []
        var targets: [Int] = []
        counts = Array(repeating: 0, count: findings.addresses.count)
        for (index, candidate) in candidates.enumerated() {
            guard let number = findings.best(of: candidate)?.address else { continue }
            counts[number] += 1
            let group = repetition.groups[index]
            groups[group].count += 1
            if findings.addresses.hints(of: number).ending == .photo {
                groups[group].photos += 1
                groups[group].photo = groups[group].photo ?? number
            }
            pictures.append(group << 32 | number)
            let target = candidate.link ?? (candidate.linksToPicture ? number : nil)
            if let target { targets.append(group << 32 | target) }
        }
        GroupEvidence.forEachGroup(of: &pictures) { groups[$0].addresses += 1 }
        GroupEvidence.forEachGroup(of: &targets) { groups[$0].targets += 1 }
    }

    private static func forEachGroup(of members: inout [Int], _ body: (Int) -> Void) {
        members.sort()
        for (index, member) in members.enumerated() where index == 0 || members[index - 1] != member
        {
            body(member >> 32)
        }
    }

    func signs(of candidate: Candidate, in findings: Findings, group number: Int) -> Signs {
        var signs = Signs()
        let group = groups[number]
        signs.isRepeated =
            group.addresses >= Selection.galleryCount && group.addresses * 2 > group.count
        signs.isWall =
            signs.isRepeated && group.addresses >= GroupEvidence.wallCount
            && group.targets * 10 >= group.count * 9
        (signs.isCover, signs.isAlbum) = cover(candidate, findings)
        guard let own = findings.best(of: candidate)?.address else { return signs }
        // Products of one kind may share a photograph, each with a page of its own.
        let isOfMany =
            group.targets * 10 >= group.count * 9
            && findings.addresses.hints(of: own).ending == .photo
        signs.isNamedAgain = !isOfMany && isNamedAgain(Int(counts[own]), in: group)
        signs.isStranger = isStranger(own, in: group, findings)
        return signs
    }

    /// Whether an address is repeated like an ornament's, more often than its group has addresses or than these are on average: a slider's
    /// clones repeat all pictures alike, and a large gallery may repeat one a few times.
    private func isNamedAgain(_ times: Int, in group: Group) -> Bool {
        guard times > 2, times * 4 > group.addresses else { return false }
        return times > group.addresses || times * group.addresses > 2 * group.count
    }

    /// Whether this is a drawing, such as an arrow or a blank, in a cell of its own among photographs from another folder.
    private func isStranger(_ own: Int, in group: Group, _ findings: Findings) -> Bool {
        guard findings.addresses.hints(of: own).ending == .drawing, let photo = group.photo,
            group.photos >= Selection.galleryCount, group.photos * 4 >= group.count * 3
        else { return false }
        return findings.addresses.withTexts { texts in
            let folders = [own, photo].map { number in
                let text = texts[number].bytes
                return text[..<text.endOfPath].lastIndex(of: UInt8(ascii: "/")).map { text[..<$0] }
            }
            guard let first = folders[0], let second = folders[1] else { return false }
            return !first.elementsEqual(second)
        }
    }

    /// Returns whether the candidate is in the folder it links to, even if it is alone on the page, and whether it is in a folder inside that:
    /// `trip/thumbnails/1.jpg` linked to `trip/`.
    private func cover(_ candidate: Candidate, _ findings: Findings) -> (Bool, isAlbum: Bool) {
        guard candidate.surroundings.isDisjoint(with: [.chrome, .hidden]),
            let link = candidate.link, let own = findings.best(of: candidate)?.address
        else { return (false, false) }
        return findings.addresses.withTexts { texts in
            let (text, picture) = (texts[link].bytes, texts[own].bytes)
            let path = text[..<text.endOfPath]
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return (false, false) }
            let folder = UnsafeBufferPointer(rebasing: text[...slash])
            // The page's own folder and its parents contain everything.
            var home = home
            guard picture.begins(with: folder), home.withUTF8({ !$0.begins(with: folder) }) else {
                return (false, false)
            }
            let page = path[(slash + 1)...]
            let isIndex = page.isEmpty || page.starts(with: "index.".utf8)
            let name = picture[folder.count..<picture.endOfPath]
            return (true, isIndex && name.contains(UInt8(ascii: "/")))
        }
    }
}
