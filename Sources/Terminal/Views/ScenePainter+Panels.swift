import Basics
import Browser
import Raster

/// Panels over the body: questions, help and info.
extension ScenePainter {
    /// Draws an empty panel in `frame`, with a `note` on its lower edge; returns the area inside its border and one column of padding.
    private mutating func drawPanel(
        _ title: String, note: String = "", in frame: CellRect
    ) -> CellRect {
        canvas.fill(frame, with: theme.panel)
        drawBorder(theme.symbols.border, around: frame, ink: theme.panelMuted)
        let room = max(0, frame.columns - 6)
        canvas.draw(
            " \(title.truncated(to: room, ellipsis: canvas.ellipsis)) ",
            in: frame.inset(columns: 2, rows: 0), ink: theme.panelStrong)
        canvas.draw(
            note, endingAt: frame.right - 2, y: frame.bottom - 1, width: frame.columns - 4,
            ink: theme.panelMuted)
        return frame.inset(columns: 2, rows: 1)
    }

    /// Draws a question in the middle of the body; if rows are short, texts are cut before the answers.
    mutating func drawDialog(_ dialog: DialogScene, in body: CellRect) {
        let layout = DialogLayout(dialog, in: body)
        let lines = layout.lines
        let inside = drawPanel(dialog.title, in: layout.frame)
        for (index, line) in lines.enumerated() {
            canvas.draw(line, in: inside.row(inside.y + index), ink: theme.panel)
        }
        if layout.hasDetail {
            canvas.draw(
                dialog.detail, in: inside.row(inside.y + lines.count), ink: theme.panelMuted,
                cut: .middle)
        }
        // The first answer is highlighted as the default.
        var ink = theme.selection
        for (answer, place) in zip(dialog.answers, layout.answers) {
            let row = place.intersection(inside)
            let used = canvas.draw(" \(answer.title) ", in: row, ink: ink)
            canvas.draw(answer.key, in: row.from(row.x + used + 1), ink: theme.panelMuted)
            ink = theme.panelStrong
        }
    }

    /// Draws the info panel in a corner of the body, so that the picture stays visible.
    mutating func drawInfo(_ info: InfoScene, in body: CellRect) {
        let columns = info.frame?.columns ?? min(64, body.columns)
        // Labels get the width of the longest one, at most a third.
        let labels = min((info.facts.map(\.label.columns).max() ?? 0) + 2, (columns - 4) / 3)
        var values = info.facts.map {
            TextWrap.lines(
                $0.value, width: columns - 4 - labels - ($0.swatch == nil ? 0 : 5),
                limit: body.rows)
        }
        // On a low screen long addresses must not push out the facts below them.
        if values.joined().count + 2 > info.frame?.rows ?? body.rows {
            values = info.facts.map { [$0.value] }
        }
        let needed = values.joined().count + 2
        let rows = min(needed, body.rows)
        let frame =
            info.frame
            ?? CellRect(
                x: body.right - columns, y: body.bottom - rows, columns: columns, rows: rows)
        let inside = drawPanel(
            info.title, note: needed > frame.rows ? " \(needed - frame.rows) more " : "", in: frame)
        canvas.clip = body.intersection(inside)
        var y = inside.y
        for (fact, lines) in zip(info.facts, values) {
            drawFact(fact, lines, labels: labels, in: inside.row(y))
            y += lines.count
        }
    }

    private mutating func drawFact(
        _ fact: InfoScene.Fact, _ lines: [String], labels: Int, in row: CellRect
    ) {
        canvas.draw(fact.label, x: row.x, y: row.y, width: labels - 1, ink: theme.panelMuted)
        var x = row.x + labels
        if let swatch = fact.swatch, theme.depth != .mono {
            canvas.fill(
                CellRect(x: x, y: row.y, columns: 4, rows: 1),
                with: Ink(background: theme.depth.nearest(to: swatch)))
            x += 5
        }
        for (index, line) in lines.enumerated() {
            canvas.draw(
                line, x: x, y: row.y + index, width: row.right - x, ink: theme.panel, cut: .middle)
        }
    }

    mutating func drawHelp(_ help: HelpScene, in body: CellRect) {
        let layout = HelpLayout(help.groups, in: body.size)
        let frame = body.middle(columns: layout.width + 4, rows: layout.lines.count + 2)
        let hidden = min(max(0, help.scrollRow), layout.maxScrollRow)
        let rows = " \(hidden + 1) to \(hidden + layout.visibleRows) of \(layout.lines.count) "
        let inside = drawPanel(help.title, note: layout.maxScrollRow > 0 ? rows : "", in: frame)
        canvas.clip = body.intersection(inside)
        for (row, line) in layout.lines.enumerated() {
            drawHelpLine(
                line, keys: min(layout.keyWidth, inside.columns / 2),
                in: inside.row(inside.y + row - hidden))
        }
    }

    private mutating func drawHelpLine(_ line: HelpLayout.Line, keys: Int, in place: CellRect) {
        switch line {
        case .heading(let title):
            canvas.draw(title, in: place, ink: theme.panelHeading)
        case .row(let row):
            let isHit = row.find == .hit
            if isHit { canvas.fill(place, with: theme.selection) }
            let used = canvas.draw(
                row.keys, x: place.x, y: place.y,
                width: max(keys, place.columns - row.text.columns - 2),
                ink: isHit ? theme.selection : theme.panelStrong)
            canvas.draw(
                row.text, in: place.from(place.x + max(keys, used) + 2),
                ink: isHit ? theme.selection : row.find == nil ? theme.panel : theme.panelStrong)
        case .gap: break
        }
    }
}
