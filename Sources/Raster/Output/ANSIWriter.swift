/// Writes cells as text with SGR escapes (ECMA-48, and ISO 8613-6 for 38 and 48), for `--print`.
///
/// Only what differs from the cell before is sent. Each row starts and ends in the terminal's own colours, so that
/// rows can be cut apart, and a background does not run on to the edge of the window.
public struct ANSIWriter: Sendable {
    /// The colours to write with; mono writes no escapes at all.
    public let depth: ColorDepth

    /// Makes a writer for terminals of `depth`.
    public init(depth: ColorDepth) {
        self.depth = depth
    }

    /// Appends the rows of `grid`, each ended by a line feed, in UTF-8.
    public func write(_ grid: CellGrid, to bytes: inout [UInt8]) {
        // A half-block cell in truecolor takes about 40 bytes.
        bytes.reserveCapacity(bytes.count + grid.cells.count * (depth == .truecolor ? 40 : 12))
        for row in 0..<grid.size.rows {
            write(row: row, of: grid, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// Appends one row of `grid` without a line feed.
    public func write(row: Int, of grid: CellGrid, to bytes: inout [UInt8]) {
        var pen = Cell.blank
        for column in 0..<grid.size.columns {
            let cell = grid[column, row]
            // The right half of a wide character was drawn with its left one.
            guard cell.glyph != 0 else { continue }
            if depth != .mono { change(&pen, to: cell, in: &bytes) }
            bytes.append(scalar: cell.glyph)
        }
        if pen != .blank { bytes.append(contentsOf: "\u{1B}[0m".utf8) }
    }

    /// Sends what differs between the pen and `cell` as one escape sequence.
    private func change(_ pen: inout Cell, to cell: Cell, in bytes: inout [UInt8]) {
        var escape = SGRSequence()
        if cell.style != pen.style {
            // There is one code each to switch off; a reset, which the colours then follow, is shorter.
            if !pen.style.isSubset(of: cell.style) {
                escape.append(0, to: &bytes)
                pen = .blank
            }
            for (style, code) in Self.styleCodes
            where cell.style.contains(style) && !pen.style.contains(style) {
                escape.append(code, to: &bytes)
            }
            pen.style = cell.style
        }
        let hasInk = cell.glyph != 0x20 || !cell.style.isEmpty
        if hasInk && cell.foreground != pen.foreground {
            escape.append(cell.foreground, base: 30, to: &bytes)
            pen.foreground = cell.foreground
        }
        if cell.background != pen.background {
            escape.append(cell.background, base: 40, to: &bytes)
            pen.background = cell.background
        }
        escape.end(in: &bytes)
    }

    private static let styleCodes: [(CellStyle, Int)] = [
        (.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7),
    ]
}
