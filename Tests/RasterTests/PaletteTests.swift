import Testing

@testable import Raster

@Suite struct PaletteTests {
    @Test("the cube and the greys of xterm are where they belong")
    func entries() {
        let colors = Palette.xterm256.colors
        #expect(colors.count == 256)
        #expect(colors[16] == RGB(0x000000))
        #expect(colors[17] == RGB(0x00005F))
        #expect(colors[67] == RGB(0x5F87AF))
        #expect(colors[231] == RGB(0xFFFFFF))
        #expect(colors[232] == RGB(0x080808))
        #expect(colors[255] == RGB(0xEEEEEE))
        #expect(Palette.xterm16.colors[12] == RGB(0x5C5CFF))
        #expect(Palette.xterm8.colors == Array(colors[..<8]))
    }

    @Test("every colour of the cube and every grey finds itself")
    func identity() {
        let palette = Palette.xterm256
        for index in 16..<256 {
            let found = palette.nearest(to: palette.colors[index])
            #expect(palette.colors[Int(found)] == palette.colors[index])
        }
        for palette in [Palette.xterm8, Palette.xterm16] {
            for (index, color) in palette.colors.enumerated() {
                #expect(Int(palette.nearest(to: color)) == index)
            }
        }
    }

    @Test("greys get greys, not the nearest corner of the cube")
    func greys() {
        #expect(Palette.xterm256.nearest(to: RGB(0x808080)) == 244)
        #expect(Palette.xterm256.nearest(to: RGB(0x303030)) == 236)
        #expect(Palette.xterm256.nearest(to: RGB(0x121212)) == 233)
    }

    @Test("the search of 256 is as good as trying all 240")
    func exactness() {
        var chance = Chance(seed: 17)
        for round in 0..<4000 {
            var color = chance.color()
            // Every other one near the grey axis, where cube and greys compete.
            if round % 2 == 0 {
                color.green = color.red &+ UInt8(round % 7)
                color.blue = color.red &- UInt8(round % 5)
            }
            let found = Palette.xterm256.colors[Int(Palette.xterm256.nearest(to: color))]
            let best = Palette.xterm256.colors[16...].map { distance($0, color) }.min()
            #expect(distance(found, color) == best)
        }
    }

    @Test("mid greys stay colourless in 16 and 8 colours")
    func coarseGreys() {
        for code in 0...255 {
            let grey = RGB(UInt32(code) * 0x010101)
            for palette in [Palette.xterm8, Palette.xterm16] {
                let found = palette.colors[Int(palette.nearest(to: grey))]
                #expect(found.red == found.green && found.green == found.blue)
            }
        }
    }

    @Test("each depth has its own kind of colour")
    func depths() {
        let color = RGB(0xFF0000)
        #expect(ColorDepth.truecolor.nearest(to: color) == CellColor(color))
        #expect(ColorDepth.palette256.nearest(to: color) == CellColor(palette: 196))
        #expect(ColorDepth.palette16.nearest(to: color) == CellColor(palette: 9))
        #expect(ColorDepth.palette8.nearest(to: color) == CellColor(palette: 1))
        #expect(ColorDepth.mono.nearest(to: color) == .standard)
    }

    private func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return red * red + green * green + blue * blue
    }
}
