import Browser
import Gallery
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

/// Detail pages behind thumbnails: when they are requested, and what is shown meanwhile.
@MainActor @Suite("Detail pages") struct DetailTests {
    private let body = CellSize(columns: 80, rows: 38)

    private func link(_ number: Int) -> Address {
        Address("https://s0.example/photo/\(number)/") ?? Rig.address(0, 0)
    }

    private func fullAddress(_ number: Int) -> Address {
        Address("https://s0.example/full/\(number).jpg") ?? Rig.address(0, 0)
    }

    private func found(_ number: Int) -> Result<Detail, PageError> {
        .success(.picture(Picture.Variant(address: fullAddress(number)), .download))
    }

    /// Creates a gallery of `count` pictures with loaded thumbnails, each with a detail page.
    private func rig(_ count: Int = 5) -> Rig {
        let rig = Rig([[count]], starts: false)
        var page = Rig.page(0, 0, count: count)
        for number in page.pictures.indices { page.pictures[number].link = link(number) }
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.model.start()
        rig.loadPages()
        rig.loadPictures()
        return rig
    }

    private func fullRequests(_ rig: Rig) -> [Address] {
        rig.thumbnails.requests.filter { $0.box == body }.map(\.address)
    }

    @Test(
        "the grid requests no detail pages; the viewer requests the current and the next picture's")
    func viewerOnly() {
        let rig = rig()
        #expect(rig.details.asked.isEmpty)
        rig.press(.enter)
        rig.settle()
        #expect(rig.details.waiting.map(\.link) == [link(0), link(1)])
        #expect(rig.details.waiting.map(\.priority) == [.urgent, .prefetch])
        rig.settle()
        #expect(rig.details.asked.count == 2)
    }

    @Test("the thumbnail and a spinner are shown until the full picture is loaded")
    func standIn() {
        let rig = rig()
        rig.press(.enter)
        rig.settle()
        #expect(rig.viewer?.isLoading == true)
        #expect(rig.viewer?.picture.isReady == true)
        #expect(fullRequests(rig).isEmpty)
        rig.details.release(link(0), found(0))
        rig.settle()
        #expect(fullRequests(rig) == [fullAddress(0)])
        let request = rig.thumbnails.waiting(for: fullAddress(0))?.request
        #expect(request?.referer == link(0))
        rig.loadPictures()
        #expect(rig.viewer?.isLoading == false)
    }

    @Test("a rule learnt on one page is tried first on the next, whose picture is prefetched")
    func ruleAndPrefetch() {
        let rig = rig()
        rig.press(.enter)
        rig.settle()
        #expect(rig.details.waiting.map(\.rule) == [nil, nil])
        rig.details.release(link(0), found(0))
        rig.details.release(link(1), found(1))
        rig.settle()
        #expect(rig.thumbnails.waiting(for: fullAddress(1))?.priority == .prefetch)
        rig.type("n")
        rig.settle()
        #expect(rig.details.waiting.map(\.link) == [link(2)])
        #expect(rig.details.waiting.map(\.rule) == [.download])
    }

    @Test("a failed detail page leaves the largest known size and a reason in the panel, no dialog")
    func failure() throws {
        let rig = rig()
        rig.press(.enter)
        rig.settle()
        rig.details.release(link(0), .failure(.fetch(.status(404))))
        rig.loadPictures()
        #expect(fullRequests(rig).first == Rig.image(0, 0, 0))
        #expect(rig.viewer?.isLoading == false)
        #expect(rig.dialog == nil)
        rig.type("i")
        let fact = rig.info?.facts.first { $0.label == "Detail page" }
        #expect(fact?.value == "the server answered 404 Not Found")
        rig.type("ir")
        rig.settle()
        // The cached copy may be the broken one.
        let again = rig.details.waiting.first { $0.link == link(0) }
        #expect(try #require(again).generation > .any)
    }

    @Test("moving on cancels pending requests, and leaving the viewer cancels all of them")
    func givingUp() {
        let rig = rig()
        rig.press(.enter)
        rig.settle()
        rig.type("3n")
        rig.settle()
        #expect(rig.details.cancelled.sorted { $0.text < $1.text } == [link(0), link(1)])
        rig.press(.escape)
        rig.settle()
        #expect(rig.details.waiting.isEmpty)
        rig.press(.enter)
        rig.settle()
        #expect(rig.details.waiting.map(\.link) == [link(3), link(4)])
    }

    @Test("a link to a gallery turns the picture into an album, which Enter opens")
    func album() {
        let rig = rig()
        rig.pages.set(.success(Rig.page(1, 0, count: 3)), at: link(0))
        rig.press(.enter)
        rig.settle()
        rig.details.release(link(0), .success(.album))
        rig.settle()
        #expect(rig.gallery != nil)
        #expect(rig.titles == ["1.0.0", "1.0.1", "1.0.2"])
        rig.press(.escape)
        rig.settle()
        #expect(rig.selected == "0.0.0")
        #expect(rig.titles.count == 5)
        rig.press(.enter)
        rig.settle()
        #expect(rig.titles.count == 3)
        #expect(rig.details.asked.filter { $0 == link(0) }.count == 1)
    }

    @Test("an album is entered also after a filter has replaced the selection")
    func albumAfterFilter() {
        let rig = rig()
        rig.pages.set(.success(Rig.page(1, 0, count: 3)), at: link(3))
        rig.type(":filter 0.3")
        rig.press(.enter)
        #expect(rig.selected == "0.0.3")
        rig.press(.enter)
        rig.settle()
        rig.details.release(link(3), .success(.album))
        rig.settle()
        #expect(rig.draw().top.path == ["gallery 0", "gallery 1"])
    }

    @Test("an album reached by paging is not opened automatically")
    func albumAhead() {
        let rig = rig()
        rig.press(.enter)
        rig.settle()
        rig.type("n")
        rig.settle()
        rig.details.release(link(1), .success(.album))
        rig.settle()
        #expect(rig.viewer != nil)
        #expect(rig.message == "an album: Enter opens it")
    }

    @Test("saving and copying use the full picture once it is known")
    func fullAddressUsed() {
        let rig = rig()
        rig.press(.enter)
        rig.settle()
        #expect(rig.press(.character("y")) == .copy(Rig.image(0, 0, 0).text))
        rig.details.release(link(0), found(0))
        rig.settle()
        #expect(rig.press(.character("y")) == .copy(fullAddress(0).text))
        rig.type("m")
        rig.press(.escape)
        rig.settle()
        #expect(rig.gallery?.tiles.first?.isMarked == true)
        #expect(
            !rig.thumbnails.requests.contains { $0.box != body && $0.address == fullAddress(0) })
    }

    @Test("a reload requests the detail pages again")
    func reload() {
        let rig = rig()
        rig.press(.enter)
        rig.settle()
        rig.details.release(link(0), found(0))
        rig.settle()
        rig.type("R")
        rig.settle()
        #expect(rig.details.asked.filter { $0 == link(0) }.count == 2)
        #expect(rig.details.waiting.first { $0.link == link(0) }?.generation ?? .any > .any)
    }
}
