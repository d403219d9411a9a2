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
    /// Lanes of eight glyphs, with one vector per part: the share of it that ink covers, 0…1.
    let ink: [SIMD8<Float>]
    /// Lanes of eight glyphs: the total area that ink covers, in parts.
    let area: [SIMD8<Float>]
    /// Lanes of eight glyphs: the factor from the squared colour sum under the ink to the error saved; 0 for glyphs that are never tried.
    let worth: [SIMD8<Float>]

    /// Creates a set; `ink` returns the share of a part that the glyph with the given index covers.
    init(
        _ scalars: [UInt32], parts count: Int, hasComplements: Bool = false,
        ink: (_ glyph: Int, _ part: Int) -> Float
    ) {
        self.scalars = scalars
        partCount = count
        self.hasComplements = hasComplements
        let tried = hasComplements ? scalars.count / 2 : scalars.count
        triedCount = tried
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
    static let parts: [SIMD8<Float>] = stride(from: 0, to: measured.count, by: 8).map { start in
        var parts = SIMD8<Float>.zero
        for part in 0..<8 { parts[part] = Float(measured[start + part]) / 255 }
        return parts
    }

    /// `parts` relative to the most ink that any glyph has in that row, so that a dense glyph stands for full light.
    static let bright: [SIMD8<Float>] = {
        var most = SIMD8<Float>.zero
        for glyph in parts { most.replace(with: glyph, where: glyph .> most) }
        for left in stride(from: 0, to: 8, by: 2) {
            most[left] = max(most[left], most[left + 1])
            most[left + 1] = most[left]
        }
        return parts.map { $0 / most }
    }()

    /// The sum over the parts of the brightest glyph.
    static let most = bright.reduce(0) { max($0, $1.sum()) }

    /// Coverage in 255ths of a part's area, each as two hexadecimal digits.
    package static let measured: [UInt8] = {
        let digits = """
            0000000000000000 0d0e292b17180808 17172b2b00000000 0c1665747466100a 040e66442a801d27
            200071322e76001c 241c64095c891f24 0b0b151500000000 011d3617410e0627 1d0116380c432706
            0a0b515304040000 000023244e500000 000000000f132a0e 000000001e1f0000 0000000011110a0a
            0019074849062700 252563635f5f1616 2816134618511b26 332505594c292523 32261b6014602717
            01263b5b52790010 32285b31125e2914 202c70365b58161a 3638005231241100 28295e5e5d5d1b1b
            2924555e356f2011 00001b1b11110a0a 00001b1b0f132a0e 00002a4145420000 00003c3d3e3e0000
            0000402a42450000 282a0a5726180a06 08135f7875683928 14144d4d6f701111 372870695d642417
            1d3659025d120e27 3b1b545b5f60250b 33366d325c122127 2f39683254001000 213259165d681222
            1b1b747454541010 31312a2b35362121 1c2b005417582910 1b1f863b5d5c1013 1b0054005b13202a
            2828898a595a0f0f 271a8d5a55901016 272758575c5c1717 332c5d6a63141000 272758585c5c173b
            3a246762605a1011 292e681f1867231a 4343292b292b0808 1b1b54545a5a1919 1b1b51514a4a0b0b
            1a1a6f707a7a1111 1c1c4a4d56541111 1c1c50512a2b0808 32410655591a242c 1b1d3f0e3f0e2820
            19004d020f400027 1c1c0c410c411f29 1616333300000000 0000000000003c3c 2306010300000000
            00002c446279201c 20006a495d551c1b 00003d32570c0e26 0020496a555d1a1d 0000444673461524
            0a344f40321a0a05 00004953585e3e56 2000664b4c4d0f0f 0b12312125362326 021b23310646352f
            2200563a66510f12 3904420a3e170220 0000655e656b1314 0000504b4c4d0f0f 0000474757571818
            000053485d55531b 00004755565d1954 00003f404d000f00 00004428345c2118 12006928490c0520
            00003536535c1b1b 000037374c4c0b0b 0000393a78781010 00003a3b4b4c1111 00003838484c4814
            00002653471f2122 062e2729471e113c 0f0f232423242324 2e0727281c483b12 000012032d3c0000
            """.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { place in
            UInt8(digits[place] << 4 | digits[place + 1])
        }
    }()
}
