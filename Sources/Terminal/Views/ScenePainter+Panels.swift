import Basics
import Browser
import Raster

/// Boxes over the body, for questions, help and facts.
extension ScenePainter {
    /// Draws an empty panel in `frame`, and returns the part inside its border and a column of air.
    private mutating func drawPanel(_ title: String, in frame: CellRect) -> CellRect {
        canvas.fill(frame, with: theme.panel.cell(" "))
        draw(theme.signs.border, in: frame, ink: theme.panelMuted)
        let room = max(0, frame.size.columns - 6)
        canvas.draw(
            " \(title.truncated(to: room, ellipsis: canvas.ellipsis)) ",
            x: frame.x + 2, y: frame.y, width: frame.size.columns - 4, ink: theme.panelStrong)
        return CellRect(
            x: frame.x + 2, y: frame.y + 1, columns: max(0, frame.size.columns - 4),
            rows: max(0, frame.size.rows - 2))
    }

    /// A question over the middle of the body; where rows are short, the answers stay and the texts give way.
    mutating func draw(_ dialog: DialogScene, in body: CellRect) {
        // Wide enough for a sentence, narrow enough to be read at a glance.
        let width = min(64, body.size.columns)
        let room = max(1, body.size.rows - 5)
        let lines = TextWrap.lines(dialog.message, width: width - 4, limit: room)
        let hasDetail = !dialog.detail.isEmpty && lines.count < room
        let rows = lines.count + (hasDetail ? 1 : 0) + 4
        let inside = drawPanel(dialog.title, in: body.middle(columns: width, rows: rows))
        for (index, line) in lines.enumerated() {
            canvas.draw(
                line, x: inside.x, y: inside.y + index, width: inside.size.columns, ink: theme.panel
            )
        }
        if hasDetail {
            canvas.draw(
                dialog.detail, x: inside.x, y: inside.y + lines.count, width: inside.size.columns,
                ink: theme.panelMuted, cut: .middle)
        }
        draw(dialog.answers, in: inside.row(inside.bottom - 1))
    }

    /// The first answer is the one at hand.
    private mutating func draw(_ answers: [DialogScene.Answer], in row: CellRect) {
        var x = row.x
        for (index, answer) in answers.enumerated() {
            x += canvas.draw(
                " \(answer.title) ", x: x, y: row.y, width: row.right - x,
                ink: index == 0 ? theme.selection : theme.panelStrong)
            x += 1
            x += canvas.draw(
                answer.key, x: x, y: row.y, width: row.right - x, ink: theme.panelMuted)
            x += 2
        }
    }

    /// What is known of a picture, in a corner of the body, so that the picture can still be seen.
    mutating func draw(_ info: InfoScene, in body: CellRect) {
        let columns = min(60, body.size.columns)
        let rows = min(info.facts.count + 2, body.size.rows)
        let frame = CellRect(
            x: body.right - columns, y: body.bottom - rows, columns: columns, rows: rows)
        let inside = drawPanel(info.title, in: frame)
        canvas.clip = body.intersection(inside)
        // Labels take what the longest needs, at most a third.
        let labels = min((info.facts.map(\.label.columns).max() ?? 0) + 2, inside.size.columns / 3)
        for (index, fact) in info.facts.enumerated() {
            draw(fact, labels: labels, in: inside.row(inside.y + index))
        }
    }

    private mutating func draw(_ fact: InfoScene.Fact, labels: Int, in row: CellRect) {
        canvas.draw(fact.label, x: row.x, y: row.y, width: labels - 1, ink: theme.panelMuted)
        var x = row.x + labels
        if let swatch = fact.swatch, theme.depth != .mono {
            let cell = Cell(glyph: 0x20, background: theme.depth.nearest(to: swatch))
            canvas.fill(CellRect(x: x, y: row.y, columns: 4, rows: 1), with: cell)
            x += 5
        }
        canvas.draw(
            fact.value, x: x, y: row.y, width: row.right - x, ink: theme.panel, cut: .middle)
    }

    mutating func draw(_ help: HelpScene, in body: CellRect) {
        let layout = HelpLayout(help.groups, in: body.size)
        let count = layout.columns.count
        let frame = body.middle(
            columns: count * layout.columnWidth + 1, rows: layout.rowCount + 2)
        let inside = drawPanel("Keys", in: frame)
        canvas.clip = body.intersection(inside)
        let hidden = min(max(0, help.scrollRow), layout.maxScrollRow)
        let width = min(layout.columnWidth, (inside.size.columns + 3) / count)
        for (index, column) in layout.columns.enumerated() {
            for (row, line) in column.enumerated() {
                let place = CellRect(
                    x: inside.x + index * width, y: inside.y + row - hidden, columns: width - 3,
                    rows: 1)
                draw(line, keys: min(layout.keyWidth, place.size.columns / 2), in: place)
            }
        }
    }

    private mutating func draw(_ line: HelpLayout.Line, keys: Int, in place: CellRect) {
        let width = place.size.columns
        switch line {
        case .heading(let title):
            canvas.draw(title, x: place.x, y: place.y, width: width, ink: theme.panelHeading)
        case .row(let row):
            let used = canvas.draw(
                row.keys, x: place.x, y: place.y, width: max(keys, width - row.text.columns - 2),
                ink: theme.panelStrong)
            let start = max(keys, used) + 2
            canvas.draw(
                row.text, x: place.x + start, y: place.y, width: width - start, ink: theme.panel)
        case .gap: break
        }
    }
}

extension CellRect {
    /// A rectangle of `columns` × `rows`, or as much of that as fits, in the middle.
    fileprivate func middle(columns: Int, rows: Int) -> CellRect {
        let columns = min(columns, size.columns)
        let rows = min(rows, size.rows)
        return CellRect(
            x: x + (size.columns - columns) / 2, y: y + (size.rows - rows) / 2, columns: columns,
            rows: rows)
    }
}

enum TextWrap {
    /// `text` in lines of at most `width` columns, broken at spaces where possible; at most `limit` lines.
    static func lines(_ text: String, width: Int, limit: Int) -> [String] {
        guard width > 0, limit > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let candidate = line.isEmpty ? String(word) : line + " " + word
            if candidate.columns <= width {
                line = candidate
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = String(word)
            // Addresses have no spaces.
            while line.columns > width, lines.count < limit {
                let head = line.truncated(to: width, ellipsis: "")
                guard !head.isEmpty else { break }
                lines.append(head)
                line = String(line.dropFirst(head.count))
            }
        }
        if !line.isEmpty { lines.append(line) }
        return fitted(lines, width: width, limit: limit)
    }

    private static func fitted(_ lines: [String], width: Int, limit: Int) -> [String] {
        guard lines.count > limit, limit > 0 else { return lines }
        let rest = lines[(limit - 1)...].joined(separator: " ")
        return lines[..<(limit - 1)] + [rest.truncated(to: width)]
    }
}
