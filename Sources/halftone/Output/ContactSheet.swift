import Basics
import Browser
import Dispatch
import Gallery
import Pipeline
import Raster
import Terminal
import Thumbnails
import Trace

/// The output of `--print`: all sections' thumbnails, row by row, with titles below.
struct ContactSheet {
    /// The width in cells.
    private let columns: Int
    private let tileColumns: Int
    private let style: RenderStyle
    private let isUnicode: Bool
    private let tracer: Tracer

    /// The number of cells between two thumbnails.
    private static let gap = 1
    /// The title below a thumbnail, and an empty row.
    private static let textRows = 2
    /// The number of rows requested ahead of the one being written; keeps all workers busy and bounds memory.
    private static let rowsAhead = 4

    /// Creates a sheet with the terminal's width and colours, if there is one; `report` holds the terminal's replies.
    init(options: Options, environment: Environment, report: TerminalReport, tracer: Tracer) {
        self.tracer = tracer
        let size = TerminalSession.outputSize
        let variable = environment.variables["COLUMNS"].flatMap { Int($0) }
        let fallback = variable ?? TerminalSession.controllingColumns ?? 80
        columns = size?.columns ?? ((1...1000).contains(fallback) ? fallback : 80)
        tileColumns = min(options.tileColumns, columns)
        isUnicode = TerminalSession.isUnicode(environment: environment.variables)
        let found = TerminalSession.outputStyle(
            environment: environment.variables, report: report, graphics: options.graphics)
        var style = report.suited(
            RenderStyle(
                blocks: isUnicode ? options.blocks ?? found.blocks : .ascii,
                depth: options.depth ?? found.depth,
                isTinted: options.isTinted,
                dither: options.dither))
        let rows = Self.box(columns: tileColumns, style).rows + Self.textRows
        // Pixels are placed with the cursor below their row, so the whole row must fit the screen.
        if options.graphics != nil || style.depth != .mono, rows < size?.rows ?? .max {
            style.pixels = found.pixels
        }
        self.style = style
    }

    /// Prints all of `walk`, row by row; returns whether any section could be loaded.
    func print(
        _ walk: SectionWalk, thumbnails: any ThumbnailLoading, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        try walk.forEachGroup { group throws(OutputError) in
            try print(group.pictures, title: group.title, thumbnails, to: &output)
        }
    }

    private func print(
        _ pictures: [Picture], title: String?, _ thumbnails: any ThumbnailLoading,
        to output: inout StandardOutput
    ) throws(OutputError) {
        // One picture opened alone would be named twice.
        if let title, pictures.count > 1 || pictures.first?.title != title {
            var heading = canvas(rows: 1)
            heading.draw(title, x: 0, y: 0, width: columns, style: .bold)
            try output.write(heading.lines(depth: style.depth))
        }
        let perRow = max(1, (columns + Self.gap) / (tileColumns + Self.gap))
        let rows = stride(from: 0, to: pictures.count, by: perRow).map {
            pictures[$0..<min($0 + perRow, pictures.count)]
        }
        var pending: [[PendingTile]] = []
        var asked = 0
        for _ in rows.indices {
            while asked < rows.count, pending.count < Self.rowsAhead {
                pending.append(
                    rows[asked].map { picture in
                        let request = picture.isDrawable ? request(for: picture) : nil
                        let flow = request == nil ? Flow.none : Flow(tracer, at: "main")
                        return PendingTile(picture, request, thumbnails, flow)
                    })
                asked += 1
            }
            var row = row(pending.removeFirst())
            let pixels = style.pixels.map { row.takePictures(as: $0.graphics) } ?? []
            try output.write(row.lines(depth: style.depth))
            try output.write(pixels)
            try output.flush()
        }
    }

    private func request(for picture: Picture) -> ThumbnailRequest {
        let pixels = tileColumns * style.pixelsAcross
        return ThumbnailRequest(
            address: picture.variant(covering: pixels).address, referer: picture.page,
            box: Self.box(columns: tileColumns, style), style: style, mayBeEmbedded: true)
    }

    private static func box(columns: Int, _ style: RenderStyle) -> CellSize {
        CellSize(
            columns: columns,
            rows: Layout.grid.thumbnailRows(columns: columns, cellAspect: style.cellAspect))
    }

    private func canvas(rows: Int) -> Canvas {
        var canvas = Canvas(size: CellSize(columns: columns, rows: rows))
        canvas.isASCII = !isUnicode
        return canvas
    }

    private func row(_ tiles: [PendingTile]) -> Canvas {
        let box = Self.box(columns: tileColumns, style)
        var canvas = canvas(rows: box.rows + Self.textRows)
        for (place, tile) in tiles.enumerated() {
            let x = place * (tileColumns + Self.gap)
            switch tile.wait() {
            case .success(let thumbnail):
                let tint = style.isTinted ? style.depth.nearest(to: thumbnail.facts.tint) : nil
                let place = CellRect(x: x, y: 0, columns: box.columns, rows: box.rows)
                canvas.draw(thumbnail.cells, centeredIn: place, on: tint)
                if let pixels = thumbnail.pixels { canvas.place(pixels, centeredIn: place) }
            case .failure(let error):
                canvas.draw(
                    "× \(error)", x: x, y: box.rows / 2, width: tileColumns, style: .dim)
            case nil: canvas.draw("album", x: x, y: box.rows / 2, width: tileColumns, style: .dim)
            }
            canvas.draw(tile.title, x: x, y: box.rows, width: tileColumns)
        }
        return canvas
    }
}

/// A requested thumbnail, to be waited for in its turn.
private final class PendingTile: Sendable {
    let title: String
    private let flow: Flow
    private let result = Locked<Result<Thumbnail, ThumbnailError>?>(nil)
    private let arrived = DispatchSemaphore(value: 0)

    /// Requests the thumbnail, if there is a request.
    init(
        _ picture: Picture, _ request: ThumbnailRequest?, _ thumbnails: any ThumbnailLoading,
        _ flow: Flow
    ) {
        title = picture.title
        self.flow = flow
        guard let request else {
            arrived.signal()
            return
        }
        _ = thumbnails.load(request, priority: .visible, flow: flow) { [self] answer in
            result.withLock { $0 = answer }
            arrived.signal()
        }
    }

    /// Returns the thumbnail or its error; nil if nothing was requested.
    ///
    /// Blocks until the result is known; must be called only once.
    func wait() -> Result<Thumbnail, ThumbnailError>? {
        arrived.wait()
        flow.end("main")
        return result.withLock { $0 }
    }
}
