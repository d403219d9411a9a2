import ImageCodecs
import Raster
import Testing

@Suite("Files encoded elsewhere match other decoders")
struct ReferenceTests {
    private let decoder = ImageDecoder()
    private static let size = PixelSize(width: 32, height: 24)

    static let exact: [Fixture] =
        [
            "deep-rgb.png", "deep-rgba.png", "deep-gray.png", "deep-gray-alpha.png",
            "gray-alpha.png", "palette-trns.png", "gray-trns.png", "rgb-trns.png",
            "interlaced.png", "interlaced-palette.png", "interlaced-gif.gif", "srgb-icc.png",
            "srgb-wins.png", "gama-usual.png", "gama-tiny.png", "gama-zero.png", "gama-huge.png",
            "gama-small.png", "gama-large.png",
            "chrm-alone.png",
        ].map { Fixture(name: $0) }
    /// These are rounded once more than the reference.
    static let converted: [Fixture] =
        [
            "p3-png.png", "p3-lossless.webp", "adobe-rgb-png.png", "adobe-rgb-lossless.webp",
            "gray-icc-png.png", "icc-wins.png", "gama-linear.png", "gama-chrm.png",
        ].map { Fixture(name: $0, tolerance: 1) }
    /// Linear samples are averaged before the conversion, so only whole pictures can be compared.
    static let deep = Fixture(name: "gama-deep.png", tolerance: 1)
    /// The inverse transforms of different libraries, or of versions of one, round differently.
    static let lossy: [Fixture] =
        [
            "cmyk-adobe.jpg", "cmyk-plain.jpg", "ycck.jpg", "progressive.jpg", "p3-jpeg.jpg",
            "adobe-rgb-jpeg.jpg", "gray-icc-jpeg.jpg", "p3-lossy.webp", "adobe-rgb-lossy.webp",
        ].map { Fixture(name: $0, tolerance: 2) }
        // Our table for CMYK has 12 steps per side, the profile 5, the reference's 23.
        + [Fixture(name: "cmyk-icc.jpg", tolerance: 4)]

    @Test("whole pictures match pixel by pixel", arguments: exact + converted + lossy + [deep])
    func whole(fixture: Fixture) throws {
        let image = try decoder.decode(fixture.bytes, covering: nil)
        let difference = image.pixels.greatestVisibleDifference(
            from: try fixture.reference(Self.size))
        #expect(difference ?? 255 <= fixture.tolerance)
        #expect(!image.isPartial)
    }

    /// At half size, pixels that need no conversion are averaged exactly to the level.
    @Test("at half size they match the average of the reference's pixels", arguments: exact)
    func reduced(fixture: Fixture) throws {
        let (pixels, reference) = try halves(fixture)
        #expect(pixels.greatestVisibleDifference(from: reference) ?? 255 <= fixture.tolerance + 1)
    }

    /// We convert averages, while the reference averages converted pixels: for colours outside sRGB clipping makes a difference of some
    /// levels, overall none.
    @Test("with a profile, half size matches nearly", arguments: converted)
    func reducedConverted(fixture: Fixture) throws {
        let (pixels, reference) = try halves(fixture)
        #expect(pixels.greatestVisibleDifference(from: reference) ?? 255 <= 13)
        #expect(pixels.meanDifference(from: reference) < 0.7)
    }

    @Test("pictures with a profile are decoded to any requested size", arguments: converted)
    func reducedToSize(fixture: Fixture) throws {
        let size = PixelSize(width: 20, height: 15)
        let pixels = try decoder.decode(fixture.bytes, covering: size).pixels
        #expect(pixels.size == size)
        let reference = try fixture.reference(Self.size).resampled(to: size)
        #expect(pixels.meanDifference(from: reference) < 2.5)
    }

    /// JPEG and WebP keep the lower frequencies, and do not interpolate chroma as they do for whole pictures; this is visible along the
    /// patches' edges, but not inside them.
    @Test("lossy formats match on average at half size", arguments: lossy)
    func reducedLossy(fixture: Fixture) throws {
        let (pixels, reference) = try halves(fixture)
        #expect(pixels.meanDifference(from: reference) < 3)
        for patch in 0..<4 {
            let (x, y) = (patch * 4 + 1, 9)
            let difference = zip(pixels.pixel(x, y), reference.pixel(x, y)).map {
                abs(Int($0) - Int($1))
            }
            #expect(difference.max() ?? 255 <= 6, "patch \(patch)")
        }
    }

    private func halves(_ fixture: Fixture) throws -> (PixelBuffer, PixelBuffer) {
        let half = PixelSize(width: 16, height: 12)
        let pixels = try decoder.decode(fixture.bytes, covering: half).pixels
        return (pixels, try fixture.reference(Self.size).averaged(2))
    }

    @Test(
        "fully transparent pictures stay transparent, whatever their hidden colours",
        arguments: [
            "clear.png", "clear-lossless.webp", "clear-lossy.webp", "clear.gif",
        ])
    func clear(name: String) throws {
        for target in [nil, PixelSize(width: 16, height: 12), PixelSize(width: 1, height: 1)] {
            let pixels = try decoder.decode(Fixture.read(name), covering: target).pixels
            #expect(!pixels.isOpaque)
            #expect(
                stride(from: 3, to: pixels.bytes.count, by: 4).allSatisfy { pixels.bytes[$0] == 0 })
        }
    }

    @Test(
        "a picture of one pixel is decoded",
        arguments: ["one-png.png", "one-jpg.jpg", "one-webp.webp", "one-gif.gif"])
    func one(name: String) throws {
        let fixture = Fixture(name: name)
        let one = PixelSize(width: 1, height: 1)
        for target in [nil, one, PixelSize(width: 64, height: 64)] {
            let pixels = try decoder.decode(fixture.bytes, covering: target).pixels
            #expect(pixels == (try fixture.reference(one)))
        }
    }

    @Test(
        "strips of 1 × 20,000 pixels match the average of every hundred pixels",
        arguments: [
            "strip-tall.png", "strip-wide.png", "strip-tall.jpg", "strip-tall.gif",
            "strip-tall.webp",
        ])
    func strip(name: String) throws {
        let bytes = try Fixture.read(name)
        let whole = try decoder.decode(bytes, covering: nil).pixels
        let length = name.hasSuffix("webp") ? 16383 : 20000
        #expect(max(whole.size.width, whole.size.height) == length)
        #expect(min(whole.size.width, whole.size.height) == 1)
        // A palette of 256 colours for 200, and a lossy transform.
        let tolerance = name.hasSuffix("jpg") ? 12 : name.hasSuffix("gif") ? 2 : 0
        for place in stride(from: 50, to: length, by: 100) where !(place + 60).isMultiple(of: 2000)
        {
            let hundred = place / 100
            let wanted = [hundred, 200 - hundred, place / 2000 * 25, 255]
            let found = whole.bytes[place * 4..<place * 4 + 4].map(Int.init)
            #expect(zip(wanted, found).allSatisfy { abs($0 - $1) <= tolerance }, "\(place)")
        }
        let target = PixelSize(
            width: min(whole.size.width, 200), height: min(whole.size.height, 200))
        let small = try decoder.decode(bytes, covering: target).pixels
        #expect(small.size.width >= target.width && small.size.height >= target.height)
        #expect(max(small.size.width, small.size.height) <= length)
    }
}
