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

/// Colours of a picture counted in 4,096 boxes of 16 codes a side.
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

    private static let sampleLimit = 1024

    init(_ pixels: PixelBuffer) {
        let count = pixels.size.width * pixels.size.height
        // An odd step does not fall in with the columns of pictures of even width.
        let step = count > Self.sampleLimit ? (count / Self.sampleLimit) | 1 : 1
        var boxes: [Int: Bin] = [:]
        for index in stride(from: 0, to: count, by: step) {
            let start = index * 4
            let alpha = Int(pixels.bytes[start + 3])
            guard alpha > 0 else { continue }
            let red = Int(pixels.bytes[start])
            let green = Int(pixels.bytes[start + 1])
            let blue = Int(pixels.bytes[start + 2])
            let box = (red >> 4) << 8 | (green >> 4) << 4 | blue >> 4
            boxes[box, default: Bin(weight: 0, red: 0, green: 0, blue: 0)]
                .add(red, green, blue, weight: alpha)
        }
        // The order of a dictionary differs from run to run: ties are broken by colour.
        bins = boxes.values.sorted { ($0.weight, $0.color.packed) > ($1.weight, $1.color.packed) }
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
