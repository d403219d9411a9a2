import Glibc
import Raster

/// A picture whose pixels may be shown in the place of its cells.
struct PlacedPicture: Sendable {
    let picture: CodedPicture
    /// The cells it covers, which may lie partly outside.
    let frame: CellRect
    /// Those of them that its view is confined to.
    let visible: CellRect

    /// What terminals and cells call it: the lowest eight bits, which a colour of the palette says, and the highest eight, which a
    /// mark says; neither are 0.
    ///
    /// Of 24-bit colours, which have room for more, tmux makes others where its terminal is not said to have them.
    var id: UInt32 { Self.id(ofSerial: picture.serial + Self.firstSerial) }

    /// Somewhere else in each run: through tmux the terminal may still have pictures of the last one.
    private static let firstSerial = Int(getpid()) % 16 * 255

    static func id(ofSerial serial: Int) -> UInt32 {
        // The first marks are those that every program knows to take no cell.
        UInt32(serial / 255 % 64 + 1) << 24 | UInt32(serial % 255 + 1)
    }
}

extension CellStyle {
    /// The cell shows a part of a picture's pixels.
    static let pixels = CellStyle(rawValue: 0x40)
}

/// A cell that shows pixels says which: that is all that frames have to be compared by.
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
    /// The picture's id.
    var pictureID: UInt32 { foreground.rawValue }
    /// Which of the picture's columns it shows.
    var pictureColumn: Int { Int(background.rawValue & 0xFFF) }
    var pictureRow: Int { Int(background.rawValue >> 12) }
}

extension Canvas {
    /// Shows the pixels of `placed` in those of its cells that nothing has been put over.
    mutating func showPixels(of placed: PlacedPicture) {
        for (index, cell) in pixelCells(of: placed) { cells[index] = cell }
    }

    /// What those cells become, with their places in `cells`.
    func pixelCells(of placed: PlacedPicture) -> [(index: Int, cell: Cell)] {
        let visible = placed.visible
        var result: [(index: Int, cell: Cell)] = []
        result.reserveCapacity(visible.size.columns * visible.size.rows)
        for y in visible.y..<visible.bottom {
            for x in visible.x..<visible.right {
                let index = y * size.columns + x
                guard cells[index].style.contains(.picture) else { continue }
                let cell = Cell(
                    pixelsOf: placed.id, column: x - placed.frame.x, row: y - placed.frame.y)
                result.append((index, cell))
            }
        }
        return result
    }

    /// The part of `rectangle` whose cells satisfy `condition`, told their place in `cells`, in as few rectangles as
    /// going from row to row makes.
    func rectangles(of rectangle: CellRect, where condition: (Int) -> Bool) -> [CellRect] {
        var done: [CellRect] = []
        var open: [CellRect] = []
        for y in rectangle.y..<rectangle.bottom {
            var going: [CellRect] = []
            var x = rectangle.x
            while x < rectangle.right {
                let start = x
                while x < rectangle.right, condition(y * size.columns + x) { x += 1 }
                if x > start {
                    let above = open.firstIndex { $0.x == start && $0.size.columns == x - start }
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
