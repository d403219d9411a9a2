import Raster

/// The bright edge around what is selected, in the free cells around it: it covers nothing of a picture.
struct SelectionEdge {
    let theme: Theme

    /// Draws the edge around `frame`; before the elements, which may cover it where there is no free cell.
    func draw(around frame: CellRect, on canvas: inout Canvas) {
        let signs = theme.signs
        let left = frame.x - 1
        let right = frame.x + frame.size.columns
        let top = frame.y - 1
        let bottom = frame.y + frame.size.rows
        for y in frame.y..<bottom {
            canvas.put(theme.edge.cell(signs.edgeSides.left), x: left, y: y)
            canvas.put(theme.edge.cell(signs.edgeSides.right), x: right, y: y)
        }
        for x in frame.x..<right {
            canvas.put(theme.edge.cell(signs.edgeRows.above), x: x, y: top)
            canvas.put(theme.edge.cell(signs.edgeRows.below), x: x, y: bottom)
        }
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        for (corner, sign) in zip(corners, signs.edge.corners) {
            canvas.put(theme.edge.cell(sign), x: corner.0, y: corner.1)
        }
    }
}
