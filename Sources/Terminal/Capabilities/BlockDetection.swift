import Raster

/// Which block sets can be placed: the C library must know a glyph's width, or ncurses writes a blank for it.
enum BlockDetection {
    /// The sets for the terminal called `name`, in the locale at this moment; `ascii` is always among them.
    static func blockSets(terminal name: String) -> Set<BlockSet> {
        guard GlyphWidth.isUnicode else { return [.ascii] }
        // The console's font has the 512 glyphs of code page 437 and little else.
        let candidates: [BlockSet] = name.hasPrefix("linux") ? [.half, .ascii] : BlockSet.allCases
        return Set(candidates.filter { GlyphWidth.of(representative(of: $0)) == 1 })
    }

    /// A glyph that stands for its set; octants came with Unicode 16, which glibc knows from 2.41.
    private static func representative(of blocks: BlockSet) -> UInt32 {
        switch blocks {
        case .half: 0x2580
        case .quadrant: 0x2596
        case .sextant: 0x1FB00
        case .octant: 0x1CD00
        case .braille: 0x2801
        case .ascii: 0x23
        }
    }
}
