import ImageEncoders
import Raster
import TestSupport
import Testing

@testable import ImageCodecs

/// Turning JPEGs for good by their EXIF orientation.
@Suite("Turning files") struct TurningTests {
    private static let turns = (0..<8).map { Turn(quarters: $0, isMirrored: $0 >= 4) }
    private let picture = TestPictures.quadrants(width: 48, height: 32)
    private let decoder = ImageDecoder()

    private func pixels(_ file: [UInt8]) throws -> PixelBuffer {
        try decoder.decode(file, covering: nil).pixels
    }

    @Test(
        "a file of each orientation is shown turned, and has changed in one byte", arguments: turns)
    func all(turn: Turn) throws {
        for orientation in 1...8 {
            let file = try ImageEncoder.jpeg(picture, .init(orientation: orientation))
            let turned = try #require(ImageHeader.turned(file, by: turn))
            #expect(try pixels(turned) == pixels(file).turned(turn))
            #expect(turned.count == file.count)
            #expect(zip(turned, file).count { $0 != $1 } == (turn == Turn() ? 0 : 1))
        }
    }

    @Test("a file without EXIF data gets some", arguments: turns)
    func without(turn: Turn) throws {
        for options in [
            JPEGOptions(), .init(isProgressive: true), .init(colors: .gray), .init(colors: .cmyk),
        ] {
            let file = try ImageEncoder.jpeg(picture, options)
            let turned = try #require(ImageHeader.turned(file, by: turn))
            #expect(turned.count == file.count + 36)
            #expect(Array(turned.suffix(file.count - 2)) == Array(file.dropFirst(2)))
            #expect(try pixels(turned) == pixels(file).turned(turn))
            let back = try #require(ImageHeader.turned(turned, by: turn.inverted))
            #expect(try pixels(back) == pixels(file))
        }
    }

    @Test("little-endian EXIF data are changed as well")
    func littleEndian() throws {
        var file = try ImageEncoder.jpeg(picture)
        file.insert(
            contentsOf: ExifBlock.segment(
                ExifBlock.tiff([(0x0112, 3, 1, [6, 0])], [], [])), at: 2)
        let turned = try #require(ImageHeader.turned(file, by: Turn(quarters: 1)))
        #expect(ImageHeader(of: turned)?.orientation == Turn(quarters: 2))
        #expect(zip(turned, file).count { $0 != $1 } == 1)
    }

    @Test("EXIF data without an orientation, broken ones, and other formats stay as they are")
    func refused() throws {
        let plain = try ImageEncoder.jpeg(picture)
        let camera = plain[..<2] + ExifBlock.segment(ExifBlock.camera) + plain[2...]
        #expect(ImageHeader.turned(Array(camera), by: Turn(quarters: 1)) == nil)
        let broken = plain[..<2] + ExifBlock.segment(Array("II*".utf8)) + plain[2...]
        #expect(ImageHeader.turned(Array(broken), by: Turn(quarters: 1)) == nil)
        let three: ExifBlock.Entry = (0x0112, 3, 3, [6, 0, 6, 0, 6, 0])
        let many = plain[..<2] + ExifBlock.segment(ExifBlock.tiff([three], [], [])) + plain[2...]
        #expect(ImageHeader.turned(Array(many), by: Turn(quarters: 1)) == nil)
        #expect(ImageHeader.turned(try ImageEncoder.png(picture), by: Turn(quarters: 1)) == nil)
        #expect(ImageHeader.turned([], by: Turn(quarters: 1)) == nil)
    }

    @Test("a file that ends anywhere is turned or refused")
    func truncated() throws {
        let file = try ImageEncoder.jpeg(picture, .init(orientation: 3))
        for count in 0..<min(file.count, 400) {
            let turned = ImageHeader.turned(Array(file[..<count]), by: Turn(quarters: 1))
            #expect(turned == nil || turned?.count == count)
        }
    }
}

extension Turn {
    /// The turn that takes this one back.
    fileprivate var inverted: Turn { followed(by: self).followed(by: self) }
}
