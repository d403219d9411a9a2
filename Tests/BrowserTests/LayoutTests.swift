import Raster
import TestSupport
import Testing

@testable import Browser

/// The layout's arithmetic, compared with counting.
@Suite("Layout") struct LayoutTests {
    /// Creates a layout of random sections on a random screen.
    private func layout(_ random: inout SeededRandom) -> GalleryLayout {
        let count = Int.random(in: 1...8, using: &random)
        let shapes = (0..<count).map { _ in
            let pictures = Int.random(in: 0...40, using: &random)
            let hasHeader = count > 1 || Bool.random(using: &random)
            return GalleryLayout.Block(
                count: pictures,
                hasNote: Bool.random(using: &random) || pictures == 0 && !hasHeader,
                hasHeader: hasHeader)
        }
        let metrics = GalleryMetrics(
            layout: Layout.allCases.randomElement(using: &random) ?? .grid,
            columns: Int.random(in: 20...200, using: &random),
            bodyRows: Int.random(in: 3...60, using: &random),
            tileColumns: Int.random(in: 8...120, using: &random),
            cellAspect: Double.random(in: 0.5...4, using: &random))
        guard metrics.layout == .rows else { return GalleryLayout(shapes, metrics: metrics) }
        return GalleryLayout(
            shapes.map { block in
                var block = block
                block.rows = JustifiedRows(
                    JustifiedRowsTests.shapes(block.count, &random), metrics: metrics)
                return block
            }, metrics: metrics)
    }

    @Test(
        "frames lie within the screen's width, in reading order, with a free cell between them",
        arguments: 1...200)
    func frames(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let layout = layout(&random)
        let frames = (0..<layout.pictureCount).map(layout.frame(ofPicture:))
        for frame in frames {
            #expect(frame.x >= 0 && frame.x + frame.size.columns <= layout.metrics.columns)
            #expect(frame.size.rows < layout.metrics.bodyRows, "room for the header")
            #expect(frame.y + frame.size.rows <= layout.totalRows)
        }
        for (one, next) in zip(frames, frames.dropFirst()) {
            let isBeside = one.y == next.y && one.x + one.size.columns < next.x
            let gap = layout.metrics.isPlain ? 0 : 1
            let isBelow = one.y + one.size.rows + gap <= next.y
            #expect(isBeside || isBelow)
        }
    }

    @Test("the pictures in a range of rows are those whose frames overlap it", arguments: 1...200)
    func visible(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let layout = layout(&random)
        for _ in 0..<20 {
            let first = Int.random(in: 0...layout.totalRows, using: &random)
            let rows = first..<first + Int.random(in: 1...60, using: &random)
            let counted = (0..<layout.pictureCount).filter {
                let frame = layout.frame(ofPicture: $0)
                return frame.y < rows.upperBound && frame.y + frame.size.rows > rows.lowerBound
            }
            #expect(Array(layout.pictures(in: rows)) == counted)
        }
    }

    @Test("a point hits the picture whose frame contains it", arguments: 1...100)
    func points(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let layout = layout(&random)
        for _ in 0..<50 {
            let x = Int.random(in: 0..<layout.metrics.columns, using: &random)
            let row = Int.random(in: 0..<layout.totalRows, using: &random)
            let counted = (0..<layout.pictureCount).first {
                layout.frame(ofPicture: $0).contains(x: x, y: row)
            }
            #expect(layout.picture(atX: x, row: row) == counted)
        }
    }

    @Test("headers and notes lie between their sections' pictures", arguments: 1...100)
    func blocks(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let layout = layout(&random)
        for (place, block) in layout.blocks.enumerated() {
            let end = layout.endRow(ofBlock: place)
            #expect(block.firstRow < end)
            for row in block.firstRow..<end {
                #expect(layout.block(atRow: row) == place)
            }
            for picture in block.firstPicture..<block.firstPicture + block.count {
                #expect(layout.block(ofPicture: picture) == place)
                let header = (block.hasHeader ? 1 : 0) + layout.metrics.frameRows
                #expect(layout.frame(ofPicture: picture).y >= block.firstRow + header)
            }
            if block.hasNote {
                #expect(layout.noteRow(ofBlock: place) < end)
            }
        }
    }

    @Test(
        "rows of tiles fill the screen as far as a fifth of their height allows",
        arguments: [80, 120, 200, 240])
    func filled(columns: Int) {
        for (bodyRows, tileColumns) in (10...80).flatMap({ rows in [12, 24, 40].map { (rows, $0) } }
        ) {
            let metrics = GalleryMetrics(
                layout: .grid, columns: columns, bodyRows: bodyRows, tileColumns: tileColumns,
                cellAspect: 2)
            let box = metrics.thumbnailBox
            let rows = { min(Layout.grid.thumbnailRows(columns: $0, cellAspect: 2), bodyRows - 4) }
            let (least, most) = (rows(tileColumns), rows(box.columns))
            #expect(box.rows * 5 >= least * 4 && box.rows * 5 <= most * 6)
            // Every line of tiles has one or no row less than it could have, or is as high as its width asks for as no height would do better.
            let left = bodyRows - 1 - metrics.rowsPerScreen * metrics.pitch
            let fills = { (rows: Int) in (bodyRows - 1) % (rows + 2) < (bodyRows - 1) / (rows + 2) }
            let allowed = (least * 4 + 4) / 5...min(most * 6 / 5, bodyRows - 4)
            #expect(
                left < metrics.rowsPerScreen || box.rows == most && !allowed.contains(where: fills))
        }
    }

    @Test("a 3:2 picture nearly fills a tile of the default size, and a list row has four lines")
    func shapes() {
        var metrics = GalleryMetrics(
            layout: .grid, columns: 80, bodyRows: 34, tileColumns: 24, cellAspect: 2)
        #expect(metrics.thumbnailBox == CellSize(columns: 24, rows: 9))
        #expect(metrics.perRow == 3)
        #expect(metrics.pitch == 11)
        // Four share what four of the least width and their gaps leave, and keep pixels for more.
        (metrics.columns, metrics.bodyRows) = (120, 40)
        #expect(metrics.thumbnailBox == CellSize(columns: 28, rows: 11))
        #expect((0..<4).map { metrics.span(ofPlace: $0).x } == [1, 31, 61, 91])
        let kept = metrics.keptBox
        (metrics.columns, metrics.bodyRows) = (200, 37)
        #expect(metrics.thumbnailBox == CellSize(columns: 26, rows: 10) && metrics.keptBox == kept)
        metrics.layout = .list
        #expect(metrics.thumbnailBox == CellSize(columns: 12, rows: 4))
        #expect(metrics.pitch == 5)
    }
}
