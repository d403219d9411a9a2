import Testing

@testable import Raster

@Suite("Fingerprints of pictures") struct FingerprintTests {
    /// A picture whose brightness is a function of the place, 0…1 in both directions.
    private func picture(
        _ size: PixelSize, alpha: UInt8 = 255, _ code: (Double, Double) -> Double
    ) -> PixelBuffer {
        let bytes = (0..<size.count).flatMap { place -> [UInt8] in
            let x = (Double(place % size.width) + 0.5) / Double(size.width)
            let y = (Double(place / size.width) + 0.5) / Double(size.height)
            let code = UInt8(max(0, min(255, 255 * code(x, y))))
            return [code, code, code, alpha]
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: alpha == 255)
    }

    @Test("each bit tells whether a mean is brighter than the one on its left, row by row")
    func bits() {
        let size = PixelSize(width: 90, height: 80)
        #expect(picture(size) { x, _ in x }.fingerprint == .max)
        #expect(picture(size) { x, y in y < 0.5 ? x : 1 - x }.fingerprint == 0xFFFF_FFFF_0000_0000)
        let stripes = picture(size) { x, _ in Int(x * 9) % 2 == 0 ? 0 : 1 }
        #expect(stripes.fingerprint == 0xAAAA_AAAA_AAAA_AAAA)
    }

    @Test("size and shape hardly matter")
    func sizes() {
        func waves(_ width: Int, _ height: Int) -> UInt64 {
            picture(PixelSize(width: width, height: height)) { x, y in
                0.5 + 0.3 * (x * 13 + y * 3).remainder(dividingBy: 1)
                    + 0.2 * (x * 3 - y * 5).remainder(dividingBy: 1)
            }.fingerprint
        }
        let large = waves(900, 700)
        #expect(large != 0)
        for (width, height) in [(450, 350), (90, 70), (300, 700)] {
            #expect((waves(width, height) ^ large).nonzeroBitCount <= 4, "\(width) × \(height)")
        }
    }

    @Test("a flat picture has none, nor has one that is transparent, nor one without pixels")
    func flat() {
        let size = PixelSize(width: 40, height: 30)
        #expect(picture(size) { _, _ in 0.4 }.fingerprint == 0)
        #expect(picture(size) { x, y in 0.4 + 0.02 * (x + y) }.fingerprint == 0)
        #expect(picture(size, alpha: 0) { x, _ in x }.fingerprint == 0)
        #expect(
            PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [], isOpaque: true)
                .fingerprint == 0)
    }
}
