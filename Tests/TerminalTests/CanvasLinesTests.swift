import Raster
import Terminal
import Testing

@Suite struct CanvasLinesTests {
    private func text(_ grid: CellGrid, _ depth: ColorDepth = .truecolor) -> String {
        String(decoding: Canvas(grid).lines(depth: depth), as: UTF8.self)
            .replacing("\u{1B}[", with: "⎋")
    }

    private func grid(_ cells: [Cell]) -> CellGrid {
        var grid = CellGrid(size: CellSize(columns: cells.count, rows: 1))
        grid.cells = cells
        return grid
    }

    private let red = CellColor(RGB(0xFF0000))
    private let blue = CellColor(RGB(0x0000FF))

    @Test("only changes are sent, and a coloured row ends with a reset")
    func changes() {
        let row = grid([
            Cell(glyph: 0x2584, foreground: red, background: blue),
            Cell(glyph: 0x2580, foreground: red, background: blue),
            Cell(glyph: 0x2580, foreground: red, background: red),
            Cell(glyph: 0x78, foreground: .standard, background: .standard),
        ])
        #expect(text(row) == "⎋38;2;255;0;0;48;2;0;0;255m▄▀⎋48;2;255;0;0m▀⎋0mx\n")
        let open = grid([Cell(glyph: 0x78, foreground: red)])
        #expect(text(open) == "⎋38;2;255;0;0mx⎋0m\n")
    }

    @Test("a space sends no foreground colour")
    func spaces() {
        let row = grid([
            Cell(glyph: 0x20, foreground: red, background: blue),
            Cell(glyph: 0x20, foreground: blue, background: blue),
        ])
        #expect(text(row) == "⎋48;2;0;0;255m  ⎋0m\n")
    }

    @Test("rows start with default colours, and rows without colours are plain text")
    func rows() {
        var grid = CellGrid(size: CellSize(columns: 1, rows: 3), filledWith: Cell(glyph: 0x41))
        grid[0, 1].foreground = CellColor(palette: 1)
        #expect(text(grid) == "A\n⎋31mA⎋0m\nA\n")
    }

    @Test("palette colours use their shortest form")
    func palette() {
        let row = grid([
            Cell(glyph: 0x61, foreground: CellColor(palette: 7), background: CellColor(palette: 0)),
            Cell(
                glyph: 0x62, foreground: CellColor(palette: 8), background: CellColor(palette: 15)),
            Cell(
                glyph: 0x63, foreground: CellColor(palette: 16), background: CellColor(palette: 255)
            ),
        ])
        #expect(
            text(row, .palette256)
                == "⎋37;40ma⎋90;107mb⎋38;5;16;48;5;255mc⎋0m\n")
    }

    @Test("styles switch on individually and off by a reset followed by the colours")
    func styles() {
        let row = grid([
            Cell(glyph: 0x61, foreground: red, style: .bold),
            Cell(glyph: 0x62, foreground: red, style: [.bold, .underline]),
            Cell(glyph: 0x63, foreground: red),
            Cell(glyph: 0x20, foreground: red, style: .underline),
        ])
        #expect(text(row) == "⎋1;38;2;255;0;0ma⎋4mb⎋0;38;2;255;0;0mc⎋4m ⎋0m\n")
    }

    @Test("mono sends no escape sequences, whatever the cells contain")
    func mono() {
        #expect(
            text(grid([Cell(glyph: 0x2588, foreground: red, background: blue)]), .mono) == "█\n")
    }

    @Test("the right half of a wide character is not sent, and control characters never are")
    func glyphs() {
        let row = grid([
            Cell(glyph: 0x4E2D), Cell(glyph: 0), Cell(glyph: 0x1B), Cell(glyph: 0x9B),
            Cell(glyph: 0xD800), Cell(glyph: 0x1FB00),
        ])
        #expect(text(row) == "中  \u{FFFD}\u{1FB00}\n")
    }
}
