import Glibc
import Raster

/// A picture defined by a formula: colour and alpha at each point of the unit square.
struct Painting: Sendable {
    /// Red, green, blue and alpha in encoded sRGB, 0…1.
    typealias Color = SIMD4<Double>

    let name: String
    let kind: TestPicture.Kind
    /// The colour at (x, y), 0…1 from the top left corner.
    let color: @Sendable (Double, Double) -> Color

    /// The side in pixels: divisible by the sub-pixels of 40 columns and 20 rows, except by thirds, so that filters are tested too.
    static let side = 800
    /// Samples per pixel in either direction.
    private static let samples = 2

    /// Returns the picture, with anti-aliased edges.
    func painted() -> TestPicture {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.side * Self.side * 4)
        var isOpaque = true
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let color = mean(x, y)
                isOpaque = isOpaque && color.w >= 1
                let codes = (color * 255 + 0.5).clamped(
                    lowerBound: .zero, upperBound: SIMD4(repeating: 255))
                bytes += [UInt8(codes.x), UInt8(codes.y), UInt8(codes.z), UInt8(codes.w)]
            }
        }
        let size = PixelSize(width: Self.side, height: Self.side)
        return TestPicture(
            name: name, kind: kind,
            pixels: PixelBuffer(size: size, bytes: bytes, isOpaque: isOpaque))
    }

    private func mean(_ x: Int, _ y: Int) -> Color {
        let step = 1 / Double(Self.side * Self.samples)
        var sum = Color.zero
        for row in 0..<Self.samples {
            for column in 0..<Self.samples {
                let color = color(
                    (Double(x * Self.samples + column) + 0.5) * step,
                    (Double(y * Self.samples + row) + 0.5) * step)
                sum += Color(
                    color.x * color.w, color.y * color.w, color.z * color.w, color.w)
            }
        }
        let alpha = sum.w / Double(Self.samples * Self.samples)
        guard sum.w > 0 else { return .zero }
        return Color(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, alpha)
    }
}

extension Painting.Color {
    /// Creates an opaque colour from `0xRRGGBB`.
    init(hex: UInt32) {
        let color = RGB(hex)
        self.init(
            Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, 1)
    }

    /// Creates an opaque colour from a hue in turns, and saturation and brightness 0…1.
    init(hue: Double, saturation: Double, brightness: Double) {
        func channel(_ shift: Double) -> Double {
            let place = (shift + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness * (1 - saturation * Swift.max(0, Swift.min(place, 4 - place, 1)))
        }
        self.init(channel(5), channel(3), channel(1), 1)
    }

    /// Interpolates linearly from this colour (0) to `other` (1).
    func mixed(with other: Self, _ share: Double) -> Self {
        self + (other - self) * Swift.max(0, Swift.min(share, 1))
    }

    /// Scales the brightness by a factor; alpha stays.
    func scaled(_ factor: Double) -> Self { Self(x * factor, y * factor, z * factor, w) }
}

/// Returns 0 below `start`, 1 above `end`, and a smooth transition in between.
func smoothStep(_ start: Double, _ end: Double, _ value: Double) -> Double {
    let place = max(0, min(1, (value - start) / (end - start)))
    return place * place * (3 - 2 * place)
}
