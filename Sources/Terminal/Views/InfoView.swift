import Basics
import Browser
import Raster

/// What is known of a picture, in a corner of the body, so that the picture can still be seen.
struct InfoView {
    let theme: Theme

    private static let widest = 60

    /// Draws `info` over the right bottom corner of `body`.
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
