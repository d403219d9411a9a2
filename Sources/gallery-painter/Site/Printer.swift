import ImageEncoders
import Raster

/// Paints a plate once, at its largest, and encodes every size.
struct Printer {
    /// Most bytes of the small, the middle and the large file: 104 plates then stay under 4 MB.
    private static let budgets = [3_000, 7_200, 22_000]

    /// The qualities tried, best first, until a file fits its budget.
    private static let qualities = [80, 74, 68, 62, 56, 50, 44, 38, 32]

    /// The files of `plate`: name and bytes.
    func files(_ plate: Plate) throws -> [(path: String, bytes: [UInt8])] {
        let largest = plate.widths[plate.widths.count - 1]
        let frames = plate.frames.map { motif -> Canvas in
            var canvas = Canvas(width: largest, height: plate.height(largest))
            var seed = plate.seed
            motif.paint(&canvas, &seed)
            return canvas
        }
        return try zip(plate.widths, Self.budgets).map { width, budget in
            let pixels = frames.map { $0.exported(width: width) }
            return (plate.path(width), try encode(pixels, plate.format, budget))
        }
    }

    private func encode(
        _ frames: [PixelBuffer], _ format: Plate.Format, _ budget: Int
    ) throws -> [UInt8] {
        switch format {
        case .png:
            return try ImageEncoder.png(frames[0], PNGOptions(kind: .palette, compression: 9))
        case .gif: return try ImageEncoder.gif(animating: frames, GIFOptions(delay: 0.12))
        case .jpeg:
            // Progressive pays from about 10 KB on; below, its tables cost more than it saves.
            let isLarge = budget > 10_000
            return try fitting(budget) { quality in
                try ImageEncoder.jpeg(
                    frames[0], JPEGOptions(quality: quality, isProgressive: isLarge))
            }
        case .webp:
            return try fitting(budget) { quality in
                try ImageEncoder.webp(frames[0], WebPOptions(quality: Double(quality)))
            }
        }
    }

    /// The first of the tries that fits; the last one if none does.
    private func fitting(_ budget: Int, _ encode: (Int) throws -> [UInt8]) rethrows -> [UInt8] {
        var bytes: [UInt8] = []
        for quality in Self.qualities {
            bytes = try encode(quality)
            if bytes.count <= budget { break }
        }
        return bytes
    }
}
