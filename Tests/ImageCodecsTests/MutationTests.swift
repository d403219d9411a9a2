import ImageCodecs
import ImageEncoders
import Raster
import Testing

@Suite("Corrupted files never crash")
struct MutationTests {
    /// Small files of every kind: 2,000 decodes must not take longer than a second or two.
    private static func files() throws -> [[UInt8]] {
        let scene = TestPictures.scene(width: 40, height: 30)
        let clear = TestPictures.quadrants(width: 40, height: 30, alpha: 100)
        return [
            try ImageEncoder.jpeg(scene, .init(orientation: 6)),
            try ImageEncoder.jpeg(scene, .init(isProgressive: true)),
            try ImageEncoder.jpeg(scene, .init(colors: .ycck)),
            try ImageEncoder.png(scene, .init(orientation: 3)),
            try ImageEncoder.png(clear, .init(kind: .palette, isInterlaced: true)),
            try ImageEncoder.png(scene, .init(kind: .rgba16, compression: 0)),
            try ImageEncoder.webp(scene, .init(orientation: 5)),
            try ImageEncoder.webp(clear, .init(isLossless: true)),
            try ImageEncoder.webp(animating: [clear, scene]),
            try ImageEncoder.gif(scene, .init(isInterlaced: true)),
            try ImageEncoder.gif(
                animating: [clear, scene],
                .init(canvas: PixelSize(width: 50, height: 50), left: 3, top: 4)),
        ]
    }

    @Test("bytes may be changed, removed, duplicated or truncated", arguments: 0..<11)
    func mutations(kind: Int) throws {
        let file = try Self.files()[kind]
        var random = SeededGenerator(seed: UInt64(kind) + 1)
        var limits = DecodeLimits()
        limits.maxPixels = 1_000_000
        let decoder = ImageDecoder(limits: limits)
        for round in 0..<2000 {
            let bytes = mutated(file, &random)
            let target = round.isMultiple(of: 2) ? nil : PixelSize(width: 5, height: 5)
            do throws(DecodeError) {
                let image = try decoder.decode(bytes, covering: target)
                let isWhole = target == nil
                #expect(!isWhole || image.pixels.size == image.sourceSize)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}

/// Returns a file with about four bytes at most changed, removed or duplicated, or truncated.
func mutated(_ file: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = file
    // Half of the changes hit the first 100 bytes, which contain the headers.
    for _ in 0..<Int.random(in: 1...4, using: &random) {
        let end = Bool.random(using: &random) ? min(100, bytes.count) : bytes.count
        let position = Int.random(in: 0..<end, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[position] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: position)
        case 2: bytes.insert(bytes[position], at: position)
        case 3 where position > 20: bytes.removeSubrange(position...)
        default: bytes[position] = UInt8.random(in: 0...255, using: &random)
        }
    }
    return bytes
}

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014), reproducible for a seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
