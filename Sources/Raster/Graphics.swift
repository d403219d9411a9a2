/// The graphics protocol used to send pixels to a terminal; the raw value is the option's keyword.
public enum Graphics: String, CaseIterable, Sendable {
    /// No graphics: cells only.
    case none
    /// The kitty graphics protocol.
    case kitty
    /// DEC sixels.
    case sixel
    /// iTerm2's inline images.
    case iterm
}

/// The form in which a picture's pixels are wanted in addition to its cells.
public struct PixelForm: Hashable, Sendable {
    /// The graphics protocol.
    public var graphics: Graphics
    /// The size of a cell, in pixels.
    public var cell: PixelSize
    /// The maximum number of colours, 2…256, for protocols with a palette.
    public var colors: Int
    /// Whether the terminal reads plain pixels from shared memory.
    public var isShared: Bool
    /// Whether the terminal keeps the frames of animations, and plays them by itself.
    public var playsFilms: Bool

    /// Creates a form; `colors` is clamped to 2…256.
    public init(
        _ graphics: Graphics, cell: PixelSize, colors: Int = 256, isShared: Bool = false,
        playsFilms: Bool = false
    ) {
        self.graphics = graphics
        self.cell = cell
        self.isShared = isShared
        self.playsFilms = playsFilms
        self.colors = min(max(colors, 2), 256)
    }

    /// A whole screen in 4K; more pixels would take seconds to send, and more than 33 MB to keep.
    private static let maxPixels = 3840 * 2160

    /// Returns the size to draw `cells` at, with `most` pixels at most.
    public func size(of cells: CellSize, most: Int = .max) -> PixelSize {
        let size = cells.pixels(each: Self.reduced(cell, in: cells))
        let scale = min(1, (Double(most) / Double(size.count)).squareRoot())
        return size.scaled { $0 * scale }
    }

    /// Returns the size of `cell`, in pixels, reduced if so many cells would have too many pixels.
    public static func reduced(_ cell: PixelSize, in cells: CellSize) -> PixelSize {
        let excess = Double(cells.count) * Double(cell.count) / Double(maxPixels)
        let scale = max(1, excess).squareRoot()
        return cell.scaled { $0 / scale }
    }
}
