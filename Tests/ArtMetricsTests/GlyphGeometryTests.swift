import ArtMetrics
import Raster
import Testing

/// Cells back to pixels, against the product's own tables and against Unicode's names.
@Suite struct GlyphGeometryTests {
    @Test(
        "every pattern the program draws survives the round trip to pixels",
        arguments: [BlockSet.half, .quadrant, .sextant, .octant, .braille])
    func everyPattern(blocks: BlockSet) throws {
        let part = blocks.measuredParts
        let count = part.width * part.height
        let terminal = Rasteriser(GlyphGeometry(blocks, .squareDots), .xterm, .encoded)
        // In colour the product makes up for what thin dots leave open; without, a dot is a dot.
        let isMono = blocks == .braille
        let style = RenderStyle(
            blocks: blocks, depth: isMono ? .mono : .truecolor, dither: .none)
        for mask in 0..<(1 << count) {
            var canvas = Canvas(size: part, filledWith: SIMD3(RGB(isMono ? 0 : 0x20_3040)))
            for index in 0..<count where mask >> index & 1 == 1 {
                canvas.pixels[index] = SIMD3(RGB(isMono ? 0xFF_FFFF : 0xF0_C010))
            }
            let cells = BlockArt(style: style).cells(from: canvas.buffer.rows(for: style))
            #expect(cells.size == CellSize(columns: 1, rows: 1))
            #expect(try terminal.canvas(of: cells).pixels == canvas.pixels, "pattern \(mask)")
        }
    }

    @Test(
        "glyphs cover the areas that Unicode specifies",
        arguments: [
            // UPPER HALF, LOWER ONE QUARTER, LEFT HALF, QUADRANT UPPER RIGHT AND LOWER LEFT, each in eighths of 2×4.
            (0x2580, [1, 1, 1, 1, 0, 0, 0, 0]), (0x2582, [0, 0, 0, 0, 0, 0, 1, 1]),
            (0x258C, [1, 0, 1, 0, 1, 0, 1, 0]), (0x259E, [0, 1, 0, 1, 1, 0, 1, 0]),
            // BLOCK OCTANT-3, -23, -1235 and -2345678; BRAILLE PATTERN DOTS-14 and DOTS-78.
            (0x1CD00, [0, 0, 1, 0, 0, 0, 0, 0]), (0x1CD01, [0, 1, 1, 0, 0, 0, 0, 0]),
            (0x1CD0F, [1, 1, 1, 0, 1, 0, 0, 0]), (0x1CDE5, [0, 1, 1, 1, 1, 1, 1, 1]),
            (0x2809, [1, 1, 0, 0, 0, 0, 0, 0]), (0x28C0, [0, 0, 0, 0, 0, 0, 1, 1]),
        ] as [(UInt32, [Float])])
    func named(glyph: UInt32, expected: [Float]) {
        #expect(GlyphGeometry(.octant, .squareDots).coverage(of: glyph) == expected)
    }

    @Test("lines cover what their names say")
    func lines() throws {
        let grid = PixelSize(width: 8, height: 16)
        func ink(_ glyph: UInt32) throws -> [Float] {
            try #require(GlyphGeometry(.quadrant, .blocks, parts: grid).coverage(of: glyph))
        }
        let (light, heavy) = (try ink(0x2500), try ink(0x2501))
        #expect(light.reduce(0, +) == 8 && heavy.reduce(0, +) == 16)
        // ╼, light left and heavy right; ┌, light down and right; ╱.
        let mixed = try ink(0x257C)
        #expect(mixed[7 * 8] == light[7 * 8] && mixed[7 * 8 + 7] == heavy[7 * 8 + 7])
        let corner = try ink(0x250C)
        #expect(
            corner[0] == 0 && corner[15 * 8 + 3] > 0 && corner[7 * 8 + 7] > 0 && corner[7 * 8] == 0)
        let rising = try ink(0x2571)
        #expect(rising[7] > 0 && rising[15 * 8] > 0 && rising[0] == 0)
    }

    @Test("a partly covered part is blended")
    func partialCover() throws {
        // One eighth from below, on the halves of half blocks: a quarter of the lower one.
        let coverage = GlyphGeometry(.half, .blocks).coverage(of: 0x2581)
        #expect(coverage == [0, 0.25])
        // Sextants lie in thirds, so that the middle of ▀ is half covered.
        #expect(GlyphGeometry(.sextant, .blocks).coverage(of: 0x2580) == [1, 1, 0.5, 0.5, 0, 0])
        var cells = CellGrid(size: CellSize(columns: 1, rows: 1))
        cells[0, 0] = Cell(
            glyph: 0x2581, foreground: CellColor(RGB(0xFFFFFF)), background: CellColor(RGB(0)))
        let geometry = GlyphGeometry(.half, .blocks)
        let encoded = try Rasteriser(geometry, .xterm, .encoded).canvas(of: cells)
        let linear = try Rasteriser(geometry, .xterm, .linear).canvas(of: cells)
        #expect(encoded.pixels[1].x == 0.25)
        #expect(abs(linear.pixels[1].x - 0.537) < 0.001)
    }

    @Test("palette colours, the terminal's default colours and reverse video are rendered")
    func colors() throws {
        var cells = CellGrid(size: CellSize(columns: 3, rows: 1))
        cells[0, 0] = Cell(
            glyph: 0x2580, foreground: CellColor(palette: 196), background: CellColor(palette: 4))
        cells[1, 0] = Cell(glyph: 0x2580)
        cells[2, 0] = Cell(glyph: 0x2580, style: .reverse)
        let terminal = Rasteriser(GlyphGeometry(.half, .blocks), .chafa, .encoded)
        let codes = try terminal.canvas(of: cells).pixels.map { ($0 * 255).rounded(.up) }
        #expect(codes[0] == SIMD3(255, 0, 0) && codes[3] == SIMD3(0, 0, 112))
        #expect(codes[1] == SIMD3(repeating: 255) && codes[4] == .zero)
        #expect(codes[2] == .zero && codes[5] == SIMD3(repeating: 255))
        cells[0, 0].glyph = 0x41
        #expect(throws: UnknownGlyph.self) { try terminal.canvas(of: cells) }
    }

    @Test("fonts have ink where their glyphs have it")
    func fonts() throws {
        for font in FontCoverage.allCases {
            let geometry = GlyphGeometry(.ascii, .font(font))
            let low = try #require(geometry.coverage(of: 0x5F))
            let high = try #require(geometry.coverage(of: 0x22))
            #expect(low[0..<4].allSatisfy { $0 == 0 } && low[6] + low[4] > 0)
            #expect(high[0] > 0 && high[4..<8].allSatisfy { $0 == 0 })
            #expect(geometry.coverage(of: 0x20) == Array(repeating: 0, count: 8))
            let bright = GlyphGeometry(.ascii, .brightFont(font))
            let most = (UInt32(0x21)...0x7E).compactMap { bright.coverage(of: $0)?.max() }.max()
            #expect(most == 1)
        }
    }
}
