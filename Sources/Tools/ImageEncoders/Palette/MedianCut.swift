/// Heckbert's median cut: splits the most populated and widest box of colours until there are enough.
///
/// From "Color Image Quantization for Frame Buffer Display", SIGGRAPH 1982.
struct MedianCut {
    /// The mean colour of each box, opaque.
    let palette: [RGBA]
    /// The palette index of each of the 32,768 colours with 5 bits per channel.
    private let indexOfBin: [UInt8]

    init(_ colors: [RGBA], count: Int) {
        var boxes = [ColorBox(ColorBin.histogram(of: colors))]
        while boxes.count < count,
            let widest = boxes.indices.filter({ boxes[$0].isDivisible })
                .max(by: { boxes[$0].weight < boxes[$1].weight })
        {
            let (low, high) = boxes[widest].halves
            boxes[widest] = low
            boxes.append(high)
        }
        var indexOfBin = [UInt8](repeating: 0, count: ColorBin.count)
        for (index, box) in boxes.enumerated() {
            for bin in box.bins {
                indexOfBin[bin.number] = UInt8(index)
            }
        }
        self.indexOfBin = indexOfBin
        palette = boxes.map(\.mean)
    }

    func index(of color: RGBA) -> UInt8 {
        indexOfBin[ColorBin.number(of: color)]
    }
}

/// The pixels whose colours agree in the upper 5 bits.
struct ColorBin {
    /// 2 to the power of 3 × 5 bits.
    static let count = 1 << 15

    let number: Int
    var population = 0
    /// The sums over the pixels: red, green, blue.
    var sums: SIMD3<Int> = .zero

    var mean: SIMD3<Int> { sums / SIMD3(repeating: max(population, 1)) }

    static func number(of color: RGBA) -> Int {
        Int(color.red >> 3) << 10 | Int(color.green >> 3) << 5 | Int(color.blue >> 3)
    }

    /// Returns the non-empty bins of `colors`, by number.
    static func histogram(of colors: [RGBA]) -> [ColorBin] {
        var bins = (0..<count).map { ColorBin(number: $0) }
        for color in colors {
            let number = number(of: color)
            bins[number].population += 1
            bins[number].sums &+= SIMD3(Int(color.red), Int(color.green), Int(color.blue))
        }
        return bins.filter { $0.population > 0 }
    }
}

/// A set of bins and its extent in colour space.
private struct ColorBox {
    let bins: [ColorBin]
    /// The priority of a cut: population times the longest side.
    let weight: Int
    private let longestSide: Int
    private let population: Int

    init(_ bins: [ColorBin]) {
        self.bins = bins
        population = bins.reduce(0) { $0 + $1.population }
        let means = bins.map(\.mean)
        let extents = (0..<3).map { side in
            (means.map { $0[side] }.max() ?? 0) - (means.map { $0[side] }.min() ?? 0)
        }
        longestSide = extents.indices.max { extents[$0] < extents[$1] } ?? 0
        weight = population * extents[longestSide]
    }

    var isDivisible: Bool { bins.count > 1 }

    /// Splits the box at the median pixel along the longest side; each half has at least one bin.
    var halves: (ColorBox, ColorBox) {
        let side = longestSide
        // Ties are broken by number, so that the palette is deterministic.
        let sorted = bins.sorted { ($0.mean[side], $0.number) < ($1.mean[side], $1.number) }
        var passed = 0
        var cut = 0
        while cut < sorted.count - 1, passed * 2 < population || cut == 0 {
            passed += sorted[cut].population
            cut += 1
        }
        return (ColorBox(Array(sorted[..<cut])), ColorBox(Array(sorted[cut...])))
    }

    var mean: RGBA {
        let sums = bins.reduce(into: SIMD3<Int>.zero) { $0 &+= $1.sums }
        let color = sums / SIMD3(repeating: max(population, 1))
        return RGBA(
            red: UInt8(color.x), green: UInt8(color.y), blue: UInt8(color.z), alpha: 255)
    }
}
