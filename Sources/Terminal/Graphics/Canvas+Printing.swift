public import Raster

extension Canvas {
    /// Blanks the cells of the placed pictures, and returns the bytes that show their pixels there, to be written in the row below
    /// the canvas after its `lines`.
    ///
    /// The cursor position is preserved. The screen must have more rows than the canvas, or the cursor could not move up to its top.
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
                return drawn(InlineFiles.bytes(file, cells: frame.size), x: frame.x, y: frame.y)
            case .png(let file):
                let keys = "a=T,c=\(frame.size.columns),r=\(frame.size.rows),C=1"
                return drawn(
                    KittyPictures.transmission(of: file, keys).flatMap(\.self), x: frame.x,
                    y: frame.y)
            }
        }
    }

    /// Returns `bytes` written at the cell (`x`, `y`), by relative moves from the row below the canvas, since output scrolls.
    private func drawn(_ bytes: [UInt8], x: Int, y: Int) -> [UInt8] {
        let way = "\u{1B}[\(size.rows - y)A" + (x > 0 ? "\u{1B}[\(x)C" : "")
        return TerminalSequence.keepCursor + Array(way.utf8) + bytes
            + TerminalSequence.restoreCursor
    }
}
