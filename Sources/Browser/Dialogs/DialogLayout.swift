import Basics
public import Raster

/// The layout of a question, shared by drawing and mouse clicks.
public struct DialogLayout {
    /// The frame of the panel.
    public let frame: CellRect
    /// The lines of the message.
    public let lines: [String]
    /// Whether there is room for the address.
    public let hasDetail: Bool
    /// The frame of each answer with its key.
    public let answers: [CellRect]

    /// Lays out `dialog` in the middle of `body`; if rows are short, texts are cut before the answers.
    public init(_ dialog: DialogScene, in body: CellRect) {
        // Wide enough for a sentence, narrow enough to be read at a glance.
        let width = min(64, body.columns)
        let room = max(1, body.rows - 5)
        lines = TextWrap.lines(dialog.message, width: width - 4, limit: room)
        hasDetail = !dialog.detail.isEmpty && lines.count < room
        frame = body.middle(columns: width, rows: lines.count + (hasDetail ? 1 : 0) + 4)
        var x = frame.x + 2
        var places: [CellRect] = []
        for answer in dialog.answers {
            let columns = answer.title.columns + 3 + answer.key.columns
            places.append(
                CellRect(x: x, y: frame.bottom - 2, columns: columns, rows: 1))
            x += columns + 2
        }
        answers = places
    }
}

extension CellRect {
    /// Returns a centred rectangle of `columns` × `rows`, clamped to this one.
    public func middle(columns: Int, rows: Int) -> CellRect {
        CellRect(
            CellSize(columns: min(columns, size.columns), rows: min(rows, size.rows)),
            centeredIn: self)
    }
}
