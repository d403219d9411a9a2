import Testing

@testable import Raster

@Suite struct FitTests {
    @Test(
        "a picture fills its box in one dimension and keeps its aspect ratio",
        arguments: [
            // A square covers twice as many columns as rows, since cells are twice as high as wide.
            (PixelSize(width: 100, height: 100), CellSize(columns: 24, rows: 12)),
            (PixelSize(width: 300, height: 100), CellSize(columns: 24, rows: 4)),
            (PixelSize(width: 100, height: 300), CellSize(columns: 8, rows: 12)),
            (PixelSize(width: 3, height: 3), CellSize(columns: 24, rows: 12)),
            (PixelSize(width: 20_000, height: 1), CellSize(columns: 24, rows: 1)),
            (PixelSize(width: 1, height: 20_000), CellSize(columns: 1, rows: 12)),
        ])
    func aspect(source: PixelSize, expected: CellSize) {
        let fit = Fit(source, into: CellSize(columns: 24, rows: 12), style: RenderStyle())
        #expect(fit.cells == expected)
        #expect(
            fit.pixels == PixelSize(width: expected.columns, height: expected.rows * 2))
    }

    @Test("another cell shape changes the fit")
    func cellAspect() {
        let style = RenderStyle(cellAspect: 1)
        let box = CellSize(columns: 24, rows: 12)
        let square = PixelSize(width: 50, height: 50)
        #expect(Fit(square, into: box, style: style).cells == CellSize(columns: 12, rows: 12))
    }

    @Test("the region's aspect ratio applies, not the picture's")
    func region() {
        let half = UnitRect(x: 0.5, y: 0, width: 0.5, height: 1)
        let fit = Fit(
            PixelSize(width: 200, height: 100), region: half,
            into: CellSize(columns: 80, rows: 20), style: RenderStyle())
        #expect(fit.cells == CellSize(columns: 40, rows: 20))
    }

    @Test("the middle of a picture has the box's shape, and fills it")
    func middle() {
        let (box, style) = (CellSize(columns: 24, rows: 9), RenderStyle())
        for (width, height) in [(300, 200), (200, 300), (400, 300), (1000, 10), (1, 1000)] {
            let source = PixelSize(width: width, height: height)
            let part = Fit.middle(of: source, filling: box, style: style)
            #expect(part.width == 1 || part.height == 1)
            #expect(abs(part.x * 2 + part.width - 1) < 1e-9)
            #expect(Fit(source, region: part, into: box, style: style).cells == box)
        }
    }

    @Test("borders of one colour are found on each side, but not in a photograph, nor wider ones")
    func content() {
        let size = PixelSize(width: 100, height: 80)
        func page(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int, speck: Bool = false)
            -> PixelBuffer
        {
            var bytes = PixelBuffer(filledWith: RGB(0xF8F8F0), size: size).bytes
            for y in top..<80 - bottom {
                for x in left..<100 - right {
                    for channel in 0..<3 {
                        bytes[(y * 100 + x) * 4 + channel] = UInt8((x * 37 + y * 91) % 128)
                    }
                }
            }
            if speck { bytes[(2 * 100 + 50) * 4] = 0 }
            return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
        }
        let wanted = UnitRect(x: 0.1, y: 0.1, width: 0.7, height: 0.85)
        for speck in [false, true] {
            let found = page(10, 8, 20, 4, speck: speck).content
            for path in [\UnitRect.x, \.y, \.width, \.height] {
                #expect(abs(found[keyPath: path] - wanted[keyPath: path]) < 1e-9, "\(found)")
            }
        }
        #expect(page(0, 0, 0, 0).content == .whole)
        #expect(page(40, 0, 0, 0).content == .whole)
        #expect(PixelBuffer(filledWith: RGB(0), size: size).content == .whole)
        let one = PixelSize(width: 1, height: 1)
        #expect(PixelBuffer(filledWith: RGB(0), size: one).content == .whole)
    }

    @Test("each block set has its own sub-pixel grid", arguments: BlockSet.allCases)
    func subpixels(blocks: BlockSet) {
        for depth in ColorDepth.allCases {
            let style = RenderStyle(blocks: blocks, depth: depth)
            let fit = Fit(
                PixelSize(width: 10, height: 10), into: CellSize(columns: 10, rows: 5),
                style: style)
            #expect(fit.pixels.width == 10 * blocks.subpixels.width)
            #expect(fit.pixels.height == 5 * style.subpixels.height)
            #expect(style.subpixels.height % blocks.subpixels.height == 0)
        }
    }

    @Test(
        "invalid sizes and shapes still yield a cell",
        arguments: [
            RenderStyle(cellAspect: 0), RenderStyle(cellAspect: .nan),
            RenderStyle(cellAspect: .infinity), RenderStyle(cellAspect: -1),
            RenderStyle(cellAspect: 1e-300), RenderStyle(cellAspect: 1e300),
        ])
    func nonsense(style: RenderStyle) {
        let regions = [
            UnitRect(x: .nan, y: .nan, width: .nan, height: .nan),
            UnitRect(x: 0, y: 0, width: 0, height: 0),
            UnitRect(x: 0, y: 0, width: .infinity, height: -1),
        ]
        for region in regions {
            let fit = Fit(
                PixelSize(width: 0, height: -5), region: region,
                into: CellSize(columns: 0, rows: 0), style: style)
            #expect(fit.cells == CellSize(columns: 1, rows: 1))
        }
    }
}
