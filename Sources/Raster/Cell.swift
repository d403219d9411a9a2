/// A cell's colour: 24-bit, a palette index, or the terminal's default.
///
/// The raw value is what the private terminfo entry expects: `0xRRGGBB`, `0x1000000 + n`, or all bits set.
public struct CellColor: RawRepresentable, Hashable, Sendable {
    /// The encoded colour.
    public var rawValue: UInt32

    /// Creates a colour from its encoded value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a 24-bit colour.
    public init(_ color: RGB) { self.init(rawValue: color.packed) }

    /// Creates an entry of the terminal's palette, 0…255.
    public init(palette index: UInt8) { self.init(rawValue: Self.paletteBase + UInt32(index)) }

    /// The terminal's default foreground or background.
    public static let standard = CellColor(rawValue: .max)

    /// The 24-bit colour; nil if this is a palette entry or the default.
    public var rgb: RGB? { rawValue < Self.paletteBase ? RGB(rawValue) : nil }

    /// The palette index; nil if this is a 24-bit colour or the default.
    public var paletteIndex: UInt8? {
        rawValue >= Self.paletteBase && rawValue < Self.paletteBase + 256
            ? UInt8(rawValue - Self.paletteBase) : nil
    }

    private static let paletteBase: UInt32 = 0x100_0000
}

/// Text attributes of a cell, besides its colours.
public struct CellStyle: OptionSet, Hashable, Sendable {
    /// The attribute bits.
    public var rawValue: UInt8

    /// Creates a style from its attribute bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bold.
    public static let bold = CellStyle(rawValue: 1)
    /// Dim.
    public static let dim = CellStyle(rawValue: 2)
    /// Underlined.
    public static let underline = CellStyle(rawValue: 4)
    /// Foreground and background swapped.
    public static let reverse = CellStyle(rawValue: 8)
}

/// One terminal cell.
public struct Cell: Hashable, Sendable {
    /// The Unicode scalar shown; 0 in the right half of a wide character.
    public var glyph: UInt32
    /// The glyph's colour.
    public var foreground: CellColor
    /// The colour behind it.
    public var background: CellColor
    /// Attributes such as bold.
    public var style: CellStyle

    /// Creates a cell.
    public init(
        glyph: UInt32, foreground: CellColor = .standard, background: CellColor = .standard,
        style: CellStyle = []
    ) {
        self.glyph = glyph
        self.foreground = foreground
        self.background = background
        self.style = style
    }

    /// A space in the terminal's default colours.
    public static let blank = Cell(glyph: 0x20)
}

/// A rectangle of cells in row-major order.
public struct CellGrid: Hashable, Sendable {
    /// The extent, in cells.
    public let size: CellSize
    /// `size.rows` rows of `size.columns` cells.
    public var cells: [Cell]

    /// Creates a grid in which every cell is `cell`.
    public init(size: CellSize, filledWith cell: Cell = .blank) {
        self.size = size
        cells = Array(repeating: cell, count: size.count)
    }

    /// The cell at column `x` and row `y`, which must lie inside the grid.
    public subscript(x: Int, y: Int) -> Cell {
        get { cells[y * size.columns + x] }
        set { cells[y * size.columns + x] = newValue }
    }
}
