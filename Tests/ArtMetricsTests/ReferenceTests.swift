import ArtMetrics
import Testing

@testable import Raster

@Suite struct ReferenceTests {
    @Test("area averages are exact, both in encoded values and in linear light")
    func means() {
        // Columns of black and white, five pixels to two: each new pixel covers two and a half.
        let source = Self.picture(PixelSize(width: 5, height: 1)) { x, _ in
            x % 2 == 0 ? (255, 255, 255, 255) : (0, 0, 0, 255)
        }
        let size = PixelSize(width: 2, height: 1)
        let codes = AreaFilter(.encoded, mixing: .encoded).shrink(source, over: RGB(0), to: size)
        #expect(abs(codes.pixels[0].x - 0.6) < 1e-5)
        #expect(abs(codes.pixels[1].x - 0.6) < 1e-5)
        let light = AreaFilter(.linear, mixing: .encoded).shrink(source, over: RGB(0), to: size)
        #expect(abs(Light.linear.decoded(light.pixels[0]).x - 0.6) < 1e-5)
    }

    @Test("transparency is composited over the background before averaging")
    func transparency() {
        let source = Self.picture(PixelSize(width: 2, height: 2)) { x, _ in
            x == 0 ? (255, 0, 0, 128) : (9, 9, 9, 0)
        }
        let one = PixelSize(width: 1, height: 1)
        let ground = RGB(0x00_00FF)
        let codes = AreaFilter(.encoded, mixing: .encoded).shrink(source, over: ground, to: one)
        let share = Float(128.0 / 255 / 2)
        #expect(abs(codes.pixels[0].x - share) < 1e-5)
        #expect(abs(codes.pixels[0].z - (1 - share)) < 1e-5)
        let light = AreaFilter(.linear, mixing: .linear).shrink(source, over: ground, to: one)
        #expect(abs(Light.linear.decoded(light.pixels[0]).x - share) < 1e-5)
    }

    @Test("the optimum for half blocks is the picture itself, rounded")
    func halfBlocks() {
        let picture = Self.noise(PixelSize(width: 8, height: 8))
        #expect(Optimum.drawing(of: picture, in: .half).pixels == picture.rounded.pixels)
    }

    @Test(
        "no drawing of the program is closer to the picture than the optimum",
        arguments: [BlockSet.quadrant, .sextant, .octant])
    func nothingIsNearer(blocks: BlockSet) throws {
        let part = blocks.measuredParts
        let picture = Self.noise(PixelSize(width: part.width * 6, height: part.height * 6)).rounded
        let best = Optimum.drawing(of: picture, in: blocks)
        let style = RenderStyle(blocks: blocks)
        let cells = BlockArt(style: style).cells(from: picture.buffer.rows(for: style))
        let terminal = Rasteriser(GlyphGeometry(blocks, .blocks), .xterm, .encoded)
        let drawn = try terminal.canvas(of: cells)
        let optimum = PeakSignalToNoise.of(best, against: picture)
        // Means are rounded on both sides, which may fall either way.
        #expect(PeakSignalToNoise.of(drawn, against: picture) < optimum + 0.01)
        #expect(optimum < 40)
        for y in 0..<6 {
            let row = best.pixels[
                y * part.height * picture.size.width..<(y * part.height + 1) * picture.size.width]
            #expect(Set(row.prefix(part.width)).count <= 2)
        }
    }

    @Test("with a palette, every pair of colours is tried")
    func palettes() {
        // Two dark parts and two light ones, of which the palette has neither: the nearest of each.
        var picture = Canvas(size: PixelSize(width: 2, height: 2), filledWith: SIMD3(0.9, 0.9, 0.1))
        picture.pixels[0] = SIMD3(0.1, 0.1, 0.3)
        let palette = [0x000000, 0xFFFF00, 0xFFFFFF, 0x0000FF].map { RGB($0) }
        let drawn = Optimum.drawing(of: picture, in: .quadrant, palette: palette)
        #expect(drawn.pixels[0] == SIMD3(RGB(0x000000)))
        #expect(drawn.pixels[1...].allSatisfy { $0 == SIMD3(RGB(0xFFFF00)) })
        // Of 256 the nearest are enough: exactly what a half block needs.
        let large = Optimum.drawing(
            of: Self.noise(PixelSize(width: 4, height: 4)), in: .half,
            palette: TerminalPalette.xterm.colors)
        let colors = TerminalPalette.xterm.colors.map { SIMD3<Float>($0) }
        let wanted = Self.noise(PixelSize(width: 4, height: 4)).pixels.map { pixel in
            func distance(_ color: SIMD3<Float>) -> Float {
                let difference = color - pixel
                return (difference * difference).sum()
            }
            return colors.min { distance($0) < distance($1) }
        }
        #expect(large.pixels.map(Optional.some) == wanted)
    }

    private static func noise(_ size: PixelSize) -> Canvas {
        var canvas = Canvas(size: size)
        var state: UInt32 = 7
        for index in canvas.pixels.indices {
            for channel in 0..<3 {
                state = state &* 1_664_525 &+ 1_013_904_223
                canvas.pixels[index][channel] = Float(state >> 8) / Float(1 << 24)
            }
        }
        return canvas
    }

    private static func picture(
        _ size: PixelSize, _ color: (Int, Int) -> (UInt8, UInt8, UInt8, UInt8)
    ) -> PixelBuffer {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (red, green, blue, alpha) = color(x, y)
                bytes += [red, green, blue, alpha]
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: false)
    }
}

extension PixelBuffer {
    /// Returns the picture, which has one pixel for each part of a cell, with each row repeated as often as `style` draws from.
    func rows(for style: RenderStyle) -> PixelBuffer {
        let rows = style.subpixels.height / style.blocks.subpixels.height
        let stride = size.width * 4
        var bytes: [UInt8] = []
        for row in 0..<size.height * rows {
            let start = row / rows * stride
            bytes += self.bytes[start..<start + stride]
        }
        return PixelBuffer(
            size: PixelSize(width: size.width, height: size.height * rows), bytes: bytes,
            isOpaque: isOpaque)
    }
}
