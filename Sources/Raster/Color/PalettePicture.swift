/// Pixels in a few colours that were chosen for them.
public struct PalettePicture: Sendable {
    /// The extent, in pixels.
    public let size: PixelSize
    /// At most as many as were asked for.
    public let colors: [RGB]
    /// A colour's place for each pixel, row by row.
    public let indices: [UInt8]

    /// Draws `pixels`, of which no alpha counts, in at most `count` colours, 2…256.
    ///
    /// Colours are counted in cubes of eight codes a side, or of four in large pictures; the group of cubes that is farthest off its mean is split there
    /// until there are enough, and each mean then moves to the middle of what is nearest to it. Nothing is dithered.
    public init(_ pixels: PixelBuffer, colors count: Int) {
        let census = ColorCensus(pixels)
        let means = census.refined(census.means(atMost: min(max(count, 2), 256)))
        let nearest = census.nearest(in: means)
        size = pixels.size
        colors = means.map(RGB.init)
        indices = [UInt8](unsafeUninitializedCapacity: pixels.bytes.count / 4) { output, count in
            pixels.bytes.withUnsafeBufferPointer { bytes in
                for index in output.indices {
                    let cube = census.cube(bytes, 4 &* index)
                    output[index] = nearest[Int(census.places[cube])]
                }
            }
            count = output.count
        }
    }
}

/// The colours of a picture, in cubes.
private struct ColorCensus {
    private struct Entry {
        var sum = SIMD4<Float>.zero
        /// Their mean.
        var color = SIMD4<Float>.zero
        var count: Float = 0
    }

    /// Each cube's place among the entries.
    private(set) var places: [Int32]
    private var entries: [Entry] = []

    /// The bits of each channel that tell cubes apart.
    private let bits: UInt8

    /// Pixels of a picture that is worth four times the work: 0.4 dB more, or 1.4 where it is smooth.
    private static let large = 250_000

    @inline(__always)
    func cube(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
        let rest = 8 &- bits
        let (red, green) = (Int(bytes[at] &>> rest), Int(bytes[at &+ 1] &>> rest))
        return (red &<< Int(bits) | green) &<< Int(bits) | Int(bytes[at &+ 2] &>> rest)
    }

    init(_ pixels: PixelBuffer) {
        bits = pixels.bytes.count / 4 < Self.large ? 5 : 6
        places = Array(repeating: -1, count: 1 << (3 * bits))
        pixels.bytes.withUnsafeBufferPointer { bytes in
            for at in stride(from: 0, to: bytes.count, by: 4) {
                let cube = cube(bytes, at)
                if places[cube] < 0 {
                    places[cube] = Int32(entries.count)
                    entries.append(Entry())
                }
                let color = SIMD4(Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2]), 0)
                entries[Int(places[cube])].sum += color
                entries[Int(places[cube])].count += 1
            }
        }
        for index in entries.indices {
            entries[index].color = entries[index].sum / entries[index].count
        }
    }

    /// Entries that share a colour.
    private struct Group {
        var members: ArraySlice<Int>
        var mean = SIMD4<Float>.zero
        /// The squared distances from it, in each channel and in all.
        var spread = SIMD4<Float>.zero
        var error: Float = 0

        init(_ members: ArraySlice<Int>, _ entries: [Entry]) {
            self.members = members
            var count: Float = 0
            for member in members {
                mean += entries[member].sum
                count += entries[member].count
            }
            mean /= max(count, 1)
            for member in members {
                let off = entries[member].color - mean
                spread += off * off * entries[member].count
            }
            error = spread.sum()
        }
    }

    func means(atMost count: Int) -> [SIMD4<Float>] {
        var groups = [Group(Array(entries.indices)[...], entries)]
        while groups.count < count,
            let worst = groups.indices.max(by: { groups[$0].error < groups[$1].error }),
            groups[worst].members.count > 1, groups[worst].error > 0
        {
            let group = groups[worst]
            let axis = (0..<3).max { group.spread[$0] < group.spread[$1] } ?? 0
            var members = Array(group.members)
            let middle = members.partition { entries[$0].color[axis] > group.mean[axis] }
            groups[worst] = Group(members[..<middle], entries)
            groups.append(Group(members[middle...], entries))
        }
        return groups.map(\.mean)
    }

    /// The means of what is nearest to each, a few times over.
    func refined(_ means: [SIMD4<Float>]) -> [SIMD4<Float>] {
        var means = means
        for _ in 0..<3 {
            var sums = Array(repeating: SIMD4<Float>.zero, count: means.count)
            for (entry, place) in zip(entries, nearest(in: means)) {
                sums[Int(place)] += SIMD4(entry.sum.x, entry.sum.y, entry.sum.z, entry.count)
            }
            for (place, sum) in sums.enumerated() where sum.w > 0 {
                means[place] = SIMD4(sum.x, sum.y, sum.z, 0) / sum.w
            }
        }
        return means
    }

    /// For each entry the place of the nearest of `means`, at most 256; of equals the first.
    func nearest(in means: [SIMD4<Float>]) -> [UInt8] {
        // Eight at a time; where there is none it is far from everything.
        let lanes = (0..<(means.count + 7) / 8).map { lane in
            ColorLanes((lane * 8..<lane * 8 + 8).map { $0 < means.count ? means[$0] : nil })
        }
        return lanes.withUnsafeBufferPointer { lanes in
            entries.map { entry in
                var least = SIMD8<Float>(repeating: .infinity)
                var found = SIMD8<Int32>.zero
                for lane in lanes.indices {
                    let distance = lanes[lane].distances(to: entry.color)
                    let isNearer = distance .< least
                    least.replace(with: distance, where: isNearer)
                    found.replace(with: Int32(truncatingIfNeeded: lane), where: isNearer)
                }
                var best = 0
                for place in 1..<8
                where least[place] < least[best]
                    || (least[place] == least[best] && found[place] < found[best])
                { best = place }
                return UInt8(Int(found[best]) * 8 + best)
            }
        }
    }
}

/// Eight colours, by channel.
private struct ColorLanes {
    private var red = SIMD8<Float>(repeating: 1e6)
    private var green = SIMD8<Float>(repeating: 1e6)
    private var blue = SIMD8<Float>(repeating: 1e6)

    init(_ colors: [SIMD4<Float>?]) {
        for (place, color) in colors.enumerated() {
            guard let color else { continue }
            (red[place], green[place], blue[place]) = (color.x, color.y, color.z)
        }
    }

    @inline(__always)
    func distances(to color: SIMD4<Float>) -> SIMD8<Float> {
        let (red, green, blue) = (red - color.x, green - color.y, blue - color.z)
        return red * red + green * green + blue * blue
    }
}
