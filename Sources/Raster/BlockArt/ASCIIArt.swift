/// Draws with printable ASCII: each cell the glyph whose ink lies most like the cell's light.
struct ASCIIArt {
    private let style: RenderStyle
    private let ground: CellColor
    /// The ground's luma, 0…1.
    private let groundLuma: Float
    private let isDark: Bool

    init(style: RenderStyle, tint: RGB?) {
        self.style = style
        let shownTint = style.depth == .mono ? nil : tint
        ground = shownTint.map { style.depth.nearest(to: $0) } ?? .standard
        let background = shownTint.map { style.shown($0) } ?? style.background
        isDark = background.isDark
        groundLuma = Float(background.luma) / 255
    }

    func cells(from pixels: PixelBuffer) -> CellGrid {
        CellPlan(pixels, .ascii).map { zones, left in
            let ink = style.depth == .mono ? (isDark ? RGB(0xFFFFFF) : RGB(0)) : ink(for: zones)
            let glyph = glyph(for: wantedInk(zones, in: ink))
            let isSpace = glyph == 0x20
            let color = isSpace ? left?.foreground ?? .standard : style.depth.nearest(to: ink)
            return Cell(glyph: glyph, foreground: color, background: ground)
        }
    }

    /// The zones' mean colour, moved away from the ground by half: the rest is said by the density of the glyph.
    private func ink(for zones: UnsafeBufferPointer<RGB>) -> RGB {
        var sum = SIMD3<Float>.zero
        for zone in zones { sum += SIMD3(Float(zone.red), Float(zone.green), Float(zone.blue)) }
        let mean = sum / (255 * Float(zones.count))
        let brightness = max(mean.max(), 1 / 255)
        // In brightness V: √V on dark grounds, V² on light ones.
        let ink = isDark ? mean / brightness.squareRoot() : mean * brightness
        let codes = (ink * 255).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
        return RGB(red: UInt8(codes.x), green: UInt8(codes.y), blue: UInt8(codes.z))
    }

    /// The share of a zone's full ink that each needs so that ink and ground together have its luma.
    private func wantedInk(_ zones: UnsafeBufferPointer<RGB>, in ink: RGB) -> SIMD8<Float> {
        let span = Float(ink.luma) / 255 - groundLuma
        // Ink that is hardly told from the ground shows nothing, wherever it is put.
        guard isDark ? span > 0.02 : span < -0.02 else { return .zero }
        var wanted = SIMD8<Float>.zero
        for (index, zone) in zones.enumerated() {
            wanted[index] = min(max((Float(zone.luma) / 255 - groundLuma) / span, 0), 1)
        }
        return wanted
    }

    private func glyph(for wanted: SIMD8<Float>) -> UInt32 {
        var best: (error: Float, index: Int) = (.infinity, 0)
        GlyphCoverage.zones.withUnsafeBufferPointer { zones in
            for index in 0..<zones.count {
                let difference = zones[index] - wanted
                let error = (difference * difference).sum()
                if error < best.error { best = (error, index) }
            }
        }
        return 0x20 + UInt32(best.index)
    }
}
