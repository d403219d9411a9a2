import Glibc
import Raster

/// A picture whose pixels may be shown instead of its cells.
struct PlacedPicture {
    let picture: CodedPicture
    /// The cells that it covers, some of which may be off the screen.
    let frame: CellRect
    /// The part of `frame` to which its view is confined.
    let visible: CellRect

    /// The picture's ID in terminals and cells: the lowest eight bits are encoded as a palette colour and the highest eight as a
    /// mark; neither are 0.
    ///
    /// 24-bit colours have room for more, but tmux changes them if its terminal is not declared to support them.
    var id: UInt32 { Self.id(ofSerial: picture.serial + Self.firstSerial) }

    /// Different in each run: the terminal around tmux may still have pictures of the previous one.
    private static let firstSerial = Int(getpid()) % 16 * 255

    /// Returns what shows `pieces` of sixels at their cells.
    func shown(_ pieces: [SixelPiece]) -> [UInt8] {
        pieces.flatMap {
            TerminalSequence.move(x: frame.x + $0.cells.x, y: frame.y + $0.cells.y) + $0.bytes
        }
    }

    static func id(ofSerial serial: Int) -> UInt32 {
        // The first marks are those that every program knows to be zero-width.
        UInt32(serial / 255 % 64 + 1) << 24 | UInt32(serial % 255 + 1)
    }
}

extension CellStyle {
    /// The cell shows a part of a picture's pixels.
    static let pixels = CellStyle(rawValue: 0x40)
}

/// A cell that shows pixels encodes which, so that comparing cells is enough to compare frames.
extension Cell {
    /// kitty's placeholder for a part of a picture.
    static let pixelGlyph: UInt32 = 0x10_EEEE

    init(pixelsOf id: UInt32, column: Int, row: Int) {
        self.init(
            glyph: Self.pixelGlyph, foreground: CellColor(rawValue: id),
            background: CellColor(rawValue: UInt32(row << 12 | column)),
            style: [.picture, .pixels])
    }

    @inline(__always) var showsPixels: Bool { style.contains(.pixels) }
    /// The picture's ID.
    var pictureID: UInt32 { foreground.rawValue }
    /// The picture's column that it shows.
    var pictureColumn: Int { Int(background.rawValue & 0xFFF) }
    var pictureRow: Int { Int(background.rawValue >> 12) }
}

extension Canvas {
    /// Returns cells that show the pixels of `placed`, except those that have been overwritten, with their indices in `cells`.
    func pixelCells(of placed: PlacedPicture) -> [(index: Int, cell: Cell)] {
        let visible = placed.visible
        var result: [(index: Int, cell: Cell)] = []
        result.reserveCapacity(visible.size.count)
        visible.forEach { x, y in
            let index = y * size.columns + x
            guard cells[index].style.contains(.picture) else { return }
            result.append(
                (
                    index,
                    Cell(pixelsOf: placed.id, column: x - placed.frame.x, row: y - placed.frame.y)
                ))
        }
        return result
    }

    /// Returns where cells show the pixels of `placed` and satisfy `condition` (given their index in `cells`), in as few rectangles as a
    /// row-by-row scan finds.
    func parts(
        of placed: PlacedPicture, where condition: (Int) -> Bool = { _ in true }
    ) -> [CellRect] {
        let rectangle = placed.visible
        func isPart(_ index: Int) -> Bool {
            cells[index].showsPixels && cells[index].pictureID == placed.id && condition(index)
        }
        var done: [CellRect] = []
        var open: [CellRect] = []
        for y in rectangle.y..<rectangle.bottom {
            var going: [CellRect] = []
            var x = rectangle.x
            while x < rectangle.right {
                let start = x
                while x < rectangle.right, isPart(y * size.columns + x) { x += 1 }
                if x > start {
                    let above = open.firstIndex { $0.x == start && $0.columns == x - start }
                    var run = CellRect(x: start, y: y, columns: x - start, rows: 0)
                    if let above { run = open.remove(at: above) }
                    run.size.rows += 1
                    going.append(run)
                }
                x += 1
            }
            done += open
            open = going
        }
        return done + open
    }
}
