/// A family of characters as data: which share of each part of a cell every glyph's ink covers.
///
/// Parts are numbered row by row, as the bits of a block's mask are.
struct GlyphSet: Sendable {
    /// The Unicode scalars; the first is the space.
    let scalars: [UInt32]
    /// Columns and rows of parts.
    let parts: PixelSize
    /// Whether glyph `n` and glyph `last - n` swap ink and paper, so that the second half need not be tried.
    let hasComplements: Bool
    /// How many glyphs there are to try: half of them if the others are complements.
    let triedCount: Int
    /// Lanes of eight glyphs, each with a vector a part: the share of it that ink covers, 0…1.
    let ink: [SIMD8<Float>]
    /// Lanes of eight glyphs: the parts that ink covers in all.
    let area: [SIMD8<Float>]
    /// Lanes of eight glyphs: what a squared sum of colours under the ink is worth, 0 for a glyph that is never tried.
    let worth: [SIMD8<Float>]

    /// How many parts a cell has, at most 8.
    var partCount: Int { parts.width * parts.height }

    /// `ink` tells the share of a part that the glyph of that index covers.
    init(
        _ scalars: [UInt32], parts: PixelSize, hasComplements: Bool = false,
        ink: (_ glyph: Int, _ part: Int) -> Float
    ) {
        self.scalars = scalars
        self.parts = parts
        self.hasComplements = hasComplements
        let count = parts.width * parts.height
        triedCount = hasComplements ? scalars.count / 2 : scalars.count
        let tried = triedCount
        var lanes: [SIMD8<Float>] = []
        var area: [SIMD8<Float>] = []
        var worth: [SIMD8<Float>] = []
        for first in stride(from: 0, to: tried, by: 8) {
            var covered = SIMD8<Float>.zero
            for part in 0..<count {
                var lane = SIMD8<Float>.zero
                for place in 0..<min(8, tried - first) { lane[place] = ink(first + place, part) }
                lanes.append(lane)
                covered += lane
            }
            area.append(covered)
            let paper = Float(count) - covered
            var share = Float(count) / (covered * paper)
            share.replace(with: SIMD8<Float>.zero, where: (covered .<= 0) .| (paper .<= 0))
            worth.append(share)
        }
        self.ink = lanes
        self.area = area
        self.worth = worth
    }
}

extension GlyphSet {
    /// The characters of `blocks`.
    static func of(_ blocks: BlockSet) -> GlyphSet {
        switch blocks {
        case .half: half
        case .quadrant: quadrant
        case .sextant: sextant
        case .octant: octant
        case .braille: braille
        case .ascii: ascii
        }
    }

    private static let half = blocks(.half)
    private static let quadrant = blocks(.quadrant)
    private static let sextant = blocks(.sextant)
    private static let octant = blocks(.octant)

    private static func blocks(_ blocks: BlockSet) -> GlyphSet {
        GlyphSet(
            BlockGlyphs.table(blocks), parts: blocks.subpixels, hasComplements: true
        ) { mask, part in mask >> part & 1 == 1 ? 1 : 0 }
    }

    /// A dot covers about a quarter of its eighth of the cell.
    private static let braille = GlyphSet(
        BlockGlyphs.table(.braille), parts: BlockSet.braille.subpixels
    ) { mask, part in mask >> part & 1 == 1 ? 0.25 : 0 }

    private static let ascii = GlyphSet(
        Array(0x20...0x7E), parts: BlockSet.ascii.subpixels
    ) { glyph, part in GlyphCoverage.parts[glyph][part] }
}
