/// The characters that pictures are drawn with; the raw value is the option's word.
public enum BlockSet: String, CaseIterable, Sendable {
    /// Upper and lower half: 1×2 sub-pixels.
    case half
    /// Quarters: 2×2 sub-pixels.
    case quadrant
    /// Sixths: 2×3 sub-pixels.
    case sextant
    /// Eighths: 2×4 sub-pixels, Unicode 16.
    case octant
    /// Braille dots: 2×4 sub-pixels.
    case braille
    /// Printable ASCII, chosen by shape and brightness.
    case ascii

    /// How many pixels one cell stands for: its columns and rows of sub-pixels.
    ///
    /// ASCII samples 2×4 parts, the resolution of its table of glyph shapes.
    public var subpixels: PixelSize {
        switch self {
        case .half: PixelSize(width: 1, height: 2)
        case .quadrant: PixelSize(width: 2, height: 2)
        case .sextant: PixelSize(width: 2, height: 3)
        case .octant, .braille, .ascii: PixelSize(width: 2, height: 4)
        }
    }
}

/// How many colours the terminal shows; the raw value is the option's word.
public enum ColorDepth: String, CaseIterable, Sendable {
    /// 24 bits a colour.
    case truecolor
    /// xterm's palette of 256.
    case palette256 = "256"
    /// The 16 ANSI colours.
    case palette16 = "16"
    /// The 8 ANSI colours.
    case palette8 = "8"
    /// No colour at all.
    case mono
}

/// How colours that a palette lacks are mixed from those that it has; the raw value is the option's word.
public enum Dither: String, CaseIterable, Sendable {
    /// What measured best for the colour depth.
    case auto
    /// Not at all: every cell as near to its pixels as it can be, and bands in gradients.
    case none
    /// By blue noise: even grain that stays where it is, whatever is drawn beside it.
    case noise
    /// By handing what a cell is off on to its neighbours.
    case diffusion
}

/// Everything that decides how pixels become cells, beside the pixels and the size.
public struct RenderStyle: Hashable, Sendable {
    /// The characters to draw with.
    public var blocks: BlockSet
    /// The colours to draw with.
    public var depth: ColorDepth
    /// A cell's height divided by its width; 2 where the terminal does not tell.
    public var cellAspect: Double
    /// The terminal's background, which shows through transparent pictures and decides dark or light.
    public var background: RGB
    /// Whether a thumbnail stands on its dominant colour, as a tint.
    public var isTinted: Bool
    /// What the terminal shows for the ANSI colours.
    public var systemColors: SystemColors
    /// How missing colours are mixed below truecolor.
    public var dither: Dither
    /// What pixels are wanted beside the cells; nil where there are cells only.
    public var pixels: PixelForm?

    /// The pixels of a picture that a cell's width shows: two in the finest block sets, which is twice what half blocks do.
    public var pixelsAcross: Int { pixels?.cell.width ?? 2 }

    /// Makes a style; the defaults suit a dark terminal of unknown cell size.
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
