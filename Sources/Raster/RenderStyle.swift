/// The block characters that pictures are drawn with; the raw value is the option's keyword.
public enum BlockSet: String, CaseIterable, Sendable {
    /// Half blocks: 1×2 sub-pixels.
    case half
    /// Quadrants: 2×2 sub-pixels.
    case quadrant
    /// Sextants: 2×3 sub-pixels.
    case sextant
    /// Octants: 2×4 sub-pixels, Unicode 16.
    case octant
    /// Braille dots: 2×4 sub-pixels.
    case braille
    /// Printable ASCII, chosen by shape and brightness.
    case ascii

    /// The sub-pixels of one cell, as columns and rows.
    ///
    /// ASCII samples 2×4 parts, the resolution of its table of glyph shapes.
    var subpixels: PixelSize {
        switch self {
        case .half: PixelSize(width: 1, height: 2)
        case .quadrant: PixelSize(width: 2, height: 2)
        case .sextant: PixelSize(width: 2, height: 3)
        case .octant, .braille, .ascii: PixelSize(width: 2, height: 4)
        }
    }
}

/// The number of colours the terminal shows; the raw value is the option's keyword.
public enum ColorDepth: String, CaseIterable, Sendable {
    /// 24 bits per colour.
    case truecolor
    /// xterm's 256-colour palette.
    case palette256 = "256"
    /// The 16 ANSI colours.
    case palette16 = "16"
    /// The 8 ANSI colours.
    case palette8 = "8"
    /// No colour.
    case mono
}

/// How colours missing from the palette are approximated; the raw value is the option's keyword.
public enum Dither: String, CaseIterable, Sendable {
    /// Part of each cell's error is passed on to its neighbours, as much as looks best at the colour depth.
    case auto
    /// No dithering: every cell is as close to its pixels as possible, so gradients show bands.
    case none
}

/// What is left out of a picture so that more can be seen of the rest.
public enum Crop: Sendable, BitwiseCopyable {
    case none
    /// What is below the top of a strip that would be a hair's breadth otherwise.
    case strips
    /// What does not fit into the box, which is filled.
    case box
}

/// The settings that decide how pixels become cells, apart from the pixels and the size.
public struct RenderStyle: Hashable, Sendable {
    /// The block characters to draw with.
    public var blocks: BlockSet
    /// The colour depth to draw with.
    public var depth: ColorDepth
    /// A cell's height divided by its width; 2 if the terminal does not report it.
    public var cellAspect: Double
    /// The terminal's background, which shows through transparent pictures and decides between dark and light.
    public var background: RGB
    /// Whether a thumbnail's background is tinted with its dominant colour.
    public var isTinted: Bool
    /// What is left out of a picture.
    public var crop = Crop.none
    /// How its code values are changed.
    public var tone = Tone()
    /// The colours the terminal shows for the ANSI palette.
    public var systemColors: SystemColors
    /// The dithering method for depths below truecolor.
    var dither: Dither
    /// The pixel output wanted in addition to the cells; nil for cells only.
    public var pixels: PixelForm?

    /// Whether lower eighth blocks are used beside the set's own: with fewer colours dithering needs the smallest parts instead.
    ///
    /// Left eighths are not: at 24×6 cells, 69 pictures, parts of 8×16 a cell, PSNR / SSIM of quadrants are 18.6 / 0.527, with lower eighths
    /// 19.5 / 0.593, with left ones too 19.6 / 0.606, at twice the pixels kept and drawn.
    var hasEighths: Bool {
        [.quadrant, .sextant, .octant].contains(blocks)
            && [.truecolor, .palette256].contains(depth)
    }

    /// The pixels that one cell is drawn from, as columns and rows: with eighths those that are kept, of which odd ones halve one.
    var subpixels: PixelSize {
        hasEighths ? PixelSize(width: 2, height: 12) : blocks.subpixels
    }

    /// The picture's pixels per cell width: two for the finest block sets, twice as many as half blocks show.
    public var pixelsAcross: Int { pixels?.cell.width ?? 2 }

    /// Creates a style; the defaults suit a dark terminal with an unknown cell size.
    public init(
        blocks: BlockSet = .half, depth: ColorDepth = .truecolor, cellAspect: Double = 2,
        background: RGB = RGB(0), isTinted: Bool = true, systemColors: SystemColors = .xterm,
        dither: Dither = .auto
    ) {
        self.blocks = blocks
        self.depth = depth
        self.cellAspect = cellAspect
        self.background = background
        self.isTinted = isTinted
        self.systemColors = systemColors
        self.dither = dither
    }
}
