import Glibc

extension PixelBuffer {
    /// The picture's dominant colour: the centre of its weightiest group of similar colours, not their mean.
    ///
    /// Uses k-means in Oklab on at most 1,024 pixels, so the cost is bounded for any size; meant for pictures that are already shrunk.
    /// Groups of vivid colours count up to three times their area, as they do to the eye. Transparent pixels are ignored; a picture without
    /// any others yields mid grey.
    public var dominantColor: RGB {
        let histogram = ColorHistogram(self)
        return histogram.bins.isEmpty ? RGB(0x808080) : ColorClusters(histogram).weightiest
    }
}

/// A histogram of a picture's colours in 512 bins of 32 code values per side.
struct ColorHistogram {
    struct Bin: Hashable {
        /// The sums of red, green and blue, each weighted by its alpha, and of the alphas.
        var sums = SIMD4<Int>.zero

        var weight: Int { sums.w }

        var color: RGB {
            let mean = sums / weight
            return RGB(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
        }
    }

    /// The non-empty bins, heaviest first.
    let bins: [Bin]
    /// The number of pixels counted, including transparent ones.
    let sampleCount: Int

    private static let sampleLimit = 1024

    init(_ pixels: PixelBuffer) {
        let count = pixels.size.count
        // An odd step does not align with the columns of pictures of even width.
        let step = count > Self.sampleLimit ? (count / Self.sampleLimit) | 1 : 1
        sampleCount = (count + step - 1) / step
        var boxes = Array(repeating: Bin(), count: 512)
        pixels.bytes.withUnsafeBufferPointer { bytes in
            for index in stride(from: 0, to: count, by: step) {
                let start = index * 4
                let red = Int(bytes[start])
                let green = Int(bytes[start + 1])
                let blue = Int(bytes[start + 2])
                boxes[(red >> 5) << 6 | (green >> 5) << 3 | blue >> 5].sums &+=
                    SIMD4(red, green, blue, 1) &* Int(bytes[start + 3])
            }
        }
        // The sort is stable, so ties keep the order of the bins.
        bins = boxes.filter { $0.weight > 0 }.sorted { $0.weight > $1.weight }
    }
}

/// Groups of similar colours: weighted k-means in Oklab over the bins of a histogram.
private struct ColorClusters {
    private let bins: [(bin: ColorHistogram.Bin, lab: Oklab)]
    private var centres: [Oklab] = []
    private var members: [Int]

    /// Sky, ground, subject, its shadow, and one spare.
    private static let limit = 5
    /// k-means on five groups converges in six or seven rounds; the limit bounds the cost.
    private static let rounds = 8

    /// Groups the bins of `histogram`, which must not be empty.
    init(_ histogram: ColorHistogram) {
        bins = histogram.bins.map { ($0, Oklab($0.color)) }
        members = Array(repeating: 0, count: bins.count)
        seed()
        for _ in 0..<Self.rounds {
            guard assign() else { break }
            recentre()
        }
    }

    /// The mean colour of the group with the greatest weight, after joining groups that are shades of one colour.
    var weightiest: RGB {
        let owners = joined()
        var best: (score: Float, color: RGB) = (-1, RGB(0))
        for owner in Set(owners).sorted() {
            var sum = ColorHistogram.Bin()
            for index in bins.indices where owners[members[index]] == owner {
                sum.sums &+= bins[index].bin.sums
            }
            guard sum.weight > 0 else { continue }
            // 0.15 is the chroma of a clear but not yet garish colour; from there on a group counts three times.
            let vividness = min(Oklab(sum.color).chroma / 0.15, 1)
            let score = Float(sum.weight) * (1 + 2 * vividness)
            if score > best.score { best = (score, sum.color) }
        }
        return best.color
    }

    /// Returns for each group the first of those it is joined with: within 0.1 in Oklab, with half weight on lightness.
    ///
    /// k-means splits long gradients, especially skies, and each piece alone might lose to something small.
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
        other.x = (one.x + other.x) / 2
        return one.squaredDistance(to: other) < 0.1 * 0.1
    }

    /// Starts from the heaviest bin, then adds those that are heavy and far from all earlier ones.
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

    /// Assigns each bin to its nearest centre; returns false if nothing changed.
    private mutating func assign() -> Bool {
        var hasChanged = false
        for index in bins.indices {
            let lab = bins[index].lab
            var nearest = (distance: Float.infinity, group: 0)
            for (group, centre) in centres.enumerated() {
                let distance = lab.squaredDistance(to: centre)
                if distance < nearest.distance { nearest = (distance, group) }
            }
            hasChanged = hasChanged || members[index] != nearest.group
            members[index] = nearest.group
        }
        return hasChanged
    }

    private mutating func recentre() {
        var sums = Array(repeating: (weight: Float(0), lab: Oklab.zero), count: centres.count)
        for index in bins.indices {
            let weight = Float(bins[index].bin.weight)
            sums[members[index]].weight += weight
            sums[members[index]].lab += bins[index].lab * weight
        }
        for (group, sum) in sums.enumerated() where sum.weight > 0 {
            centres[group] = sum.lab / sum.weight
        }
    }
}

/// A colour in Oklab (Björn Ottosson, 2020), where equal distances look about equally different: lightness and two opponent channels.
private typealias Oklab = SIMD3<Float>

extension Oklab {
    fileprivate init(_ color: RGB) {
        let light = LinearLight.fractions
        let (red, green, blue) = (
            light[Int(color.red)], light[Int(color.green)], light[Int(color.blue)]
        )
        // The published matrices: linear light to cone responses, and their cube roots to lightness and two opponent channels.
        let long = cbrtf(0.412_221_47 * red + 0.536_332_54 * green + 0.051_445_99 * blue)
        let medium = cbrtf(0.211_903_50 * red + 0.680_699_55 * green + 0.107_396_96 * blue)
        let short = cbrtf(0.088_302_46 * red + 0.281_718_84 * green + 0.629_978_70 * blue)
        self.init(
            0.210_454_26 * long + 0.793_617_79 * medium - 0.004_072_05 * short,
            1.977_998_50 * long - 2.428_592_21 * medium + 0.450_593_71 * short,
            0.025_904_04 * long + 0.782_771_77 * medium - 0.808_675_77 * short)
    }

    fileprivate var chroma: Float { (y * y + z * z).squareRoot() }

    fileprivate func squaredDistance(to other: Oklab) -> Float {
        let off = self - other
        return (off * off).sum()
    }
}
