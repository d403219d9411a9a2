public import Raster

extension Canvas {
    /// Empties the cells of the pictures placed, and returns what shows their pixels there: from the row below the canvas, once its
    /// `lines` have been written.
    ///
    /// The cursor ends where it was. The screen must have more rows than the canvas: it goes up no further.
    public mutating func takePictures(as graphics: Graphics) -> [UInt8] {
        for placed in pictures { fill(placed.visible, with: .blank) }
        return pictures.flatMap { placed -> [UInt8] in
            let frame = placed.frame
            switch placed.picture.code {
            case .palette:
                return placed.picture.sixels.flatMap { piece in
                    drawn(piece.bytes, x: frame.x + piece.cells.x, y: frame.y + piece.cells.y)
                }
            case .png(let file) where graphics == .iterm:
                return drawn(InlineFile.bytes(file, cells: frame.size), x: frame.x, y: frame.y)
            case .png(let file):
                let keys = "a=T,c=\(frame.size.columns),r=\(frame.size.rows),C=1"
                return drawn(
                    KittyPictures.transmission(of: file, keys).flatMap(\.self), x: frame.x,
                    y: frame.y)
            }
        }
    }

    /// `bytes` in the cell (`x`, `y`): as output scrolls, only the way there from the row below is known.
    private func drawn(_ bytes: [UInt8], x: Int, y: Int) -> [UInt8] {
        let way = "\u{1B}[\(size.rows - y)A" + (x > 0 ? "\u{1B}[\(x)C" : "")
        return PixelLayer.keepCursor + Array(way.utf8) + bytes + PixelLayer.restoreCursor
    }
}
