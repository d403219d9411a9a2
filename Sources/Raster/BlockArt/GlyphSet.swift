/// A set of characters as data: the share of each part of a cell that every glyph's ink covers.
///
/// Parts are numbered in row-major order, like the bits of a block's mask.
struct GlyphSet: Sendable {
    let scalars: [UInt32]
    /// The number of parts per cell, at most 8.
    let partCount: Int
    /// Whether glyphs `n` and `last - n` are complements, so that only the first half must be tried.
    let hasComplements: Bool
    /// The number of glyphs to try: half of them if the others are complements.
    let triedCount: Int
    /// Whether a further lane stands for the lower eighths, none to seven: glyphs `triedCount` and following.
    private(set) var hasEighths = false
    /// Lanes of eight glyphs, with one vector per part: the share of it that ink covers, 0…1.
    let ink: [FloatVector]
    /// Lanes of eight glyphs: the total area that ink covers, in parts.
    private(set) var area: [FloatVector] = []

    /// Creates a set; `ink` returns the share of a part that the glyph with the given index covers.
    init(
        _ scalars: [UInt32], parts count: Int, hasComplements: Bool = false,
        ink: (_ glyph: Int, _ part: Int) -> Float
    ) {
        self.scalars = scalars
        partCount = count
        self.hasComplements = hasComplements
        triedCount = hasComplements ? scalars.count / 2 : scalars.count
        var lanes: [FloatVector] = []
        for first in stride(from: 0, to: triedCount, by: 8) {
            var covered = FloatVector.zero
            for part in 0..<count {
                var lane = FloatVector.zero
                for place in 0..<min(8, triedCount - first) {
                    lane[place] = ink(first + place, part)
                }
                lanes.append(lane)
                covered += lane
            }
            area.append(covered)
        }
        self.ink = lanes
    }

    /// The set with lower eighths beside its own glyphs, of which there must be whole lanes.
    var withEighths: GlyphSet {
        var set = self
        set.hasEighths = true
        set.area.append(SIMD8(0, 1, 2, 3, 4, 5, 6, 7) * Float(partCount) / 8)
        return set
    }

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

    private static let half = blocks(BlockGlyphs.half, parts: 2)
    private static let quadrant = blocks(BlockGlyphs.quadrant, parts: 4)
    private static let sextant = blocks(BlockGlyphs.sextant, parts: 6)
    private static let octant = blocks(BlockGlyphs.octant, parts: 8)

    private static func blocks(_ scalars: [UInt32], parts: Int) -> GlyphSet {
        GlyphSet(scalars, parts: parts, hasComplements: true) { mask, part in
            mask >> part & 1 == 1 ? 1 : 0
        }
    }

    /// Braille patterns; a dot covers about a quarter of its eighth of the cell.
    private static let braille = GlyphSet(BlockGlyphs.braille, parts: 8) { mask, part in
        mask >> part & 1 == 1 ? 0.25 : 0
    }

    private static let ascii = GlyphSet(Array(0x20...0x7E), parts: 8) { glyph, part in
        GlyphCoverage.parts[glyph][part]
    }
}

/// The ink coverage of each printable ASCII glyph in the eight parts of a cell, two columns by four rows.
package enum GlyphCoverage {
    /// The share of each part that is ink, for U+0020…007E in order.
    ///
    /// Our own measurement: DejaVu Sans Mono, the default of most Linux terminals, drawn with anti-aliasing into a cell of 96×187 pixels
    /// (its advance by its ascent and descent); the mean of each part.
    static let parts: [FloatVector] = stride(from: 0, to: measured.count, by: 8).map { start in
        SIMD8(measured[start..<start + 8].map { Float($0) / 255 })
    }

    /// `parts` relative to the most ink that any glyph has in that row, so that a dense glyph stands for full light.
    static let bright: [FloatVector] = {
        var most = FloatVector.zero
        for glyph in parts { most.replace(with: glyph, where: glyph .> most) }
        for left in stride(from: 0, to: 8, by: 2) {
            most[left] = max(most[left], most[left + 1])
            most[left + 1] = most[left]
        }
        return parts.map { $0 / most }
    }()

    /// The sum over the parts of the brightest glyph.
    static let most = bright.reduce(0) { max($0, $1.sum()) }

    /// Coverage in 255ths of a part's area.
    package static let measured: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0, 13, 14, 41, 43, 23, 24, 8, 8,
        23, 23, 43, 43, 0, 0, 0, 0, 12, 22, 101, 116, 116, 102, 16, 10,
        4, 14, 102, 68, 42, 128, 29, 39, 32, 0, 113, 50, 46, 118, 0, 28,
        36, 28, 100, 9, 92, 137, 31, 36, 11, 11, 21, 21, 0, 0, 0, 0,
        1, 29, 54, 23, 65, 14, 6, 39, 29, 1, 22, 56, 12, 67, 39, 6,
        10, 11, 81, 83, 4, 4, 0, 0, 0, 0, 35, 36, 78, 80, 0, 0,
        0, 0, 0, 0, 15, 19, 42, 14, 0, 0, 0, 0, 30, 31, 0, 0,
        0, 0, 0, 0, 17, 17, 10, 10, 0, 25, 7, 72, 73, 6, 39, 0,
        37, 37, 99, 99, 95, 95, 22, 22, 40, 22, 19, 70, 24, 81, 27, 38,
        51, 37, 5, 89, 76, 41, 37, 35, 50, 38, 27, 96, 20, 96, 39, 23,
        1, 38, 59, 91, 82, 121, 0, 16, 50, 40, 91, 49, 18, 94, 41, 20,
        32, 44, 112, 54, 91, 88, 22, 26, 54, 56, 0, 82, 49, 36, 17, 0,
        40, 41, 94, 94, 93, 93, 27, 27, 41, 36, 85, 94, 53, 111, 32, 17,
        0, 0, 27, 27, 17, 17, 10, 10, 0, 0, 27, 27, 15, 19, 42, 14,
        0, 0, 42, 65, 69, 66, 0, 0, 0, 0, 60, 61, 62, 62, 0, 0,
        0, 0, 64, 42, 66, 69, 0, 0, 40, 42, 10, 87, 38, 24, 10, 6,
        8, 19, 95, 120, 117, 104, 57, 40, 20, 20, 77, 77, 111, 112, 17, 17,
        55, 40, 112, 105, 93, 100, 36, 23, 29, 54, 89, 2, 93, 18, 14, 39,
        59, 27, 84, 91, 95, 96, 37, 11, 51, 54, 109, 50, 92, 18, 33, 39,
        47, 57, 104, 50, 84, 0, 16, 0, 33, 50, 89, 22, 93, 104, 18, 34,
        27, 27, 116, 116, 84, 84, 16, 16, 49, 49, 42, 43, 53, 54, 33, 33,
        28, 43, 0, 84, 23, 88, 41, 16, 27, 31, 134, 59, 93, 92, 16, 19,
        27, 0, 84, 0, 91, 19, 32, 42, 40, 40, 137, 138, 89, 90, 15, 15,
        39, 26, 141, 90, 85, 144, 16, 22, 39, 39, 88, 87, 92, 92, 23, 23,
        51, 44, 93, 106, 99, 20, 16, 0, 39, 39, 88, 88, 92, 92, 23, 59,
        58, 36, 103, 98, 96, 90, 16, 17, 41, 46, 104, 31, 24, 103, 35, 26,
        67, 67, 41, 43, 41, 43, 8, 8, 27, 27, 84, 84, 90, 90, 25, 25,
        27, 27, 81, 81, 74, 74, 11, 11, 26, 26, 111, 112, 122, 122, 17, 17,
        28, 28, 74, 77, 86, 84, 17, 17, 28, 28, 80, 81, 42, 43, 8, 8,
        50, 65, 6, 85, 89, 26, 36, 44, 27, 29, 63, 14, 63, 14, 40, 32,
        25, 0, 77, 2, 15, 64, 0, 39, 28, 28, 12, 65, 12, 65, 31, 41,
        22, 22, 51, 51, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 60,
        35, 6, 1, 3, 0, 0, 0, 0, 0, 0, 44, 68, 98, 121, 32, 28,
        32, 0, 106, 73, 93, 85, 28, 27, 0, 0, 61, 50, 87, 12, 14, 38,
        0, 32, 73, 106, 85, 93, 26, 29, 0, 0, 68, 70, 115, 70, 21, 36,
        10, 52, 79, 64, 50, 26, 10, 5, 0, 0, 73, 83, 88, 94, 62, 86,
        32, 0, 102, 75, 76, 77, 15, 15, 11, 18, 49, 33, 37, 54, 35, 38,
        2, 27, 35, 49, 6, 70, 53, 47, 34, 0, 86, 58, 102, 81, 15, 18,
        57, 4, 66, 10, 62, 23, 2, 32, 0, 0, 101, 94, 101, 107, 19, 20,
        0, 0, 80, 75, 76, 77, 15, 15, 0, 0, 71, 71, 87, 87, 24, 24,
        0, 0, 83, 72, 93, 85, 83, 27, 0, 0, 71, 85, 86, 93, 25, 84,
        0, 0, 63, 64, 77, 0, 15, 0, 0, 0, 68, 40, 52, 92, 33, 24,
        18, 0, 105, 40, 73, 12, 5, 32, 0, 0, 53, 54, 83, 92, 27, 27,
        0, 0, 55, 55, 76, 76, 11, 11, 0, 0, 57, 58, 120, 120, 16, 16,
        0, 0, 58, 59, 75, 76, 17, 17, 0, 0, 56, 56, 72, 76, 72, 20,
        0, 0, 38, 83, 71, 31, 33, 34, 6, 46, 39, 41, 71, 30, 17, 60,
        15, 15, 35, 36, 35, 36, 35, 36, 46, 7, 39, 40, 28, 72, 59, 18,
        0, 0, 18, 3, 45, 60, 0, 0,
    ]
}
