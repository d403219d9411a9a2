import Raster
import Testing

@Suite struct ASCIIArtTests {
    private func glyph(_ rows: [[UInt32]], background: UInt32 = 0) -> Character {
        let style = RenderStyle(blocks: .ascii, depth: .mono, background: RGB(background))
        let cell = BlockArt(style: style).cells(from: PixelBuffer(rows: rows)).cells[0]
        return Unicode.Scalar(cell.glyph).map { Character($0) } ?? "\0"
    }

    @Test("black is empty, white is dense, and all between is printable ASCII")
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

    @Test(
        "light that lies low, high, left or in the middle is drawn by a glyph whose ink lies there")
    func shape() {
        let low = glyph([[0, 0], [0, 0], [0xFFFFFF, 0xFFFFFF]])
        #expect("_.,".contains(low))
        let high = glyph([[0xFFFFFF, 0xFFFFFF], [0, 0], [0, 0]])
        #expect("\"^'`*T".contains(high))
        let middle = glyph([[0, 0], [0x909090, 0x909090], [0, 0]])
        #expect("-=~+".contains(middle))
        let left = glyph([[0xFFFFFF, 0], [0xFFFFFF, 0], [0xFFFFFF, 0]])
        #expect("[{(|<ErL".contains(left))
        let right = glyph([[0, 0xFFFFFF], [0, 0xFFFFFF], [0, 0xFFFFFF]])
        #expect("]})|>J".contains(right))
        #expect(left != right)
    }

    @Test("in colour the glyph has the picture's hue, brightened, over the tint")
    func color() throws {
        let style = RenderStyle(blocks: .ascii, depth: .truecolor)
        let picture = PixelBuffer(filledWith: RGB(0x400000), size: PixelSize(width: 2, height: 3))
        let cell = BlockArt(style: style, tint: RGB(0x000000)).cells(from: picture).cells[0]
        let ink = try #require(cell.foreground.rgb)
        #expect(ink.red > 0x70 && ink.green == 0 && ink.blue == 0)
        #expect(cell.background == CellColor(RGB(0)))
        let plain = BlockArt(style: style).cells(from: picture).cells[0]
        #expect(plain.background == .standard)
    }

    private func plain(_ color: UInt32) -> [[UInt32]] {
        Array(repeating: [color, color], count: 3)
    }
}
