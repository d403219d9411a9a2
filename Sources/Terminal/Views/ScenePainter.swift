import Basics
import Browser
import Raster

/// Draws a scene on a canvas, with one method for each part.
struct ScenePainter {
    let theme: Theme
    /// Whether the margins around a thumbnail in its box are filled with its tint.
    let isTinted: Bool
    /// The spinner's current character; nil if animations are off.
    let spinner: Unicode.Scalar?
    var canvas: Canvas

    init(theme: Theme, size: CellSize, isTinted: Bool = true, phase: Int? = 0) {
        self.theme = theme
        self.isTinted = isTinted
        spinner = phase.map { theme.symbols.spinner[$0 % theme.symbols.spinner.count] }
        canvas = Canvas(size: size)
        canvas.ellipsis = theme.symbols.ellipsis
        canvas.isASCII = !theme.symbols.hasBlocks
    }

    /// Returns a canvas of `size` that shows `scene`.
    static func paint(
        _ scene: Scene, size: CellSize, theme: Theme, isTinted: Bool = true
    ) -> Canvas {
        var painter = ScenePainter(
            theme: theme, size: size, isTinted: isTinted, phase: scene.spinnerPhase)
        painter.drawScene(scene)
        return painter.canvas
    }

    private mutating func drawScene(_ scene: Scene) {
        let whole = canvas.clip
        let body = Scene.body(of: whole.size, hidesBars: scene.hidesBars)
        canvas.clip = body
        switch scene.body {
        case .gallery(let gallery): drawGallery(gallery, in: body)
        case .viewer(let viewer): drawViewer(viewer, in: body)
        case .tooSmall(let text):
            // In the middle of a screen with room for nothing else.
            canvas.clip = whole
            canvas.draw(text, in: whole.middle(columns: text.columns, rows: 1), ink: theme.strong)
            return
        }
        switch scene.overlay {
        case .dialog(let dialog): drawDialog(dialog, in: body)
        case .help(let help): drawHelp(help, in: body)
        case .info(let info): drawInfo(info, in: body)
        case nil: break
        }
        if scene.overlay != nil { canvas.cursor = nil }
        canvas.clip = whole
        if !scene.hidesBars { drawTopLine(scene.top) }
        if !scene.hidesBars || !scene.bottom.message.isEmpty || scene.bottom.lead != nil {
            drawBottomLine(scene.bottom)
        }
    }

    /// Draws the top line: path and count.
    private mutating func drawTopLine(_ line: TopLine) {
        let width = canvas.size.columns
        canvas.fill(canvas.clip.row(0), with: theme.bar)
        // At least half of the line is reserved for the title.
        let right = canvas.draw(
            line.count, endingAt: width - 1, y: 0, width: max(0, width / 2 - 1),
            ink: theme.barMuted)
        let separator = theme.symbols.separator
        var path = line.path[...]
        // Outer titles are dropped first.
        var needed: Int { path.joined(separator: separator).columns }
        while path.count > 1, needed + (path.count < line.path.count ? 4 : 0) > right - 2 {
            path = path.dropFirst()
        }
        var texts: [(text: String, ink: Ink)] = []
        if path.count < line.path.count {
            texts.append((canvas.ellipsis + separator, theme.barMuted))
        }
        texts += path.dropLast().flatMap { [($0, theme.bar), (separator, theme.barMuted)] }
        texts += path.suffix(1).map { ($0, theme.barStrong) }
        var x = 1
        for (text, ink) in texts {
            x += canvas.draw(text, x: x, y: 0, width: right - x - 1, ink: ink)
        }
    }

    /// Draws the bottom line: position, label or message, activity, and key reminder.
    mutating func drawBottomLine(_ line: BottomLine) {
        let y = canvas.size.rows - 1
        canvas.fill(canvas.clip.row(y), with: theme.bar)
        var x = 1
        x += canvas.draw(
            line.position + (line.isMarked ? " \(theme.symbols.mark)" : ""), x: x, y: y,
            width: canvas.size.columns / 2, ink: theme.barStrong)
        x += x > 1 ? 2 : 0
        var right = drawActivity(line, y: y, from: x)
        // At least half of the rest is reserved for the label or message.
        var facts = line.facts.joined(separator: " · ")
        for count in (0..<line.facts.count).reversed() where facts.columns > (right - x) / 2 {
            facts = line.facts[..<count].joined(separator: " · ")
        }
        if !facts.isEmpty {
            right =
                canvas.draw(facts, endingAt: right - 1, y: y, width: facts.columns, ink: theme.bar)
                - 1
        }
        let width = right - x - 1
        guard let lead = line.lead else {
            var text = line.message.isEmpty ? line.label : line.message
            if line.message.columns > width, width > 24 {
                text = text.truncated(to: width - 11, ellipsis: canvas.ellipsis) + " :messages"
            }
            canvas.draw(text, x: x, y: y, width: width, ink: theme.bar)
            return
        }
        // The text before the cursor is truncated at its start, so that the cursor stays visible.
        // Each character takes a column at least.
        var hidden = max(0, lead.count - width)
        while hidden < lead.count, lead.dropFirst(hidden).columns >= width { hidden += 1 }
        canvas.draw(String(line.label.dropFirst(hidden)), x: x, y: y, width: width, ink: theme.bar)
        x += lead.dropFirst(hidden).columns
        var ink = theme.bar
        ink.style.formSymmetricDifference(.reverse)
        canvas.draw(
            String(line.label.dropFirst(lead.count).first ?? " "), x: x, y: y, width: 2, ink: ink)
        canvas.cursor = (x, y)
    }

    private mutating func drawActivity(_ line: BottomLine, y: Int, from left: Int) -> Int {
        var right = canvas.size.columns - 1
        let isStill = spinner == nil
        let transfers =
            isStill
            ? (line.isLoading ? "loading" : "")
            : line.transfers > 0 ? "\(theme.symbols.download)\(line.transfers)" : ""
        // The reminder is dropped first if room is short.
        for (text, width, room, gap) in [
            (line.hint, 24, line.hint.columns + 26, 2), (transfers, 8, 8, 1),
            (isStill ? "" : line.progress, 20, 36, 1),
        ] where !text.isEmpty && right - left > room {
            right =
                canvas.draw(text, endingAt: right, y: y, width: width, ink: theme.barMuted) - gap
        }
        if line.isLoading, let spinner, right - left > 4 {
            canvas.put(theme.barStrong.cell(spinner), x: right - 1, y: y)
            right -= 2
        }
        return right
    }

    /// Draws `border` along the inner edge of `frame`.
    mutating func drawBorder(_ border: Symbols.Border, around frame: CellRect, ink: Ink) {
        let right = frame.right - 1
        let bottom = frame.bottom - 1
        canvas.fill(frame.row(frame.y), with: ink.cell(border.above))
        canvas.fill(frame.row(bottom), with: ink.cell(border.below))
        for y in frame.y..<frame.bottom {
            canvas.put(ink.cell(border.left), x: frame.x, y: y)
            canvas.put(ink.cell(border.right), x: right, y: y)
        }
        let corners = [(frame.x, frame.y), (right, frame.y), (right, bottom), (frame.x, bottom)]
        for (corner, sign) in zip(corners, border.corners) {
            canvas.put(ink.cell(sign), x: corner.0, y: corner.1)
        }
    }
}
