import Basics
import Glibc
import ImageCodecs
import ImageEncoders
import Raster

/// Pictures whose content can be recognized after any codec, resizing and rotation.
enum TestPictures {
    /// The colours by letter: red, green, blue, white.
    static let colors: [Character: RGB] = [
        "R": RGB(0xDC1E1E), "G": RGB(0x1EC81E), "B": RGB(0x1E1EDC), "W": RGB(0xFFFFFF),
    ]

    /// Returns red, green / blue, white: a quarter each, so that every rotation and mirroring looks different.
    static func quadrants(width: Int, height: Int, alpha: UInt8 = 255) -> PixelBuffer {
        make(width: width, height: height) { x, y in
            let letter: Character =
                y * 2 < height ? (x * 2 < width ? "R" : "G") : (x * 2 < width ? "B" : "W")
            let color = colors[letter] ?? RGB(0)
            return (color.red, color.green, color.blue, alpha)
        }
    }

    /// Returns a picture that is smooth in two directions with some grain, so that encoders have work to do.
    static func scene(width: Int, height: Int) -> PixelBuffer {
        make(width: width, height: height) { x, y in
            // A multiplicative hash of the position (Knuth, The Art of Computer Programming, 6.4), 0…15.
            let hash = (x &* 73_856_093 ^ y &* 19_349_663) &* 2_654_435_761
            let grain = hash >> 20 & 15
            return (
                UInt8(x * 200 / width + grain), UInt8(y * 200 / height + grain),
                UInt8((x + y) * 200 / (width + height)), 255
            )
        }
    }

    /// Returns green in all lightnesses within a few pixels.
    static func moss(width: Int, height: Int) -> PixelBuffer {
        make(width: width, height: height) { x, y in
            let grains = [2, 3, 5, 9].map { size in
                // As in `scene`, at four sizes.
                let hash = (x / size &* 73_856_093 ^ y / size &* 19_349_663) &* 2_654_435_761
                return hash >> 20 & 63
            }
            let light = grains.reduce(0, +)
            return (UInt8(light * 3 / 4), UInt8(light), UInt8(light / 3), 255)
        }
    }

    static func make(
        width: Int, height: Int, _ color: (Int, Int) -> (UInt8, UInt8, UInt8, UInt8)
    ) -> PixelBuffer {
        var isOpaque = true
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * 4) { bytes, count in
            for y in 0..<height {
                for x in 0..<width {
                    let (red, green, blue, alpha) = color(x, y)
                    bytes[count] = red
                    bytes[count + 1] = green
                    bytes[count + 2] = blue
                    bytes[count + 3] = alpha
                    isOpaque = isOpaque && alpha == 255
                    count += 4
                }
            }
        }
        return PixelBuffer(
            size: PixelSize(width: width, height: height), bytes: bytes, isOpaque: isOpaque)
    }
}

/// A format for which there is no encoder here.
struct NoEncoder: Error {
    let format: ImageFormat
}

extension PixelBuffer {
    /// Returns red, green, blue and alpha of a pixel.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * size.width + x) * 4
        return Array(bytes[start..<start + 4])
    }

    /// CIE L* of the mean light.
    var lightness: Double {
        let shares = [0.2126, 0.7152, 0.0722, 0]
        var light = 0.0
        for (index, code) in bytes.enumerated() {
            let value = Double(code) / 255
            let share = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            light += share * shares[index % 4]
        }
        return 116 * cbrt(light / Double(size.width * size.height)) - 16
    }

    /// The letters of the colours nearest to those in the middle of the four quarters: "RG/BW" for `quadrants`.
    var corners: String {
        let right = size.width * 3 / 4
        let bottom = size.height * 3 / 4
        let top = [letter(size.width / 4, size.height / 4), letter(right, size.height / 4)]
        let low = [letter(size.width / 4, bottom), letter(right, bottom)]
        return String(top) + "/" + String(low)
    }

    /// Returns the letter of the nearest colour; "-" if none is within 40 levels in the sum of the channels.
    private func letter(_ x: Int, _ y: Int) -> Character {
        let found = pixel(x, y)
        let distances = TestPictures.colors.map { letter, color in
            let parts = zip([color.red, color.green, color.blue], found)
            return (letter, parts.reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) })
        }
        guard let best = distances.min(by: { $0.1 < $1.1 }), best.1 < 40 else { return "-" }
        return best.0
    }

    /// Returns the greatest difference of any channel of any pixel; nil if the sizes differ.
    func greatestDifference(from other: PixelBuffer) -> Int? {
        guard size == other.size else { return nil }
        return zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}

extension ImageFormat {
    /// The formats that can be read and, with our encoders, written everywhere.
    static let everywhere: [ImageFormat] = [.jpeg, .png, .webp, .gif]

    /// Returns a file of this format that keeps as much of `pixels` as it can.
    func file(of pixels: PixelBuffer) throws -> [UInt8] {
        switch self {
        case .jpeg: try ImageEncoder.jpeg(pixels)
        case .png: try ImageEncoder.png(pixels)
        case .webp: try ImageEncoder.webp(pixels)
        case .gif: try ImageEncoder.gif(pixels)
        default: throw NoEncoder(format: self)
        }
    }
}

extension ImageDecoder {
    func decode(
        _ bytes: [UInt8], covering target: PixelSize?, cancellation: DecodeCancellation? = nil
    ) throws(DecodeError) -> DecodedImage {
        try decode(FileBytes(bytes), covering: target, cancellation: cancellation)
    }

    func decodeEmbedded(
        _ bytes: [UInt8], covering target: PixelSize?, ofAtLeast least: PixelSize
    ) -> DecodedImage? {
        decodeEmbedded(FileBytes(bytes), covering: target, ofAtLeast: least)
    }
}

extension ImageHeader {
    init?(of bytes: [UInt8]) { self.init(of: FileBytes(bytes)) }

    init?(of file: OpenFile) { self.init(of: FileBytes(piecesOf: file)) }
}

extension CameraFacts {
    init?(of bytes: [UInt8]) { self.init(of: FileBytes(bytes)) }
}
