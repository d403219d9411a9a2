import Glibc

extension PixelBuffer {
    /// The colour that the picture is about: the centre of its weightiest group of similar colours, not their mean.
    ///
    /// k-means in Oklab on at most 1,024 pixels, so the cost is bounded whatever the size; meant for pictures already
    /// shrunk. Groups of vivid colours count up to three times their area, as the eye does. Transparent pixels
    /// do not count; a picture without any others is mid grey.
    public var dominantColor: RGB {
        let histogram = ColorHistogram(self)
        return histogram.bins.isEmpty ? RGB(0x808080) : ColorClusters(histogram).weightiest
    }
}

/// Colours of a picture counted in 512 boxes of 32 codes a side.
struct ColorHistogram {
    struct Bin {
        var weight: Int
        var red: Int
        var green: Int
        var blue: Int

        /// The mean colour of what fell into the box.
        var color: RGB {
            RGB(
                red: UInt8(red / weight), green: UInt8(green / weight), blue: UInt8(blue / weight))
        }
    }

    /// The boxes that hold anything, heaviest first.
    let bins: [Bin]
    /// How many pixels were counted, transparent ones among them.
    let sampleCount: Int

    private static let sampleLimit = 1024

    init(_ pixels: PixelBuffer) {
        let count = pixels.size.width * pixels.size.height
        // An odd step does not fall in with the columns of pictures of even width.
        let step = count > Self.sampleLimit ? (count / Self.sampleLimit) | 1 : 1
        sampleCount = (count + step - 1) / step
        var boxes = Array(repeating: Bin(weight: 0, red: 0, green: 0, blue: 0), count: 512)
        pixels.bytes.withUnsafeBufferPointer { bytes in
            for index in stride(from: 0, to: count, by: step) {
                let start = index * 4
                let red = Int(bytes[start])
                let green = Int(bytes[start + 1])
                let blue = Int(bytes[start + 2])
                let box = (red >> 5) << 6 | (green >> 5) << 3 | blue >> 5
                boxes[box].add(red, green, blue, weight: Int(bytes[start + 3]))
            }
        }
        // Ties are broken by the order of the boxes, as the sort is stable.
        bins = boxes.filter { $0.weight > 0 }.sorted { $0.weight > $1.weight }
    }
}

extension ColorHistogram.Bin {
    fileprivate mutating func add(_ red: Int, _ green: Int, _ blue: Int, weight: Int) {
        self.weight += weight
        self.red += red * weight
        self.green += green * weight
        self.blue += blue * weight
    }
}

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

/// A colour in Oklab (Björn Ottosson, 2020), where equal distances look about equally different.
struct Oklab {
    var lightness: Float
    var a: Float
    var b: Float

    init(lightness: Float, a: Float, b: Float) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    init(_ color: RGB) {
        let table = LinearLight.fromByte
        let scale = 1 / Float(LinearLight.maximum)
        let red = Float(table[Int(color.red)]) * scale
        let green = Float(table[Int(color.green)]) * scale
        let blue = Float(table[Int(color.blue)]) * scale
        // The published matrices: light to cone responses, their cube roots to lightness and two opponents.
        let long = cbrtf(0.412_221_47 * red + 0.536_332_54 * green + 0.051_445_99 * blue)
        let medium = cbrtf(0.211_903_50 * red + 0.680_699_55 * green + 0.107_396_96 * blue)
        let short = cbrtf(0.088_302_46 * red + 0.281_718_84 * green + 0.629_978_70 * blue)
        lightness = 0.210_454_26 * long + 0.793_617_79 * medium - 0.004_072_05 * short
        a = 1.977_998_50 * long - 2.428_592_21 * medium + 0.450_593_71 * short
        b = 0.025_904_04 * long + 0.782_771_77 * medium - 0.808_675_77 * short
    }

    /// How far from grey, 0 to about 0.3.
    var chroma: Float { (a * a + b * b).squareRoot() }

    func squaredDistance(to other: Oklab) -> Float {
        let lightness = self.lightness - other.lightness
        let a = self.a - other.a
        let b = self.b - other.b
        return lightness * lightness + a * a + b * b
    }
}
