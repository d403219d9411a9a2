import Basics
public import Raster

/// Writes cells as ECMA-48 control sequences in as few bytes as possible: ncurses looks up every sequence, and sends
/// foreground and background separately.
///
/// ncurses' knowledge of the terminal stays valid: cursor and attributes are saved before the first cell and restored after
/// the last one. Nothing else may be written in between.
struct CellWriter {
    /// One buffer per row: a frame is assembled only once.
    private var rows: [[UInt8]] = []
    private var pen: Pen
    /// Whether cells that show pixels are written as kitty's placeholders rather than left alone.
    private let writesPlaceholders: Bool
    /// The terminal's cursor; in column `Int.max` the next character would wrap.
    private var cursor = (x: Int.max, y: -2)

    /// The maximum per cell: a move (12), an attribute sequence (3 + 5 × 2 + 2 × 17), a character with marks (5 × 4).
    fileprivate static let maxBytes = 80

    init(depth: ColorDepth, writesPlaceholders: Bool) {
        pen = Pen(depth: depth)
        self.writesPlaceholders = writesPlaceholders
    }

    /// Writes the `wanted` ones of `cells`, which are row `y` of the screen; all of them must be one column wide.
    mutating func write(
        row cells: UnsafeBufferPointer<Cell>, y: Int, wanted: UnsafeBufferPointer<Bool>
    ) {
        guard let first = wanted.firstIndex(of: true) else { return }
        if rows.isEmpty { rows.append(Self.opening) }
        let row = ByteCursor.bytes(atMost: (cells.count - first) * Self.maxBytes) { output in
            for x in first..<cells.count where wanted[x] {
                let cell = cells[x]
                guard !cell.showsPixels || writesPlaceholders else { continue }
                move(x: x, y: y, columns: cells.count, &output)
                guard cell.showsPixels else {
                    pen.change(to: cell, &output)
                    output.utf8(cell.glyph)
                    continue
                }
                let color = CellColor(palette: UInt8(cell.pictureID & 0xFF))
                pen.change(to: Cell(glyph: cell.glyph, foreground: color), &output)
                Placeholders.write(cell, to: &output)
            }
        }
        rows.append(row)
    }

    /// Everything written, in order.
    var written: [[UInt8]] { rows.isEmpty ? [] : rows + [TerminalSequence.restoreCursor] }

    /// Attributes off.
    private static let opening = TerminalSequence.keepCursor + "\u{1B}[m".bytes

    @inline(__always) private mutating func move(
        x: Int, y: Int, columns: Int, _ output: inout ByteCursor
    ) {
        defer { cursor = (x + 1 < columns ? x + 1 : .max, y) }
        if cursor.y == y, cursor.x <= x {
            guard cursor.x < x else { return }
            output.append(0x1B, "[")
            if x - cursor.x > 1 { output.number(x - cursor.x) }
            return output.append("C")
        }
        if cursor.y == y - 1, x == 0 { return output.append(0x0D, 0x0A) }
        output.append(0x1B, "[")
        output.number(y + 1)
        if x > 0 {
            output.append(";")
            output.number(x + 1)
        }
        output.append("H")
    }
}

/// The terminal's current colours and style, changed in as few bytes as possible.
private struct Pen {
    let depth: ColorDepth
    var current = Cell.blank

    @inline(__always) mutating func change(to cell: Cell, _ output: inout ByteCursor) {
        let style = cell.style.subtracting(.picture)
        let background = depth.shown(cell.background)
        let isReset = background == .standard && current.background != .standard
        // A plain space shows no foreground. A full block may show some background, since it does not
        // fill the cell in every font.
        let foreground =
            style.isEmpty && cell.glyph == 0x20 && !isReset
            ? current.foreground : depth.shown(cell.foreground)
        guard
            foreground != current.foreground || background != current.background
                || style != current.style
        else { return }
        output.append(0x1B, "[")
        // Not every program that shows others' colours knows 49 (lf 28 does not), but all know 0.
        if isReset {
            output.append("0", ";")
            current = .blank
        }
        if style != current.style { set(style, &output) }
        if foreground != current.foreground {
            output.color(foreground, ground: 0, isBold: style.contains(.bold))
        }
        if background != current.background {
            output.color(background, ground: 10, isBold: style.contains(.bold))
        }
        // Each parameter ends with a semicolon; the final byte replaces the last one.
        output.replaceLast(by: "m")
        current = Cell(glyph: 0x20, foreground: foreground, background: background, style: style)
    }

    /// Sets the style; not all terminals can remove single styles, so all are reset, including the colours.
    private mutating func set(_ style: CellStyle, _ output: inout ByteCursor) {
        var added = style
        // Bold affects how the first colours are encoded.
        if current.style.isSubset(of: style), current.foreground.paletteIndex == nil {
            added.subtract(current.style)
        } else {
            output.append("0", ";")
            current = .blank
        }
        let codes: [(CellStyle, UInt8)] = [(.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7)]
        for (part, code) in codes where added.contains(part) {
            output.append(0x30 + code, ";")
        }
    }
}

extension Canvas {
    /// Returns the rows as text with escape sequences for `depth`, each ended by a line feed; mono has no sequences.
    ///
    /// Each row begins and ends in the default colours, so that rows can be separated and no background extends to the
    /// edge of the window.
    public func lines(depth: ColorDepth) -> [UInt8] {
        (0..<size.rows).flatMap { y in
            ByteCursor.bytes(atMost: (size.columns + 1) * CellWriter.maxBytes) { output in
                var pen = Pen(depth: depth)
                // The right half of a wide character was written with the left one.
                for cell in cells[y * size.columns..<(y + 1) * size.columns] where cell.glyph != 0 {
                    if depth != .mono { pen.change(to: cell, &output) }
                    marked.scalars(of: cell.glyph).forEach {
                        output.utf8($0.columns == nil ? 0x20 : $0.value)
                    }
                }
                if pen.current != .blank {
                    "\u{1B}[0m".utf8.forEach { output.append($0) }
                }
                output.append(0x0A)
            }
        }
    }
}

extension ColorDepth {
    /// Returns `color` as far as this depth can express it, else the terminal's default.
    @inline(__always) func shown(_ color: CellColor) -> CellColor {
        if self == .truecolor { return color }
        guard let index = color.paletteIndex else { return .standard }
        return switch self {
        case .palette256: color
        case .palette16: index < 16 ? color : .standard
        case .palette8: index < 16 ? CellColor(palette: index % 8) : .standard
        case .truecolor, .mono: .standard
        }
    }
}
