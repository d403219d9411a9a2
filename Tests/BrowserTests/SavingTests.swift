import Browser
import Collector
import Gallery
import Network
import TestSupport
import Testing

/// Marking and saving.
@MainActor @Suite("Marks and saving") struct SavingTests {
    private func loaded(_ sections: [[Int]] = [[12]]) -> Rig {
        let rig = Rig(sections)
        rig.loadPages()
        return rig
    }

    private var marked: (Rig) -> [String] {
        { rig in rig.gallery?.tiles.filter(\.isMarked).map(\.title) ?? [] }
    }

    @Test("m toggles a mark, M inverts, u clears; tiles, rows and the position show marks")
    func marks() {
        let rig = loaded([[3], [2]])
        rig.type("m")
        #expect(marked(rig) == ["0.0.0"])
        #expect(rig.position == "1/3 · 1 of 2 · 1 marked")
        rig.type("lmv")
        #expect(marked(rig) == ["0.0.0", "0.0.1"])
        rig.type("m")
        #expect(marked(rig) == ["0.0.0"])
        rig.type("M")
        #expect(marked(rig) == ["0.0.1", "0.0.2", "1.0.0", "1.0.1"])
        #expect(rig.message == "4 marked")
        rig.type("u")
        #expect(marked(rig) == [])
        #expect(rig.position == "2/3 · 1 of 2")
    }

    @Test("a range begins at its picture, although another was inserted before that")
    func range() {
        let rig = loaded()
        rig.type("llV")
        var page = Rig.page(0, 0, count: 12)
        page.pictures = PictureList([Rig.picture(0, 0, 99)] + Array(page.pictures))
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.type("R")
        rig.loadPages()
        #expect(rig.selected == "0.0.2" && rig.position.hasPrefix("4/13"))
        rig.type("lV")
        #expect(marked(rig) == ["0.0.2", "0.0.3"] && rig.message == "2 marked")
    }

    @Test("marks survive a reload")
    func reload() {
        let rig = loaded()
        rig.type("lmR")
        rig.loadPages()
        #expect(marked(rig) == ["0.0.1"])
    }

    @Test("s saves the selected picture, in the viewer too, and reports the file name")
    func one() {
        let rig = loaded()
        rig.type("ls")
        #expect(rig.message == "saving…")
        #expect(rig.saving.titles == ["0.0.1"])
        rig.saving.answer(.success("b.jpg"))
        rig.settle()
        #expect(rig.message == "saved b.jpg")
        rig.press(.enter)
        rig.type("ns")
        #expect(rig.saving.titles == ["0.0.2"])
    }

    @Test("s saves the marked pictures in gallery order, a few at a time, with a running count")
    func many() {
        let rig = loaded()
        rig.type("Ms")
        #expect(rig.saving.titles == ["0.0.0", "0.0.1", "0.0.2", "0.0.3"])
        for _ in 0..<3 {
            rig.saving.answer(.success("x.jpg"))
        }
        rig.settle()
        #expect(rig.message == "3 saved of 12…")
        #expect(rig.saving.titles == ["0.0.3", "0.0.4", "0.0.5", "0.0.6"])
        for _ in 0..<9 {
            rig.saving.answer(.success("x.jpg"))
            rig.settle()
        }
        #expect(rig.message == "12 saved")
        #expect(rig.model.saveFailures == [])
    }

    @Test("a failed save is reported on one line and repeated at the end")
    func failing() {
        let rig = loaded()
        rig.type("mlms")
        rig.saving.answer(.failure(.noPicture))
        rig.saving.answer(.success("b.jpg"))
        rig.settle()
        #expect(rig.message == "1 saved, 1 failed; 0.0.0: is not a picture of a known format")
        #expect(rig.model.saveFailures == ["0.0.0: is not a picture of a known format"])
        rig.type("s")
        #expect(rig.model.saveFailures.last == "1 picture: not saved yet when the program ended")
    }

    @Test("a folder can be given, again for the same picture; the message says where the files are")
    func folders() {
        var options = BrowserOptions()
        options.home = "/home/me"
        let rig = Rig([[12]], options: options)
        rig.loadPages()
        rig.type(":save ~/picked")
        rig.press(.enter)
        #expect(rig.saving.folders == ["/home/me/picked"])
        rig.saving.answer(.success("/home/me/picked/a.jpg"))
        rig.settle()
        #expect(rig.message == "saved a.jpg in ~/picked")
        rig.type(":w ~/picked")
        rig.press(.enter)
        rig.saving.answer(.success(nil))
        rig.settle()
        #expect(rig.message == "saved before (see --again)")
        rig.type("mlms")
        #expect(rig.saving.folders == ["", ""])
        rig.saving.answer(.success("/srv/a.jpg"))
        rig.saving.answer(.success("/srv/b.jpg"))
        rig.settle()
        #expect(rig.message == "2 saved in /srv")
    }

    @Test(":x saves what is marked and then ends; a key in between, or a failure, stays")
    func savingAndQuitting() {
        func begun() -> Rig {
            let rig = loaded()
            rig.type("mlm:x")
            #expect(rig.press(.enter) == nil)
            #expect(rig.saving.titles.count == 2)
            rig.saving.answer(.success("a.jpg"))
            rig.settle()
            #expect(rig.model.takeEffects() == [])
            return rig
        }
        let saved = begun()
        saved.saving.answer(.success("b.jpg"))
        saved.settle()
        #expect(saved.model.takeEffects() == [.quit])
        let interrupted = begun()
        interrupted.type("j")
        interrupted.saving.answer(.success("b.jpg"))
        interrupted.settle()
        #expect(interrupted.model.takeEffects() == [])
        let failed = begun()
        failed.saving.answer(.failure(.noPicture))
        failed.settle()
        #expect(failed.model.takeEffects() == [])
        let unmarked = loaded()
        unmarked.type(":wq")
        #expect(unmarked.press(.enter) == .quit)
    }

    /// A gallery with an album of 14 pictures on two pages, which are sections 1's.
    private func albumed() -> Rig {
        let rig = Rig([[1], [9, 5]])
        var album = Rig.picture(0, 0, 0, kind: .album)
        album.link = Rig.address(1, 0)
        rig.pages.set(
            .success(Page(address: Rig.address(0, 0), title: "", pictures: [album])),
            at: Rig.address(0, 0))
        rig.loadPages()
        rig.type("g")
        return rig
    }

    private func answer(_ rig: Rig, _ count: Int, _ result: Result<String?, SaveError>) {
        for _ in 0..<count {
            rig.saving.answer(result)
            rig.settle()
        }
    }

    @Test("s on an album saves it whole, page by page, with each picture's place in it")
    func album() {
        let rig = albumed()
        rig.type(":save a.cbz")
        rig.press(.enter)
        rig.settle()
        #expect(rig.saving.titles == ["1.0.0", "1.0.1", "1.0.2", "1.0.3"])
        #expect(rig.model.property("progress") == "\"saving 1 of 9+\"")
        answer(rig, 5, .success(nil))
        answer(rig, 4, .success("/x/a.jpg"))
        #expect(rig.message == "4 saved, 5 known of 14…")
        #expect(rig.saving.orders.map(\.index) == [10, 11, 12, 13])
        #expect(
            rig.saving.orders.allSatisfy {
                $0.gallery == "gallery 1" && $0.target.hasSuffix("/a.cbz")
            })
        #expect(rig.saving.packCount == 0)
        answer(rig, 5, .success("/x/a.jpg"))
        #expect(rig.message == "9 saved, 5 known in /x")
        #expect(rig.saving.packCount == 1 && rig.model.saveFailures == [])
    }

    @Test("a gallery that is being saved is paused by its command and stopped by Esc")
    func stopping() {
        let rig = albumed()
        rig.type("s")
        rig.settle()
        rig.type(":pause")
        rig.press(.enter)
        rig.settle()
        #expect(rig.message == "saving paused: :pause goes on")
        answer(rig, 4, .success("/x/a.jpg"))
        #expect(rig.saving.titles == [] && rig.model.property("progress") == "\"saving paused\"")
        rig.type(":pause")
        rig.press(.enter)
        rig.settle()
        #expect(rig.saving.titles.count == 4)
        rig.press(.escape)
        #expect(rig.message.hasPrefix("stopped: 4 saved, ") && rig.message.hasSuffix(" left"))
        answer(rig, 4, .success("/x/a.jpg"))
        #expect(rig.saving.titles == [] && rig.message.hasPrefix("8 saved, "))
        #expect(rig.model.saveFailures == [] && rig.saving.packCount == 0)
    }

    @Test(":save-all saves a whole section; a page that fails is told, and no archive made")
    func wholeSection() {
        let rig = Rig([[3, 4]])
        rig.pages.set(.failure(.empty), at: Rig.address(0, 1))
        rig.loadPages()
        rig.press(.escape)
        rig.type(":save-all a.cbz")
        rig.press(.enter)
        rig.settle()
        #expect(rig.saving.titles == ["0.0.0", "0.0.1", "0.0.2"])
        answer(rig, 3, .success("/x/a.jpg"))
        #expect(rig.message.hasSuffix(": the page is empty") && rig.saving.packCount == 0)
        #expect(rig.model.saveFailures.count == 1)
    }

    @Test("a name with a line feed is not copied, as a shell would run what follows it")
    func lineFeed() {
        let rig = Rig([[1]])
        let file = Address(path: "/a\nb.png")
        let picture = Picture(variants: [.init(address: file)], page: Rig.address(0, 0), title: "a")
        rig.pages.set(
            .success(Page(address: Rig.address(0, 0), title: "", pictures: [picture])),
            at: Rig.address(0, 0))
        rig.loadPages()
        #expect(rig.press("y") == nil)
        #expect(rig.message.contains("control characters"))
    }

    @Test("y copies the address and o opens it, also in the viewer")
    func addresses() {
        let rig = loaded()
        let address = Rig.image(0, 0, 1).text
        rig.type("l")
        #expect(rig.press("y") == .copy(address))
        #expect(rig.message == "copied \(address)")
        rig.press(.enter)
        #expect(rig.press("y") == .copy(address))
        #expect(rig.press("o") == nil)
        #expect(rig.message == "opened \(address)")
    }

    @Test("an album is not saved; an empty gallery has nothing to save")
    func nothing() {
        let rig = Rig([[0]])
        rig.pages.set(
            .success(
                Page(
                    address: Rig.address(0, 0), title: "",
                    pictures: [Rig.picture(0, 0, 0, kind: .album)])), at: Rig.address(0, 0))
        rig.type("s")
        #expect(rig.message == "no picture to save")
        rig.loadPages()
        rig.type("s")
        #expect(rig.message == "no picture to save")
        #expect(rig.saving.titles == [])
    }

    /// Saves the section, whose last page is empty, and leaves once that is done.
    private func leaving() -> Rig {
        let rig = Rig([[2, 0]])
        rig.pages.set(
            .success(Page(address: Rig.address(0, 1), title: "", pictures: [])),
            at: Rig.address(0, 1))
        rig.loadPages()
        rig.pages.close()
        for line in [":save-all", ":x"] {
            rig.type(line)
            rig.press(.enter)
        }
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        return rig
    }

    @Test(":x leaves once all is saved, also if the last page is empty")
    func leavingAfterLastPage() {
        let rig = leaving()
        for _ in 0..<2 {
            rig.saving.answer(.success("x.jpg"))
            rig.settle()
        }
        #expect(rig.model.takeEffects() == [])
        rig.pages.release(Rig.address(0, 1))
        rig.settle()
        #expect(rig.model.takeEffects() == [.quit])
    }

    @Test(":x stays if a picture could not be saved, or the archive not completed")
    func failedLeaving() {
        for packs in [false, true] {
            let rig = leaving()
            if packs { rig.saving.failPacks(.notWritten("no room")) }
            rig.saving.answer(packs ? .success("x.cbz") : .failure(.noPicture))
            rig.saving.answer(.success("x.cbz"))
            rig.settle()
            rig.pages.release(Rig.address(0, 1))
            rig.settle()
            #expect(rig.model.takeEffects() == [])
            #expect(rig.model.saveFailures.count == 1)
            #expect(rig.message.hasSuffix(packs ? "no room" : "of a known format"))
        }
    }

    @Test("pausing while the last picture is under way ends with it")
    func pausedAtTheEnd() {
        let rig = loaded()
        rig.type("s:pause")
        rig.press(.enter)
        rig.saving.answer(.success("x.jpg"))
        rig.settle()
        #expect(rig.draw().bottom.progress == "")
        rig.type("ls")
        #expect(rig.saving.titles == ["0.0.1"])
    }

    @Test("nothing more is begun once the program ends")
    func ended() {
        let rig = loaded()
        rig.type("Ms")
        rig.model.end()
        rig.saving.answer(.success("x.jpg"))
        rig.settle()
        #expect(rig.saving.titles.count == 3)
        #expect(rig.model.saveFailures == ["11 pictures: not saved yet when the program ended"])
    }
}
