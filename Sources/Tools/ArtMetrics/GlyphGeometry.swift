public import Raster

/// The share of each sub-pixel of a cell that a character's ink covers, from the names and charts of Unicode 16.
public struct GlyphGeometry: Hashable, Sendable {
    /// What fonts and terminals leave open: drawings are measured with every form, and the best one counts.
    public enum Form: Hashable, Sendable {
        /// Blocks, which fill their parts of the cell exactly.
        case blocks
        /// Braille dots as wide as their sub-pixels, which is how they look once contrast is compensated for.
        case squareDots
        /// Braille dots as in DejaVu Sans Mono, which cover 0.2 of their sub-pixels.
        case roundDots
        /// A font's ASCII, with its actual coverage.
        case font(FontCoverage)
        /// A font's ASCII, with coverage relative to the most ink any glyph has in a zone.
        case brightFont(FontCoverage)
    }

    /// The block set, which determines the grid.
    public let blocks: BlockSet
    /// The shape of the ink.
    public let form: Form
    /// The parts that a cell is measured in, as columns and rows.
    public let parts: PixelSize

    /// Creates a geometry; by default a cell is measured in the sub-pixels of the set's own characters.
    public init(_ blocks: BlockSet, _ form: Form, parts: PixelSize? = nil) {
        self.blocks = blocks
        self.form = form
        self.parts = parts ?? blocks.measuredParts
    }

    /// Returns the possible geometries of `blocks`.
    public static func all(for blocks: BlockSet, parts: PixelSize? = nil) -> [GlyphGeometry] {
        let forms: [Form] =
            switch blocks {
            case .half, .quadrant, .sextant, .octant: [.blocks]
            case .braille: [.squareDots, .roundDots]
            case .ascii: FontCoverage.allCases.flatMap { [.font($0), .brightFont($0)] }
            }
        return forms.map { GlyphGeometry(blocks, $0, parts: parts) }
    }

    /// Returns the coverage, 0…1, of each sub-pixel in row-major order; nil for an unknown character.
    public func coverage(of glyph: UInt32) -> [Float]? {
        let grid = parts
        let count = grid.width * grid.height
        switch glyph {
        case 0x20, 0x2800: return Array(repeating: 0, count: count)
        case 0x21...0x7E:
            switch form {
            case .font(let font): return font.zones(of: glyph)
            case .brightFont(let font): return font.brightZones(of: glyph)
            default: return nil
            }
        case 0x2801...0x28FF:
            let share: Float = form == .roundDots ? 0.2 : 1
            return (0..<count).map { BlockShapes.brailleMask(glyph) >> $0 & 1 == 1 ? share : 0 }
        default:
            guard let shape = BlockShapes.shape(of: glyph) else {
                return BoxDrawing.coverage(of: glyph, in: grid)
            }
            return (0..<count).map { shape.share(of: $0, in: grid) }
        }
    }
}

extension BlockSet {
    /// The parts of a cell that are measured: the sub-pixels of the set's characters, and for ASCII the finest ones.
    ///
    /// Independent of `subpixels`, which the renderer uses, so that the measurement does not change with it.
    public var measuredParts: PixelSize {
        switch self {
        case .half: PixelSize(width: 1, height: 2)
        case .quadrant: PixelSize(width: 2, height: 2)
        case .sextant: PixelSize(width: 2, height: 3)
        case .octant, .braille, .ascii: PixelSize(width: 2, height: 4)
        }
    }
}

/// Block characters as lit parts of a grid.
enum BlockShapes {
    /// The lit parts of a cell divided into `columns` × `rows`; bit `row * columns + column`.
    struct Shape {
        var columns: Int
        var rows: Int
        var mask: Int

        /// Returns the share of sub-pixel `index` of `grid` that is lit.
        func share(of index: Int, in grid: PixelSize) -> Float {
            let (x, y) = (index % grid.width, index / grid.width)
            var share = 0.0
            for part in 0..<(columns * rows) where mask >> part & 1 == 1 {
                share +=
                    Self.overlap(x, grid.width, part % columns, columns)
                    * Self.overlap(y, grid.height, part / columns, rows)
            }
            return Float(share)
        }

        /// Returns the share of the `place`-th of `count` equal lengths that the `part`-th of `parts` covers.
        private static func overlap(_ place: Int, _ count: Int, _ part: Int, _ parts: Int) -> Double
        {
            let start = max(Double(place) / Double(count), Double(part) / Double(parts))
            let end = min(Double(place + 1) / Double(count), Double(part + 1) / Double(parts))
            return max(end - start, 0) * Double(count)
        }
    }

    static func shape(of glyph: UInt32) -> Shape? {
        switch glyph {
        case 0x2580: Shape(columns: 1, rows: 2, mask: 1)
        // Lower eighths, from one to all eight.
        case 0x2581...0x2588:
            Shape(columns: 1, rows: 8, mask: 0xFF << (0x2588 - Int(glyph)) & 0xFF)
        // Left eighths, from seven to one.
        case 0x2589...0x258F: Shape(columns: 8, rows: 1, mask: 0xFF >> (Int(glyph) - 0x2588))
        case 0x2590: Shape(columns: 2, rows: 1, mask: 2)
        case 0x2594: Shape(columns: 1, rows: 8, mask: 1)
        case 0x2595: Shape(columns: 8, rows: 1, mask: 0x80)
        case 0x2596...0x259F:
            Shape(columns: 2, rows: 2, mask: quadrants[Int(glyph) - 0x2596])
        // Upper quarter and three quarters, from Symbols for Legacy Computing.
        case 0x1FB82: Shape(columns: 1, rows: 4, mask: 1)
        case 0x1FB85: Shape(columns: 1, rows: 4, mask: 7)
        case 0x1FB00...0x1FB3B: Shape(columns: 2, rows: 3, mask: sextants[Int(glyph) - 0x1FB00])
        default: octants[glyph].map { Shape(columns: 2, rows: 4, mask: $0) }
        }
    }

    /// The masks of U+2596…259F.
    private static let quadrants = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14]

    /// The masks in Unicode's ascending order, without empty, full, left and right half.
    private static let sextants = (0..<64).filter { ![0, 21, 42, 63].contains($0) }

    /// U+1CD00…1CDE5 in ascending order of masks, without halves, quarters, quadrants and patterns encoded earlier.
    private static let octants: [UInt32: Int] = {
        let single: [UInt32: Int] = [
            0x1CEA8: 0x01, 0x1CEAB: 0x02, 0x1CEA3: 0x40, 0x1CEA0: 0x80, 0x1FBE6: 0x14,
            0x1FBE7: 0x28,
        ]
        // Full-width bars at the top or bottom, and all patterns of quadrants.
        let bars = [0x03, 0x0F, 0x3F, 0xC0, 0xF0, 0xFC]
        let quarters = (0..<16).map { quarters in
            (0..<4).reduce(0) {
                $0 | (quarters >> $1 & 1 == 1 ? 5 << (($1 & 1) + $1 / 2 * 4) : 0)
            }
        }
        let taken = Set(bars + quarters + single.values)
        let rest = (0..<256).filter { !taken.contains($0) }
        return single.merging(rest.enumerated().map { (0x1CD00 + UInt32($0), $1) }) { $1 }
    }()

    /// Returns the dots of U+2800…28FF as a mask of 2×4.
    static func brailleMask(_ glyph: UInt32) -> Int {
        // Bit n of the code point is dot n + 1; dots 1, 2, 3, 7 run down the left column.
        let places = [0, 2, 4, 1, 3, 5, 6, 7]
        return places.enumerated().reduce(0) {
            $0 | Int(glyph >> UInt32($1.offset) & 1) << $1.element
        }
    }
}
