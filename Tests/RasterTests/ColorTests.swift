import Raster
import Testing

@Suite struct ColorTests {
    @Test("contrast follows WCAG: 21 for black on white, 1 for equals, 4.48 for the grey 0x777777")
    func contrast() {
        #expect(abs(contrastRatio(RGB(0x000000), RGB(0xFFFFFF)) - 21) < 0.001)
        #expect(contrastRatio(RGB(0x123456), RGB(0x123456)) == 1)
        #expect(abs(contrastRatio(RGB(0x777777), RGB(0xFFFFFF)) - 4.478) < 0.001)
        #expect(abs(contrastRatio(RGB(0xFF0000), RGB(0xFFFFFF)) - 3.998) < 0.001)
    }

    @Test("a tint keeps the hue, has the set saturation and brightness, and is readable")
    func tints() {
        for step in 0..<1000 {
            let hue = Double(step) / 1000
            let color = saturated(hue)
            for (background, saturation, brightness) in [
                (RGB(0xFFFFFF), 0.08, 0.95), (RGB(0x000000), 0.25, 0.18),
            ] {
                let tint = color.tint(on: background)
                let result = hsb(tint)
                let text = RGB(tint.isDark ? 0xFFFFFF : 0x000000)
                #expect(contrastRatio(text, tint) >= 4.5)
                // Rounding by one code value is 1/242 of the brightness, 1/46 on dark.
                #expect(abs(result.brightness - brightness) <= 0.5 / 255 + 1e-9)
                #expect(abs(result.saturation - saturation) <= 1 / (brightness * 255))
                let turn = abs(result.hue - hue)
                #expect(min(turn, 1 - turn) < 0.06)
            }
        }
    }

    @Test("the tint of a grey is grey")
    func greyTint() {
        let tint = RGB(0x808080).tint(on: RGB(0))
        #expect(tint.red == tint.green && tint.green == tint.blue)
    }

    @Test("the dominant colour is the largest group's, not the mean")
    func dominant() {
        // Two thirds blue, one third red: the mean would be purple.
        let picture = PixelBuffer(30, 30) { x, _ in RGB(x < 20 ? 0x2040C0 : 0xC02020) }
        #expect(picture.dominantColor == RGB(0x2040C0))
    }

    @Test("shades of one colour count together against a larger uniform area")
    func clusters() {
        // 40 % of one red, 60 % of many greens, each of which is rarer than the red.
        let picture = PixelBuffer(50, 50) { x, y in
            x < 20 ? RGB(0xB03030) : RGB(red: 30, green: UInt8(120 + x + y % 20), blue: 50)
        }
        let color = picture.dominantColor
        #expect(color.green > 120 && color.red < 60)
    }

    @Test("a vivid subject wins over a somewhat larger grey background, a small one does not")
    func vividSubject() {
        let large = PixelBuffer(40, 40) { x, _ in RGB(x < 14 ? 0xE01010 : 0x808080) }
        #expect(large.dominantColor == RGB(0xE01010))
        let small = PixelBuffer(40, 40) { x, _ in RGB(x < 4 ? 0xE01010 : 0x808080) }
        #expect(small.dominantColor == RGB(0x808080))
    }

    @Test("transparent pixels are ignored, and an empty picture counts as grey")
    func transparentPixels() {
        let logo = PixelBuffer(40, 40) { x, _ in RGB(x < 4 ? 0x20A060 : 0xFF00FF) }
            .withAlpha { x, _ in x < 4 ? 255 : 0 }
        #expect(logo.dominantColor == RGB(0x20A060))
        #expect(logo.withAlpha { _, _ in 0 }.dominantColor == RGB(0x808080))
    }

    @Test("the dominant colour of a large picture is deterministic")
    func determinism() {
        let picture = PixelBuffer.random(400, 300, seed: 5)
        let first = picture.dominantColor
        for _ in 0..<3 { #expect(picture.dominantColor == first) }
    }

    private func saturated(_ hue: Double) -> RGB {
        let sector = hue * 6
        let rising = UInt8((sector - sector.rounded(.down)) * 255)
        switch Int(sector) {
        case 0: return RGB(red: 255, green: rising, blue: 0)
        case 1: return RGB(red: 255 - rising, green: 255, blue: 0)
        case 2: return RGB(red: 0, green: 255, blue: rising)
        case 3: return RGB(red: 0, green: 255 - rising, blue: 255)
        case 4: return RGB(red: rising, green: 0, blue: 255)
        default: return RGB(red: 255, green: 0, blue: 255 - rising)
        }
    }

    private func hsb(_ color: RGB) -> (hue: Double, saturation: Double, brightness: Double) {
        let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let top = channels.max() ?? 0
        let span = top - (channels.min() ?? 0)
        guard span > 0 else { return (0, 0, top) }
        let place = channels.firstIndex(of: top) ?? 0
        let difference = (channels[(place + 1) % 3] - channels[(place + 2) % 3]) / span
        let hue = (Double(place) * 2 + difference) / 6
        return (hue < 0 ? hue + 1 : hue, span / top, top)
    }

    @Test(
        "a tone inverts, lightens and bends code values, keeps alpha, and is read back from its words"
    )
    func tones() {
        let shades: [UInt8] = [0, 51, 102, 255]
        let picture = PixelBuffer(
            size: PixelSize(width: 4, height: 1), bytes: shades.flatMap { [$0, $0, $0, 7] },
            isOpaque: false)
        func toned(_ words: String...) -> [UInt8] {
            let tone = Tone(words)
            #expect(Tone(tone.words) == tone)
            let bytes = picture.toned(tone).bytes
            for place in stride(from: 0, to: 16, by: 4) {
                #expect(bytes[place + 3] == 7 && bytes[place] == bytes[place + 2])
            }
            return (0..<4).map { bytes[$0 * 4] }
        }
        #expect(toned() == shades)
        #expect(toned("inverted") == [255, 204, 153, 0])
        #expect(toned("brightness=20") == [51, 102, 153, 255])
        #expect(toned("brightness=-999", "gamma=x") == [0, 0, 0, 0])
        #expect(toned("gamma=2") == [0, 114, 161, 255])
        #expect(toned("gamma=nan", "gamma", "=") == shades)
        #expect(toned("inverted", "gamma=0.5") == [255, 163, 92, 0])
    }
}
