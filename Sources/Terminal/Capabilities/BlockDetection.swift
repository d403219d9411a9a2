import Basics
import Glibc
import Raster

/// The process's character set, which ncurses writes in.
enum CharacterSet {
    /// Takes that of the environment, or UTF-8 if that is none: half blocks exist nowhere else.
    ///
    /// Nothing but the character set: numbers stay as in C.
    static func adopt() {
        for name in ["", "C.UTF-8", "C.utf8", "en_US.UTF-8"] {
            if setlocale(LC_CTYPE, name) != nil, isUnicode { return }
        }
        setlocale(LC_CTYPE, "")
    }

    /// Whether it is UTF-8, after `adopt`.
    static var isUnicode: Bool {
        nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
    }
}

/// Which block sets can be placed: the C library must know a glyph's width, or ncurses writes a blank for it.
enum BlockDetection {
    /// The sets for the terminal called `name`, in the character set at this moment; `ascii` is always among them.
    static func blockSets(terminal name: String) -> Set<BlockSet> {
        guard CharacterSet.isUnicode else { return [.ascii] }
        // The console's font has the 512 glyphs of code page 437 and little else.
        let candidates: [BlockSet] = name.hasPrefix("linux") ? [.half, .ascii] : BlockSet.allCases
        return Set(candidates.filter { representative(of: $0).libraryColumns == 1 })
    }

    /// A glyph that stands for its set; octants came with Unicode 16, which glibc knows from 2.41.
    private static func representative(of blocks: BlockSet) -> Unicode.Scalar {
        switch blocks {
        case .half: "\u{2580}"
        case .quadrant: "\u{2596}"
        case .sextant: "\u{1FB00}"
        case .octant: "\u{1CD00}"
        case .braille: "\u{2801}"
        case .ascii: "#"
        }
    }
}
