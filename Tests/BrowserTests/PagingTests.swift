import Gallery
import Network
import TestSupport
import Testing

@testable import Browser

/// Paging: one load at a time, early enough, in order, and until the end.
@MainActor @Suite("Paging") struct PagingTests {
    @Test("nothing is loaded before start, even when drawn")
    func nothingBeforeStart() {
        let rig = Rig(starts: false)
        rig.draw()
        #expect(rig.pages.loads.isEmpty)
    }

    @Test("start loads the first page of every section")
    func startLoadsAll() {
        let rig = Rig([[3], [3], [3]])
        #expect(rig.pages.waiting == [0, 1, 2].map { Rig.address($0, 0) })
    }

    @Test("the next page is requested once when fewer than two screens are left below")
    func twoScreens() {
        // 3 tiles per row, 12 cell rows each: a body of 38 rows holds 3 rows of tiles; 60 pictures are 20 rows.
        let rig = Rig([[60, 60, 60]])
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.pages.loads.count == 1)
        // 20 rows of tiles are 240 cell rows; within two screens of the end means beyond row 240 - 3 * 38.
        while rig.pages.loads.count == 1 {
            rig.press("j")
            rig.draw()
        }
        let gallery = rig.gallery
        let left = 1 + 20 * 12 - ((gallery?.scrollRow ?? 0) + 38)
        #expect(left < 2 * 38 + 2)
        #expect(left > 2 * 38 - 12)
        for _ in 0..<30 {
            rig.press("j")
            rig.draw()
        }
        #expect(rig.pages.loads.map(\.address) == [Rig.address(0, 0), Rig.address(0, 1)])
    }

    @Test("pages are appended in order up to the last")
    func pagesInOrder() {
        let rig = Rig([[5, 5, 5]], rows: 200)
        rig.loadPages()
        #expect(rig.titles == (0..<3).flatMap { page in (0..<5).map { "0.\(page).\($0)" } })
        #expect(rig.position == "1/15")
        #expect(rig.draw().top.count == "15 pictures")
    }

    @Test("a picture already on an earlier page is omitted")
    func deduplication() {
        let rig = Rig([[5, 5]], rows: 200)
        var second = Rig.page(0, 1, count: 5)
        second.pictures.insert(Rig.picture(0, 0, 2), at: 1)
        rig.pages.set(.success(second), at: Rig.address(0, 1))
        rig.loadPages()
        #expect(rig.position == "1/10")
    }

    @Test("a page without new pictures ends the section even if it names a next page")
    func nothingNew() {
        let rig = Rig([[5]], rows: 200)
        for page in 0..<9 {
            var answer = Rig.page(0, 0, count: 5)
            answer.next = Rig.address(0, page + 1)
            rig.pages.set(.success(answer), at: Rig.address(0, page))
        }
        rig.loadPages()
        #expect(rig.pages.loads.count == 2)
        #expect(rig.position == "1/5")
    }

    @Test("a page without pictures that names a next page is skipped")
    func emptyPage() {
        let rig = Rig([[5, 5, 5]], rows: 200)
        for number in [0, 1] {
            var empty = Rig.page(0, number, count: 0)
            empty.next = Rig.address(0, number + 1)
            rig.pages.set(.success(empty), at: Rig.address(0, number))
        }
        rig.loadPages()
        #expect(rig.titles == (0..<5).map { "0.2.\($0)" })
        #expect(rig.model.failures.isEmpty)
        #expect(rig.model.hasLoadedAnything)
    }

    @Test("a next page that was already visited ends the section")
    func visited() {
        let rig = Rig([[5, 5]], rows: 200)
        rig.pages.set(
            .success(Rig.page(0, 1, count: 5, next: 0)), at: Rig.address(0, 1))
        rig.loadPages()
        #expect(rig.pages.loads.count == 2)
        #expect(rig.position == "1/10")
    }

    @Test("the page limit is respected")
    func limit() {
        var options = BrowserOptions()
        options.pageLimit = 2
        let rig = Rig([[5, 5, 5, 5]], rows: 200, options: options)
        rig.loadPages()
        #expect(rig.pages.loads.count == 2)
        #expect(rig.position == "1/10")
    }

    @Test("a slow section does not delay the others and keeps its place")
    func independent() {
        let rig = Rig([[4], [4]], rows: 200)
        rig.pages.release(Rig.address(1, 0))
        rig.settle()
        #expect(rig.titles == ["1.0.0", "1.0.1", "1.0.2", "1.0.3"])
        #expect(rig.notes == ["loading…"])
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.titles.prefix(5) == ["0.0.0", "0.0.1", "0.0.2", "0.0.3", "1.0.0"])
        #expect(rig.gallery?.headers == ["gallery 0", "gallery 1"])
    }

    @Test("related pictures form a section after their source, extended by later pages")
    func related() {
        let rig = Rig([[2, 2], [2]], rows: 200)
        for page in 0..<2 {
            let related = Page.Related(
                title: "more", pictures: [Rig.picture(9, page, 0), Rig.picture(9, 7, 7)])
            rig.pages.set(
                .success(
                    Rig.page(0, page, count: 2, next: page == 0 ? 1 : nil, related: [related])),
                at: Rig.address(0, page))
        }
        rig.loadPages()
        #expect(rig.gallery?.headers == ["gallery 0", "more", "gallery 1"])
        #expect(
            rig.titles == [
                "0.0.0", "0.0.1", "0.1.0", "0.1.1", "9.0.0", "9.7.7", "9.1.0", "1.0.0", "1.0.1",
            ])
    }

    @Test("sections above the selected one load no further pages while the reader is below them")
    func notAbove() {
        let rig = Rig([[3, 3, 3], [60]])
        rig.pages.release(Rig.address(1, 0))
        rig.settle()
        rig.press("j", "k")
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.selected == "1.0.0")
        #expect(rig.pages.loads.count == 2)
        rig.press("k")
        rig.settle()
        #expect(rig.pages.loads.last?.address == Rig.address(0, 1))
    }

    @Test("the loading indicator disappears when the last page has arrived")
    func loadingSign() {
        let rig = Rig([[3], [3]])
        #expect(rig.draw().bottom.isLoading)
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.draw().bottom.isLoading)
        #expect(rig.model.isAnimating)
        rig.pages.release(Rig.address(1, 0))
        rig.settle()
        #expect(!rig.draw().bottom.isLoading)
        rig.loadPictures()
        rig.loadPictures()
        #expect(!rig.model.isAnimating)
    }

    @Test("of thousands of sections only those near the screen are loaded, more when moving down")
    func manySections() {
        let rig = Rig(Array(repeating: [1], count: 3000))
        #expect(rig.pages.loads.count == 32)
        rig.loadPages()
        #expect(rig.pages.loads.count == 32)
        rig.type("G")
        rig.settle()
        #expect(rig.selected == "31.0.0")
        #expect((33..<60).contains(rig.pages.loads.count))
        for _ in 0..<20 {
            rig.type("G")
            rig.settle()
        }
        #expect(rig.pages.loads.count > 100)
        #expect(Set(rig.pages.loads).count == rig.pages.loads.count)
    }

    @Test("a folder that changes while it is read is read once more")
    func staleMeanwhile() {
        let rig = Rig([[3]])
        rig.model.gallery.sources[0].pager?.reread()
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.pages.loads.count == 2)
        rig.pages.set(.success(Rig.page(0, 0, count: 4)), at: Rig.address(0, 0))
        rig.loadPages()
        #expect(rig.titles.count == 4 && rig.pages.loads.count == 2)
    }

    @Test("a move that waits for a page goes on after Retry")
    func moveAfterRetry() {
        let rig = Rig([[5, 5]])
        rig.pages.set(.failure(.fetch(.status(500))), at: Rig.address(0, 1))
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.type("8l")
        #expect(rig.selected == "0.0.4")
        rig.loadPages()
        #expect(rig.dialog != nil)
        rig.pages.set(.success(Rig.page(0, 1, count: 5)), at: Rig.address(0, 1))
        rig.press(.enter)
        rig.settle()
        #expect(rig.selected == "0.1.3")
    }
}
