import Raster
import Testing

@Suite struct RenderingTests {
    @Test("a transparent picture is drawn on its tint, or on the terminal's background")
    func grounds() {
        let logo = PixelBuffer(20, 20) { _, _ in RGB(0x2060C0) }
            .withAlpha { x, _ in x < 10 ? 255 : 0 }
        let box = CellSize(columns: 20, rows: 10)
        let tint = RGB(0x101828)
        let tinted = draw(logo, into: box, RenderStyle(), tint: tint)
        #expect(tinted[19, 5].background == CellColor(tint))
        #expect(tinted[2, 5].background == CellColor(RGB(0x2060C0)))
        let style = RenderStyle(background: RGB(0xFAFAFA), isTinted: false)
        let plain = draw(logo, into: box, style, tint: tint)
        #expect(plain[19, 5].background == CellColor(RGB(0xFAFAFA)))
    }

    @Test("a symmetric picture yields symmetric cells", arguments: [BlockSet.half])
    func symmetry(blocks: BlockSet) {
        let source = PixelBuffer.random(150, 200, seed: 41)
        let picture = PixelBuffer(300, 200) { x, y in source.color(min(x, 299 - x), y) }
        let cells = draw(
            picture, into: CellSize(columns: 40, rows: 20), RenderStyle(blocks: blocks))
        let width = cells.size.columns
        for y in 0..<cells.size.rows {
            for x in 0..<width {
                #expect(halves(cells[x, y]) == halves(cells[width - 1 - x, y]))
            }
        }
    }

    @Test("fully transparent, tiny and narrow pictures are drawn in every style")
    func extremes() {
        let sizes = [(1, 1), (1, 4_000), (4_000, 1), (3, 2)]
        for (width, height) in sizes {
            let clear = PixelBuffer(
                filledWith: RGB(0xFF00FF), alpha: 0, size: PixelSize(width: width, height: height))
            for blocks in BlockSet.allCases {
                for depth in ColorDepth.allCases {
                    let drawn = draw(
                        clear, into: CellSize(columns: 12, rows: 6),
                        RenderStyle(blocks: blocks, depth: depth))
                    #expect(drawn.size.columns >= 1 && drawn.size.rows >= 1)
                    #expect(drawn.cells.allSatisfy { $0.glyph == 0x20 })
                }
            }
        }
    }

    /// Takes a picture from pixels to cells: fit, shrink, composite, draw.
    private func draw(
        _ picture: PixelBuffer, into box: CellSize, _ style: RenderStyle, tint: RGB = RGB(0)
    ) -> CellGrid {
        let fit = Fit(picture.size, into: box, style: style)
        let pixels = picture.resampled(to: fit.pixels).composited(over: style.ground(for: tint))
        return BlockArt(style: style).cells(from: pixels)
    }

    /// Returns the upper and lower colour of a half-block cell.
    private func halves(_ cell: Cell) -> [CellColor] {
        switch cell.glyph {
        case 0x2580: [cell.foreground, cell.background]
        case 0x2584: [cell.background, cell.foreground]
        default: [cell.background, cell.background]
        }
    }
}
