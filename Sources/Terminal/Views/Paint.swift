import Raster

/// Picks the colours a terminal has, and sees to it that text can be read on them.
struct Paint {
    /// The colours it shows.
    let depth: ColorDepth
    /// What the standard background is.
    let background: RGB
    /// What the first sixteen are.
    let systemColors: SystemColors

    /// The contrast that text needs (WCAG 2.2, 1.4.3).
    static let leastContrast = 4.5

    /// The colour of a ground: the nearest of many, or the entry named for the terminal's own few.
    ///
    /// A user's few colours may hold none that can be read on that entry; then one that carries text takes its place.
    func ground(_ hue: Hues.Hue) -> CellColor {
        let wanted = nearest(to: hue)
        guard depth == .palette16 || depth == .palette8 else { return wanted }
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
        switch depth {
        case .truecolor, .palette256, .mono: true
        case .palette16, .palette8: all.contains { isReadable($0, on: shown(ground)) }
        }
    }

    private var count: Int { depth == .palette16 ? 16 : 8 }
    private var all: [CellColor] { (0..<count).map { CellColor(palette: UInt8($0)) } }

    /// The colour of text on `ground`: that of `hue`, or the nearest to it that can be read there.
    func text(_ hue: Hues.Hue, on ground: CellColor) -> CellColor {
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

    /// Bold if `color` can be read on `ground` that way, too: of the first eight colours most terminals then show the
    /// bright ones.
    func bold(_ color: CellColor, on ground: CellColor) -> CellStyle {
        guard depth == .palette16 || depth == .palette8, let index = color.paletteIndex, index < 8
        else { return .bold }
        return isReadable(CellColor(palette: index + 8), on: shown(ground)) ? .bold : []
    }

    /// The cell colour nearest to `color`.
    func nearest(to color: RGB) -> CellColor { depth.nearest(to: color) }

    /// What the terminal shows for `color` as a background.
    func shown(_ color: CellColor) -> RGB {
        if let rgb = color.rgb { return rgb }
        guard let index = color.paletteIndex else { return background }
        return index < 16 ? systemColors.colors[Int(index)] : Palette.xterm256.colors[Int(index)]
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
