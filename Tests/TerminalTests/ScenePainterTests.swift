import Basics
import Glibc
import Raster
import Testing

@testable import Browser
@testable import Terminal

/// What the views draw for handmade scenes.
@Suite struct ScenePainterTests {
    static let size = CellSize(columns: 100, rows: 30)

    init() {
        CharacterSet.adopt(environment: ["LANG": "C.UTF-8"])
    }

    @Test(
        "every scene fits every screen at every depth, without splitting characters",
        arguments: ColorDepth.allCases)
    func sizes(depth: ColorDepth) {
        let sizes = [
            Self.size, CellSize(columns: 20, rows: 5), CellSize(columns: 7, rows: 3),
            CellSize(columns: 1, rows: 1), CellSize(columns: 0, rows: 0),
            CellSize(columns: 250, rows: 4),
            CellSize(columns: 3, rows: 60),
        ]
        for repertoire in [Symbols.Repertoire.full, .console, .ascii] {
            let theme = Theme(depth: depth, symbols: Symbols(repertoire))
            for size in sizes {
                for (name, scene) in SampleScenes.all(size: size, depth: depth) {
                    let canvas = ScenePainter.paint(scene, size: size, theme: theme)
                    #expect(canvas.cells.count == size.columns * size.rows)
                    expectWhole(canvas, "\(name) \(size)")
                    Self.dump(
                        canvas, name: "\(name)-\(depth.rawValue)",
                        isWanted: repertoire == .full && size == Self.size)
                }
            }
        }
    }

    @Test("facts that would not fit a low screen take one line each, truncated in the middle")
    func lowInfo() {
        let size = CellSize(columns: 40, rows: 8)
        let scene = SampleScenes.gallery(
            size: size, depth: .truecolor, overlay: .info(SampleScenes.info))
        let canvas = ScenePainter.paint(
            scene, size: size, theme: Theme(depth: .truecolor, symbols: Symbols(.full)))
        let text = String(
            String.UnicodeScalarView(canvas.cells.compactMap { Unicode.Scalar($0.glyph) }))
        for part in ["URL", "https://", "=abc", "Size", "Colour", "Time"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("an info panel that is cut tells how many facts are hidden")
    func cutInfo() {
        for (rows, mark) in [(8, nil), (6, "3 more"), (5, "4 more")] as [(Int, String?)] {
            let size = CellSize(columns: 40, rows: rows)
            var info = SampleScenes.info
            info.facts += [.init(label: "Type", value: "JPEG", swatch: nil)]
            info.facts.removeFirst(rows == 8 ? 1 : 0)
            let scene = SampleScenes.gallery(size: size, depth: .truecolor, overlay: .info(info))
            let canvas = ScenePainter.paint(
                scene, size: size, theme: Theme(depth: .truecolor, symbols: Symbols(.full)))
            let text = String(decoding: canvas.lines(depth: .mono), as: UTF8.self)
            #expect(text.contains("more") == (mark != nil))
            #expect(mark.map(text.contains) ?? true, "\(text)")
        }
    }

    /// Expects every wide character to have its right half, and no half to stand alone.
    private func expectWhole(_ canvas: Canvas, _ name: String) {
        for y in 0..<canvas.size.rows {
            for x in 0..<canvas.size.columns {
                guard let cell = canvas[x, y] else { continue }
                let isWide = cell.glyph != 0 && Self.columns(cell) == 2
                if isWide {
                    #expect(canvas[x + 1, y]?.glyph == 0, "\(name)")
                } else if cell.glyph == 0 {
                    #expect(canvas[x - 1, y].map(Self.columns) == 2, "\(name)")
                } else {
                    #expect(
                        Self.columns(cell) == 1,
                        "\(name): U+\(String(cell.glyph, radix: 16))")
                }
            }
        }
    }

    private static func columns(_ cell: Cell) -> Int {
        Unicode.Scalar(cell.glyph)?.libraryColumns ?? -1
    }

    /// Writes the canvas as ANSI text to look at, if `SNAPSHOTS` is in the environment.
    private static func dump(_ canvas: Canvas, name: String, isWanted: Bool) {
        guard isWanted, let folder = getenv("SNAPSHOTS") else { return }
        let bytes = canvas.lines(depth: .truecolor)
        guard let file = fopen("\(String(cString: folder))/\(name).ansi", "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
