import ImageEncoders
import Network
import Raster
import TestSupport
import Testing
import Thumbnails

@Suite("Transparent pictures") struct TransparencyTests {
    /// Red in the middle, nothing around it.
    private func cutOut() throws -> [UInt8] {
        let size = PixelSize(width: 96, height: 96)
        var bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
        for y in 32..<64 {
            for x in 32..<64 {
                bytes.replaceSubrange(
                    (y * 96 + x) * 4..<(y * 96 + x) * 4 + 4, with: [200, 40, 30, 255])
            }
        }
        return try ImageEncoder.png(PixelBuffer(size: size, bytes: bytes, isOpaque: false))
    }

    @Test(
        "the ground of a cut-out is one with the tile around it, never dithered",
        arguments: [ColorDepth.truecolor, .palette256, .palette16, .palette8])
    func ground(depth: ColorDepth) throws {
        let studio = Studio()
        let address = try #require(Address("https://example.org/cut-out.png"))
        studio.fetcher.answer(address, with: try cutOut())
        // On a dark terminal, where a dark tint lies between two of few colours.
        let style = RenderStyle(depth: depth)
        let thumbnail = try studio.load(.tile(address, style: style)).answer.thumbnail()
        let tile = depth.nearest(to: thumbnail.facts.tint)
        let cells = thumbnail.cells
        for x in 0..<cells.size.columns {
            for y in [0, cells.size.rows - 1] {
                #expect(cells[x, y].glyph == 0x20, "\(x), \(y)")
                #expect(cells[x, y].background == tile, "\(x), \(y)")
            }
        }
    }
}
