import Testing

@testable import Raster

@Suite struct DitherTests {
    @Test("the noise has each value once, and neighbours differ more than by chance")
    func blueNoise() {
        let offsets = BlueNoise.tile.offsets
        let side = BlueNoise.side
        #expect(Set(offsets).count == side * side)
        #expect(abs(offsets.reduce(0, +)) < 0.01)
        // The mean of 4×4 points varies by 1/√12/4 = 0.072 in white noise.
        var squares: Float = 0
        for y in stride(from: 0, to: side, by: 4) {
            for x in stride(from: 0, to: side, by: 4) {
                let mean = (0..<16).reduce(Float(0)) {
                    $0 + BlueNoise.tile[x + $1 % 4, y + $1 / 4] / 16
                }
                squares += mean * mean
            }
        }
        #expect((squares / 64).squareRoot() < 0.03)
    }

    @Test("the noise tiles the plane")
    func tiling() {
        #expect(BlueNoise.tile[3, 5] == BlueNoise.tile[3 + 32, 5 + 64])
    }

    @Test(
        "mixing brings flat colours that the palette lacks nearer to their means",
        arguments: [ColorDepth.palette256, .palette16, .palette8],
        [Dither.auto, .noise, .diffusion])
    func means(depth: ColorDepth, dither: Dither) {
        let colors = [RGB(0x4A6A50), RGB(0xB08060), RGB(0x6C6C90), RGB(0x702838)]
        let plain = colors.map { off($0, depth, .none) }
        let mixed = colors.map { off($0, depth, dither) }
        #expect(zip(mixed, plain).allSatisfy { $0 <= $1 * 1.01 })
        #expect(mixed.reduce(0, +) < plain.reduce(0, +) * 0.85)
    }

    @Test(
        "without mixing a flat colour stays flat", arguments: [ColorDepth.palette256, .palette16])
    func none(depth: ColorDepth) {
        let grid = draw(RGB(0x4A6A50), depth, .none)
        #expect(Set(grid.cells).count == 1)
    }

    @Test("a ground that the palette has is never speckled by what stands on it")
    func grounds() {
        for depth in [ColorDepth.palette256, .palette16, .palette8] {
            let picture = PixelBuffer(40, 40) { x, y in
                (10..<30).contains(x) && (10..<30).contains(y)
                    ? RGB(0x905030) : depth == .palette256 ? RGB(0x5F5F5F) : RGB(0xCDCD00)
            }
            let grid = BlockArt(style: RenderStyle(blocks: .half, depth: depth)).cells(
                from: picture)
            for y in 0..<20 {
                for x in 0..<40 where !((10..<30).contains(x) && (5..<15).contains(y)) {
                    #expect(
                        grid[x, y].glyph == 0x20 && grid[x, y].background == grid[0, 0].background)
                }
            }
        }
    }

    @Test("the colours that the terminal told are the ones chosen from")
    func systemColors() throws {
        // A theme that has its red where xterm's blue is.
        var colors = SystemColors.xterm.colors
        colors.swapAt(1, 4)
        let style = RenderStyle(
            depth: .palette8, systemColors: try #require(SystemColors(colors)))
        let red = PixelBuffer(filledWith: RGB(0xCD0000), size: PixelSize(width: 2, height: 2))
        #expect(BlockArt(style: style).cells(from: red)[0, 0].background == CellColor(palette: 4))
    }

    private func draw(_ color: RGB, _ depth: ColorDepth, _ dither: Dither) -> CellGrid {
        let style = RenderStyle(blocks: .quadrant, depth: depth, dither: dither)
        let picture = PixelBuffer(filledWith: color, size: PixelSize(width: 64, height: 64))
        return BlockArt(style: style).cells(from: picture)
    }

    /// The distance of the drawing's mean to `color`.
    private func off(_ color: RGB, _ depth: ColorDepth, _ dither: Dither) -> Float {
        let grid = draw(color, depth, dither)
        let table = BlockGlyphs.quadrant
        var sum = SIMD4<Float>.zero
        for cell in grid.cells {
            let lit = Float(table.firstIndex(of: cell.glyph)?.nonzeroBitCount ?? 0) / 4
            let paper = shown(cell.background)
            sum += paper + (shown(cell.foreground) - paper) * lit
        }
        let mean = sum / Float(grid.cells.count) - SIMD4(color)
        return (mean * mean).sum().squareRoot()
    }

    private func shown(_ color: CellColor) -> SIMD4<Float> {
        SIMD4(SystemColors.xterm[color.paletteIndex ?? 0])
    }
}
