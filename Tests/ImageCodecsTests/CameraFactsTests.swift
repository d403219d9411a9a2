import TestSupport
import Testing

@testable import ImageCodecs

/// Camera metadata in files.
@Suite struct CameraFactsTests {
    private static let tiff = ExifBlock.camera

    /// Returns the head of a JPEG: that block, a frame header, and the start of a scan.
    private static func jpeg(_ tiff: [UInt8]) -> [UInt8] {
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        return [0xFF, 0xD8] + ExifBlock.segment(tiff) + frame + [0xFF, 0xDA]
    }

    @Test("camera, lens, exposure, date and position are read without control characters")
    func reading() throws {
        let facts = try #require(CameraFacts(of: Self.jpeg(Self.tiff)))
        #expect(facts.camera == "FUJIFILM X-T5")
        #expect(facts.lens == "XF35[31m F1.4")
        #expect(facts.exposure == "1/250 s, f/2.8, ISO 400, 35 mm")
        #expect(facts.date == "2024-06-01T10:11:12")
        #expect(facts.position == "60.50000, -5.26000")
    }

    @Test("changed or missing bytes never trap, and the values stay short")
    func hostile() {
        let whole = Self.jpeg(Self.tiff)
        var random = SystemRandomNumberGenerator()
        for step in 0..<4000 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] =
                    [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            if step % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            guard let facts = CameraFacts(of: bytes) else { continue }
            for text in [facts.camera, facts.lens, facts.exposure, facts.date, facts.position] {
                #expect((text?.count ?? 0) < 200)
                #expect(text?.unicodeScalars.allSatisfy { $0.value >= 0x20 } != false)
            }
        }
    }

    @Test("a zero denominator and an invalid position are ignored")
    func nonsense() {
        let tiff = ExifBlock.tiff(
            [], [ExifBlock.fractions(0x829A, [(1, 0)])],
            [
                ExifBlock.text(1, "N"), ExifBlock.fractions(2, [(600, 1), (0, 1), (0, 1)]),
                ExifBlock.text(3, "E"), ExifBlock.fractions(4, [(5, 1), (0, 1), (0, 1)]),
            ])
        #expect(CameraFacts(of: Self.jpeg(tiff)) == nil)
    }
}
