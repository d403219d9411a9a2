import Markup
import Network

/// Orders the addresses of one picture from the smallest to the largest.
struct Variants {
    /// The variants of the candidate read last; empty if nothing but placeholders was found.
    private(set) var variants: [Candidate.Found] = []
    /// Room for the work, kept from candidate to candidate.
    private var real: [Candidate.Found] = []
    private var places: [(rank: Int, index: Int)] = []

    /// The numbers of addresses that many pictures share, for which see `PictureMaker`.
    private let commonPlaceholders: Set<Int>

    init(commonPlaceholders: Set<Int> = []) {
        self.commonPlaceholders = commonPlaceholders
    }

    /// Reads the variants of a candidate.
    mutating func read(_ candidate: Candidate, in findings: Findings) {
        variants.removeAll(keepingCapacity: true)
        readReal(candidate, findings)
        if real.count == 1 {
            variants.append(real[0])
            return
        }
        // What a `srcset` offers has a known place; a `src` beside it is one of the same, of unknown size.
        let hasSet = real.contains { $0.width != nil && $0.role == .set }
        places.removeAll(keepingCapacity: true)
        for index in real.indices {
            let rank = Variants.rank(of: real[index])
            if rank < Variants.knownRank, hasSet { continue }
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
        var placeholders = 0
        for found in real where findings.isPlaceholder(found) { placeholders += 1 }
        // A name alone condemns nothing: `loading-bay.jpg` may be the picture.
        if placeholders == real.count { return }
        if placeholders > 0 { real.removeAll { findings.isPlaceholder($0) } }
        guard real.contains(where: { $0.role == .lazy || $0.role == .set }),
            real.contains(where: { $0.role == .plain }),
            let classes = findings.view.attribute(.class, of: candidate.node),
            Variants.lazyMarks.occur(in: classes)
        else { return }
        real.removeAll { $0.role == .plain }
    }

    /// In the classes of pictures whose `src` holds the place of another.
    private static let lazyMarks = Substrings(
        ["lazy", "blur", "lqip", "placeholder"], ignoringCase: true)

    /// Each address once: at its last place but with the first size known, since a later role means a larger picture.
    private mutating func add(_ found: Candidate.Found) {
        if let index = variants.firstIndex(where: { $0.address == found.address }) {
            let old = variants.remove(at: index)
            var variant = found
            variant.width = found.width ?? old.width
            variant.height = found.height ?? old.height
            variants.append(variant)
        } else if !variants.contains(where: {
            $0.width != nil && $0.width == found.width && $0.height == found.height
        }) {
            variants.append(found)
        }
    }
}
