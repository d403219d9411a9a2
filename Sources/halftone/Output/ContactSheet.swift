import Basics
import Browser
import Dispatch
import Gallery
import Pipeline
import Raster
import Terminal
import Thumbnails
import Trace

/// The output of `--print`: all sections' thumbnails, row by row, with titles below; or a pane, filled by one picture or by as many
/// thumbnails as fit.
@MainActor struct ContactSheet {
    /// The size to fill; nil prints everything.
    private let pane: CellSize?
    /// The column and row of the screen, from 0, where it begins; nil is at the cursor.
    private let corner: (x: Int, y: Int)?
    /// The width in cells.
    private let columns: Int
    private let tileColumns: Int
    private let style: RenderStyle
    private let isUnicode: Bool
    private let thumbnails: any ThumbnailLoading
    private let tracer: Tracer

    /// The number of cells between two thumbnails.
    private static let gap = 1
    /// The title below a thumbnail, and an empty row.
    private static let textRows = 2
    /// The number of rows requested ahead of the one being written; keeps all workers busy and bounds memory.
    private static let rowsAhead = 4

    /// Thumbnails side by side and in rows.
    private struct Grid {
        let perRow: Int
        let box: CellSize
        /// The rows below a thumbnail: its title and empty ones, or none, where it has no tint, either.
        let textRows: Int

        var height: Int { box.rows + textRows }
    }

    /// Creates a sheet with the terminal's width and colours, if there is one; `report` holds the terminal's replies.
    init(
        options: Options, environment: Environment, report: TerminalTraits,
        thumbnails: any ThumbnailLoading, tracer: Tracer
    ) {
        self.thumbnails = thumbnails
        self.tracer = tracer
        pane = options.pane
        corner = options.corner
        let size = TerminalSession.outputSize
        columns =
            pane?.columns ?? size?.columns ?? environment.cells("COLUMNS")
            ?? TerminalSession.controllingColumns ?? 80
        // In a pane, two stand side by side at least.
        let most = pane == nil ? columns : max(1, (columns - Self.gap) / 2)
        tileColumns = min(options.browser.tileColumns, most)
        isUnicode = CharacterSet.isUnicode(environment: environment.variables)
        let found = TerminalSession.outputStyle(
            environment: environment.variables, traits: report, graphics: options.graphics)
        var style = report.suited(
            RenderStyle(
                blocks: isUnicode ? options.blocks ?? found.blocks : .ascii,
                depth: options.depth ?? found.depth,
                isTinted: options.isTinted,
                dither: options.dither))
        style.crop = options.browser.cropsTiles ? .box : .none
        let rows = pane?.rows ?? Self.box(columns: tileColumns, style).rows + Self.textRows
        // Pixels are placed with the cursor below their row, so the whole row must fit the screen.
        if options.graphics != nil || style.depth != .mono, rows < size?.rows ?? .max {
            style.pixels = found.pixels
        }
        self.style = style
    }

    /// Prints all of `walk`, row by row, or fills the pane; returns whether any section could be loaded, and the only picture of a pane be
    /// drawn.
    func print(
        _ walk: SectionWalk, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        var isDrawn: Bool?
        let hasLoaded = try walk.forEachGroup { group throws(OutputError) in
            // The first group fills a pane.
            if pane == nil || isDrawn == nil {
                isDrawn = try print(group.pictures, title: group.title, to: &output)
            }
        }
        return hasLoaded && isDrawn != false
    }

    private func print(
        _ pictures: [Picture], title: String?, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        let grid: Grid
        let batches: [ArraySlice<Picture>]
        if let pane {
            grid = self.grid(filling: pane, with: pictures.count)
            batches = [pictures.prefix(pane.rows / grid.height * grid.perRow)]
        } else {
            // One picture opened alone would be named twice.
            if let title, pictures.count > 1 || pictures.first?.title != title {
                var heading = canvas(rows: 1)
                heading.draw(title, x: 0, y: 0, width: columns, style: .bold)
                try output.write(heading.lines(depth: style.depth))
            }
            grid = Grid(
                perRow: mostPerRow, box: Self.box(columns: tileColumns, style),
                textRows: Self.textRows)
            batches = stride(from: 0, to: pictures.count, by: mostPerRow).map {
                pictures.dropFirst($0).prefix(mostPerRow)
            }
        }
        var pending: [[PendingTile]] = []
        var asked = 0
        for _ in batches.indices {
            while asked < batches.count, pending.count < Self.rowsAhead {
                pending.append(batches[asked].map { tile(of: $0, grid.box) })
                asked += 1
            }
            var canvas = canvas(rows: pane?.rows ?? grid.height)
            let error = draw(pending.removeFirst(), grid, on: &canvas)
            if pane != nil, pictures.count == 1, let error {
                complain("\(pictures[0].title): \(error)")
                return false
            }
            try output.write(
                canvas.printed(
                    at: corner, isScrolling: pane == nil, depth: style.depth,
                    graphics: style.pixels?.graphics ?? .none))
            try output.flush()
        }
        return true
    }

    /// Returns a grid of the height of `pane`: of `count` thumbnails, larger ones if they are few, or of as many as fit.
    private func grid(filling pane: CellSize, with count: Int, perRow: Int = 1) -> Grid {
        var box = Self.box(columns: (columns + Self.gap) / perRow - Self.gap, style)
        let textRows = count > 1 && box.rows < pane.rows ? 1 : 0
        let height = box.rows + textRows
        let rows = max(1, min((pane.rows + height / 2) / height, (count + perRow - 1) / perRow))
        if perRow * rows < count, perRow < mostPerRow {
            return grid(filling: pane, with: count, perRow: perRow + 1)
        }
        box.rows = max(1, pane.rows / rows - textRows)
        return Grid(perRow: perRow, box: box, textRows: textRows)
    }

    private var mostPerRow: Int { (columns + Self.gap) / (tileColumns + Self.gap) }

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

    /// Requests the thumbnail of a picture.
    private func tile(of picture: Picture, _ box: CellSize) -> PendingTile {
        guard picture.isDrawable else { return PendingTile(picture.title, nil, thumbnails, .none) }
        let request = ThumbnailRequest(
            address: picture.variant(covering: box.columns * style.pixelsAcross).address,
            referer: picture.page, box: box, style: style,
            mayBeEmbedded: true)
        return PendingTile(picture.title, request, thumbnails, Flow(tracer, at: "main"))
    }

    /// Draws tiles from the top left, each once it is known; returns the last one's error.
    private func draw(
        _ tiles: [PendingTile], _ grid: Grid, on canvas: inout Canvas
    ) -> ThumbnailError? {
        var failure: ThumbnailError?
        for (index, tile) in tiles.enumerated() {
            let (row, column) = index.quotientAndRemainder(dividingBy: grid.perRow)
            let box = grid.box
            let x = column * (box.columns + Self.gap)
            let y = row * grid.height
            func draw(dim text: String) {
                canvas.draw(text, x: x, y: y + box.rows / 2, width: box.columns, style: .dim)
            }
            switch tile.wait() {
            case .success(let thumbnail):
                let place = CellRect(x: x, y: y, columns: box.columns, rows: box.rows)
                canvas.draw(
                    thumbnail.cells, centeredIn: place,
                    on: style.isTinted && grid.textRows > 0
                        ? style.depth.nearest(to: thumbnail.facts.tint) : nil)
                if let pixels = thumbnail.pixels { canvas.place(pixels, centeredIn: place) }
            case .failure(let error):
                draw(dim: "× \(error)")
                failure = error
            case nil: draw(dim: "album")
            }
            if grid.textRows > 0 {
                canvas.draw(tile.title, x: x, y: y + box.rows, width: box.columns)
            }
        }
        return failure
    }
}

/// A requested thumbnail, to be waited for in its turn.
final class PendingTile: Sendable {
    let title: String
    private let flow: Flow
    private let result = Locked<Result<Thumbnail, ThumbnailError>?>(nil)
    private let arrived = DispatchSemaphore(value: 0)

    /// Requests the thumbnail, if there is a request.
    init(
        _ title: String, _ request: ThumbnailRequest?, _ thumbnails: any ThumbnailLoading,
        _ flow: Flow, _ priority: Priority = .visible
    ) {
        self.title = title
        self.flow = flow
        guard let request else {
            arrived.signal()
            return
        }
        _ = thumbnails.load(request, priority: priority, flow: flow) { [self] answer in
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
        return result.current
    }
}
