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
}

/// kitty's placeholder cells: a character with marks for row, column and the highest bits of the picture's ID, whose lowest
/// bits are the colour.
enum Placeholders {
    /// The marks by number, in runs of Unicode scalars as listed in kitty's rowcolumn-diacritics.txt.
    private static let marks: [UInt32] = [
        (0x0305, 1), (0x030D, 2), (0x0310, 1), (0x0312, 1), (0x033D, 3), (0x0346, 1),
        (0x034A, 3), (0x0350, 3), (0x0357, 1), (0x035B, 1), (0x0363, 13), (0x0483, 5),
        (0x0592, 4), (0x0597, 3), (0x059C, 6), (0x05A8, 2), (0x05AB, 2), (0x05AF, 1),
        (0x05C4, 1), (0x0610, 8), (0x0657, 5), (0x065D, 2), (0x06D6, 7), (0x06DF, 4),
        (0x06E4, 1), (0x06E7, 2), (0x06EB, 2), (0x0730, 1), (0x0732, 2), (0x0735, 2),
        (0x073A, 1), (0x073D, 1), (0x073F, 3), (0x0743, 1), (0x0745, 1), (0x0747, 1),
        (0x0749, 2), (0x07EB, 7), (0x07F3, 1), (0x0816, 4), (0x081B, 9), (0x0825, 3),
        (0x0829, 5), (0x0951, 1), (0x0953, 2), (0x0F82, 2), (0x0F86, 2), (0x135D, 3),
        (0x17DD, 1), (0x193A, 1), (0x1A17, 1), (0x1A75, 8), (0x1B6B, 1), (0x1B6D, 7),
        (0x1CD0, 3), (0x1CDA, 2), (0x1CE0, 1), (0x1DC0, 2), (0x1DC3, 7), (0x1DCB, 2),
        (0x1DD1, 22), (0x1DFE, 1), (0x20D0, 2), (0x20D4, 4), (0x20DB, 2), (0x20E1, 1),
        (0x20E7, 1), (0x20E9, 1), (0x20F0, 1), (0x2CEF, 3), (0x2DE0, 32), (0xA66F, 1),
        (0xA67C, 2), (0xA6F0, 2), (0xA8E0, 18), (0xAAB0, 1), (0xAAB2, 2), (0xAAB7, 2),
        (0xAABE, 2), (0xAAC1, 1), (0xFE20, 7), (0x1_0A0F, 1), (0x1_0A38, 1), (0x1_D185, 5),
        (0x1_D1AA, 4), (0x1_D242, 3),
    ].flatMap { (first: UInt32, count: UInt32) in (0..<count).map { first + $0 } }

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
