import Testing

@testable import Raster

@Suite struct PaletteTests {
    @Test("xterm's colour cube and greys have the right values")
    func entries() {
        let colors = SystemColors.xterm
        #expect(colors[16] == RGB(0x000000))
        #expect(colors[17] == RGB(0x00005F))
        #expect(colors[67] == RGB(0x5F87AF))
        #expect(colors[231] == RGB(0xFFFFFF))
        #expect(colors[232] == RGB(0x080808))
        #expect(colors[255] == RGB(0xEEEEEE))
        #expect(colors[12] == RGB(0x5C5CFF))
    }

    @Test("every cube colour and grey maps to itself")
    func identity() {
        let colors = SystemColors.xterm
        for index in UInt8(16)...255 {
            #expect(colors[nearest(to: colors[index])] == colors[index])
        }
        for (depth, count) in [(ColorDepth.palette8, 8), (.palette16, 16)] {
            for index in 0..<UInt8(count) {
                #expect(nearest(to: colors[index], depth) == index)
            }
        }
    }

    @Test("greys map to greys, not to the nearest corner of the cube")
    func greys() {
        #expect(nearest(to: RGB(0x808080)) == 244)
        #expect(nearest(to: RGB(0x303030)) == 236)
        #expect(nearest(to: RGB(0x121212)) == 233)
    }

    @Test("the search among 256 colours matches an exhaustive one")
    func exactness() {
        var chance = Chance(seed: 17)
        for round in 0..<4000 {
            var color = chance.color()
            // Every other colour is near the grey axis, where cube and greys compete.
            if round % 2 == 0 {
                color.green = color.red &+ UInt8(round % 7)
                color.blue = color.red &- UInt8(round % 5)
            }
            let found = SystemColors.xterm[nearest(to: color)]
            let best = (UInt8(16)...255).map { distance(SystemColors.xterm[$0], color) }.min()
            #expect(distance(found, color) == best)
        }
    }

    @Test("mid greys stay neutral in 16 and 8 colours")
    func coarseGreys() {
        for code in 0...255 {
            let grey = RGB(UInt32(code) * 0x010101)
            for depth in [ColorDepth.palette8, .palette16] {
                let found = SystemColors.xterm[nearest(to: grey, depth)]
                #expect(found.red == found.green && found.green == found.blue)
            }
        }
    }

    @Test("each depth yields its own kind of colour")
    func depths() {
        let color = RGB(0xFF0000)
        #expect(ColorDepth.truecolor.nearest(to: color) == CellColor(color))
        #expect(ColorDepth.palette256.nearest(to: color) == CellColor(palette: 196))
        #expect(ColorDepth.palette16.nearest(to: color) == CellColor(palette: 9))
        #expect(ColorDepth.palette8.nearest(to: color) == CellColor(palette: 1))
        #expect(ColorDepth.mono.nearest(to: color) == .standard)
    }

    @Test(
        "a picture's own palette counts colours more finely for large pictures", arguments: [1, 4])
    func own(scale: Int) {
        let size = PixelSize(width: 160 * scale, height: 120 * scale)
        let bytes = (0..<size.width * size.height).flatMap { place -> [UInt8] in
            let (x, y) = (place % size.width, place / size.width)
            return [UInt8(x * 96 / size.width + 80), UInt8(y * 128 / size.height + 64), 128, 255]
        }
        let picture = PalettePicture(
            PixelBuffer(size: size, bytes: bytes, isOpaque: true), colors: 256)
        #expect(picture.colors.count == (scale == 1 ? 192 : 256))
        let squares = picture.indices.enumerated().reduce(0) { sum, pixel in
            let (color, start) = (picture.colors[Int(pixel.element)], pixel.offset * 4)
            let own = RGB(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
            return sum + distance(color, own)
        }
        let mean = Double(squares) / Double(picture.indices.count)
        #expect(mean < (scale == 1 ? 12 : 10), "\(mean)")
    }

    @Test("a gradient of few colours gets a step for every two code values", arguments: [200, 800])
    func gradient(width: Int) {
        let grey = PixelBuffer(width, 100) { x, _ in RGB(UInt32(200 + x * 56 / width) * 0x010101) }
        let picture = PalettePicture(grey, colors: 256)
        #expect(picture.colors.count == 28)
        for (place, index) in picture.indices.prefix(width).enumerated() {
            let off = Int(picture.colors[Int(index)].red) - Int(grey.color(place, 0).red)
            #expect(abs(off) <= 1)
        }
    }

    @Test("bands of a gradient of many colours are mixed away where seen from afar; edges are not")
    func mixtures() {
        let side = 192
        let picture = PixelBuffer(side, side) { x, y in
            RGB(red: UInt8(x + 40), green: UInt8(255 - x), blue: UInt8(y / 2 + 60))
        }
        let found = PalettePicture(picture, colors: 16)
        // The means of blocks of 16 by 16 pixels, but those beyond all colours of the palette.
        let error = stride(from: 32, to: 112, by: 16).reduce(0.0) { sum, block in
            var off = SIMD3<Int>.zero
            for (x, y) in (0..<256).map({ (block + $0 % 16, block + $0 / 16) }) {
                let own = picture.color(x, y)
                let shown = found.colors[Int(found.indices[y * side + x])]
                off &+= SIMD3(Int(shown.red), Int(shown.green), Int(shown.blue))
                off &-= SIMD3(Int(own.red), Int(own.green), Int(own.blue))
            }
            let mean = SIMD3<Double>(off) / 256
            return sum + (mean * mean).sum()
        }
        #expect(error < 800, "\(error); 1,700 without")
        let stripes = PixelBuffer(side, side) { x, _ in RGB(UInt32(x * 7 % 256) * 0x010101) }
        let plain = PalettePicture(stripes, colors: 16)
        let rows = Set((0..<side).map { Array(plain.indices[$0 * side..<($0 + 1) * side]) })
        #expect(rows.count == 1)
    }

    @Test("a uniform background keeps its colour, however large it is")
    func plainGround() {
        for color in [RGB(0xC8C925), RGB(0xFFFFFF), RGB(0x010203)] {
            let size = PixelSize(width: 2000, height: 2000)
            let picture = PalettePicture(PixelBuffer(filledWith: color, size: size), colors: 256)
            #expect(picture.colors == [color])
        }
    }

    private func nearest(to color: RGB, _ depth: ColorDepth = .palette256) -> UInt8 {
        depth.nearest(to: color).paletteIndex ?? 0
    }

    private func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return red * red + green * green + blue * blue
    }
}
