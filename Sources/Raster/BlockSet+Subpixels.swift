extension BlockSet {
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
