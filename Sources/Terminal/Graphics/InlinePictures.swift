import Raster

/// Pictures that are cells' content to the terminal, sent again wherever cells change: as sixels, or as inline files, which can only be
/// shown whole.
final class InlinePictures: PixelProtocol {
    private let isSixel: Bool

    init(isSixel: Bool) { self.isSixel = isSixel }

    /// Admits a picture at the cost of those of its cells that change in `frame`.
    func admit(_ placed: PlacedPicture, on canvas: Canvas, in frame: PixelFrame) -> PixelAdmission {
        let cells = canvas.pixelCells(of: placed)
        let count = placed.frame.size.count
        switch placed.picture.code {
        case .palette where isSixel: break
        case .png where !isSixel && cells.count == count: break
        default: return .cells
        }
        let changes = cells.count { frame.shown.cells[$0.index] != $0.cell }
        guard changes == 0 || frame.hasRoom else { return .later }
        return .pixels(sending: [], cost: placed.picture.sentCount * changes / max(1, count))
    }

    func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8] {
        canvas.pictures.flatMap { placed -> [UInt8] in
            let x = placed.frame.x
            let y = placed.frame.y
            let parts = canvas.parts(of: placed) { wanted[$0] }
            switch placed.picture.code {
            case .png where parts.isEmpty, .plain: return []
            case .png(let file):
                return TerminalSequence.move(x: x, y: y)
                    + TerminalSequence.inlineFile(file, cells: placed.frame.size)
            case .palette(let picture):
                let pieces =
                    parts == [placed.frame]
                    ? placed.picture.sixels
                    : parts.flatMap { part in
                        var part = part
                        part.x -= x
                        part.y -= y
                        return SixelWriter.pieces(of: picture, part, of: placed.picture.cells)
                    }
                return placed.shown(pieces)
            }
        }
    }
}
