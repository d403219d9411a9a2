import Basics
import Browser
import Gallery
import Raster
import TestSupport
import Testing

@testable import Browser

/// Rows in which pictures keep their shapes.
@MainActor @Suite("Justified rows") struct JustifiedRowsTests {
    /// Returns random shapes, from strips to panoramas.
    nonisolated static func shapes(
        _ count: Int, _ random: inout SeededRandom
    ) -> [JustifiedRows.Shape] {
        (0..<count).map { _ in
            JustifiedRows.shape(
                of: PixelSize(
                    width: Int.random(in: 1...100, using: &random),
                    height: Int.random(in: 1...100, using: &random)))
        }
    }

    private static let metrics = GalleryMetrics(
        layout: .rows, columns: 120, bodyRows: 38, tileColumns: 24, cellAspect: 2)

    /// A section of so many pictures, in the parts in which they are laid out.
    private func layout(_ shapes: [JustifiedRows.Shape]) -> GalleryLayout {
        let most = JustifiedRows.most
        let blocks = stride(from: 0, to: shapes.count, by: most).map { start in
            let end = min(start + most, shapes.count)
            var block = GalleryLayout.Block(
                count: end - start, hasNote: false, hasHeader: start == 0, offset: start)
            block.rows = JustifiedRows(
                Array(shapes[start..<end]), isContinued: end < shapes.count, metrics: Self.metrics)
            return block
        }
        return GalleryLayout(blocks, metrics: Self.metrics)
    }

    @Test("every row but the last fills the width, and every picture has its shape within a cell")
    func filling() {
        var random = SeededRandom(seed: 7)
        let shapes = Self.shapes(10_000, &random)
        let layout = layout(shapes)
        var (next, bottom) = (0, layout.blocks[0].pictureRow)
        while next < shapes.count {
            let line = layout.line(ofPicture: next)
            let frames = line.pictures.map(layout.frame(ofPicture:))
            #expect(line.pictures.lowerBound == next && line.y == bottom, "no gap between rows")
            #expect((2...9).contains(line.rows), "the title, and at most 8 rows")
            #expect(frames[0].x == 1)
            let right = frames[frames.count - 1].x + frames[frames.count - 1].size.columns
            #expect(right == 119 || line.pictures.upperBound == shapes.count && right < 119)
            for (picture, frame) in zip(line.pictures, frames) {
                let shape = Double(shapes[picture]) / 256
                // Rounding the height to a row widens all by as much.
                let rows = Double(frame.size.rows - 1)
                let (low, high) = (2 * shape * (rows - 0.5) - 1, 2 * shape * (rows + 0.5) + 1)
                #expect((low...high).contains(Double(frame.size.columns)))
            }
            (next, bottom) = (line.pictures.upperBound, line.y + line.rows + 1)
        }
        #expect(bottom == layout.totalRows)
    }

    @Test(
        "of a million pictures each is found at its place, and a shape known late moves only what follows it"
    )
    func million() {
        var random = SeededRandom(seed: 11)
        var layout = layout(Self.shapes(1_000_000, &random))
        for _ in 0..<2000 {
            let picture = Int.random(in: 0..<1_000_000, using: &random)
            let frame = layout.frame(ofPicture: picture)
            #expect(layout.picture(atX: frame.x + frame.size.columns / 2, row: frame.y) == picture)
            let below = layout.picture(1, linesBelow: picture, column: 120).picture
            #expect(layout.line(ofPicture: below).y > frame.y || below == picture)
        }
        let marks = [0, 499_000, 504_000, 999_999]
        let before = marks.map(layout.frame(ofPicture:))
        let height = layout.totalRows
        for picture in 499_900..<500_100 { layout.set(102, ofPicture: picture) }
        let growth = layout.totalRows - height
        #expect(growth < 0)
        let after = marks.map(layout.frame(ofPicture:))
        #expect(after[..<2] == before[..<2])
        for (one, other) in zip(before[2...], after[2...]) {
            #expect(
                other
                    == CellRect(
                        x: one.x, y: one.y + growth, columns: one.size.columns, rows: one.size.rows)
            )
        }
    }

    private func rig(_ count: Int = 60, layout: Layout = .rows) -> Rig {
        var options = BrowserOptions()
        options.layout = layout
        let rig = Rig([[count]], columns: 120, options: options)
        for picture in 0..<count {
            let isTall = picture % 3 == 1
            rig.thumbnails.size(
                Rig.image(0, 0, picture),
                PixelSize(width: isTall ? 60 : 90, height: isTall ? 90 : 60))
        }
        rig.loadPages()
        return rig
    }

    private func shape(_ tile: GalleryScene.Seen?) -> Double {
        guard let size = tile?.frame.size else { return 0 }
        return Double(size.columns) / Double(2 * (size.rows - 1))
    }

    @Test("shapes of pictures that arrive above the selected one do not move it on the screen")
    func anchor() {
        let rig = rig(600)
        rig.type("400G")
        let before = rig.gallery?.selected
        #expect(abs(shape(before) - 1.5) < 0.2)
        rig.loadPictures()
        let after = rig.gallery
        #expect(rig.selected == "0.0.399" && after?.selected?.frame.y == before?.frame.y)
        #expect(after?.tiles.first { $0.title == "0.0.400" }.map { shape($0) < 0.8 } == true)
        rig.type("20k")
        rig.loadPictures()
        #expect(rig.gallery?.tiles.allSatisfy(\.picture.isReady) == true)
    }

    @Test("sizes that the page states shape the first frame")
    func stated() {
        var options = BrowserOptions()
        options.layout = .rows
        let rig = Rig([[1]], columns: 120, options: options)
        let pictures = (0..<30).map { number in
            Picture(
                variants: [Picture.Variant(address: Rig.image(0, 0, number))],
                page: Rig.address(0, 0), title: "\(number)", width: Pixels(900),
                height: Pixels(300))
        }
        rig.pages.set(
            .success(Page(address: Rig.address(0, 0), title: "", pictures: pictures)),
            at: Rig.address(0, 0))
        rig.pages.open()
        rig.main.drain()
        #expect(abs(shape(rig.gallery?.tiles.first) - 3) < 0.4)
    }

    @Test("v goes to the list and back to the rows or the grid that it was left for")
    func toggling() {
        let rig = rig(layout: .list)
        let layout = { rig.model.property("layout") }
        rig.type("v")
        #expect(layout() == "\"grid\"")
        rig.type(":layout rows")
        rig.press(.enter)
        rig.type("v")
        #expect(layout() == "\"list\"")
        rig.type("v")
        #expect(layout() == "\"rows\"")
    }

    @Test("j and k go to the nearest picture and come back; pages show every row; a click selects")
    func moving() {
        let rig = rig()
        rig.loadPictures()
        rig.type("2l")
        let start = rig.selected
        let x = rig.gallery?.selected?.frame
        rig.type("j")
        let below = rig.gallery?.selected?.frame
        #expect(below.map { $0.y > x?.y ?? 0 } == true)
        rig.type("2jkkk")
        #expect(rig.selected == start)
        rig.type("g")
        for _ in 0..<6 {
            let last = rig.gallery?.tiles.last { $0.frame.y + $0.frame.size.rows <= 39 }?.title
            let wanted = last.flatMap { Int($0.split(separator: ".")[2]) }.map { "0.0.\($0 + 1)" }
            rig.type(" ")
            rig.loadPictures()
            #expect(rig.titles.contains(wanted ?? "") || rig.titles.last == "0.0.59")
        }
        rig.type("g")
        guard let tile = rig.gallery?.tiles[4] else { return }
        rig.model.handle(.click(x: tile.frame.x, y: tile.frame.y))
        #expect(rig.selected == tile.title)
    }

    @Test(
        "each + enlarges tiles and each - makes them smaller until the end",
        arguments: Layout.allCases)
    func sizes(layout: Layout) {
        let rig = rig(layout: layout)
        func area() -> Int? {
            rig.gallery?.tiles.first.map { $0.frame.size.columns * $0.frame.size.rows }
        }
        var before = area() ?? 0
        for _ in 0..<3 {
            rig.type("-")
            rig.settle()
            if layout == .grid { #expect(area() ?? 0 < before) }
            before = area() ?? 0
        }
        for _ in 0..<5 {
            rig.type("+")
            rig.settle()
            if layout == .grid { #expect(area() ?? 0 > before) }
            before = area() ?? 0
        }
    }
}
