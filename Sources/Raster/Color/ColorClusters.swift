/// Groups of similar colours: weighted k-means in Oklab over a histogram's boxes.
struct ColorClusters {
    private let bins: [(bin: ColorHistogram.Bin, lab: Oklab)]
    private var centres: [Oklab]
    private var members: [Int]

    /// Sky, ground, subject, its shadow, and one to spare.
    private static let limit = 5
    /// k-means on five groups settles in six or seven rounds; a cap keeps the cost bounded.
    private static let rounds = 8

    /// Groups the boxes of `histogram`, which must not be empty.
    init(_ histogram: ColorHistogram) {
        bins = histogram.bins.map { ($0, Oklab($0.color)) }
        centres = []
        members = Array(repeating: 0, count: bins.count)
        seed()
        var round = 0
        while round < Self.rounds && assign() {
            recentre()
            round += 1
        }
    }

    /// The mean colour of the group that weighs most, once groups that are shades of one colour are joined.
    var weightiest: RGB {
        let owners = joined()
        var best: (score: Float, color: RGB) = (-1, RGB(0))
        for owner in Set(owners).sorted() {
            var sum = ColorHistogram.Bin(weight: 0, red: 0, green: 0, blue: 0)
            for index in bins.indices where owners[members[index]] == owner {
                sum.weight += bins[index].bin.weight
                sum.red += bins[index].bin.red
                sum.green += bins[index].bin.green
                sum.blue += bins[index].bin.blue
            }
            guard sum.weight > 0 else { continue }
            // 0.15 is the chroma of a clear, not yet garish colour: from there on a group counts three times.
            let vividness = min(Oklab(sum.color).chroma / 0.15, 1)
            let score = Float(sum.weight) * (1 + 2 * vividness)
            if score > best.score { best = (score, sum.color) }
        }
        return best.color
    }

    /// For each group the first of those it is joined with: neighbours at 0.1 in Oklab, lightness counted half.
    ///
    /// k-means cuts a long gradient in pieces, sky above all, and each piece alone might lose to something small.
    private func joined() -> [Int] {
        var owners = Array(centres.indices)
        for group in centres.indices {
            for earlier in 0..<group where areShades(centres[group], centres[earlier]) {
                let (from, to) = (owners[group], owners[earlier])
                for index in owners.indices where owners[index] == from { owners[index] = to }
            }
        }
        return owners
    }

    private func areShades(_ one: Oklab, _ other: Oklab) -> Bool {
        var other = other
        other.lightness = (one.lightness + other.lightness) / 2
        return one.squaredDistance(to: other) < 0.1 * 0.1
    }

    /// Starts from the heaviest box, then from those that are heavy and far from all earlier ones.
    private mutating func seed() {
        centres = [bins[0].lab]
        while centres.count < Self.limit {
            var best: (score: Float, lab: Oklab)?
            for (bin, lab) in bins {
                let distance = centres.map { lab.squaredDistance(to: $0) }.min() ?? 0
                let score = distance * Float(bin.weight)
                if score > best?.score ?? 0 { best = (score, lab) }
            }
            guard let best else { return }
            centres.append(best.lab)
        }
    }

    /// Gives each box to its nearest centre; false if nothing changed.
    private mutating func assign() -> Bool {
        var hasChanged = false
        for index in bins.indices {
            let lab = bins[index].lab
            var nearest = 0
            for group in 1..<max(centres.count, 1)
            where lab.squaredDistance(to: centres[group])
                < lab.squaredDistance(to: centres[nearest])
            {
                nearest = group
            }
            if members[index] != nearest {
                members[index] = nearest
                hasChanged = true
            }
        }
        return hasChanged
    }

    private mutating func recentre() {
        var sums = Array(
            repeating: (weight: Float(0), lab: Oklab(lightness: 0, a: 0, b: 0)),
            count: centres.count)
        for index in bins.indices {
            let weight = Float(bins[index].bin.weight)
            let lab = bins[index].lab
            sums[members[index]].weight += weight
            sums[members[index]].lab.lightness += lab.lightness * weight
            sums[members[index]].lab.a += lab.a * weight
            sums[members[index]].lab.b += lab.b * weight
        }
        for (group, sum) in sums.enumerated() where sum.weight > 0 {
            centres[group] = Oklab(
                lightness: sum.lab.lightness / sum.weight, a: sum.lab.a / sum.weight,
                b: sum.lab.b / sum.weight)
        }
    }
}
