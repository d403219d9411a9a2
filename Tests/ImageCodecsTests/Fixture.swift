import Basics
import Glibc
import ImageCodecs
import Raster
import Testing

/// A checked-in file encoded by another program, with the pixels that other decoders read from it.
struct Fixture: CustomTestStringConvertible {
    /// The file's name; that of the pixels has the extension `rgba`.
    let name: String
    /// The maximum difference of a channel from the reference.
    var tolerance = 0

    var testDescription: String { name }

    var bytes: [UInt8] {
        get throws { try Self.read(name) }
    }

    /// Returns the pixels that other decoders read.
    func reference(_ size: PixelSize) throws -> PixelBuffer {
        let stem = name.split(separator: ".")[0]
        let bytes = try Self.read(stem + ".rgba")
        try #require(bytes.count == size.width * size.height * 4, "\(name)")
        let isOpaque = stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: isOpaque)
    }

    static func read(_ name: String, from source: String = #filePath) throws -> [UInt8] {
        let folder = source.prefix(upTo: source.lastIndex(of: "/") ?? source.startIndex)
        return try #require(
            smallFile("\(folder)/Fixtures/\(name)", limit: 1 << 30), "\(name) is missing")
    }
}

extension PixelBuffer {
    /// Returns the greatest visible difference of any channel: colours are weighted by alpha.
    func greatestVisibleDifference(from other: PixelBuffer) -> Int? {
        guard size == other.size else { return nil }
        return zip(seen, other.seen).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    /// Returns the mean visible difference of all channels.
    func meanDifference(from other: PixelBuffer) -> Double {
        guard size == other.size else { return 255 }
        let sum = zip(seen, other.seen).reduce(0) { $0 + abs($1.0 - $1.1) }
        return Double(sum) / Double(bytes.count)
    }

    /// Premultiplied colours, and alpha.
    private var seen: [Int] {
        bytes.indices.map { index in
            let alpha = index % 4 == 3 ? 255 : Int(bytes[index | 3])
            return (Int(bytes[index]) * alpha + 127) / 255
        }
    }

    /// Returns boxes of `factor` × `factor` pixels averaged as light, weighted by alpha: the reference for reduced decodes.
    func averaged(_ factor: Int) -> PixelBuffer {
        TestPictures.make(width: size.width / factor, height: size.height / factor) { x, y in
            var sums = [0.0, 0.0, 0.0, 0.0]
            for row in y * factor..<(y + 1) * factor {
                for column in x * factor..<(x + 1) * factor {
                    let pixel = pixel(column, row)
                    let alpha = Double(pixel[3])
                    for channel in 0..<3 {
                        sums[channel] += Self.light(of: pixel[channel]) * alpha
                    }
                    sums[3] += alpha
                }
            }
            let weight = max(sums[3], 1)
            return (
                Self.code(of: sums[0] / weight), Self.code(of: sums[1] / weight),
                Self.code(of: sums[2] / weight),
                UInt8((sums[3] / Double(factor * factor)).rounded())
            )
        }
    }

    /// The sRGB transfer curve (IEC 61966-2-1).
    private static func light(of code: UInt8) -> Double {
        let value = Double(code) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func code(of light: Double) -> UInt8 {
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((value * 255).rounded())
    }
}

/// Puts parts of a file together; long sums of arrays keep compilers busy.
func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }
