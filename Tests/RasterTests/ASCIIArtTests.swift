import Testing

@testable import Raster

@Suite struct ASCIIArtTests {
    private func glyph(_ rows: [[UInt32]], background: UInt32 = 0) -> Character {
        let style = RenderStyle(blocks: .ascii, depth: .mono, background: RGB(background))
        let cell = BlockArt(style: style).cells(from: PixelBuffer(rows: rows)).cells[0]
        return Unicode.Scalar(cell.glyph).map { Character($0) } ?? "\0"
    }

    @Test("black is empty, white is dense, and everything between is printable ASCII")
    func density() {
        let dense: Set<Character> = ["@", "M", "W", "B", "#", "Q", "R", "N", "g", "8", "&", "$"]
        #expect(glyph(plain(0x000000)) == " ")
        #expect(dense.contains(glyph(plain(0xFFFFFF))))
        #expect(glyph(plain(0xFFFFFF), background: 0xFFFFFF) == " ")
        #expect(dense.contains(glyph(plain(0x000000), background: 0xFFFFFF)))
        for code in UInt32(0)...255 {
            #expect(glyph(plain(code * 0x010101)).isASCII)
        }
    }

    @Test("light at the bottom, top, left or centre selects a glyph with ink there")
    func shape() {
        let (dark, light): ([UInt32], [UInt32]) = ([0, 0], [0xFFFFFF, 0xFFFFFF])
        #expect("_.,".contains(glyph([dark, dark, dark, light])))
        #expect("\"^'`*T".contains(glyph([light, dark, dark, dark])))
        let grey: [UInt32] = [0x484848, 0x484848]
        #expect("-=~+".contains(glyph([dark, grey, grey, dark])))
        let left = glyph(Array(repeating: [0x585858, 0], count: 4))
        #expect("[{(|<ErL".contains(left))
        let right = glyph(Array(repeating: [0, 0x585858], count: 4))
        #expect("]})|>J".contains(right))
        #expect(left != right)
    }

    @Test("slanted lines are drawn with slanted glyphs")
    func slants() {
        let (left, right): ([UInt32], [UInt32]) = ([0x484848, 0], [0, 0x484848])
        #expect(glyph([left, left, right, right]) == "\\")
        #expect(glyph([right, right, left, left]) == "/")
    }

    @Test("a uniform dark picture stays dark, a low-contrast one uses the range of glyphs")
    func contrast() {
        #expect(" .,'`".contains(glyph(plain(0x181818))))
        let dull = PixelBuffer(40, 40) { x, _ in RGB(x < 20 ? 0x606060 : 0xA0A0A0) }
        let style = RenderStyle(blocks: .ascii, depth: .mono)
        let grid = BlockArt(style: style).cells(from: dull)
        let ink = { (x: Int) in GlyphCoverage.bright[Int(grid[x, 5].glyph) - 0x20].sum() / 8 }
        #expect(ink(17) - ink(3) > 1.5 * 0x40 / 255)
    }

    @Test("the error that white cannot make up for does not accumulate")
    func windUp() {
        let picture = PixelBuffer(80, 80) { x, _ in
            if x < 8 { return RGB(0x000000) }
            return x < 40 ? RGB(0xFFFFFF) : RGB(0x909090)
        }
        let style = RenderStyle(blocks: .ascii, depth: .mono)
        let grid = BlockArt(style: style).cells(from: picture)
        let inks = (0..<20).flatMap { y in
            (24..<40).map { GlyphCoverage.bright[Int(grid[$0, y].glyph) - 0x20].sum() / 8 }
        }
        // Linear light of 0.28, since a picture with the full range gets no more contrast.
        let mean = inks.reduce(0, +) / Float(inks.count)
        #expect(abs(mean - 0.28) < 0.06)
    }

    @Test("line art on white is recognisable")
    func lineArt() {
        let picture = PixelBuffer(80, 80) { x, y in RGB(x % 16 < 2 ? 0x303030 : 0xFAFAFA) }
        let style = RenderStyle(blocks: .ascii, depth: .mono)
        let grid = BlockArt(style: style).cells(from: picture)
        for y in 0..<20 {
            let inks = (0..<40).map { GlyphCoverage.bright[Int(grid[$0, y].glyph) - 0x20].sum() }
            for line in stride(from: 8, to: 40, by: 8) {
                #expect(inks[line] < 0.5 * inks[line + 3])
            }
        }
    }

    @Test("in colour the glyph's two colours average to the cell's mean")
    func color() throws {
        let style = RenderStyle(blocks: .ascii, depth: .truecolor)
        let picture = PixelBuffer(rows: [
            [0x400000, 0x400000], [0x400000, 0xC08000], [0xC08000, 0x400000], [0x400000, 0x400000],
        ])
        let cell = BlockArt(style: style).cells(from: picture).cells[0]
        let (ink, paper) = (try #require(cell.foreground.rgb), try #require(cell.background.rgb))
        #expect(cell.glyph != 0x20)
        let area = GlyphCoverage.parts[Int(cell.glyph) - 0x20].sum() / 8
        let red = Float(paper.red) + (Float(ink.red) - Float(paper.red)) * area
        #expect(abs(red - Float(0x60)) < 1.5)
    }

    private func plain(_ color: UInt32) -> [[UInt32]] {
        Array(repeating: [color, color], count: 4)
    }
}
