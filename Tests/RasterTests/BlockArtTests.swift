import Testing

@testable import Raster

@Suite struct BlockArtTests {
    private func draw(
        _ rows: [[UInt32]], _ blocks: BlockSet = .half, _ depth: ColorDepth = .truecolor
    ) -> CellGrid {
        let style = RenderStyle(blocks: blocks, depth: depth)
        return BlockArt(style: style).cells(from: PixelBuffer(rows: rows).rows(for: style))
    }

    @Test("half blocks in truecolor show each pixel exactly")
    func exactHalves() {
        let picture = PixelBuffer.random(40, 40, seed: 23)
        let grid = BlockArt(style: RenderStyle()).cells(from: picture)
        #expect(grid.size == CellSize(columns: 40, rows: 20))
        for y in 0..<20 {
            for x in 0..<40 {
                let cell = grid[x, y]
                let isLower = cell.glyph == 0x2584
                #expect(isLower || cell.glyph == 0x2580)
                let upper = CellColor(picture.color(x, 2 * y))
                let lower = CellColor(picture.color(x, 2 * y + 1))
                #expect(cell.background == (isLower ? upper : lower))
                #expect(cell.foreground == (isLower ? lower : upper))
            }
        }
    }

    @Test("equal halves become a space that keeps the previous cell's foreground")
    func spaces() {
        let grid = draw([[0x111111, 0x222222, 0x333333], [0x999999, 0x222222, 0x333333]])
        #expect(grid[0, 0].glyph == 0x2584)
        #expect(
            grid[1, 0]
                == Cell(
                    glyph: 0x20, foreground: grid[0, 0].foreground,
                    background: CellColor(RGB(0x222222))))
        #expect(grid[2, 0].foreground == grid[0, 0].foreground)
    }

    @Test("of a glyph and its complement, the one that changes fewer colours is used")
    func complements() {
        // Cell 0: ▄, red below black. Cell 1 is the inverse: ▀ in red on black changes nothing. Cell 2: blue above black: ▀ in blue changes
        // one colour, ▄ would change both.
        let grid = draw([[0x000000, 0xFF0000, 0x0000FF], [0xFF0000, 0x000000, 0x000000]])
        #expect(grid.cells.map(\.glyph) == [0x2584, 0x2580, 0x2580])
        #expect(grid[1, 0].foreground == grid[0, 0].foreground)
        #expect(grid[1, 0].background == grid[0, 0].background)
        #expect(grid[2, 0].background == grid[1, 0].background)
    }

    @Test("in palettes too, the choice that changes fewer colours is used")
    func paletteComplements() {
        let grid = draw(
            [[0x000000, 0xCD0000, 0x0000EE], [0xCD0000, 0x000000, 0x000000]], .half, .palette16)
        #expect(grid.cells.map(\.glyph) == [0x2584, 0x2580, 0x2580])
        #expect(grid[1, 0].foreground == grid[0, 0].foreground)
        #expect(grid[1, 0].background == grid[0, 0].background)
        #expect(grid[2, 0].background == grid[1, 0].background)
    }

    @Test("halves with the same palette colour become a space")
    func paletteSpaces() {
        let grid = draw([[0xCD0000, 0x010000], [0x0000EE, 0x000001]], .half, .palette16)
        #expect(grid[0, 0].glyph == 0x2584)
        #expect(
            grid[1, 0]
                == Cell(
                    glyph: 0x20, foreground: grid[0, 0].foreground,
                    background: CellColor(palette: 0)))
    }

    @Test("each row starts with the lower half block")
    func rows() {
        let grid = draw([[0xFFFFFF], [0x000000], [0x000000], [0xFFFFFF]])
        #expect(grid.cells.map(\.glyph) == [0x2584, 0x2584])
    }

    @Test(
        "two colours in a cell are drawn exactly, in every block set",
        arguments: [BlockSet.quadrant, .sextant, .octant])
    func exactCells(blocks: BlockSet) {
        let grid = blocks.subpixels
        let picture = PixelBuffer(grid.width, grid.height) { x, y in
            RGB(x == 0 && y == 0 ? 0xFFCC00 : 0x003366)
        }
        let style = RenderStyle(blocks: blocks)
        let cell = BlockArt(style: style).cells(from: picture.rows(for: style)).cells[0]
        let colors = Set([cell.foreground, cell.background])
        #expect(colors == [CellColor(RGB(0xFFCC00)), CellColor(RGB(0x003366))])
    }

    @Test("quadrants cover the quarters that differ")
    func quadrants() {
        let grid = draw([[0xFFFFFF, 0x000000], [0x000000, 0xFFFFFF]], .quadrant)
        #expect(grid[0, 0].glyph == 0x259A || grid[0, 0].glyph == 0x259E)
        let isFalling = grid[0, 0].glyph == 0x259A
        #expect((grid[0, 0].foreground == CellColor(RGB(0xFFFFFF))) == isFalling)
    }

    @Test("a horizontal edge in between is drawn by an eighth block where there are many colours")
    func eighths() {
        for blocks in BlockSet.allCases {
            // Between the thirds of sextants, the edge of a quarter.
            let eighths = blocks == .sextant ? 2 : 3
            let edge = PixelBuffer(8, 48) { RGB($1 % 24 < 24 - eighths * 3 ? 0xFFCC00 : 0x003366) }
            for depth in ColorDepth.allCases {
                let style = RenderStyle(blocks: blocks, depth: depth)
                let isWanted =
                    [BlockSet.quadrant, .sextant, .octant].contains(blocks)
                    && [.truecolor, .palette256].contains(depth)
                let picture = edge.resampled(
                    to: CellSize(columns: 4, rows: 2).pixels(each: style.subpixels))
                let glyphs = BlockArt(style: style).cells(from: picture).cells.map(\.glyph)
                let own = Set(GlyphSet.of(blocks).scalars)
                #expect(
                    glyphs.allSatisfy {
                        isWanted ? $0 == 0x2580 + UInt32(eighths) : own.contains($0)
                    }, "\(blocks) \(depth)")
            }
        }
    }

    @Test("every block set and depth draws a picture of the right size in valid colours")
    func everything() {
        let picture = PixelBuffer.random(16, 24, seed: 31)
        for blocks in BlockSet.allCases {
            for depth in ColorDepth.allCases {
                let style = RenderStyle(blocks: blocks, depth: depth)
                let grid = BlockArt(style: style).cells(from: picture)
                #expect(grid.size.columns == 16 / style.subpixels.width)
                #expect(grid.size.rows == 24 / style.subpixels.height)
                for cell in grid.cells {
                    #expect(isOf(depth, cell.foreground) && isOf(depth, cell.background))
                }
            }
        }
    }

    @Test("palette colours become plain areas without dithering")
    func plainPalette() {
        let colors: [(ColorDepth, UInt32)] = [
            (.palette256, 0xD70000), (.palette16, 0xCD0000), (.palette8, 0xCD0000),
        ]
        for (depth, color) in colors {
            let rows = Array(repeating: Array(repeating: color, count: 8), count: 8)
            let grid = draw(rows, .half, depth)
            #expect(
                grid.cells.allSatisfy { $0.glyph == 0x20 && $0.background == grid[0, 0].background }
            )
        }
    }

    @Test(
        "mono lights sub-pixels in proportion to brightness, reversed on light terminals",
        arguments: [false, true])
    func mono(isLight: Bool) {
        let style = RenderStyle(
            blocks: .half, depth: .mono, background: RGB(isLight ? 0xFFFFFF : 0x000000))
        let quarter = PixelBuffer(filledWith: RGB(0x404040), size: PixelSize(width: 40, height: 40))
        let grid = BlockArt(style: style).cells(from: quarter)
        let ink = grid.cells.reduce(0) { sum, cell in
            sum + (cell.glyph == 0x20 ? 0 : cell.glyph == 0x2588 ? 2 : 1)
        }
        // A quarter of white's code value is a twentieth of its light.
        #expect((isLight ? 1460...1500 : 100...140).contains(ink))
        let black = PixelBuffer(filledWith: RGB(0), size: PixelSize(width: 2, height: 4))
        let glyphs = BlockArt(style: style).cells(from: black).cells.map(\.glyph)
        #expect(Set(glyphs) == [isLight ? 0x2588 : 0x20])
    }

    @Test(
        "in mono thin lines on a nearly white or black background are drawn",
        arguments: [(UInt32(0xF8F8F8), UInt32(0xA0A0A0)), (0x101010, 0x606060)])
    func lines(ground: UInt32, line: UInt32) {
        let upright = PixelBuffer(40, 40) { x, _ in RGB(x == 20 ? line : ground) }
        let slanting = PixelBuffer(40, 40) { x, y in RGB(x == y ? line : ground) }
        for picture in [upright, slanting] {
            let style = RenderStyle(blocks: .half, depth: .mono)
            let glyph: UInt32 = ground > 0x800000 ? 0x2588 : 0x20
            let drawn = BlockArt(style: style).cells(from: picture).cells.count {
                $0.glyph != glyph
            }
            #expect(drawn >= 15)
        }
    }

    private func isOf(_ depth: ColorDepth, _ color: CellColor) -> Bool {
        if color == .standard { return true }
        switch depth {
        case .truecolor: return color.rgb != nil
        case .palette256: return (color.paletteIndex ?? 0) >= 16
        case .palette16: return (color.paletteIndex ?? 255) < 16
        case .palette8: return (color.paletteIndex ?? 255) < 8
        case .mono: return false
        }
    }
}
