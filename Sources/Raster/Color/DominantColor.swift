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
