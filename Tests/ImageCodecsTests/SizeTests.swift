import ImageCodecs
import Raster
import TestSupport
import Testing

/// The sizes that files claim, with any numbers.
@Suite("Claimed sizes")
struct SizeTests {
    /// Every way to specify a drawing's size; each `#` is replaced with a number.
    private static let drawings = [
        "width='#' height='#'", "width='#' height='#mm'", "width='#px'", "height='#em'",
        "viewBox='# # # #'", "viewBox='0 0 # #'", "viewBox='0,0,#,1'", "viewBox='0 0 1 #'",
        "width='#' viewBox='0 0 # 5'", "height='#in' viewBox='0 0 5 #'",
        "width='5' viewBox='0 0 # 1e9'",
        "height='1e-9' viewBox='0 0 1e9 #'", "width='#%' height='#%' viewBox='0 0 3 4'",
    ]

    @Test("a drawing has 1…4096 pixels per side, or no size", arguments: drawings)
    func drawing(attributes: String) {
        for number in monstrousNumbers {
            let text =
                "<svg xmlns='http://www.w3.org/2000/svg' "
                + attributes.replacing("#", with: number) + "/>"
            guard let size = ImageHeader(of: Array(text.utf8))?.size else { continue }
            #expect((1...4096).contains(size.width) && (1...4096).contains(size.height), "\(text)")
        }
    }

    @Test("a header's size has a product that does not overflow, or is rejected")
    func headers() throws {
        let sides: [UInt32] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFF]
        for width in sides {
            for height in sides {
                for file in [
                    Self.png(width, height), Self.bitmap(width, height), Self.tiff(width, height),
                ] {
                    if let size = ImageHeader(of: file)?.size {
                        #expect(size.width > 0 && size.height > 0)
                        #expect(!size.width.multipliedReportingOverflow(by: size.height).overflow)
                    }
                    _ = try? ImageDecoder().decode(file, covering: nil)
                }
            }
        }
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    private static func little(_ number: UInt32) -> [UInt8] { big(number).reversed() }

    private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        joined(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], big(13), Array("IHDR".utf8),
            big(width), big(height), [8, 2, 0, 0, 0], big(0))
    }

    private static func bitmap(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        joined(
            Array("BM".utf8), little(58), little(0), little(54), little(40), little(width),
            little(height), [1, 0, 24, 0], [UInt8](repeating: 0, count: 28))
    }

    private static func tiff(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        func entry(_ tag: UInt8, _ number: UInt32) -> [UInt8] {
            [tag, 1, 4, 0] + little(1) + little(number)
        }
        return joined(
            Array("II*\0".utf8), little(8), [2, 0], entry(0, width), entry(1, height), little(0))
    }
}
