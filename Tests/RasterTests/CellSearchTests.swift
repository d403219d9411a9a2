import Testing

@testable import Raster

@Suite struct CellSearchTests {
    @Test("no glyph in any two colours is closer than the match", arguments: BlockSet.allCases)
    func exactness(blocks: BlockSet) {
        let set = GlyphSet.of(blocks)
        let search = CellSearch(set)
        for cell in cells(of: set.partCount, seed: 3, count: 60) {
            let match = with(cell) { search.match($0) }
            let found = error(cell, set, match.glyph, match.ink, match.paper)
            var least = Float.infinity
            for glyph in 0..<set.triedCount {
                let ink = mean(cell) { set.share($0, of: glyph) }
                let paper = mean(cell) { 1 - set.share($0, of: glyph) }
                least = min(least, error(cell, set, glyph, ink, paper))
            }
            #expect(found <= least * 1.0001 + 0.5)
        }
    }

    @Test(
        "no pair of 16 or 8 colours with any glyph is closer than the match",
        arguments: BlockSet.allCases, [8, 16])
    func systemPalette(blocks: BlockSet, count: Int) {
        let palette = SystemPalette(.xterm, count: count)
        let places = SystemColors.xterm.colors[..<count].map { palette.place(of: SIMD4($0)) }
        check(palette, of: places, first: 0, blocks, cells: 16)
    }

    @Test(
        "no pair of the 240 colours with any glyph is closer than the match",
        arguments: BlockSet.allCases)
    func xtermPalette(blocks: BlockSet) {
        let colors = (UInt8(16)...255).map { SIMD4<Float>(SystemColors.xterm[$0]) }
        check(XtermPalette(), of: colors, first: 16, blocks, cells: 8)
    }

    /// Compares matches with the least error of all glyphs, each with its best ink and paper found by trying every colour.
    private func check(
        _ palette: some InkPalette, of colors: [SIMD4<Float>], first: Int, _ blocks: BlockSet,
        cells count: Int
    ) {
        let set = GlyphSet.of(blocks)
        let search = CellSearch(set)
        for cell in cells(of: set.partCount, seed: UInt64(first + 5), count: count) {
            let match = with(cell) { search.match($0, in: palette) }
            let found = error(
                cell, set, match.glyph, colors[Int(match.ink) - first],
                colors[Int(match.paper) - first])
            var least = Float.infinity
            for glyph in 0..<set.triedCount {
                // Ink and paper contribute to the error independently, so the best pair consists of the best of each.
                let ink = colors.map { color in
                    part(cell, color) { set.share($0, of: glyph) }
                }
                let paper = colors.map { color in
                    part(cell, color) { 1 - set.share($0, of: glyph) }
                }
                least = min(least, (ink.min() ?? 0) + (paper.min() ?? 0))
            }
            #expect(found <= least * 1.0001 + 0.5)
        }
    }

    @Test("the distance to the second nearest colour is never overestimated")
    func bounds() {
        var chance = Chance(seed: 9)
        let all = (UInt8(0)...255).map { SIMD4<Float>(SystemColors.xterm[$0]) }
        for round in 0..<2000 {
            var color = SIMD4<Float>(chance.color())
            if round % 2 == 0 { color = SIMD4(color.x, color.x + 3, color.x - 2, 0) }
            let system = SystemPalette(.xterm, count: 16)
            for (near, colors) in [
                (XtermPalette().near(color), Array(all[16...])),
                (system.near(color), all[..<16].map(system.place)),
            ] {
                let distances = colors.map { (($0 - color) * ($0 - color)).sum() }.sorted()
                let nearest = ((near.color - color) * (near.color - color)).sum()
                #expect(abs(nearest - distances[0]) < 0.01)
                // Black, greys and white of the cube may duplicate greys: ties count as one.
                let next = distances.first { $0 > distances[0] + 0.01 } ?? .infinity
                #expect(near.second * near.second <= next + 0.01)
            }
        }
    }

    @Test("each group is drawn in its mean colour")
    func means() {
        let cell = [0x000000, 0xFF0000, 0x020000, 0xFD0002].map { SIMD4<Float>(RGB($0)) }
        let search = CellSearch(.of(.quadrant))
        let match = with(cell) { search.match($0) }
        #expect(match.glyph == 0b0101)
        #expect(RGB(match.ink) == RGB(0x010000))
        #expect(RGB(match.paper) == RGB(0xFE0001))
    }

    @Test("a single colour is a space", arguments: BlockSet.allCases)
    func plain(blocks: BlockSet) {
        let set = GlyphSet.of(blocks)
        let search = CellSearch(set)
        let cell = Array(repeating: SIMD4<Float>(RGB(0x336699)), count: set.partCount)
        let match = with(cell) { search.match($0) }
        #expect(match.glyph == 0 && RGB(match.paper) == RGB(0x336699))
        let small = with(cell) { search.match($0, in: XtermPalette()) }
        #expect(small.glyph == 0 && small.ink == small.paper)
    }

    @Test(
        "with eighth blocks too, no glyph in any two colours is closer, pixel by pixel",
        arguments: [BlockSet.quadrant, .sextant, .octant])
    func eighths(blocks: BlockSet) throws {
        let style = RenderStyle(blocks: blocks)
        let grid = style.subpixels
        let shapes = shapes(of: blocks, grid)
        for cell in cells(of: grid.count, seed: 17, count: 60) {
            let picture = PixelBuffer(grid.width, grid.height) { RGB(cell[$1 * grid.width + $0]) }
            let pixels = (0..<grid.count).map {
                SIMD4<Float>(picture.color($0 % grid.width, $0 / grid.width))
            }
            let drawn = BlockArt(style: style).cells(from: picture).cells[0]
            let shape = try #require(shapes[drawn.glyph])
            func error(_ shares: [Float], _ ink: SIMD4<Float>, _ paper: SIMD4<Float>) -> Float {
                part(pixels, ink) { shares[$0] } + part(pixels, paper) { 1 - shares[$0] }
            }
            let paper = try #require(drawn.background.rgb)
            let found = error(shape, SIMD4(drawn.foreground.rgb ?? paper), SIMD4(paper))
            let errors = shapes.values.map { shares in
                error(shares, mean(pixels) { shares[$0] }, mean(pixels) { 1 - shares[$0] })
            }
            // Colours are rounded to code values.
            #expect(found <= (errors.min() ?? 0) * 1.0001 + Float(grid.count))
        }
    }

    /// Returns the share of each pixel that a glyph covers, by the names of the characters.
    private func shapes(of blocks: BlockSet, _ grid: PixelSize) -> [UInt32: [Float]] {
        let part = blocks.subpixels
        var shapes: [UInt32: [Float]] = [:]
        for (mask, glyph) in GlyphSet.of(blocks).scalars.enumerated() {
            shapes[glyph] = (0..<grid.count).map { pixel in
                let column = pixel % grid.width * part.width / grid.width
                let row = pixel / grid.width * part.height / grid.height
                return mask >> (row * part.width + column) & 1 == 1 ? 1 : 0
            }
        }
        for eighths in 1...7 {
            shapes[0x2580 + UInt32(eighths)] = (0..<grid.count).map {
                let below = Float(grid.height - 1 - $0 / grid.width)
                return min(max(Float(eighths * grid.height) / 8 - below, 0), 1)
            }
        }
        return shapes
    }

    @Test("foreground and background average to the cell's mean, compensating for thin dots")
    func balance() {
        let set = GlyphSet.of(.braille)
        let search = CellSearch(set)
        for cell in cells(of: 8, seed: 21, count: 40) {
            let match = with(cell) { search.match($0) }
            let area = search.area(of: match.glyph)
            let drawn = match.paper + (match.ink - match.paper) * area
            let off = drawn - cell.reduce(.zero, +) / 8
            #expect((off * off).sum() < 0.01)
        }
    }

    /// Returns random colours, and cells as in pictures: two colours with noise, plain ones with noise, and ramps.
    private func cells(of parts: Int, seed: UInt64, count: Int) -> [[SIMD4<Float>]] {
        var chance = Chance(seed: seed)
        return (0..<count).map { round in
            let base = [SIMD4<Float>(chance.color()), SIMD4<Float>(chance.color())]
            return (0..<parts).map { part in
                let noise = SIMD4<Float>(RGB(chance.color().packed & 0x0F0F0F))
                switch round % 4 {
                case 0: return SIMD4(chance.color())
                case 1: return base[part * round / 4 % 2] * 0.9 + noise
                case 2: return base[0] * 0.9 + noise
                default: return base[0] + (base[1] - base[0]) * (Float(part) / Float(parts * 4))
                }
            }
        }
    }

    /// Calls `body` with a copy of `cell`, which the search overwrites.
    private func with<Result>(
        _ cell: [SIMD4<Float>], _ body: (CellSearch.Parts) -> Result
    ) -> Result {
        var copy = cell
        return copy.withUnsafeMutableBufferPointer { body($0) }
    }

    private func mean(_ cell: [SIMD4<Float>], by weight: (Int) -> Float) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        var total: Float = 0
        for part in cell.indices {
            sum += cell[part] * weight(part)
            total += weight(part)
        }
        return total > 0 ? sum / total : .zero
    }

    private func part(
        _ cell: [SIMD4<Float>], _ color: SIMD4<Float>, by weight: (Int) -> Float
    ) -> Float {
        cell.indices.reduce(0) { sum, part in
            let off = cell[part] - color
            return sum + (off * off).sum() * weight(part)
        }
    }

    private func error(
        _ cell: [SIMD4<Float>], _ set: GlyphSet, _ glyph: Int, _ ink: SIMD4<Float>,
        _ paper: SIMD4<Float>
    ) -> Float {
        part(cell, ink) { set.share($0, of: glyph) }
            + part(cell, paper) { 1 - set.share($0, of: glyph) }
    }
}

extension GlyphSet {
    /// Returns the share of a part that a glyph's ink covers.
    fileprivate func share(_ part: Int, of glyph: Int) -> Float {
        ink[glyph / 8 * partCount + part][glyph % 8]
    }
}
