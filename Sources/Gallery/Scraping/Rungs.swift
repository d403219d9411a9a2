import Markup
import Network

/// Orders the addresses of one picture from the smallest to the largest.
enum Rungs {
    /// The rungs of a candidate; empty if nothing but placeholders was found.
    static func make(of candidate: Candidate, commonPlaceholders: Set<Address>) -> [Picture.Rung] {
        let real = withoutPlaceholders(candidate, commonPlaceholders)
        if real.count == 1 {
            return [
                Picture.Rung(
                    address: real[0].address, width: real[0].width, height: real[0].height)
            ]
        }
        // What a `srcset` offers has a known place; a `src` beside it is one of the same, of unknown size.
        let hasSet = real.contains { $0.width != nil && $0.role == .set }
        var places: [(rank: Int, index: Int)] = []
        places.reserveCapacity(real.count)
        for index in real.indices {
            let rank = rank(of: real[index])
            if rank < knownRank, hasSet { continue }
            var at = places.count
            while at > 0, places[at - 1].rank > rank { at -= 1 }
            places.insert((rank, index), at: at)
        }
        return unique(places.lazy.map { real[$0.index] })
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

    private static func withoutPlaceholders(
        _ candidate: Candidate, _ common: Set<Address>
    ) -> [Candidate.Found] {
        let own =
            common.isEmpty
            ? candidate.found : candidate.found.filter { !common.contains($0.address) }
        if own.count <= 1 { return own }
        let real =
            own.contains { AddressWords.isPlaceholder($0.address) }
            ? own.filter { !AddressWords.isPlaceholder($0.address) } : own
        // A name alone condemns nothing: `loading-bay.jpg` may be the picture.
        guard !real.isEmpty else { return own }
        let hasBetter = real.contains { $0.role == .lazy || $0.role == .set }
        guard hasBetter, real.contains(where: { $0.role == .plain }) else { return real }
        let marks: [StaticString] = ["lazy", "blur", "lqip", "placeholder"]
        let isLazy = marks.contains { candidate.node.attribute(.class, includes: $0) }
        return isLazy ? real.filter { $0.role != .plain } : real
    }

    /// Each address once: at its last place but with the first size known, since a later role means a larger picture.
    private static func unique(_ found: some Sequence<Candidate.Found>) -> [Picture.Rung] {
        var rungs: [Picture.Rung] = []
        for found in found {
            if let index = rungs.firstIndex(where: { $0.address == found.address }) {
                let old = rungs.remove(at: index)
                rungs.append(
                    Picture.Rung(
                        address: found.address, width: found.width ?? old.width,
                        height: found.height ?? old.height))
            } else if !rungs.contains(where: {
                $0.width != nil && $0.width == found.width && $0.height == found.height
            }) {
                rungs.append(
                    Picture.Rung(address: found.address, width: found.width, height: found.height))
            }
        }
        return rungs
    }
}
