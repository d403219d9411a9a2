import Glibc
import ImageEncoders
import Raster

/// Files as expensive as a camera's: broad shapes, edges, and grain in every block, for realistic entropy decoding.
struct Photographs {
    /// The folder of the files.
    let folder: String
    /// The paths, in natural order.
    let paths: [String]

    /// Writes `count` different JPEGs of `size` into a new temporary folder.
    ///
    /// - Parameter thumbnail: The size of the EXIF thumbnail in each; nil for none.
    init(count: Int, size: PixelSize, thumbnail: PixelSize? = nil, name: String) throws {
        let folder = "/tmp/halftone-bench-\(getpid())/\(name)"
        try makeFolder(folder)
        self.folder = folder
        paths = try (1...count).map { number in
            let path = "\(folder)/\(number).jpg"
            let pixels = Photographs.pixels(size, seed: UInt64(number))
            // At quality 85, a 12-megapixel picture takes 2 to 3 MB, as from phones and cameras.
            var file = try ImageEncoder.jpeg(pixels, JPEGOptions(quality: 85))
            if let thumbnail {
                let small = try ImageEncoder.jpeg(
                    pixels.resampled(to: thumbnail), JPEGOptions(quality: 80))
                file = ImageEncoder.jpeg(file, thumbnail: small)
            }
            try writeFile(file, to: path)
            return path
        }
    }

    /// Returns a sky, hills and grain, different for each seed.
    static func pixels(_ size: PixelSize, seed: UInt64) -> PixelBuffer {
        var random = SplitMix(state: seed &* 0x9E37_79B9_7F4A_7C15)
        let hills = (0..<5).map { _ in random.unit() }
        var bytes = [UInt8](repeating: 255, count: size.width * size.height * 4)
        for y in 0..<size.height {
            let height = Double(y) / Double(size.height)
            for x in 0..<size.width {
                let across = Double(x) / Double(size.width)
                let ridge =
                    0.45 + 0.2 * sin(across * (6 + 6 * hills[0]) + hills[1] * 6)
                    + 0.04 * sin(across * 60 * (1 + hills[2]))
                let isSky = height < ridge
                let light = isSky ? 120 + 110 * height : 40 + 130 * (height - ridge)
                // One random number per pixel provides the grain of all three channels.
                let grain = random.next()
                let at = (y * size.width + x) * 4
                bytes[at] = channel(light * (isSky ? 0.8 + hills[3] * 0.3 : 0.9), grain)
                bytes[at + 1] = channel(light * (isSky ? 0.9 : 0.7 + hills[4] * 0.4), grain >> 8)
                bytes[at + 2] = channel(light * (isSky ? 1.1 : 0.4), grain >> 16)
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }

    private static func channel(_ value: Double, _ grain: UInt64) -> UInt8 {
        UInt8(max(0, min(255, value + Double(grain & 15) - 7.5)))
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, seeded and reproducible.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a number in 0..<1.
    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
