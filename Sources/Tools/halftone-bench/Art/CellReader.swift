import Raster
import TestSupport

/// Reads what was written to a terminal back into cells, by the terminal of the tests.
struct CellReader {
    /// The size that was asked for.
    let size: CellSize

    /// What `bytes` show.
    /// - Throws: `ArtFailure` if they are not understood, or show more than was asked for.
    func cells(from bytes: [UInt8]) throws -> CellGrid {
        // Room beside and below shows a drawing that is too large.
        let room = CellSize(columns: size.columns + 2, rows: size.rows + 3)
        let screen = ScreenEmulator(size: room)
        // As the line discipline does it.
        screen.feed(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
        guard screen.unrecognised.isEmpty else {
            throw ArtFailure(text: "not understood: \(screen.unrecognised[0])")
        }
        var grid = CellGrid(size: size)
        for y in 0..<room.rows {
            for x in 0..<room.columns {
                let cell = screen.grid[x, y]
                if x < size.columns, y < size.rows {
                    grid[x, y] = cell
                } else if cell.glyph != 0x20 || cell.background != .standard {
                    throw ArtFailure(text: "larger than \(size.columns)×\(size.rows) cells")
                }
            }
        }
        return grid
    }
}
