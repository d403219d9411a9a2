import Raster
import Testing

@testable import Terminal

/// Text is readable on every terminal.
@Suite struct ThemeTests {
    /// Backgrounds that people choose: black, white, those of Solarized, Nord, Gruvbox, Dracula and Tango, and greys between.
    static let backgrounds =
        [
            0x000000, 0xFFFFFF, 0x002B36, 0xFDF6E3, 0x2E3440, 0x282828, 0xFBF1C7, 0x282A36,
            0x300A24, 0x555753, 0x757575, 0x777777, 0x808080, 0xC0C0C0, 0x0000AA, 0xFFFF99,
        ].map { RGB(UInt32($0)) }

    /// Palettes that differ from xterm's: Solarized, whose bright greys are not grey, and Tango.
    static let palettes = [
        SystemColors.xterm,
        palette([
            0x073642, 0xDC322F, 0x859900, 0xB58900, 0x268BD2, 0xD33682, 0x2AA198, 0xEEE8D5,
            0x002B36, 0xCB4B16, 0x586E75, 0x657B83, 0x839496, 0x6C71C4, 0x93A1A1, 0xFDF6E3,
        ]),
        palette([
            0x2E3436, 0xCC0000, 0x4E9A06, 0xC4A000, 0x3465A4, 0x75507B, 0x06989A, 0xD3D7CF,
            0x555753, 0xEF2929, 0x8AE234, 0xFCE94F, 0x729FCF, 0xAD7FA8, 0x34E2E2, 0xEEEEEC,
        ]),
    ]

    private static func palette(_ packed: [UInt32]) -> SystemColors {
        SystemColors(packed.map { RGB($0) }) ?? .xterm
    }

    private func shown(_ color: CellColor, _ standard: RGB, _ palette: SystemColors) -> RGB {
        if let rgb = color.rgb { return rgb }
        return color.paletteIndex.map { palette[$0] } ?? standard
    }

    private func inks(_ theme: Theme) -> [(String, Ink)] {
        Mirror(reflecting: theme).children.compactMap { child in
            (child.value as? Ink).map { (child.label ?? "", $0) }
        }
    }

    @Test(
        "every text reaches a contrast of 4.5:1 on its background, as actually displayed",
        arguments: ColorDepth.allCases, backgrounds)
    func contrast(depth: ColorDepth, background: RGB) {
        for palette in Self.palettes {
            let theme = Theme(
                depth: depth, symbols: Symbols(.full), background: background, systemColors: palette
            )
            let inks = inks(theme)
            #expect(inks.count > 15)
            for (name, ink) in inks where ink.foreground != .standard {
                let contrast = contrastRatio(
                    shown(ink.foreground, background, palette),
                    shown(ink.background, background, palette))
                #expect(contrast >= 4.5, "\(name) on \(background) in \(depth): \(contrast)")
                // Most terminals show the first eight colours brighter in bold.
                guard ink.style.contains(.bold), depth == .palette16 || depth == .palette8,
                    let index = ink.foreground.paletteIndex, index < 8
                else { continue }
                let bright = contrastRatio(
                    palette.colors[Int(index) + 8], shown(ink.background, background, palette))
                #expect(bright >= 4.5, "\(name), bold, on \(background) in \(depth): \(bright)")
            }
            // The terminal's own text colour is unknown, so it is only used on the terminal's own background.
            for (name, ink) in inks where ink.foreground == .standard {
                #expect(ink.background == .standard, "\(name)")
            }
        }
    }

    @Test("colours of a user's own take their roles, as the terminal shows them, and stay readable")
    func own() {
        var colors = ThemeColors()
        let settings = [
            ("accent", "cyan", nil), ("bar", "#102030", "dark"), ("panel", "default", nil),
            ("muted", "black", nil), ("sky", "blue", nil), ("bar", "#12", nil),
            ("bar", "beige", nil),
        ]
        let taken = settings.map { colors.set($0.0, to: $0.1, on: $0.2) }
        #expect(taken == [true, true, true, true, false, false, false])
        for (depth, palette) in [(ColorDepth.truecolor, 6), (.palette256, 6), (.palette8, 6)] {
            let theme = Theme(depth: depth, symbols: Symbols(.full), colors: colors)
            #expect(theme.edge.foreground == CellColor(palette: UInt8(palette)))
            #expect(theme.panel.background == .standard)
            // Black on black could not be read.
            #expect(theme.muted.foreground != CellColor(palette: 0))
        }
        let dark = Theme(depth: .truecolor, symbols: Symbols(.full), colors: colors)
        #expect(dark.bar.background == CellColor(RGB(0x102030)))
        let light = Theme(
            depth: .truecolor, symbols: Symbols(.full), background: RGB(0xFFFFFF), colors: colors)
        #expect(light.bar.background.rgb?.isDark == false)
        #expect(light.muted.foreground == CellColor(palette: 0))
    }

    @Test(
        "a picture's title is readable on every possible tint, in all hues, light and dark",
        arguments: [ColorDepth.truecolor, .palette256, .palette16, .palette8])
    func titles(depth: ColorDepth) {
        for background in [RGB(0x000000), RGB(0xFFFFFF), RGB(0x2E3440), RGB(0xFDF6E3)] {
            for palette in Self.palettes {
                let theme = Theme(
                    depth: depth, symbols: Symbols(.full), background: background,
                    systemColors: palette)
                for step in 0..<720 {
                    // On its own tint and, as a cut-out may be, on one for the opposite kind of background.
                    let color = Self.color(step)
                    for tint in [color.tint(on: RGB(0)), color.tint(on: RGB(0xFFFFFF))] {
                        let ink = theme.title(onTint: tint)
                        guard ink.foreground != .standard else {
                            #expect(ink.background == .standard)
                            continue
                        }
                        let contrast = contrastRatio(
                            shown(ink.foreground, background, palette),
                            shown(ink.background, background, palette))
                        #expect(contrast >= 4.5, "\(tint) in \(depth): \(contrast)")
                    }
                }
            }
        }
    }

    /// Returns a colour from all hues, in three degrees of saturation down to grey.
    private static func color(_ step: Int) -> RGB {
        let sector = Double(step % 240) / 40
        let rise = sector - sector.rounded(.down)
        let triples = [
            (1, rise, 0), (1 - rise, 1, 0), (0, 1, rise), (0, 1 - rise, 1), (rise, 0, 1),
            (1, 0, 1 - rise),
        ]
        let (red, green, blue) = triples[Int(sector)]
        let saturation = [1, 0.3, 0][step / 240]
        func channel(_ value: Double) -> UInt8 { UInt8(255 * (1 - saturation * (1 - value))) }
        return RGB(red: channel(red), green: channel(green), blue: channel(blue))
    }

    @Test("a light terminal has light bars and panels, a dark one has dark ones")
    func grounds() {
        for (background, isDark) in [(RGB(0), true), (RGB(0xFFFFFF), false)] {
            let theme = Theme(depth: .truecolor, symbols: Symbols(.full), background: background)
            let grounds = [theme.bar, theme.panel, theme.header, theme.selectedRow].map(
                \.background)
            for color in grounds + [theme.shade] {
                #expect(color.rgb?.isDark == isDark)
            }
        }
    }
}
