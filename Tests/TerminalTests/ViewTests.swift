import Basics
import Raster
import TestSupport
import Testing

@testable import Browser
@testable import Terminal

/// Individual guarantees of the views.
@Suite struct ViewTests {
    static let size = CellSize(columns: 80, rows: 24)

    init() {
        CharacterSet.adopt(environment: ["LANG": "C.UTF-8"])
    }

    private func paint(
        _ scene: Scene, size: CellSize, depth: ColorDepth, _ repertoire: Symbols.Repertoire = .full
    ) -> Canvas {
        ScenePainter.paint(
            scene, size: size, theme: Theme(depth: depth, symbols: Symbols(repertoire)))
    }

    private func text(_ canvas: Canvas, row y: Int) -> String {
        String(
            String.UnicodeScalarView(
                (0..<canvas.size.columns).compactMap { x in
                    canvas[x, y].flatMap { $0.glyph == 0 ? nil : Unicode.Scalar($0.glyph) }
                }))
    }

    @Test(
        "the selected tile is distinguishable in every depth and character set",
        arguments: ColorDepth.allCases, [Symbols.Repertoire.full, .console, .ascii])
    func selection(depth: ColorDepth, repertoire: Symbols.Repertoire) {
        let canvas = paint(
            SampleScenes.gallery(size: Self.size, depth: depth), size: Self.size, depth: depth,
            repertoire)
        let y = 11
        let selected = canvas[28, y]
        let other = canvas[1, y]
        #expect(text(canvas, row: y).contains("The hairpin"))
        #expect(selected?.background != other?.background || selected?.style != other?.style)
        // The border to the left of the picture.
        let edges = ["▐", "|"].compactMap { $0.unicodeScalars.first?.value }
        #expect(edges.contains(canvas[27, 5]?.glyph ?? 0))
    }

    @Test("a title never contains control or reordering characters")
    func hostileTitles() {
        let title = "a\u{1B}[31mb\u{0}c\u{202E}d\u{9B}e\u{200B}f\n"
        var canvas = Canvas(size: Self.size)
        canvas.draw(title, x: 0, y: 0, width: 40, ink: Ink())
        #expect(text(canvas, row: 0).hasPrefix("a[31mbcdef "))
    }

    @Test("a long caption is cut in the middle, so that its end can be told from others")
    func captions() {
        let canvas = paint(
            SampleScenes.gallery(size: Self.size, depth: .truecolor), size: Self.size,
            depth: .truecolor)
        #expect(text(canvas, row: 11).contains("Pit stop in … from above"))
    }

    @Test("text is truncated by its cells, without splitting wide characters")
    func cutting() {
        var canvas = Canvas(size: Self.size)
        canvas.draw("写真写真写真", x: 0, y: 0, width: 6, ink: Ink())
        #expect(text(canvas, row: 0).hasPrefix("写真… "))
        #expect(canvas[1, 0]?.glyph == 0)
        canvas.put(Ink().cell("x"), x: 1, y: 0)
        #expect(canvas[0, 0]?.glyph == 0x20)
    }

    @Test("a message replaces the label")
    func message() {
        var line = BottomLine(
            position: "1/2", label: "title", isLoading: false, transfers: 0, message: "",
            hint: "? help")
        var painter = ScenePainter(
            theme: Theme(depth: .truecolor, symbols: Symbols(.full)), size: Self.size)
        painter.drawBottomLine(line)
        #expect(text(painter.canvas, row: 23).hasPrefix(" 1/2  title"))
        #expect(text(painter.canvas, row: 23).hasSuffix("? help "))
        line.message = "saved"
        painter.drawBottomLine(line)
        #expect(text(painter.canvas, row: 23).hasPrefix(" 1/2  saved "))
        line.message = String(repeating: "long ", count: 30)
        painter.drawBottomLine(line)
        #expect(text(painter.canvas, row: 23).contains("… :messages  "))
    }

    @Test("the cursor in an edited line is visible, however long the line is")
    func cursor() {
        var painter = ScenePainter(
            theme: Theme(depth: .truecolor, symbols: Symbols(.full)), size: Self.size)
        func cursor(_ lead: String, _ tail: String) -> String? {
            painter.drawBottomLine(BottomLine(label: lead + tail, lead: lead))
            let cells = (0..<Self.size.columns).compactMap { painter.canvas[$0, 23] }
            guard let at = cells.firstIndex(where: { $0.style.contains(.reverse) }) else {
                return nil
            }
            return text(painter.canvas, row: 23).prefix(at + 1).suffix(3).description
        }
        #expect(cursor("/ab", "cd") == "abc")
        #expect(cursor("/ab", "") == "ab ")
        #expect(cursor("/" + String(repeating: "x", count: 300) + "ab", "cd") == "abc")
    }

    @Test("a dialog on the smallest screen still shows its buttons")
    func smallDialog() {
        let size = CellSize(columns: 20, rows: 6)
        let canvas = paint(
            SampleScenes.gallery(
                size: size, depth: .truecolor, overlay: .dialog(SampleScenes.dialog)), size: size,
            depth: .truecolor)
        #expect((0..<6).contains { text(canvas, row: $0).contains("Retry") })
    }

    @Test("lines break at spaces, long words anywhere, up to the limit")
    func wrapping() {
        #expect(TextWrap.lines("one two three", width: 7, limit: 9) == ["one two", "three"])
        #expect(TextWrap.lines("abcdefgh", width: 3, limit: 9) == ["abc", "def", "gh"])
        #expect(TextWrap.lines("one two three four", width: 5, limit: 2) == ["one", "two …"])
        #expect(TextWrap.lines("", width: 5, limit: 2) == [])
        #expect(TextWrap.lines("写真", width: 1, limit: 3).count <= 3)
    }

    @Test("rows that only moved are detected, whatever the hint says")
    func scrolling() {
        func canvas(offset: Int, rows: Int) -> Canvas {
            var canvas = Canvas(size: Self.size)
            for y in 1..<23 {
                let letter = Unicode.Scalar(UInt8(60 + y + rows))
                canvas.draw(
                    String(repeating: Character(letter), count: 80), x: 0, y: y, width: 80,
                    ink: Ink())
            }
            canvas.scrollOffset = offset
            canvas.scrollRows = 1..<23
            return canvas
        }
        let old = canvas(offset: 10, rows: 0)
        #expect(ScrollDetector.distance(from: old, to: canvas(offset: 11, rows: 1)) == 1)
        #expect(ScrollDetector.distance(from: old, to: canvas(offset: 7, rows: -3)) == -3)
        #expect(ScrollDetector.distance(from: old, to: canvas(offset: 11, rows: 0)) == nil)
        #expect(ScrollDetector.distance(from: old, to: canvas(offset: 10, rows: 1)) == nil)
        #expect(ScrollDetector.distance(from: old, to: canvas(offset: 40, rows: 30)) == nil)
    }

    @Test(
        "frames are due at once after a pause, then every 16 ms, one in reserve; idle has no timeout"
    )
    func pace() {
        var pace = FramePace()
        #expect(pace.timeout(at: 5, needsFrame: false, isAnimating: false) == -1)
        #expect(pace.timeout(at: 5, needsFrame: true, isAnimating: false) == 0)
        for frame in 0..<3 {
            #expect(pace.isFrameDue(at: 5, isStreaming: false))
            #expect(pace.isFrameDue(at: 5, isStreaming: true) == (frame < 2))
            pace.frameDrawn(at: 5)
        }
        #expect(!pace.isFrameDue(at: 5.01, isStreaming: false))
        #expect((6...7).contains(pace.timeout(at: 5.01, needsFrame: true, isAnimating: false)))
        var frames = 0
        for millisecond in 1000..<2000 {
            let now = 5 + Double(millisecond) / 1000
            guard pace.isFrameDue(at: now, isStreaming: true) else { continue }
            pace.frameDrawn(at: now)
            frames += 1
        }
        #expect((60...65).contains(frames))
        pace = FramePace()
        var ticks = [pace.isTickDue(at: 6, isAnimating: true)]
        #expect((50...51).contains(pace.timeout(at: 6.05, needsFrame: false, isAnimating: true)))
        // An animation's next frame, or an earlier event.
        #expect(
            (20...21).contains(
                pace.timeout(at: 6.05, needsFrame: false, isAnimating: true, deadline: 6.07)))
        #expect(
            (50...51).contains(
                pace.timeout(at: 6.05, needsFrame: false, isAnimating: true, deadline: 7)))
        #expect(pace.timeout(at: 6.05, needsFrame: false, isAnimating: false, deadline: 0) == 0)
        ticks += [6.11, 6.12].map { pace.isTickDue(at: $0, isAnimating: true) }
        #expect(ticks == [false, true, false])
    }

    @Test("as many frames are dropped as there was time for while the terminal was blocked")
    func dropping() {
        var pace = FramePace()
        #expect(pace.takeDroppedFrames(at: 5) == 0)
        pace.frameHeldUp(at: 6)
        pace.frameHeldUp(at: 6.05)
        #expect(pace.takeDroppedFrames(at: 6.1) == 7)
        #expect(pace.takeDroppedFrames(at: 7) == 0)
        pace.frameHeldUp(at: 8)
        #expect(pace.takeDroppedFrames(at: 8.001) == 1)
    }
}
