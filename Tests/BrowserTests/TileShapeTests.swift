import Basics
import Browser
import Gallery
import Raster
import TestSupport
import Testing

/// Tiles adapt their height to the gallery's pictures.
@MainActor @Suite("Tile shape") struct TileShapeTests {
    private var box: (Rig) -> CellSize? { { $0.gallery?.tiles.first?.frame.size } }

    @Test(
        "the shape of most decoded pictures is adopted once, without moving the selected picture",
        arguments: [(90, 16, 7), (60, 90, 17), (90, 90, 11), (90, 60, 9)])
    func decoded(width: Int, height: Int, rows: Int) {
        let rig = Rig([[24]], rows: 42)
        for picture in 0..<24 {
            rig.thumbnails.size(Rig.image(0, 0, picture), PixelSize(width: width, height: height))
        }
        rig.loadPages()
        #expect(box(rig) == CellSize(columns: 24, rows: 9 + 1))
        let top = rig.gallery?.tiles.first?.frame.y
        rig.loadPictures()
        #expect(box(rig) == CellSize(columns: 24, rows: rows + 1))
        #expect(rig.gallery?.tiles.first?.frame.y == top && rig.selected == "0.0.0")
        // Later pictures no longer change the shape.
        rig.thumbnails.size(Rig.image(0, 0, 23), PixelSize(width: 5, height: 500))
        rig.type("G")
        rig.loadPictures()
        #expect(box(rig) == CellSize(columns: 24, rows: rows + 1))
    }

    @Test(
        "half of the pictures do not decide the shape, three quarters do, in any order",
        arguments: [(2, 9), (4, 17)])
    func mixed(every: Int, rows: Int) {
        let rig = Rig([[24]], rows: 42)
        for picture in 0..<24 {
            let isWide = picture % every == 0
            rig.thumbnails.size(
                Rig.image(0, 0, picture),
                PixelSize(width: isWide ? 90 : 60, height: isWide ? 60 : 90))
        }
        rig.loadPages()
        rig.loadPictures()
        #expect(box(rig) == CellSize(columns: 24, rows: rows + 1))
    }

    @Test(
        "a few of many pictures do not decide the shape, nor do any after the reader has moved",
        arguments: [([4, 20], ""), ([24], "l")])
    func undecided(pages: [Int], keys: String) {
        let rig = Rig([pages], rows: 42)
        for picture in 0..<24 {
            rig.thumbnails.size(Rig.image(0, 0, picture), PixelSize(width: 60, height: 90))
        }
        rig.settle()
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.type(keys)
        rig.loadPictures()
        #expect(rig.gallery?.tiles.first?.picture.isReady == true)
        #expect(box(rig) == CellSize(columns: 24, rows: 9 + 1))
    }

    @Test("sizes stated by the page decide before any picture is loaded")
    func told() {
        let rig = Rig([[1]], rows: 42)
        let portraits = (0..<12).map { number in
            Picture(
                variants: [Picture.Variant(address: Rig.image(0, 0, number))],
                page: Rig.address(0, 0), title: "", width: Pixels(600), height: Pixels(900))
        }
        rig.pages.set(
            .success(Page(address: Rig.address(0, 0), title: "", pictures: portraits)),
            at: Rig.address(0, 0))
        rig.loadPages()
        #expect(box(rig) == CellSize(columns: 24, rows: 17 + 1))
    }

    @Test("the list keeps its row height")
    func list() {
        let rig = Rig([[24]], rows: 42)
        for picture in 0..<24 {
            rig.thumbnails.size(Rig.image(0, 0, picture), PixelSize(width: 60, height: 90))
        }
        rig.loadPages()
        rig.type("v")
        let before = box(rig)
        rig.loadPictures()
        #expect(box(rig) == before)
    }
}
