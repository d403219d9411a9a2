import Markup
import Network

/// Orders the addresses of one picture from the smallest to the largest.
enum Rungs {
    /// The rungs of a candidate; empty if nothing but placeholders was found.
    static func make(of candidate: Candidate, commonPlaceholders: Set<Address>) -> [Picture.Rung] {
        let real = withoutPlaceholders(candidate, commonPlaceholders)
        let known = real.filter { $0.width != nil && $0.role != .full }.sorted { left, right in
            (left.width ?? 0, left.role.rawValue) < (right.width ?? 0, right.role.rawValue)
        }
        let small = real.filter {
            $0.width == nil && [.thumbnail, .plain, .background].contains($0.role)
        }
        let middle = real.filter { $0.width == nil && [.lazy, .weak, .set].contains($0.role) }
        let medium = real.filter { $0.width == nil && $0.role == .medium }
        let large = real.filter { $0.width == nil && $0.role == .large }
        let full = real.filter { $0.role == .full }.sorted {
            ($0.width ?? .max) < ($1.width ?? .max)
        }
        // What a `srcset` offers has a known place; a `src` beside it is one of the same, of unknown size.
        let unknown = known.contains { $0.role == .set } ? [] : small + middle
        return unique(unknown + known + medium + large + full)
    }

    private static func withoutPlaceholders(
        _ candidate: Candidate, _ common: Set<Address>
    ) -> [Candidate.Found] {
        let own = candidate.found.filter { !common.contains($0.address) }
        let real = own.filter { !AddressWords.isPlaceholder($0.address) }
        // A name alone condemns nothing: `loading-bay.jpg` may be the picture.
        guard !real.isEmpty else { return own }
        let isLazy = candidate.node.classes.contains { name in
            let name = name.lowercased()
            return name.includes("lazy") || name.includes("blur") || name.includes("lqip")
                || name.includes("placeholder")
        }
        let hasBetter = real.contains { [.lazy, .set].contains($0.role) }
        return isLazy && hasBetter ? real.filter { $0.role != .plain } : real
    }

    /// Each address once: at its last place but with the first size known, since a later role means a larger picture.
    private static func unique(_ found: [Candidate.Found]) -> [Picture.Rung] {
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
