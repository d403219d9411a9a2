import ImageEncoders
import Network
import Raster
import TestSupport
import Testing
import Thumbnails

@Suite("Transparent pictures") struct TransparencyTests {
    /// Returns a picture that is red in the middle and transparent around it.
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
        "a cut-out's background matches its tile and is never dithered",
        arguments: [ColorDepth.truecolor, .palette256, .palette16, .palette8])
    func ground(depth: ColorDepth) throws {
        let studio = Studio()
        let address = try #require(Address("https://example.org/cut-out.png"))
        studio.fetcher.answer(address, with: try cutOut())
        // On a dark terminal, where a dark tint lies between two colours of a small palette.
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

extension TransparencyTests {
    /// Returns black line art in the middle of a transparent picture.
    private func drawing() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 96 * 96 * 4)
        for y in 32..<64 {
            for x in 32..<64 { bytes[(y * 96 + x) * 4 + 3] = 255 }
        }
        return try ImageEncoder.png(
            PixelBuffer(size: PixelSize(width: 96, height: 96), bytes: bytes, isOpaque: false))
    }

    @Test(
        "a black drawing gets a light card on dark terminals, the usual background on light ones",
        arguments: [true, false], [RGB(0), RGB(0xFFFFFF)])
    func card(isTinted: Bool, background: RGB) throws {
        let studio = Studio()
        let address = try #require(Address("https://example.org/drawing.png"))
        studio.fetcher.answer(address, with: try drawing())
        let style = RenderStyle(background: background, isTinted: isTinted)
        let thumbnail = try studio.load(.tile(address, style: style)).answer.thumbnail()
        let ground = try #require(thumbnail.cells[0, 0].background.rgb)
        #expect(!ground.isDark)
        #expect(!thumbnail.facts.tint.isDark)
        if isTinted {
            #expect(ground == thumbnail.facts.tint)
        } else if !background.isDark {
            #expect(ground == background)
        }
        let middle = thumbnail.cells[
            thumbnail.cells.size.columns / 2, thumbnail.cells.size.rows / 2]
        #expect(middle.background.rgb == RGB(0))
    }
}
