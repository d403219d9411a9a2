import Raster

/// Pictures in kitty's graphics protocol that are shown in placeholder cells, which scroll and are covered like text.
final class KittyPlaceholders: PixelProtocol {
    private var pictures = KittyPictures()

    let afterCut = KittyPictures.afterCut

    func admit(_ placed: PlacedPicture, on canvas: Canvas, in frame: PixelFrame) -> PixelAdmission {
        guard Placeholders.canShow(placed.picture.cells) else { return .cells }
        return pictures.admit(
            placed, to: frame, keys: "a=T,\(KittyPictures.virtualPlace(of: placed))",
            hasRoom: frame.hasRoom)
    }

    func endAdmission(to frame: PixelFrame) -> [UInt8] { pictures.makeRoom(in: frame.number) }

    func reset() -> [UInt8] { pictures.reset() }

    func finish() { pictures.finish() }
}

/// kitty's placeholder cells: a character with marks for row, column and the highest bits of the picture's ID, whose lowest
/// bits are the colour.
enum Placeholders {
    /// The marks by number, as in kitty's rowcolumn-diacritics.txt: those above a letter in Unicode 6, except `normalized`.
    private static let marks: [UInt32] = [
        0x0305...0x20F0, 0x2CEF...0x2DFF, 0xA66F...0xAAC1, 0xFE20...0x1_0A38, 0x1_D185...0x1_D244,
    ].joined().filter { mark in
        guard let properties = Unicode.Scalar(mark)?.properties,
            properties.canonicalCombiningClass == .above, let age = properties.age
        else { return false }
        return age <= (6, 0) && !normalized.contains(mark)
    }

    /// The marks that normalization joins with letters, or replaces.
    private static let normalized: [UInt32] = [
        0x0306, 0x0307, 0x0308, 0x0309, 0x030A, 0x030B, 0x030C, 0x030F, 0x0311, 0x0313, 0x0314,
        0x0340, 0x0341, 0x0342, 0x0343, 0x0344, 0x0653, 0x0654,
    ]

    /// Returns whether there are marks for all rows and columns.
    static func canShow(_ cells: CellSize) -> Bool { max(cells.columns, cells.rows) <= marks.count }

    /// Writes row and column in every cell, although kitty could infer them, since neighbouring cells may change alone.
    static func write(_ cell: Cell, to output: inout ByteCursor) {
        output.utf8(Cell.pixelGlyph)
        output.utf8(marks[min(cell.pictureRow, marks.count - 1)])
        output.utf8(marks[min(cell.pictureColumn, marks.count - 1)])
        output.utf8(marks[Int(cell.pictureID >> 24)])
    }
}
