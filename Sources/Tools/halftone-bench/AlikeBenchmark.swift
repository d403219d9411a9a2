import Basics
import Collector
import Dispatch
import Gallery
import Glibc
import ImageCodecs
import ImageEncoders
import Raster

/// How well pictures are known by their look: copies that are found, others that are taken for copies, and the cost.
struct AlikeBenchmark {
    /// What becomes of pictures on the web.
    private enum Copy: String, CaseIterable {
        case scaled = "scaled to 25 %"
        case recompressed = "JPEG at quality 40"
        case webp = "WebP"

        func file(of pixels: PixelBuffer) throws -> [UInt8] {
            switch self {
            case .scaled:
                let size = PixelSize(width: pixels.size.width / 4, height: pixels.size.height / 4)
                return try ImageEncoder.jpeg(
                    pixels.resampled(to: size), JPEGOptions(quality: 80))
            case .recompressed: return try ImageEncoder.jpeg(pixels, JPEGOptions(quality: 40))
            case .webp: return try ImageEncoder.webp(pixels, WebPOptions(quality: 75))
            }
        }
    }

    /// The fingerprints of a picture, and of its copies.
    private struct Prints: Sendable {
        var own: UInt64
        var copies: [UInt64]
    }

    private static let count = 5_000
    private static let searched = 100_000

    func run(_ report: inout Report) throws {
        let prints = Locked<[Int: Prints]>([:])
        DispatchQueue.concurrentPerform(iterations: Self.count) { number in
            var picture = ChancePicture(seed: UInt64(number))
            let made = try? Self.prints(of: picture.painted())
            prints.withLock { $0[number] = made }
        }
        let made = prints.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
        report.heading("Pictures known by their look, \(made.count) made by chance")
        let known = made.filter { $0.own != 0 }
        let own = known.map(\.own)
        report.check(
            "flat, without a fingerprint",
            100 * Double(made.count - own.count) / Double(made.count),
            atMost: 2, unit: " %")
        let index = Self.index(of: own)
        let matches = own.reduce(0) { $0 + index.pictures(like: $1).count - 1 } / 2
        let pairs = Double(own.count * (own.count - 1) / 2)
        report.check(
            "false matches in a million pairs", Double(matches) * 1e6 / pairs, atMost: 1)
        for (place, copy) in Copy.allCases.enumerated() {
            let distances = known.map { ($0.own ^ $0.copies[place]).nonzeroBitCount }
            let found = known.count {
                !Self.index(of: [$0.own]).pictures(like: $0.copies[place]).isEmpty
            }
            report.check(
                "found, \(copy.rawValue)", 100 * Double(found) / Double(own.count), atLeast: 98,
                unit: " %")
            report.line("  % within so many bits", Self.shares(distances))
        }
        report.line("different pairs within so many bits", Self.counts(own))
        Self.search(&report)
        try Self.cost(&report)
    }

    private static func prints(of pixels: PixelBuffer) throws -> Prints {
        let files =
            try [ImageEncoder.jpeg(pixels, JPEGOptions(quality: 90))]
            + Copy.allCases.map { try $0.file(of: pixels) }
        let prints = try files.map { file in
            try ImageDecoder().decode(
                FileBytes(file), covering: PixelSize(width: 96, height: 96)
            ).pixels.fingerprint
        }
        return Prints(own: prints[0], copies: Array(prints.dropFirst()))
    }

    private static func index(of prints: [UInt64]) -> LookIndex {
        LookIndex(
            prints.enumerated().compactMap { IndexedPicture(text: "1200 800 \($1) 0 /\($0)") })
    }

    /// Returns the share in percent found with each distance.
    private static func shares(_ distances: [Int]) -> String {
        (0...10).map { limit in
            let share = Double(distances.count { $0 <= limit }) / Double(distances.count)
            return "\(limit): \((100 * share).short)"
        }.joined(separator: "  ")
    }

    /// Returns the number of pairs within each distance.
    private static func counts(_ prints: [UInt64]) -> String {
        var counts = [Int](repeating: 0, count: 65)
        for (place, one) in prints.enumerated() {
            for other in prints[..<place] { counts[(one ^ other).nonzeroBitCount] += 1 }
        }
        var sum = 0
        return (0...10).map { limit in
            sum += counts[limit]
            return "\(limit): \(sum)"
        }.joined(separator: "  ")
    }

    private static func search(_ report: inout Report) {
        var random = SplitMix(state: 1)
        let index = index(of: (0..<searched).map { _ in random.next() })
        let watch = Stopwatch()
        var found = 0
        for _ in 0..<100 { found += index.pictures(like: random.next()).count }
        report.check(
            "to search 100,000 pictures", Double(watch.microseconds) / 100_000, atMost: 5,
            unit: " ms")
        if found > 1 { report.line("found by chance", "\(found)") }
    }

    /// Compares the fingerprint of a tile with what it takes to decode its file.
    private static func cost(_ report: inout Report) throws {
        let photograph = Photographs.pixels(PixelSize(width: 1200, height: 800), seed: 1)
        let file = try ImageEncoder.jpeg(photograph, JPEGOptions(quality: 85))
        let box = PixelSize(width: 192, height: 128)
        var tile = photograph
        let decode = Stopwatch()
        for _ in 0..<50 {
            tile = try ImageDecoder().decode(FileBytes(file), covering: box).pixels
        }
        let decoding = Double(decode.microseconds) / 50
        tile = tile.resampled(to: PixelSize(width: 48, height: 96))
        let watch = Stopwatch()
        var count = 0
        for _ in 0..<2000 { count += tile.fingerprint == 0 ? 0 : 1 }
        let taking = Double(watch.microseconds) / 2000
        report.line(
            "a fingerprint of \(tile.size.width) × \(tile.size.height)", "\(taking.short) µs")
        report.check(
            "share of decoding 1200 × 800 pixels", 100 * taking / decoding, atMost: 2, unit: " %")
    }
}

/// A picture by chance with what natural pictures have in common: leaves over one another whose sizes follow a power law, as in the model
/// of "dead leaves" (Lee, Mumford, Huang 2001), noise at all scales, light from one side, grain, and often a subject in the middle.
struct ChancePicture {
    private var random: SplitMix

    private static let shapes = [(3, 2), (4, 3), (1, 1), (16, 9), (2, 3), (3, 4)]

    init(seed: UInt64) { random = SplitMix(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    mutating func painted() -> PixelBuffer {
        let (across, down) = Self.shapes[Int(random.next() % 6)]
        let side = 560 + Int(random.next() % 120)
        let size = PixelSize(
            width: across >= down ? side : side * across / down,
            height: across >= down ? side * down / across : side)
        var light = clouds(size)
        paintLeaves(on: &light, size)
        shade(&light, size)
        let bytes = light.flatMap { color in
            let grain = Float(random.next() & 7) - 3.5
            let codes = (color + grain).clamped(
                lowerBound: .zero, upperBound: SIMD4(repeating: 255))
            return [UInt8(codes.x), UInt8(codes.y), UInt8(codes.z), 255]
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }

    /// Returns noise at all scales, more or less of it at the fine ones.
    private mutating func clouds(_ size: PixelSize) -> [SIMD4<Float>] {
        let strength = Float(30 + 100 * random.unit())
        let slope = Float(0.4 + 0.4 * random.unit())
        let ground = color()
        var light = [SIMD4<Float>](repeating: ground, count: size.count)
        var (cells, weight) = (2, strength)
        while cells < 200 {
            let grid = PixelSize(width: cells + 1, height: max(2, cells * size.height / size.width))
            let noise = PixelBuffer(
                size: grid,
                bytes: (0..<grid.count).flatMap { _ in
                    let (tone, hue) = (random.next(), random.next())
                    let code = Int(tone & 0xFF)
                    return (0..<4).map { channel in
                        let tint = Int(hue >> UInt64(channel * 8) & 0x3F) - 32
                        return channel == 3 ? 255 : UInt8(max(0, min(255, code + tint)))
                    }
                }, isOpaque: true
            ).resampled(to: size).bytes
            for place in light.indices {
                let codes = SIMD4<Float>(
                    Float(noise[place * 4]), Float(noise[place * 4 + 1]),
                    Float(noise[place * 4 + 2]), 128)
                light[place] += (codes - 128) / 128 * weight
            }
            cells *= 2
            weight *= slope
        }
        return light
    }

    private mutating func paintLeaves(on light: inout [SIMD4<Float>], _ size: PixelSize) {
        let count = Int(3 + 80 * random.unit() * random.unit())
        let hasSubject = random.unit() < 0.3
        let areBoxes = random.unit()
        for number in 0..<count {
            let isSubject = hasSubject && number == count - 1
            // Few are large, many small.
            let radius =
                isSubject
                ? 0.15 + 0.2 * random.unit() : min(0.5, 0.025 / (0.03 + random.unit()))
            let extent = radius * Double(max(size.width, size.height))
            let (x, y) = (
                (isSubject ? 0.4 + 0.2 * random.unit() : random.unit()) * Double(size.width),
                (isSubject ? 0.4 + 0.2 * random.unit() : random.unit()) * Double(size.height)
            )
            let (ratio, angle) = (0.3 + 0.7 * random.unit(), 3.14 * random.unit())
            let (cosine, sine) = (cos(angle), sin(angle))
            let (tone, slant) = (color(), Float(60 * (random.unit() - 0.5)))
            let isBox = random.unit() < areBoxes
            for row in max(0, Int(y - extent))..<max(0, min(size.height, Int(y + extent))) {
                for column in max(0, Int(x - extent))..<max(0, min(size.width, Int(x + extent))) {
                    let (dx, dy) = (Double(column) - x, Double(row) - y)
                    let u = (dx * cosine + dy * sine) / extent
                    let v = (dy * cosine - dx * sine) / extent / ratio
                    guard isBox ? abs(u) < 0.7 && abs(v) < 0.7 : u * u + v * v < 1 else { continue }
                    let place = row * size.width + column
                    // What lies below shows through as the leaf's own detail.
                    light[place] = tone + Float(u) * slant + (light[place] - 128) * 0.15
                }
            }
        }
    }

    /// Lights the picture from one side, and darkens its corners.
    private mutating func shade(_ light: inout [SIMD4<Float>], _ size: PixelSize) {
        let (side, strength) = (random.unit() * 6.28, 0.5 * random.unit() * random.unit())
        let (right, down) = (cos(side) * strength, sin(side) * strength)
        let vignette = 0.4 * random.unit() * random.unit()
        for row in 0..<size.height {
            let y = 2 * Double(row) / Double(size.height) - 1
            for column in 0..<size.width {
                let x = 2 * Double(column) / Double(size.width) - 1
                let factor = (1 + right * x + down * y) * (1 - vignette * (x * x + y * y) / 2)
                light[row * size.width + column] *= Float(factor)
            }
        }
    }

    private mutating func color() -> SIMD4<Float> {
        SIMD4(
            Float(255 * random.unit()), Float(255 * random.unit()), Float(255 * random.unit()), 255)
    }
}
