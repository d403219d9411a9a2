import Raster

/// Picks the colours a terminal has, and sees to it that text can be read on them.
struct Paint {
    let depth: ColorDepth
    let background: RGB
    let systemColors: SystemColors

    /// The contrast that text needs (WCAG 2.2, 1.4.3).
    static let leastContrast = 4.5

    /// The colour of a ground: the nearest of many, or the entry named for the terminal's own few.
    ///
    /// A user's few colours may hold none that can be read on that entry; then one that carries text takes its place.
    func ground(_ hue: Hues.Hue) -> CellColor {
        let wanted = nearest(to: hue)
        guard isCoarse else { return wanted }
        let others = (background.isDark ? [0, 8, 7, 15] : [7, 15, 0, 8]).filter { $0 < count }
        let grounds = [wanted] + others.map { CellColor(palette: UInt8($0)) }
        return grounds.first(where: carriesText) ?? .standard
    }

    private func nearest(to hue: Hues.Hue) -> CellColor {
        switch depth {
        case .truecolor, .palette256: depth.nearest(to: hue.color)
        case .palette16: CellColor(palette: hue.of16)
        case .palette8: CellColor(palette: hue.of8)
        case .mono: .standard
        }
    }

    /// Whether some colour can be read on `ground`.
    func carriesText(_ ground: CellColor) -> Bool {
        !isCoarse || all.contains { isReadable($0, on: shown(ground)) }
    }

    /// Whether the terminal has only the few colours that its user chose.
    private var isCoarse: Bool { depth == .palette16 || depth == .palette8 }

    private var count: Int { depth == .palette16 ? 16 : 8 }
    private var all: [CellColor] { (0..<count).map { CellColor(palette: UInt8($0)) } }

    /// The colour of text on `ground`: that of `hue`, or the nearest to it that can be read there.
    private func text(_ hue: Hues.Hue, on ground: CellColor) -> CellColor {
        let behind = shown(ground)
        let wanted = nearest(to: hue)
        switch depth {
        case .truecolor, .palette256:
            // In steps towards the end that is farther away; that end itself always reaches 4.5:1.
            let end = behind.isDark ? RGB(0xFFFFFF) : RGB(0x000000)
            for step in 0..<16 {
                let color = depth.nearest(to: hue.color.mixed(with: end, share: Double(step) / 15))
                if isReadable(color, on: behind) { return color }
            }
            return depth.nearest(to: end)
        case .palette16, .palette8:
            if isReadable(wanted, on: behind) { return wanted }
            return best(on: behind, at: ground)
        case .mono: return .standard
        }
    }

    func ink(_ hue: Hues.Hue, on ground: CellColor = .standard, style: CellStyle = []) -> Ink {
        Ink(foreground: text(hue, on: ground), background: ground, style: style)
    }

    /// Bold where that can be read, too: of the first eight colours most terminals then show the bright ones.
    func boldInk(_ hue: Hues.Hue, on ground: CellColor, style: CellStyle = []) -> Ink {
        var ink = ink(hue, on: ground, style: style)
        if isCoarse, let index = ink.foreground.paletteIndex, index < 8,
            !isReadable(CellColor(palette: index + 8), on: shown(ground))
        {
            return ink
        }
        ink.style.insert(.bold)
        return ink
    }

    /// What the terminal shows for `color` as a background.
    func shown(_ color: CellColor) -> RGB {
        if let rgb = color.rgb { return rgb }
        return color.paletteIndex.map { systemColors[$0] } ?? background
    }

    private func isReadable(_ color: CellColor, on ground: RGB) -> Bool {
        contrastRatio(shown(color), ground) >= Self.leastContrast
    }

    /// Of the terminal's few colours the first grey that can be read on `behind`, else what stands out most.
    private func best(on behind: RGB, at ground: CellColor) -> CellColor {
        // On its own ground the terminal's own text is as good as its user wants it.
        if ground == .standard { return .standard }
        let greys: [UInt8] = depth == .palette16 ? [7, 15, 0, 8] : [7, 0]
        if let grey = greys.first(where: { isReadable(CellColor(palette: $0), on: behind) }) {
            return CellColor(palette: grey)
        }
        return all.max { contrastRatio(shown($0), behind) < contrastRatio(shown($1), behind) }
            ?? .standard
    }
}

extension RGB {
    /// This colour with a `share` of another, 0…1, in encoded sRGB.
    func mixed(with other: RGB, share: Double) -> RGB {
        func channel(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        return RGB(
            red: channel(red, other.red), green: channel(green, other.green),
            blue: channel(blue, other.blue))
    }
}

/// The colours that a theme would have if every terminal showed them, for dark grounds or light ones.
struct Hues {
    /// A colour, and the entries that stand for it where there are only 16 or 8.
    struct Hue {
        let color: RGB
        let of16: UInt8
        let of8: UInt8

        init(_ packed: UInt32, _ of16: UInt8, _ of8: UInt8) {
            color = RGB(packed)
            self.of16 = of16
            self.of8 = of8
        }
    }

    var text: Hue
    /// The same, where it stands out.
    var strongText: Hue
    var muted: Hue
    var onTint: Hue
    /// What is selected, and what else stands out.
    var accent: Hue
    var onAccent: Hue
    var failure: Hue
    var bar: Hue
    var panel: Hue
    var header: Hue
    var selectedRow: Hue
    /// Placeholder art: box, sun, mountain behind, mountain in front.
    var art: [Hue]

    /// For dark terminals: grounds a little lighter than black, an amber accent.
    static let dark = Hues(
        text: Hue(0xD0D5DE, 15, 7), strongText: Hue(0xE8EAED, 15, 7), muted: Hue(0x9096A1, 7, 7),
        onTint: Hue(0xB4BAC5, 7, 7), accent: Hue(0xFFB454, 11, 3), onAccent: Hue(0x14161B, 0, 0),
        failure: Hue(0xFF6B68, 9, 1), bar: Hue(0x20242D, 4, 4), panel: Hue(0x262B36, 4, 4),
        header: Hue(0x191C22, 0, 0), selectedRow: Hue(0x2B303B, 0, 0),
        art: [Hue(0x15171C, 0, 0), Hue(0x3A3F4B, 8, 0), Hue(0x20242C, 0, 0), Hue(0x2A2F39, 8, 0)])

    /// For light terminals: grounds a little darker than paper, a burnt amber that white text stands on.
    static let light = Hues(
        text: Hue(0x23272F, 0, 0), strongText: Hue(0x14161B, 0, 0), muted: Hue(0x5A606B, 8, 0),
        onTint: Hue(0x454B55, 0, 0), accent: Hue(0xA85000, 4, 4), onAccent: Hue(0xFFFFFF, 15, 7),
        failure: Hue(0xB3261E, 1, 1), bar: Hue(0xDDE1E8, 7, 7), panel: Hue(0xE8EBF0, 7, 7),
        header: Hue(0xEEF0F4, 7, 7), selectedRow: Hue(0xE2E6ED, 7, 7),
        art: [Hue(0xF0F2F5, 7, 7), Hue(0xD3D8E0, 8, 7), Hue(0xE3E7EC, 7, 7), Hue(0xD9DEE5, 8, 7)])
}
