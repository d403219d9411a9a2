public import Raster

/// A picture drawn in cells.
public struct Thumbnail: Sendable {
    /// The cells, at most the box asked for.
    public var cells: CellGrid
    /// What is known of the picture.
    public var facts: PictureFacts

    /// Makes a thumbnail.
    public init(cells: CellGrid, facts: PictureFacts) {
        self.cells = cells
        self.facts = facts
    }
}
