import Testing

@testable import Raster

@Suite struct BlockGlyphsTests {
    @Test(
        "each block set has a distinct glyph for every pattern",
        arguments: [
            (BlockSet.half, 4), (.quadrant, 16), (.sextant, 64), (.octant, 256), (.braille, 256),
        ])
    func completeness(blocks: BlockSet, count: Int) {
        let table = GlyphSet.of(blocks).scalars
        #expect(table.count == count)
        #expect(Set(table).count == count)
        #expect(table[0] == 0x20)
    }

    @Test(
        "sextants match their Unicode 13 names",
        arguments: [
            ("1", 0x1FB00), ("2", 0x1FB01), ("12", 0x1FB02), ("1234", 0x1FB0E), ("235", 0x1FB14),
            ("126", 0x1FB21), ("236", 0x1FB24), ("23456", 0x1FB3B), ("135", 0x258C),
            ("246", 0x2590),
            ("123456", 0x2588),
        ])
    func sextants(name: String, scalar: Int) {
        #expect(BlockGlyphs.sextant[mask(name)] == UInt32(scalar))
    }

    @Test(
        "octants match their Unicode 16 names",
        arguments: [
            ("3", 0x1CD00), ("23", 0x1CD01), ("15", 0x1CD0A), ("1235", 0x1CD0F),
            ("12346", 0x1CD26), ("17", 0x1CD36), ("1237", 0x1CD3C), ("123567", 0x1CD68),
            ("1234567", 0x1CD70), ("18", 0x1CD71), ("168", 0x1CD90), ("1234568", 0x1CDAB),
            ("178", 0x1CDAC), ("15678", 0x1CDDB), ("2345678", 0x1CDE5), ("1", 0x1CEA8),
            ("8", 0x1CEA0), ("35", 0x1FBE6), ("46", 0x1FBE7), ("12", 0x1FB82), ("78", 0x2582),
            ("1368", 0x259A), ("2457", 0x259E), ("1234", 0x2580), ("2468", 0x2590),
        ])
    func octants(name: String, scalar: Int) {
        #expect(BlockGlyphs.octant[mask(name)] == UInt32(scalar))
    }

    @Test("a quarter pattern has the same glyph in quadrants and octants")
    func quarters() {
        for quarters in 0..<16 {
            let upper = quarters & 3
            let lower = quarters >> 2
            let octants = upper | upper << 2 | lower << 4 | lower << 6
            #expect(BlockGlyphs.octant[octants] == BlockGlyphs.quadrant[quarters])
        }
    }

    @Test("braille dots are numbered 1 2 3 7 down the left, 4 5 6 8 down the right")
    func braille() {
        let table = BlockGlyphs.braille
        #expect(table[0b0000_0001] == 0x2801)
        #expect(table[0b0000_0010] == 0x2808)
        #expect(table[0b0100_0000] == 0x2840)
        #expect(table[0b1000_0000] == 0x2880)
        #expect(table[0b1111_1111] == 0x28FF)
    }

    /// Converts "124" to bits 0, 1 and 3: Unicode numbers the parts in row-major order from 1.
    private func mask(_ name: String) -> Int {
        name.compactMap(\.wholeNumberValue).reduce(0) { $0 | 1 << ($1 - 1) }
    }
}
