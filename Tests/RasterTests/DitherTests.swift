import Testing

@testable import Raster

@Suite struct DitherTests {
    @Test("the noise contains each value once, and neighbours differ more than by chance")
    func blueNoise() {
        let offsets = BlueNoise.tile.offsets
        let side = BlueNoise.side
        #expect(Set(offsets).count == side * side)
        #expect(abs(offsets.reduce(0, +)) < 0.01)
        // In white noise the mean of 4×4 points has a standard deviation of 1/√12/4 = 0.072.
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
        "without dithering a flat colour stays flat",
        arguments: [ColorDepth.palette256, .palette16])
    func none(depth: ColorDepth) {
        let grid = draw(RGB(0x4A6A50), depth, .none)
        #expect(Set(grid.cells).count == 1)
    }

    @Test("a background in a palette colour is never speckled by its foreground")
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

    @Test(
        "errors are diffused in linear light: a ramp keeps its brightness from afar",
        arguments: [ColorDepth.palette256, .palette16],
        [BlockSet.half, .quadrant, .octant])
    func light(depth: ColorDepth, blocks: BlockSet) {
        let width = 160
        let ramp = PixelBuffer(width, 80) { x, _ in RGB(UInt32(x * 255 / (width - 1)) * 0x010101) }
        for background in [RGB(0), RGB(0xFFFFFF)] {
            let style = RenderStyle(
                blocks: blocks, depth: depth, background: background)
            let grid = BlockArt(style: style).cells(from: ramp)
            let columns = grid.size.columns
            for band in 0..<4 {
                let cells = columns * band / 4..<columns * (band + 1) / 4
                let pixels = width * band / 4..<width * (band + 1) / 4
                let drawn = mean(
                    cells.flatMap { x in
                        (0..<grid.size.rows).map { light(of: grid[x, $0], blocks, background) }
                    })
                let wanted = mean(pixels.map { Float(ramp.color($0, 0).luminance) })
                #expect(abs(drawn - wanted) < 0.08, "band \(band)")
            }
        }
    }

    @Test(
        "flat areas have no specks, gradients are dithered",
        arguments: [ColorDepth.palette256, .palette16, .palette8],
        [BlockSet.half, .quadrant, .octant, .ascii])
    func flat(depth: ColorDepth, blocks: BlockSet) {
        let poster = PixelBuffer(160, 160) { x, y in
            (60..<100).contains(x) && (60..<100).contains(y)
                ? RGB(UInt32(200 + x - y / 2) << 16 | 0x2040) : RGB(0xE61E78)
        }
        let style = RenderStyle(blocks: blocks, depth: depth)
        let grid = BlockArt(style: style).cells(from: poster)
        let scale = PixelSize(
            width: 160 / grid.size.columns, height: 160 / grid.size.rows)
        for y in 0..<grid.size.rows {
            for x in 0..<grid.size.columns
            where !(48..<112).contains(x * scale.width) || !(48..<112).contains(y * scale.height) {
                #expect(grid[x, y].glyph == 0x20 && grid[x, y].background == grid[0, 0].background)
            }
        }
        let ramp = PixelBuffer(160, 160) { x, y in
            RGB(red: UInt8(x), green: UInt8(80 + y / 2), blue: UInt8((x + y) / 2))
        }
        let mixed = BlockArt(style: style).cells(from: ramp)
        let plain = BlockArt(
            style: RenderStyle(blocks: blocks, depth: depth, dither: .none)
        ).cells(from: ramp)
        #expect(zip(mixed.cells, plain.cells).count { $0 != $1 } > mixed.cells.count / 10)
    }

    @Test("a flat colour keeps its hue where a grey is closer")
    func hue() {
        // By plain distance, the grey 7F7F7F is nearest to both.
        for coral in [RGB(0xE15A50), RGB(0xDC6464)] {
            #expect(draw(coral, .palette16, .auto)[0, 0].background == CellColor(palette: 1))
        }
        #expect(draw(RGB(0x707478), .palette16, .auto)[0, 0].background == CellColor(palette: 8))
        // A leaf's green is duller than any palette colour, but neither grey nor cyan.
        for depth in [ColorDepth.palette16, .palette8] {
            let green = draw(RGB(0x21964D), depth, .auto)[0, 0]
            #expect(green.background == CellColor(palette: 2), "\(depth)")
        }
    }

    @Test("pale or dull flat colours are not drawn in a distant colour of their hue")
    func farHue() {
        // By hue alone these would be CDCD00, 5C5CFF and 00CD00.
        for (color, index) in [(0xF0F0A5, 7), (0x00004B, 0), (0x78B469, 8)] as [(UInt32, UInt8)] {
            #expect(
                draw(RGB(color), .palette16, .auto)[0, 0].background == CellColor(palette: index))
        }
    }

    @Test(
        "a pale sky in 256 colours has no specks of another hue",
        arguments: [BlockSet.quadrant, .sextant])
    func sky(blocks: BlockSet) {
        let style = RenderStyle(blocks: blocks, depth: .palette256)
        let size = CellSize(columns: 40, rows: 20).pixels(each: style.subpixels)
        // Its nearest colours are greys; diffused, its blue would gather into specks.
        let sky = PixelBuffer(size.width, size.height) { x, y in
            // With some grain, or it would count as flat.
            let grain = (x + 2 * y) % 3
            let shade = UInt8(x * 10 / size.width + y * 10 / size.height + grain)
            return RGB(red: 205 + shade, green: 215 + shade, blue: 225 + shade)
        }
        for cell in BlockArt(style: style).cells(from: sky).cells {
            for color in cell.glyph == 0x20
                ? [cell.background] : [cell.foreground, cell.background]
            {
                let shown = shown(color)
                #expect(shown.x == shown.y && shown.y == shown.z)
            }
        }
    }

    @Test(
        "braille without colours shows dark grey as some dots, and keeps a thin dark line on white",
        arguments: [UInt32(0), 0xFFFFFF])
    func braille(background: UInt32) {
        let style = RenderStyle(blocks: .braille, depth: .mono, background: RGB(background))
        func dots(_ picture: PixelBuffer) -> [Int] {
            BlockArt(style: style).cells(from: picture).cells.map {
                $0.glyph == 0x20 ? 0 : Int($0.glyph & 0xFF).nonzeroBitCount
            }
        }
        func plain(_ grey: UInt32) -> Int {
            dots(PixelBuffer(64, 64) { _, _ in RGB(grey * 0x010101) }).reduce(0, +)
        }
        let all = 64 * 64
        #expect(
            plain(0) == (background == 0 ? 0 : all) && plain(255) == (background == 0 ? all : 0))
        // A tenth of the light.
        let dark = plain(89)
        #expect((all / 20...all / 5).contains(background == 0 ? dark : all - dark))
        let line = dots(PixelBuffer(64, 64) { x, _ in RGB(x == 30 ? 0 : 0xFFFFFF) })
        #expect(
            line.enumerated().allSatisfy {
                $1 == (background == 0 ? 8 : 0) - ($0 % 32 == 15 ? (background == 0 ? 4 : -4) : 0)
            })
    }

    @Test(
        "automatic dithering loses little close up for what it gains from afar",
        arguments: [BlockSet.half, .quadrant])
    func balance(blocks: BlockSet) {
        let hills = PixelBuffer(160, 160) { x, y in
            RGB(
                red: UInt8(60 + (x * y) / 200), green: UInt8(40 + x), blue: UInt8(220 - y))
        }
        let (plain, auto) = (off(hills, blocks, .none), off(hills, blocks, .auto))
        #expect(auto.near < plain.near * 1.5)
        #expect(auto.afar < plain.afar * 0.6)
    }

    @Test("an error that no colour can compensate is not passed on in full")
    func limit() {
        var errors = CarriedErrors(columns: 3, share: 0.5)
        errors.spread(SIMD4(1, -1, 0.1, 0), from: 0)
        let due = errors.due(at: 1) / (0.5 * 7 / 16)
        #expect(abs(due.x - 0.3) < 1e-6 && abs(due.y + 0.3) < 1e-6 && abs(due.z - 0.1) < 1e-6)
    }

    /// Returns mean squared errors: of code values per pixel, and of light over 8×8 pixels.
    private func off(
        _ picture: PixelBuffer, _ blocks: BlockSet, _ dither: Dither
    ) -> (near: Float, afar: Float) {
        let style = RenderStyle(blocks: blocks, depth: .palette16, dither: dither)
        let grid = BlockArt(style: style).cells(from: picture)
        let (set, part, light) = (GlyphSet.of(blocks), blocks.subpixels, LightCurve())
        let side = picture.size.width / 8
        var near: Float = 0
        var sums = [SIMD4<Float>](repeating: .zero, count: side * side)
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let cell = grid[x / part.width, y / part.height]
                let place = y % part.height * part.width + x % part.width
                let mask = set.scalars.firstIndex(of: cell.glyph) ?? 0
                let drawn = shown(mask >> place & 1 == 1 ? cell.foreground : cell.background)
                let wanted = SIMD4<Float>(picture.color(x, y))
                near += ((drawn - wanted) * (drawn - wanted)).sum()
                sums[y / 8 * side + x / 8] += light.light(drawn) - light.light(wanted)
            }
        }
        return (near, sums.reduce(0) { $0 + ($1 * $1).sum() })
    }

    /// Returns the share of full light that a cell shows.
    private func light(of cell: Cell, _ blocks: BlockSet, _ background: RGB) -> Float {
        func light(_ color: CellColor, standard: Float) -> Float {
            color.paletteIndex.map { Float(SystemColors.xterm[$0].luminance) } ?? standard
        }
        let set = GlyphSet.of(blocks)
        let mask = set.scalars.firstIndex(of: cell.glyph) ?? 0
        let eighths = (0x2581...0x2587).contains(cell.glyph) ? Float(cell.glyph - 0x2580) / 8 : nil
        let lit = eighths ?? Float(mask.nonzeroBitCount) / Float(set.partCount)
        let isDark = background.isDark
        return lit * light(cell.foreground, standard: isDark ? 1 : 0)
            + (1 - lit) * light(cell.background, standard: isDark ? 0 : 1)
    }

    private func mean(_ values: [Float]) -> Float { values.reduce(0, +) / Float(values.count) }

    @Test("colours are chosen from the palette that the terminal reported")
    func systemColors() throws {
        // A theme with red in xterm's position of blue.
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

    private func shown(_ color: CellColor) -> SIMD4<Float> {
        SIMD4(SystemColors.xterm[color.paletteIndex ?? 0])
    }
}
