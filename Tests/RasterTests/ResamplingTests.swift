import Testing

@testable import Raster

@Suite struct ResamplingTests {
    @Test("a uniform picture keeps each of the 256 values at any size, opaque or not")
    func plain() {
        for code in 0...255 {
            let color = RGB(red: UInt8(code), green: UInt8(255 - code), blue: UInt8(code / 2))
            let picture = PixelBuffer(13, 7) { _, _ in color }
            let translucent = picture.withAlpha { _, _ in 100 }
            for (width, height) in [(5, 3), (1, 1), (13, 4), (31, 16)] {
                let size = PixelSize(width: width, height: height)
                let opaque = picture.resampled(to: size)
                #expect(opaque == PixelBuffer(filledWith: color, size: size))
                let other = translucent.resampled(to: size)
                #expect(other == PixelBuffer(filledWith: color, alpha: 100, size: size))
            }
        }
    }

    @Test(
        "thin dark lines on light keep their contrast, stars on black their light",
        arguments: [3, 4, 6, 8])
    func detail(ratio: Int) {
        let side = 16
        let size = PixelSize(width: side, height: side)
        let center = side / 2 * ratio
        let line = PixelBuffer(side * ratio, side * ratio) { x, _ in
            RGB(x == center ? 0x000000 : 0xFFFFFF)
        }.resampled(to: size)
        let contrast = 255 - Double(line.color(side / 2, side / 2).red)
        #expect(contrast >= 0.75 * 255 / Double(ratio))
        #expect(line.color(side / 2 - 2, 0) == RGB(0xFFFFFF))
        let star = PixelBuffer(side * ratio, side * ratio) { x, y in
            RGB(x == center && y == center ? 0xFFFFFF : 0x000000)
        }.resampled(to: size)
        let wanted = code(1 / Double(ratio * ratio))
        #expect(Double(star.color(side / 2, side / 2).red) >= 0.88 * Double(wanted))
    }

    @Test("black and white average in linear light, to 188 instead of 128")
    func linearLight() {
        let stripes = PixelBuffer(64, 64) { x, _ in RGB(x % 2 == 0 ? 0x000000 : 0xFFFFFF) }
        let small = stripes.resampled(to: PixelSize(width: 8, height: 8))
        #expect(small == PixelBuffer(filledWith: RGB(0xBCBCBC), size: small.size))
    }

    @Test("a partly covered pixel is weighted by its covered part")
    func coverage() {
        // Three pixels to two: each target gets one pixel and half of the middle one.
        let row = PixelBuffer(rows: [[0x000000, 0xFFFFFF, 0x000000]])
        let small = row.resampled(to: PixelSize(width: 2, height: 1))
        // A third of full light is code value 156.
        #expect(small == PixelBuffer(rows: [[0x9C9C9C, 0x9C9C9C]]))
    }

    @Test(
        "a mirrored picture yields the exactly mirrored result",
        arguments: [(40, 40), (24, 13), (7, 50), (100, 60), (200, 131)])
    func symmetry(width: Int, height: Int) {
        let picture = PixelBuffer.random(101, 67, seed: 7)
        let size = PixelSize(width: width, height: height)
        let result = picture.resampled(to: size)
        #expect(picture.mirrored.resampled(to: size) == result.mirrored)
        #expect(picture.flipped.resampled(to: size) == result.flipped)
    }

    @Test("shrinking agrees with a floating-point reference to within one code value")
    func reference() {
        let picture = PixelBuffer.random(37, 23, seed: 11)
        let size = PixelSize(width: 9, height: 5)
        let result = picture.resampled(to: size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let expected = boxMean(
                    picture, Double(x) * 37 / 9, Double(x + 1) * 37 / 9, Double(y) * 23 / 5,
                    Double(y + 1) * 23 / 5)
                #expect(abs(Int(result.color(x, y).green) - expected) <= 1)
            }
        }
    }

    @Test("a zone plate too fine for the target becomes an even grey")
    func zonePlate() {
        // Rings that get finer outwards: x/1024 per pixel, so at least six in each target pixel from 384 on.
        let plate = PixelBuffer(512, 512) { x, y in
            let phase = (x * x + y * y) / 1024 % 2
            return RGB(phase == 0 ? 0x000000 : 0xFFFFFF)
        }
        let small = plate.resampled(to: PixelSize(width: 32, height: 32))
        for x in 24..<32 {
            for y in 24..<32 {
                #expect(abs(Int(small.color(x, y).red) - 188) < 34)
            }
        }
    }

    @Test("a zone plate's aliasing stays near that of an ideal low-pass filter")
    func aliasing() {
        // Rings of cosines in light, centred, from zero frequency to two target samples per cycle at the rim; dark enough for means of
        // light to apply.
        let mean = 0.1
        let side = 512
        let target = 64
        let codes = (0...1023).map { UInt32(code(Double($0) / 1023)) }
        let plate = PixelBuffer(side, side) { x, y in
            let (u, v) = (Double(x) - 255.5, Double(y) - 255.5)
            let light = mean + mean * cosine((u * u + v * v) * Double.pi / 2048)
            return RGB(codes[Int(light * 1023)] * 0x010101)
        }
        let small = plate.resampled(to: PixelSize(width: target, height: target))
        var folded = (sum: 0.0, count: 0.0)
        var kept = (sum: 0.0, count: 0.0)
        for y in 0..<target {
            for x in 0..<target {
                let (u, v) = ((Double(x) + 0.5) * 8 - 256, (Double(y) + 0.5) * 8 - 256)
                // The local frequency along an axis is u/2048 cycles per pixel: the target's Nyquist frequency is at u = 128.
                let reach = max(abs(u), abs(v))
                let off = light(small.color(x, y).green) - mean
                if reach > 144 {
                    // An ideal low-pass leaves nothing here: everything is aliased.
                    folded.sum += off * off
                    folded.count += 1
                } else if reach < 64 {
                    kept.sum += off * off
                    kept.count += 1
                }
            }
        }
        // A cosine has half the power of its square, which picking single pixels would leave. A box filter leaves a fifth of it just beyond
        // the Nyquist frequency, none at twice that, and 1/18 overall.
        let power = mean * mean / 2
        #expect(folded.sum / folded.count < 0.06 * power)
        #expect(kept.sum / kept.count > 0.7 * power)
    }

    @Test("nothing is shifted: a ramp's values match the target pixels' centres")
    func phase() {
        let ramp = PixelBuffer(256, 4) { x, _ in RGB(UInt32(x) * 0x010101) }
        for width in [32, 50, 100, 255] {
            let small = ramp.resampled(to: PixelSize(width: width, height: 1))
            for x in 1..<(width - 1) {
                let centre = (Double(x) + 0.5) * 256 / Double(width) - 0.5
                // The light curve raises the mean of a wide span, by half a code value in the darkest.
                #expect(abs(Double(small.color(x, 0).red) - centre) < 0.8)
            }
        }
    }

    @Test("a region is cropped exactly")
    func region() {
        let quarters = PixelBuffer(200, 100) { x, y in
            RGB(x < 100 ? (y < 50 ? 0xFF0000 : 0x00FF00) : (y < 50 ? 0x0000FF : 0xFFFF00))
        }
        let size = PixelSize(width: 10, height: 10)
        let expected: [(Double, Double, UInt32)] = [
            (0, 0, 0xFF0000), (0.5, 0, 0x0000FF), (0, 0.5, 0x00FF00), (0.5, 0.5, 0xFFFF00),
        ]
        for (x, y, color) in expected {
            let part = quarters.resampled(
                UnitRect(x: x, y: y, width: 0.5, height: 0.5), to: size)
            #expect(part == PixelBuffer(filledWith: RGB(color), size: size))
        }
    }

    @Test("a transparent pixel's colour is never visible")
    func alpha() {
        let picture = PixelBuffer(2, 2) { x, _ in RGB(x == 0 ? 0xFF0000 : 0x0000FF) }
            .withAlpha { x, _ in x == 0 ? 0 : 255 }
        let one = picture.resampled(to: PixelSize(width: 1, height: 1))
        #expect(one.color(0, 0) == RGB(0x0000FF))
        #expect(one.alpha(0, 0) == 128)
        #expect(!one.isOpaque)
    }

    @Test("enlarging interpolates evenly from centre to centre")
    func enlarging() {
        let pair = PixelBuffer(rows: [[0x000000, 0xFFFFFF]])
        let large = pair.resampled(to: PixelSize(width: 8, height: 1))
        let codes = (0..<8).map { large.color($0, 0).red }
        #expect(codes == codes.sorted())
        // Beyond the outer centres there is only one pixel.
        #expect(codes[0] == 0 && codes[1] == 0 && codes[6] == 255 && codes[7] == 255)
        // 1/8, 3/8, 5/8 and 7/8 of full light.
        #expect(Array(codes[2...5]) == [99, 165, 207, 240])
    }

    @Test("strips, single pixels and invalid regions yield a picture of the requested size")
    func extremes() {
        let regions = [
            UnitRect.whole, UnitRect(x: 0.9, y: 0.9, width: 5, height: 5),
            UnitRect(x: -3, y: 2, width: 0, height: -1),
            UnitRect(x: .nan, y: .nan, width: .nan, height: .infinity),
        ]
        for (width, height) in [(1, 1), (1, 20_000), (20_000, 1), (0, 0), (0, 9)] {
            let picture = PixelBuffer(
                filledWith: RGB(0x336699), size: PixelSize(width: width, height: height))
            for region in regions {
                let size = PixelSize(width: 5, height: 3)
                #expect(picture.resampled(region, to: size).size == size)
            }
        }
        let none = PixelBuffer(filledWith: RGB(0), size: PixelSize(width: 4, height: 4))
            .resampled(to: PixelSize(width: 0, height: -1))
        #expect(none.size == PixelSize(width: 1, height: 1))
    }

    @Test("compositing blends by alpha and leaves opaque pictures unchanged")
    func compositing() {
        let picture = PixelBuffer(3, 1) { _, _ in RGB(0xFF8000) }
            .withAlpha { x, _ in [0, 128, 255][x] }
        let result = picture.composited(over: RGB(0x0000FF))
        #expect(result.isOpaque)
        #expect(result == PixelBuffer(rows: [[0x0000FF, 0xBC5DBB, 0xFF8000]]))
        #expect(result.composited(over: RGB(0xFFFFFF)) == result)
    }

    /// Returns the mean green light of a rectangle with fractional edges, as a code value.
    private func boxMean(
        _ picture: PixelBuffer, _ left: Double, _ right: Double, _ top: Double, _ bottom: Double
    ) -> Int {
        var sum = 0.0
        for y in Int(top)..<min(Int(bottom.rounded(.up)), picture.size.height) {
            for x in Int(left)..<min(Int(right.rounded(.up)), picture.size.width) {
                let width = min(right, Double(x + 1)) - max(left, Double(x))
                let height = min(bottom, Double(y + 1)) - max(top, Double(y))
                sum += light(picture.color(x, y).green) * width * height
            }
        }
        let mean = sum / ((right - left) * (bottom - top))
        return (0...255).min { abs(light(UInt8($0)) - mean) < abs(light(UInt8($1)) - mean) } ?? 0
    }

    /// Returns the code value nearest to a share of full light.
    private func code(_ wanted: Double) -> Int {
        (0...255).min { abs(light(UInt8($0)) - wanted) < abs(light(UInt8($1)) - wanted) } ?? 0
    }

    /// Computes the cosine from its series, as tests do not link libm.
    private func cosine(_ angle: Double) -> Double {
        let reduced = angle.remainder(dividingBy: 2 * Double.pi)
        var term = 1.0
        var sum = 1.0
        for step in stride(from: 2.0, through: 24, by: 2) {
            term *= -reduced * reduced / ((step - 1) * step)
            sum += term
        }
        return sum
    }

    /// Returns the light of a code value from the public luminance: full luminance is 1, and green's share is known.
    private func light(_ code: UInt8) -> Double {
        RGB(red: 0, green: code, blue: 0).luminance / 0.7152
    }
}
