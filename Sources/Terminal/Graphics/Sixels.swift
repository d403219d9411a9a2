import Raster

/// Pictures as sixels, which are cells' content to the terminal: sent again wherever cells change.
final class Sixels: PixelProtocol {
    func admit(_ placed: PlacedPicture, on canvas: Canvas, in frame: PixelFrame) -> PixelAdmission {
        guard case .palette = placed.picture.code else { return .cells }
        return placed.admission(of: canvas.pixelCells(of: placed), to: frame)
    }

    func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8] {
        canvas.pictures.flatMap { placed -> [UInt8] in
            guard case .palette(let picture) = placed.picture.code else { return [] }
            let (x, y) = (placed.frame.x, placed.frame.y)
            let parts = canvas.changedParts(of: placed, wanted: wanted)
            let pieces =
                parts == [placed.frame]
                ? placed.picture.sixels
                : parts.flatMap { part in
                    let part = CellRect(
                        x: part.x - x, y: part.y - y, columns: part.size.columns,
                        rows: part.size.rows)
                    return SixelWriter.pieces(of: picture, part, of: placed.picture.cells)
                }
            return pieces.flatMap {
                TerminalSequence.move(x: x + $0.cells.x, y: y + $0.cells.y) + $0.bytes
            }
        }
    }
}

/// Pictures as inline files like iTerm2's (OSC 1337), which can only be shown whole.
final class InlineFiles: PixelProtocol {
    /// Shows a file stretched over a number of cells.
    static func bytes(_ file: [UInt8], cells: CellSize) -> [UInt8] {
        let head =
            "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(cells.columns)"
            + ";height=\(cells.rows);preserveAspectRatio=0;doNotMoveCursor=1:"
        return Array(head.utf8) + TerminalSequence.base64(file) + [0x07]
    }

    func admit(_ placed: PlacedPicture, on canvas: Canvas, in frame: PixelFrame) -> PixelAdmission {
        let cells = canvas.pixelCells(of: placed)
        guard case .png = placed.picture.code, cells.count == placed.cellCount else {
            return .cells
        }
        return placed.admission(of: cells, to: frame)
    }

    func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8] {
        canvas.pictures.flatMap { placed -> [UInt8] in
            guard case .png(let file) = placed.picture.code,
                !canvas.changedParts(of: placed, wanted: wanted).isEmpty
            else { return [] }
            return TerminalSequence.move(x: placed.frame.x, y: placed.frame.y)
                + Self.bytes(file, cells: placed.frame.size)
        }
    }
}

/// What pictures have in common that are sent again with the cells that show them.
extension PlacedPicture {
    fileprivate var cellCount: Int { frame.size.columns * frame.size.rows }

    /// Admits it to `frame` at the cost of those of `cells` that change there.
    fileprivate func admission(
        of cells: [(index: Int, cell: Cell)], to frame: PixelFrame
    ) -> PixelAdmission {
        let changes = cells.count { frame.shown.cells[$0.index] != $0.cell }
        guard changes == 0 || frame.hasRoom else { return .later }
        return .pixels(sending: [], cost: picture.sentCount * changes / max(1, cellCount))
    }
}

extension Canvas {
    /// Returns the parts of `placed` whose cells are `wanted`.
    fileprivate func changedParts(of placed: PlacedPicture, wanted: [Bool]) -> [CellRect] {
        rectangles(of: placed.visible) {
            wanted[$0] && cells[$0].showsPixels && cells[$0].pictureID == placed.id
        }
    }
}
