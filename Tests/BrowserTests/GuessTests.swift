import Basics
import Browser
import Gallery
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

/// Full pictures that no page names: where the viewer looks for them, and what it learns.
@MainActor @Suite("Guessed full sizes") struct GuessTests {
    private let body = CellSize(columns: 80, rows: 38)
    private let missing = ThumbnailError.fetch(.status(404))

    private func address(_ path: String) -> Address {
        Address("https://s0.example/" + path) ?? Rig.address(0, 0)
    }

    private func thumbnail(_ number: Int) -> Address { address("thumbs/\(number)_s.jpg") }

    /// The likeliest address: beside the thumbnail.
    private func beside(_ number: Int) -> Address { address("thumbs/\(number).jpg") }

    /// The next guess: outside the thumbnails' folder.
    private func outside(_ number: Int) -> Address { address("\(number).jpg") }

    /// The last guess: outside the folder, with the thumbnail's suffix.
    private func marked(_ number: Int) -> Address { address("\(number)_s.jpg") }

    private func guesses(_ number: Int) -> Set<Address> {
        [beside(number), outside(number), marked(number)]
    }

    /// Creates a gallery of pictures known only by their small thumbnails, which load unless they are among `failing`.
    private func rig(
        _ count: Int = 6, failing: [Address] = [], change: (inout Picture) -> Void = { _ in }
    ) -> Rig {
        let rig = Rig([[count]], starts: false)
        let pictures = (0..<count).map { number in
            var picture = Rig.picture(0, 0, number)
            picture.variants[0].address = thumbnail(number)
            (picture.width, picture.height) = (80, 60)
            change(&picture)
            return picture
        }
        let page = Page(address: Rig.address(0, 0), title: "thumbs", pictures: pictures)
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        for number in 0..<count {
            rig.thumbnails.size(thumbnail(number), PixelSize(width: 150, height: 150))
        }
        fail(rig, failing)
        rig.model.start()
        rig.loadPages()
        rig.loadPictures()
        return rig
    }

    private func fail(_ rig: Rig, _ addresses: some Sequence<Address>) {
        addresses.forEach { rig.thumbnails.fail($0, with: missing) }
    }

    /// All addresses requested to fill the viewer, in order.
    private func fullRequests(_ rig: Rig) -> [Address] {
        rig.thumbnails.requests.filter { $0.box == body }.map(\.address)
    }

    /// Loads pictures until nothing more is requested.
    private func loadAll(_ rig: Rig) {
        repeat { rig.loadPictures() } while !rig.thumbnails.waiting.isEmpty
    }

    private func fact(_ rig: Rig, _ label: String) -> String? {
        rig.type("i")
        defer { rig.type("i") }
        return rig.info?.facts.first { $0.label == label }?.value
    }

    @Test("the grid tries no guesses; the viewer tries the current picture's and the next one's")
    func viewerOnly() {
        let rig = rig()
        #expect(rig.thumbnails.requests.allSatisfy { $0.address.text.hasSuffix("_s.jpg") })
        rig.press(.enter)
        rig.settle()
        #expect(fullRequests(rig) == [beside(0), beside(1)])
        #expect(rig.thumbnails.waiting(for: beside(0))?.priority == .urgent)
        #expect(rig.thumbnails.waiting(for: beside(1))?.priority == .prefetch)
        #expect(rig.thumbnails.waiting(for: beside(0))?.request.referer == Rig.address(0, 0))
        #expect(rig.details.asked.isEmpty)
    }

    @Test(
        "the thumbnail is shown until a guess succeeds, which is shown, copied and labelled a guess"
    )
    func found() {
        let rig = rig()
        rig.press(.enter)
        rig.settle()
        #expect(rig.viewer?.isLoading == true)
        #expect(rig.viewer?.picture.isReady == true)
        #expect(rig.press(.character("y")) == .copy(thumbnail(0).text))
        #expect(fact(rig, "Full size") == nil)
        loadAll(rig)
        #expect(rig.viewer?.isLoading == false)
        #expect(rig.press(.character("y")) == .copy(beside(0).text))
        #expect(fact(rig, "Full size") == "guessed from the address")
        #expect(fact(rig, "Size") == "1200 × 800")
        // Still the same file, requested in the same way.
        #expect(fullRequests(rig).filter { $0 == beside(0) }.count == 1)
        rig.type("+")
        rig.settle()
        #expect(rig.thumbnails.waiting.first?.request.address == beside(0))
        #expect(rig.thumbnails.waiting.first?.request.referer == Rig.address(0, 0))
    }

    @Test("guesses are tried once each in order, then the thumbnail is shown without an error")
    func missed() {
        let rig = rig(1)
        fail(rig, guesses(0))
        rig.press(.enter)
        loadAll(rig)
        #expect(fullRequests(rig) == [beside(0), outside(0), marked(0), thumbnail(0)])
        #expect(rig.viewer?.picture.isReady == true)
        #expect(rig.viewer?.isLoading == false)
        #expect(rig.viewer?.failure == nil)
        #expect(rig.dialog == nil)
        #expect(fact(rig, "Full size") == nil)
        #expect(fact(rig, "Full picture") == nil)
        rig.type("r")
        rig.settle()
        #expect(rig.message == "nothing here has failed")
        rig.press(.escape)
        rig.settle()
        rig.press(.enter)
        loadAll(rig)
        #expect(fullRequests(rig).filter(guesses(0).contains).count == 3)
    }

    @Test("a picture no larger than the thumbnail is not a match")
    func small() {
        let rig = rig(1)
        rig.thumbnails.size(beside(0), PixelSize(width: 150, height: 150))
        rig.press(.enter)
        loadAll(rig)
        #expect(fullRequests(rig) == [beside(0), outside(0)])
        #expect(rig.press(.character("y")) == .copy(outside(0).text))
    }

    @Test("if the thumbnail failed, any picture counts as a match")
    func noThumbnail() {
        let rig = rig(1, failing: [thumbnail(0)])
        #expect(rig.gallery?.tiles.first?.picture.isFailed == true)
        rig.press(.enter)
        loadAll(rig)
        #expect(rig.press(.character("y")) == .copy(beside(0).text))
        #expect(rig.viewer?.isLoading == false)
    }

    @Test("a rule that misses twice in a row is dropped for the section")
    func givenUp() {
        let rig = rig()
        fail(rig, (0..<6).flatMap(guesses))
        rig.press(.enter)
        loadAll(rig)
        let before = fullRequests(rig).filter((0..<6).flatMap(guesses).contains)
        #expect(Set(before) == guesses(0).union(guesses(1)))
        for _ in 2..<6 {
            rig.type("n")
            loadAll(rig)
        }
        #expect(fullRequests(rig).filter((2..<6).flatMap(guesses).contains).isEmpty)
        #expect(fullRequests(rig).contains(thumbnail(5)))
    }

    @Test("network failures do not count against the rules")
    func networkFailures() {
        let rig = rig()
        for address in (0..<2).flatMap(guesses) {
            rig.thumbnails.fail(address, with: .fetch(.timedOut(seconds: 30)))
        }
        rig.press(.enter)
        loadAll(rig)
        #expect(fullRequests(rig).contains(thumbnail(0)))
        rig.type("n")
        loadAll(rig)
        rig.type("n")
        loadAll(rig)
        #expect(rig.press(.character("y")) == .copy(beside(2).text))
    }

    @Test("the rule that worked in a section is tried first on the next picture")
    func learnt() {
        let rig = rig()
        fail(rig, [beside(0), beside(1)])
        rig.press(.enter)
        loadAll(rig)
        rig.type("n")
        loadAll(rig)
        #expect(fullRequests(rig).contains(outside(2)))
        #expect(!fullRequests(rig).contains(beside(2)))
    }

    @Test("leaving the viewer cancels pending guesses, which count neither way")
    func cancelled() {
        let rig = rig()
        for _ in 0..<3 {
            rig.press(.enter)
            rig.settle()
            #expect(rig.thumbnails.waiting(for: beside(0)) != nil)
            rig.press(.escape)
            rig.settle()
            #expect(rig.thumbnails.waiting(for: beside(0)) == nil)
        }
    }

    @Test("nothing is guessed if the page states the full size")
    func known() {
        let rig = rig { $0.isFullKnown = true }
        rig.press(.enter)
        loadAll(rig)
        #expect(Set(fullRequests(rig)) == [thumbnail(0), thumbnail(1)])
    }

    @Test("the detail page is tried first, and guesses follow only if it yields nothing")
    func afterDetail() {
        let link = address("photo/")
        let rig = rig { $0.link = link }
        rig.press(.enter)
        loadAll(rig)
        #expect(fullRequests(rig).isEmpty)
        rig.details.release(link, .failure(.noPictures))
        rig.settle()
        #expect(fullRequests(rig) == [beside(0), beside(1)])
        loadAll(rig)
        #expect(rig.press(.character("y")) == .copy(beside(0).text))
        rig.type("+")
        rig.settle()
        #expect(rig.thumbnails.waiting.first?.request.referer == Rig.address(0, 0))
    }

    @Test("a reload resets what was learnt")
    func reload() {
        let rig = rig(3)
        fail(rig, (0..<3).flatMap(guesses))
        rig.press(.enter)
        loadAll(rig)
        rig.type("R")
        loadAll(rig)
        #expect(fullRequests(rig).filter { $0 == beside(0) }.count == 2)
    }
}
