import Browser
import Gallery
import Network
import TestSupport
import Testing
import Thumbnails

/// Pages and pictures that fail to load.
@MainActor @Suite("Failures") struct FailureTests {
    private let error = PageError.fetch(.status(500))

    @Test("a failed page raises a dialog; Enter retries, and the loaded pictures stay")
    func dialogAndRetry() {
        let rig = Rig([[5, 5]], rows: 200)
        let second = Rig.address(0, 1)
        let page = Rig.page(0, 1, count: 5)
        rig.pages.set(.failure(error), at: second)
        rig.loadPages()
        #expect(rig.dialog?.message == error.description)
        #expect(rig.dialog?.detail == second.text)
        #expect(rig.dialog?.answers.map(\.key) == ["Enter", "Esc"])
        #expect(rig.titles.count == 5)
        #expect(rig.pages.loads.count == 2)

        rig.pages.set(.success(page), at: second)
        rig.press(.enter)
        rig.settle()
        #expect(rig.dialog == nil)
        #expect(rig.titles.count == 10)
        #expect(rig.pages.loads.last == GatedPages.Load(address: second, isReload: true))
    }

    @Test("Esc dismisses the dialog; a note stays, and nothing is loaded until r")
    func dismiss() {
        let rig = Rig([[5, 5]], rows: 200)
        rig.pages.set(.failure(error), at: Rig.address(0, 1))
        rig.loadPages()
        rig.press(.escape)
        rig.settle()
        #expect(rig.dialog == nil)
        #expect(rig.notes.count == 1)
        #expect(rig.notes.first?.hasPrefix(error.description) == true)
        #expect(rig.pages.loads.count == 2)
        rig.pages.set(.success(Rig.page(0, 1, count: 5)), at: Rig.address(0, 1))
        rig.type("r")
        rig.settle()
        #expect(rig.titles.count == 10)
        #expect(rig.notes.isEmpty)
    }

    @Test("a note below the pictures says why some are missing, until a reload brings them")
    func shortfall() {
        let rig = Rig([[5]], rows: 40)
        var page = Rig.page(0, 0, count: 5)
        page.shortfall = "cut short"
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.loadPages()
        #expect(rig.dialog == nil)
        #expect(rig.titles.count == 5)
        #expect(rig.notes == ["cut short"])
        rig.pages.set(.success(Rig.page(0, 0, count: 6)), at: Rig.address(0, 0))
        rig.type("R")
        rig.settle()
        #expect(rig.titles.count == 6)
        #expect(rig.notes.isEmpty)
    }

    @Test("the note of a failed page is visible from the last picture", arguments: [16, 24, 40])
    func noteInView(rows: Int) {
        let rig = Rig([[30, 5]], rows: rows)
        rig.pages.set(.failure(error), at: Rig.address(0, 1))
        rig.loadPages()
        rig.type("G")
        rig.loadPages()
        rig.press(.escape)
        rig.type("G")
        rig.settle()
        #expect(rig.selected == "0.0.29")
        #expect(rig.notes.count == 1)
    }

    @Test("a dialog that opens while a count is typed takes the next key")
    func typing() {
        let rig = Rig([[5, 5]], rows: 200)
        rig.pages.set(.failure(error), at: Rig.address(0, 1))
        rig.type("12")
        rig.loadPages()
        rig.type("3")
        #expect(rig.dialog != nil)
        rig.press(.escape)
        #expect(rig.dialog == nil)
    }

    @Test("several failures are presented one after the other")
    func queue() {
        let rig = Rig([[1], [1], [1]], rows: 200)
        rig.pages.set(.failure(error), at: Rig.address(0, 0))
        rig.pages.set(.failure(.fetch(.noSuchFile)), at: Rig.address(2, 0))
        rig.loadPages()
        #expect(rig.dialog?.detail == Rig.address(0, 0).text)
        #expect(rig.dialog?.title == "A page did not load (and 1 more)")
        rig.press(.escape)
        #expect(rig.dialog?.detail == Rig.address(2, 0).text)
        rig.press(.escape)
        #expect(rig.dialog == nil)
        #expect(rig.titles == ["1.0.0"])
        #expect(rig.model.hasLoadedAnything)
        #expect(rig.model.failures.count == 2)
    }

    @Test("r also retries a failed section that is out of view")
    func outOfSight() {
        let rig = Rig([[60], [1]], rows: 24)
        rig.pages.set(.failure(error), at: Rig.address(1, 0))
        rig.loadPages()
        rig.press(.escape)
        rig.settle()
        #expect(rig.notes.isEmpty)
        rig.pages.set(.success(Rig.page(1, 0, count: 1)), at: Rig.address(1, 0))
        rig.type("r")
        rig.settle()
        #expect(rig.model.failures.isEmpty)
        #expect(rig.pages.loads.last == GatedPages.Load(address: Rig.address(1, 0), isReload: true))
        rig.type("r")
        #expect(rig.message == "nothing here has failed")
    }

    @Test("a page without pictures gets a note instead of a dialog and counts as failed")
    func noPictures() {
        let rig = Rig([[0], [2]], rows: 200)
        rig.loadPages()
        #expect(rig.dialog == nil)
        #expect(rig.notes == [noPicturesNote])
        #expect(rig.model.failures.count == 1)
        #expect(rig.model.failures.first?.hasPrefix(Rig.address(0, 0).text) == true)

        let other = Rig([[1]])
        other.pages.set(.failure(.noPictures), at: Rig.address(0, 0))
        other.loadPages()
        #expect(other.dialog == nil)
        #expect(other.notes == [noPicturesNote])
        other.type("V")
        #expect(other.message == "nothing to mark")
        #expect(!other.model.hasLoadedAnything)
    }

    @Test("a cancelled page is not a failure and is requested again")
    func cancelledPage() {
        let rig = Rig([[5]])
        rig.pages.set(.failure(.cancelled), at: Rig.address(0, 0))
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.dialog == nil)
        #expect(rig.model.failures.isEmpty)
        #expect(rig.pages.waiting == [Rig.address(0, 0)])
    }

    @Test("a failed picture keeps a marked placeholder while the others load, without a dialog")
    func failedPicture() {
        let rig = Rig([[6]])
        rig.loadPages()
        let broken = Rig.image(0, 0, 2)
        rig.thumbnails.fail(broken, with: .fetch(.status(404)))
        rig.loadPictures()
        let tiles = rig.gallery?.tiles ?? []
        #expect(tiles.filter { $0.picture.isFailed }.map(\.title) == ["0.0.2"])
        #expect(tiles.filter { $0.picture.isReady }.count == 5)
        #expect(rig.dialog == nil)

        // The info panel gives the reason.
        rig.type("lli")
        let reason = ThumbnailError.fetch(.status(404)).description
        #expect(rig.info?.facts.contains { $0.label == "Error" && $0.value == reason } == true)

        // It is not requested again automatically, only by `r`, which bypasses the cache.
        let asked = rig.thumbnails.requests.count { $0.address == broken }
        rig.type("jkvv")
        rig.settle()
        #expect(rig.thumbnails.requests.count { $0.address == broken } == asked)
        rig.thumbnails.fail(broken, with: nil)
        rig.type("r")
        rig.settle()
        #expect(rig.thumbnails.requests.last.map { $0.generation > .any } == true)
        rig.loadPictures()
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
    }

    @Test("a reload keeps the pictures until the new ones arrive and drops the older load's result")
    func reload() {
        let rig = Rig([[5, 5]], rows: 200)
        rig.pages.release(Rig.address(0, 0))
        rig.main.drain()
        rig.draw()
        rig.type("ll")
        // Page two is in flight when the section is reloaded.
        rig.type("R")
        #expect(rig.pages.waiting == [Rig.address(0, 0)])
        rig.settle()
        #expect(rig.titles.count == 5)
        #expect(rig.pages.loads.last == GatedPages.Load(address: Rig.address(0, 0), isReload: true))
        var shorter = Rig.page(0, 0, count: 5)
        shorter.pictures.removeFirst()
        rig.pages.set(.success(shorter), at: Rig.address(0, 0))
        rig.loadPages()
        rig.pages.close()
        #expect(rig.titles.prefix(4) == ["0.0.1", "0.0.2", "0.0.3", "0.0.4"])
        #expect(rig.selected == "0.0.2")
        // The pictures of a reloaded section are reloaded, too.
        #expect(rig.thumbnails.requests.last.map { $0.generation > .any } == true)
    }

    @Test("a reload goes back to a picture of a later page")
    func reloadAndReturn() {
        let rig = Rig([[5, 5, 5]], rows: 30)
        rig.loadPages()
        rig.type("G")
        rig.settle()
        #expect(rig.selected == "0.2.4")
        rig.type("R")
        rig.settle()
        #expect(rig.selected == "0.2.4")
        // Who goes elsewhere meanwhile stays there.
        rig.pages.close()
        rig.type("Rg")
        rig.loadPages()
        #expect(rig.selected == "0.0.0")
    }

    @Test("a result posted before a reload is stale and dropped")
    func staleAnswer() {
        let rig = Rig([[5]], rows: 200)
        rig.pages.release(Rig.address(0, 0))  // posted, not yet delivered
        rig.type("R")
        rig.main.drain()
        #expect(rig.titles.isEmpty)
        #expect(rig.draw().bottom.isLoading)
        rig.loadPages()
        #expect(rig.titles.count == 5)
    }

    @Test("a failed page waits until the line that is being typed is finished")
    func waiting() {
        let rig = Rig([[5, 5]], rows: 200)
        rig.pages.set(.failure(error), at: Rig.address(0, 1))
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.type("/pictu")
        rig.loadPages()
        rig.type("re ber")
        #expect(rig.dialog == nil && rig.pages.loads.count == 2)
        #expect(rig.draw().bottom.lead == "/picture ber")
        rig.press(.escape)
        #expect(rig.dialog?.title == "A page did not load")
    }
}
