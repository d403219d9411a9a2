import Basics
import Browser
import Raster

/// A box over the body with a border and a title, for dialogs, help and facts.
struct PanelView {
    let theme: Theme

    /// Draws an empty panel in `frame`, and returns the part inside its border and a column of air.
    func draw(title: String, in frame: CellRect, on canvas: inout Canvas) -> CellRect {
        canvas.fill(frame, with: theme.panel.cell(" "))
        let right = frame.x + frame.size.columns - 1
        let bottom = frame.y + frame.size.rows - 1
        let border = theme.signs.border
        for x in frame.x...max(frame.x, right) {
            canvas.put(theme.panelMuted.cell(border.horizontal), x: x, y: frame.y)
            canvas.put(theme.panelMuted.cell(border.horizontal), x: x, y: bottom)
        }
        for y in frame.y...max(frame.y, bottom) {
            canvas.put(theme.panelMuted.cell(border.vertical), x: frame.x, y: y)
            canvas.put(theme.panelMuted.cell(border.vertical), x: right, y: y)
        }
        let corners = [(frame.x, frame.y), (right, frame.y), (right, bottom), (frame.x, bottom)]
        for (corner, sign) in zip(corners, border.corners) {
            canvas.put(theme.panelMuted.cell(sign), x: corner.0, y: corner.1)
        }
        canvas.draw(
            " \(title.truncated(to: max(0, frame.size.columns - 6), ellipsis: theme.signs.ellipsis)) ",
            x: frame.x + 2, y: frame.y, width: frame.size.columns - 4, ink: theme.panelStrong)
        return CellRect(
            x: frame.x + 2, y: frame.y + 1, columns: max(0, frame.size.columns - 4),
            rows: max(0, frame.size.rows - 2))
    }

    /// A rectangle of `columns` × `rows`, or as much of that as fits, in the middle of `body`.
    static func centered(columns: Int, rows: Int, in body: CellRect) -> CellRect {
        let columns = min(columns, body.size.columns)
        let rows = min(rows, body.size.rows)
        return CellRect(
            x: body.x + (body.size.columns - columns) / 2, y: body.y + (body.size.rows - rows) / 2,
            columns: columns, rows: rows)
    }
}

/// A question over the middle of the body.
struct DialogView {
    let theme: Theme

    /// Wide enough for a sentence, narrow enough to be read at a glance.
    private static let widest = 64

    /// Draws `dialog` over `body`.
    ///
    /// Where rows are short, the answers stay and the texts give way.
    func draw(_ dialog: DialogScene, in body: CellRect, on canvas: inout Canvas) {
        canvas.clip = body
        let width = min(Self.widest, body.size.columns)
        let room = max(1, body.size.rows - 5)
        let lines = TextWrap.lines(dialog.message, width: width - 4, limit: room)
        let hasDetail = !dialog.detail.isEmpty && lines.count < room
        let rows = lines.count + (hasDetail ? 1 : 0) + 4
        let frame = PanelView.centered(columns: width, rows: rows, in: body)
        let inside = PanelView(theme: theme).draw(title: dialog.title, in: frame, on: &canvas)
        var y = inside.y
        for line in lines {
            canvas.draw(line, x: inside.x, y: y, width: inside.size.columns, ink: theme.panel)
            y += 1
        }
        if hasDetail {
            canvas.draw(
                dialog.detail, x: inside.x, y: y, width: inside.size.columns, ink: theme.panelMuted,
                ellipsis: theme.signs.ellipsis, cut: .middle)
        }
        draw(dialog.answers, y: inside.y + inside.size.rows - 1, in: inside, on: &canvas)
    }

    /// The first answer is the one at hand.
    private func draw(
        _ answers: [DialogScene.Answer], y: Int, in inside: CellRect, on canvas: inout Canvas
    ) {
        var x = inside.x
        let end = inside.x + inside.size.columns
        for (index, answer) in answers.enumerated() {
            x += canvas.draw(
                " \(answer.title) ", x: x, y: y, width: end - x,
                ink: index == 0 ? theme.selection : theme.panelStrong,
                ellipsis: theme.signs.ellipsis)
            x += 1
            x += canvas.draw(answer.key, x: x, y: y, width: end - x, ink: theme.panelMuted) + 2
        }
    }
}

/// Breaks text into lines.
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

/// What is known of a picture, in a corner of the body, so that the picture can still be seen.
struct InfoView {
    let theme: Theme

    private static let widest = 60

    func draw(_ info: InfoScene, in body: CellRect, on canvas: inout Canvas) {
        canvas.clip = body
        let columns = min(Self.widest, body.size.columns)
        let rows = min(info.facts.count + 2, body.size.rows)
        let frame = CellRect(
            x: body.x + body.size.columns - columns, y: body.y + body.size.rows - rows,
            columns: columns, rows: rows)
        let inside = PanelView(theme: theme).draw(title: info.title, in: frame, on: &canvas)
        canvas.clip = body.intersection(inside)
        // Labels take what the longest needs, at most a third.
        let labels = min((info.facts.map(\.label.columns).max() ?? 0) + 2, inside.size.columns / 3)
        for (index, fact) in info.facts.enumerated() {
            draw(fact, labels: labels, y: inside.y + index, in: inside, on: &canvas)
        }
    }

    private func draw(
        _ fact: InfoScene.Fact, labels: Int, y: Int, in inside: CellRect, on canvas: inout Canvas
    ) {
        canvas.draw(
            fact.label, x: inside.x, y: y, width: labels - 1, ink: theme.panelMuted,
            ellipsis: theme.signs.ellipsis)
        var x = inside.x + labels
        if let swatch = fact.swatch, theme.depth != .mono {
            let cell = Cell(glyph: 0x20, background: theme.nearest(to: swatch))
            canvas.fill(CellRect(x: x, y: y, columns: 4, rows: 1), with: cell)
            x += 5
        }
        canvas.draw(
            fact.value, x: x, y: y, width: inside.x + inside.size.columns - x, ink: theme.panel,
            ellipsis: theme.signs.ellipsis, cut: .middle)
    }
}

/// All keys, over the whole body.
struct HelpView {
    let theme: Theme

    func draw(_ help: HelpScene, in body: CellRect, on canvas: inout Canvas) {
        canvas.clip = body
        let layout = HelpLayout(help.groups, in: body.size)
        let count = layout.columns.count
        let frame = PanelView.centered(
            columns: count * layout.columnWidth + 1, rows: layout.rowCount + 2, in: body)
        let inside = PanelView(theme: theme).draw(title: "Keys", in: frame, on: &canvas)
        canvas.clip = body.intersection(inside)
        let hidden = min(max(0, help.scrollRow), layout.maxScrollRow)
        let width = min(layout.columnWidth, (inside.size.columns + 3) / count)
        for (index, column) in layout.columns.enumerated() {
            for (row, line) in column.enumerated() {
                draw(
                    line, x: inside.x + index * width, y: inside.y + row - hidden, width: width - 3,
                    keys: layout.keyWidth, on: &canvas)
            }
        }
    }

    private func draw(
        _ line: HelpLayout.Line, x: Int, y: Int, width: Int, keys: Int, on canvas: inout Canvas
    ) {
        let keys = min(keys, width / 2)
        switch line {
        case .heading(let title):
            canvas.draw(
                title, x: x, y: y, width: width, ink: theme.panelHeading,
                ellipsis: theme.signs.ellipsis)
        case .row(let row):
            let used = canvas.draw(
                row.keys, x: x, y: y, width: max(keys, width - row.text.columns - 2),
                ink: theme.panelStrong, ellipsis: theme.signs.ellipsis)
            let start = max(keys, used) + 2
            canvas.draw(
                row.text, x: x + start, y: y, width: width - start, ink: theme.panel,
                ellipsis: theme.signs.ellipsis)
        case .gap: break
        }
    }
}
