import Browser
import Network
import Raster
import TestSupport
import Testing

@testable import Gallery

/// Albums, and the volumes of a comic.
@MainActor @Suite("Albums") struct AlbumTests {
    /// A gallery of albums with this many upright pages each.
    private func albums(_ counts: [Int]) -> Rig {
        let rig = Rig([[counts.count]])
        var page = Rig.page(0, 0, count: counts.count)
        for (place, count) in counts.enumerated() {
            page.pictures[place].kind = .album
            page.pictures[place].link = Rig.address(place + 1, 0)
            rig.pages.set(
                .success(Rig.page(place + 1, 0, count: count)), at: Rig.address(place + 1, 0))
            for number in 0..<count {
                rig.thumbnails.size(
                    Rig.image(place + 1, 0, number), PixelSize(width: 800, height: 1200))
            }
        }
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.loadPages()
        return rig
    }

    private func enter(_ rig: Rig) {
        rig.press(.enter)
        rig.loadPictures()
    }

    private var marked: (Rig) -> [String] {
        { rig in rig.gallery?.tiles.filter(\.isMarked).map(\.title) ?? [] }
    }

    @Test(
        "at the end of a volume the next one begins, with spreads as before or as wide as the screen",
        arguments: [
            ("D", ["1.0.0", "1.0.1", "2.0.0", "2.0.1", "3.0.0", "3.0.1"]),
            ("w", ["1.0.0", "1.0.1", "2.0.0", "2.0.1", "2.0.2", "3.0.0", "3.0.1", "3.0.2"]),
        ])
    func volumes(key: String, pages: [String]) {
        let rig = albums(key == "D" ? [3, 3, 3] : [2, 3, 3])
        enter(rig)
        enter(rig)
        rig.type(key)
        rig.loadPictures()
        for page in pages {
            #expect(rig.viewer != nil && rig.selected == page)
            #expect(rig.viewer?.others.count == (key == "D" && page.hasSuffix("1") ? 1 : 0))
            rig.type("n")
            // The next volume's page is still to come.
            rig.draw()
            rig.loadPictures()
        }
        #expect(rig.message == "this is the last picture")
    }

    @Test("marks of an album count and are printed after another was opened, and are there again")
    func marks() {
        let rig = albums([3, 2])
        enter(rig)
        rig.type("mlm")
        rig.press(.escape)
        rig.type("l")
        enter(rig)
        rig.type("m")
        rig.press(.escape)
        #expect(rig.press("q") == nil)
        #expect(rig.dialog?.message == "3 marked: s saves them, Q prints their names.")
        rig.press(.escape)
        #expect(rig.press("Q") == .quit)
        let names = [(1, 0), (1, 1), (2, 0)].map { Rig.image($0, 0, $1).text }
        #expect(rig.model.chosen.sorted() == names)
        rig.type("h")
        enter(rig)
        #expect(marked(rig) == ["1.0.0", "1.0.1"])
    }

    @Test("what is saved is unmarked, also in an album that was closed meanwhile")
    func saved() {
        let rig = albums([3, 2])
        enter(rig)
        rig.type("mlms")
        rig.press(.escape)
        rig.saving.answer(.success("x.jpg"))
        rig.settle()
        rig.press("q")
        #expect(rig.dialog?.message.hasPrefix("1 not saved yet. 1 marked") == true)
        rig.press(.escape)
        rig.type("l")
        enter(rig)
        rig.press(.escape)
        rig.saving.answer(.success("x.jpg"))
        rig.settle()
        #expect(rig.press("q") == .quit)
    }

    @Test("Enter on an album opens it; Esc returns to the same position")
    func albums() {
        let rig = Rig([[9]])
        var page = Rig.page(0, 0, count: 9)
        page.pictures[4] = Rig.picture(0, 0, 4, kind: .album)
        page.pictures[4].link = Rig.address(5, 0)
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.pages.set(.success(Rig.page(5, 0, count: 2)), at: Rig.address(5, 0))
        rig.loadPages()
        rig.type("5G")
        rig.press(.enter)
        rig.settle()
        #expect(rig.titles == ["5.0.0", "5.0.1"])
        #expect(rig.draw().top.path == ["gallery 0", "gallery 5"])
        rig.type("l")
        rig.press(.enter)
        #expect(rig.viewer != nil)
        rig.type("q")
        #expect(rig.press(.backspace) == nil)
        #expect(rig.selected == "0.0.4")
        #expect(rig.titles.count == 9)
    }

    @Test("an album left while loading raises no dialog later")
    func leftAlbum() {
        let rig = Rig([[1]])
        var page = Rig.page(0, 0, count: 1)
        page.pictures[0].kind = .album
        page.pictures[0].link = Rig.address(5, 0)
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.press(.enter)
        #expect(rig.pages.waiting == [Rig.address(5, 0)])
        rig.press(.escape)
        #expect(rig.pages.waiting.isEmpty)
        rig.press(.enter)
        rig.pages.release(Rig.address(5, 0))  // a failure, posted and not delivered
        rig.press(.escape)
        rig.settle()
        #expect(rig.dialog == nil)
        #expect(rig.titles == ["0.0.0"])
    }

    @Test("the next volume begins at the end in every mode, but not beside a marked picture")
    func everyMode() {
        let rig = albums([2, 3])
        enter(rig)
        enter(rig)
        rig.type("  ")
        rig.draw()
        rig.loadPictures()
        #expect(rig.viewer != nil && rig.selected == "2.0.0")
        rig.type("mnm:compare")
        rig.press(.enter)
        rig.loadPictures()
        rig.type("nn")
        #expect(rig.selected == "2.0.2" && rig.message == "this is the last picture")
    }

    @Test("a closed album's folder is followed no longer, a reopened one's again")
    func reopened() throws {
        let watch = FolderWatch()
        let scratch = try ScratchFolder()
        let folder = Address(path: scratch.path, isFolder: true)
        let rig = Rig([[1]], watch: watch)
        var page = Rig.page(0, 0, count: 1)
        page.pictures[0].kind = .album
        page.pictures[0].link = folder
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.pages.set(.success(Rig.page(1, 0, count: 2)), at: folder)
        rig.loadPages()
        rig.press(.enter)
        rig.settle()
        var reads: Int { rig.pages.loads.count { $0.address == folder } }
        #expect(reads == 1)
        rig.press(.escape)
        watch.tell(folder, .files([scratch.path + "/x"], renamed: [:]))
        rig.settle()
        #expect(reads == 1)
        rig.pages.set(.success(Rig.page(1, 0, count: 3)), at: folder)
        rig.type(">")
        rig.settle()
        #expect(reads == 2 && rig.position == "1/3")
        watch.tell(folder, .files([scratch.path + "/x"], renamed: [:]))
        rig.settle()
        #expect(reads == 3)
    }
}
