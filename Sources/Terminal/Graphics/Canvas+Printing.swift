public import Raster

extension Canvas {
    /// Returns the bytes that show the canvas, from the row of the cursor on or on the screen; pixels, in `graphics`, take the place of
    /// the cells where pictures were placed.
    ///
    /// With pixels, and no corner, the screen must have more rows than the canvas, or the cursor could not move up to its top.
    /// - Parameter corner: The column and row of the screen, from 0, of the top left cell; the cursor stays where it was.
    /// - Parameter isScrolling: Whether the last row also ends with a line feed; ignored with a corner.
    public mutating func printed(
        at corner: (x: Int, y: Int)?, isScrolling: Bool, depth: ColorDepth, graphics: Graphics
    ) -> [UInt8] {
        for placed in pictures { fill(placed.visible, with: .blank) }
        var bytes = lines(depth: depth)
        if let corner {
            let rows = bytes.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
            bytes =
                TerminalSequence.keepCursor
                + rows.enumerated().flatMap {
                    TerminalSequence.move(x: corner.x, y: corner.y + $0) + $1
                } + TerminalSequence.restoreCursor
        } else if !isScrolling {
            bytes.removeLast()
        }
        func draw(_ pixels: [UInt8], x: Int, y: Int) {
            bytes += TerminalSequence.keepCursor
            if let corner {
                bytes += TerminalSequence.move(x: corner.x + x, y: corner.y + y)
            } else {
                // By relative moves from the last row or the one below it, since output scrolls. A count of 0 would be taken for 1.
                let up = size.rows - y - (isScrolling ? 0 : 1)
                let way = (up > 0 ? "\u{1B}[\(up)A" : "") + (x > 0 ? "\u{1B}[\(x)C" : "")
                bytes += "\r\(way)".utf8
            }
            bytes += pixels + TerminalSequence.restoreCursor
        }
        for placed in pictures {
            let frame = placed.frame
            switch placed.picture.code {
            case .plain: break
            case .palette:
                for piece in placed.picture.sixels {
                    draw(piece.bytes, x: frame.x + piece.cells.x, y: frame.y + piece.cells.y)
                }
            case .png(let file):
                let pixels =
                    graphics == .iterm
                    ? TerminalSequence.inlineFile(file, cells: frame.size)
                    : KittyPictures.transmission(
                        of: file, "a=T,c=\(frame.columns),r=\(frame.rows),C=1,f=100"
                    ).flatMap(\.self)
                draw(pixels, x: frame.x, y: frame.y)
            }
        }
        return bytes
    }
}
