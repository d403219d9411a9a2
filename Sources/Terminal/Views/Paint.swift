import Raster

/// Chooses colours that the terminal has, and keeps text readable on them.
struct Paint {
    let depth: ColorDepth
    let background: RGB
    let systemColors: SystemColors

    /// The minimum contrast ratio of text (WCAG 2.2, 1.4.3).
    static let minContrast = 4.5

    /// Returns a background colour: the nearest of many, or the given entry of a small palette.
    ///
    /// If no colour of a customized small palette is readable on that entry, one that can carry text is used instead.
    func ground(_ hue: Hues.Hue) -> CellColor {
        let wanted = nearest(to: hue)
        guard isCoarse else { return wanted }
        let others = greys(background.isDark ? [0, 8, 7, 15] : [7, 15, 0, 8])
        return ([wanted] + others).first(where: carriesText) ?? .standard
    }

    /// Returns those of some entries of the palette that it has.
    private func greys(_ indices: [UInt8]) -> [CellColor] {
        indices.filter { $0 < depth.systemCount }.map(CellColor.init(palette:))
    }

    private func nearest(to hue: Hues.Hue) -> CellColor {
        if depth != .mono, let own = hue.own ?? (isCoarse ? hue.coarse : nil) {
            return own.paletteIndex.map { CellColor(palette: depth == .palette8 ? $0 & 7 : $0) }
                ?? own
        }
        return depth.nearest(to: hue.color)
    }

    /// Returns whether any available colour is readable on `ground`.
    func carriesText(_ ground: CellColor) -> Bool {
        !isCoarse || all.contains { isReadable($0, on: shown(ground)) }
    }

    /// Whether the terminal only has a small palette, which its user may have customized.
    var isCoarse: Bool { depth == .palette16 || depth == .palette8 }

    private var all: [CellColor] {
        (0..<UInt8(depth.systemCount)).map(CellColor.init(palette:))
    }

    /// Returns a text colour on `ground`: that of `hue`, or the nearest readable one.
    private func text(_ hue: Hues.Hue, on ground: CellColor) -> CellColor {
        let behind = shown(ground)
        let wanted = nearest(to: hue)
        // The terminal's default stays if the user has named it: it is as readable as the user has made it.
        if hue.own == .standard || isReadable(wanted, on: behind) { return wanted }
        switch depth {
        case .truecolor, .palette256:
            // Moves towards the end of greater contrast, black or white, which always reaches 4.5:1.
            let end = behind.opposite
            let steps = (0..<15).lazy.map {
                depth.nearest(to: hue.color.mixed(with: end, share: Float($0) / 15))
            }
            return steps.first { isReadable($0, on: behind) } ?? depth.nearest(to: end)
        case .palette16, .palette8: return best(on: behind, at: ground)
        case .mono: return .standard
        }
    }

    func ink(_ hue: Hues.Hue, on ground: CellColor = .standard, style: CellStyle = []) -> Ink {
        Ink(foreground: text(hue, on: ground), background: ground, style: style)
    }

    /// Returns a bold ink if that is readable: most terminals brighten the first eight colours in bold.
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

    /// Returns what the terminal shows for `color` as a background.
    func shown(_ color: CellColor) -> RGB {
        color.rgb ?? color.paletteIndex.map { systemColors[$0] } ?? background
    }

    private func isReadable(_ color: CellColor, on ground: RGB) -> Bool {
        contrastRatio(shown(color), ground) >= Self.minContrast
    }

    /// Returns the first grey of the small palette that is readable on `behind`, else the colour with the most contrast.
    private func best(on behind: RGB, at ground: CellColor) -> CellColor {
        // The default text on the default background is as readable as the user has made it.
        if ground == .standard { return .standard }
        return greys([7, 15, 0, 8]).first { isReadable($0, on: behind) }
            ?? all.max { contrastRatio(shown($0), behind) < contrastRatio(shown($1), behind) }
            ?? .standard
    }
}
