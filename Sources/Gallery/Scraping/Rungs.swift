import Markup
import Network

/// Orders the addresses of one picture from the smallest to the largest.
struct Rungs {
    /// The rungs of the candidate read last; empty if nothing but placeholders was found.
    private(set) var rungs: [Candidate.Found] = []
    /// Room for the work, kept from candidate to candidate.
    private var real: [Candidate.Found] = []
    private var places: [(rank: Int, index: Int)] = []

    /// The numbers of addresses that many pictures share, for which see `PictureMaker`.
    private let commonPlaceholders: Set<Int>

    init(commonPlaceholders: Set<Int> = []) {
        self.commonPlaceholders = commonPlaceholders
    }

    /// Reads the rungs of a candidate.
    mutating func read(_ candidate: Candidate, in findings: Findings) {
        rungs.removeAll(keepingCapacity: true)
        readReal(candidate, findings)
        if real.count == 1 {
            rungs.append(real[0])
            return
        }
        // What a `srcset` offers has a known place; a `src` beside it is one of the same, of unknown size.
        let hasSet = real.contains { $0.width != nil && $0.role == .set }
        places.removeAll(keepingCapacity: true)
        for index in real.indices {
            let rank = Rungs.rank(of: real[index])
            if rank < Rungs.knownRank, hasSet { continue }
            var at = places.count
            places.append((rank, index))
            while at > 0, places[at - 1].rank > rank {
                places.swapAt(at - 1, at)
                at -= 1
            }
        }
        for place in places { add(real[place.index]) }
    }

    /// Where the ranks of the sizes that are known start.
    private static let knownRank = 2 << 40

    /// Groups from small to large, and in a group from narrow to wide; in page order where that is the same.
    private static func rank(of found: Candidate.Found) -> Int {
        let width = min(found.width ?? 0, 1 << 30)
        switch found.role {
        case .full: return 5 << 40 + (found.width == nil ? 1 << 31 : width)
        case _ where found.width != nil: return knownRank + width << 8 + Int(found.role.rawValue)
        case .thumbnail, .plain, .background: return 0
        case .medium: return 3 << 40
        case .large: return 4 << 40
        default: return 1 << 40
        }
    }

    /// What is found for a candidate, without what only holds its place.
    private mutating func readReal(_ candidate: Candidate, _ findings: Findings) {
        real.removeAll(keepingCapacity: true)
        for place in candidate.places {
            let found = findings.found[place]
            if commonPlaceholders.isEmpty || !commonPlaceholders.contains(found.address) {
                real.append(found)
            }
        }
        guard real.count > 1 else { return }
        let placeholders = real.count { findings.isPlaceholder($0) }
        // A name alone condemns nothing: `loading-bay.jpg` may be the picture.
        if placeholders == real.count { return }
        if placeholders > 0 { real.removeAll { findings.isPlaceholder($0) } }
        guard real.contains(where: { $0.role == .lazy || $0.role == .set }),
            real.contains(where: { $0.role == .plain }),
            let classes = findings.view.attribute(.class, of: candidate.node),
            Rungs.lazyMarks.occur(in: classes)
        else { return }
        real.removeAll { $0.role == .plain }
    }

    /// In the classes of pictures whose `src` holds the place of another.
    private static let lazyMarks = Substrings(
        ["lazy", "blur", "lqip", "placeholder"], ignoringCase: true)

    /// Each address once: at its last place but with the first size known, since a later role means a larger picture.
    private mutating func add(_ found: Candidate.Found) {
        if let index = rungs.firstIndex(where: { $0.address == found.address }) {
            let old = rungs.remove(at: index)
            var rung = found
            rung.width = found.width ?? old.width
            rung.height = found.height ?? old.height
            rungs.append(rung)
        } else if !rungs.contains(where: {
            $0.width != nil && $0.width == found.width && $0.height == found.height
        }) {
            rungs.append(found)
        }
    }
}
