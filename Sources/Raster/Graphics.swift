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

    /// Creates a form; `colors` is clamped to 2…256.
    public init(_ graphics: Graphics, cell: PixelSize, colors: Int = 256) {
        self.graphics = graphics
        self.cell = cell
        self.colors = min(max(colors, 2), 256)
    }

    /// The size of a large window today; more pixels would take a second to send, and 16 MB to keep.
    private static let maxPixels = 4_000_000

    /// Returns the pixels per cell in a box of cells, reduced if the box would have too many pixels.
    public func cell(in box: CellSize) -> PixelSize {
        var cell = cell
        while cell.count > max(1, Self.maxPixels / max(1, box.count)) {
            cell = PixelSize(width: max(1, cell.width / 2), height: max(1, cell.height / 2))
        }
        return cell
    }

    /// Returns the size to draw `cells` at, in pixels; nil if they cannot be filled, as terminals do not enlarge sixels.
    public func size(of cells: CellSize) -> PixelSize? {
        let cell = cell(in: cells)
        guard graphics != .sixel || cell == self.cell else { return nil }
        return cells.pixels(each: cell)
    }
}
