public import Raster

/// Turns cells back into pixels as shown by a terminal, one pixel per sub-pixel of the block set.
public struct Rasteriser {
    /// The shape of the ink in a cell.
    public let geometry: GlyphGeometry
    /// The light in which glyph and background are blended where a glyph covers part of a sub-pixel.
    public let light: Light
    private let palette: [SIMD3<Float>]
    private let ink: SIMD3<Float>
    private let paper: SIMD3<Float>

    /// Creates a terminal with the 256 colours of `palette`, and white on black as default colours.
    public init(_ geometry: GlyphGeometry, _ palette: TerminalPalette, _ light: Light) {
        self.geometry = geometry
        self.light = light
        self.palette = palette.colors.map { SIMD3($0) }
        ink = SIMD3(repeating: 1)
        paper = .zero
    }

    /// Returns the pixels of `grid`.
    /// - Throws: `UnknownGlyph` for a character whose geometry is not known.
    public func canvas(of grid: CellGrid) throws(UnknownGlyph) -> Canvas {
        let part = geometry.parts
        var canvas = Canvas(
            size: PixelSize(
                width: grid.size.columns * part.width, height: grid.size.rows * part.height))
        var known: [UInt32: [Float]] = [:]
        for y in 0..<grid.size.rows {
            for x in 0..<grid.size.columns {
                let cell = grid[x, y]
                guard let coverage = known[cell.glyph] ?? geometry.coverage(of: cell.glyph) else {
                    throw UnknownGlyph(glyph: cell.glyph)
                }
                known[cell.glyph] = coverage
                let first = y * part.height * canvas.size.width + x * part.width
                draw(cell, coverage, part, at: first, into: &canvas)
            }
        }
        return canvas
    }

    private func draw(
        _ cell: Cell, _ coverage: [Float], _ part: PixelSize, at first: Int,
        into canvas: inout Canvas
    ) {
        var lit = color(cell.foreground, standard: ink)
        var unlit = color(cell.background, standard: paper)
        if cell.style.contains(.reverse) { swap(&lit, &unlit) }
        for (index, share) in coverage.enumerated() {
            let place = first + index / part.width * canvas.size.width + index % part.width
            canvas.pixels[place] = share == 0 ? unlit : share == 1 ? lit : mix(lit, unlit, share)
        }
    }

    private func mix(
        _ lit: SIMD3<Float>, _ unlit: SIMD3<Float>, _ share: Float
    ) -> SIMD3<Float> {
        light.encoded(light.decoded(lit) * share + light.decoded(unlit) * (1 - share))
    }

    private func color(_ color: CellColor, standard: SIMD3<Float>) -> SIMD3<Float> {
        if let rgb = color.rgb { return SIMD3(rgb) }
        return color.paletteIndex.map { palette[Int($0)] } ?? standard
    }
}

/// A character that is in none of the block sets.
public struct UnknownGlyph: Error, CustomStringConvertible {
    /// The character's code point.
    public let glyph: UInt32

    /// A message with the code point.
    public var description: String {
        "no geometry is known for U+" + String(glyph, radix: 16, uppercase: true)
    }
}
