import Gallery
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

@testable import Browser

/// The viewer.
@MainActor @Suite("Viewer") struct ViewerTests {
    private let body = CellSize(columns: 80, rows: 38)

    private func opened(_ sections: [[Int]] = [[24]]) -> Rig {
        let rig = Rig(sections)
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        return rig
    }

    private func cells(_ rig: Rig) -> CellSize? {
        if case .ready(let thumbnail)? = rig.viewer?.picture { thumbnail.cells.size } else { nil }
    }

    /// Pages of a comic, of which the fifth is a wide one, in the viewer at the second one.
    private func comic(
        _ count: Int = 9, rows: Int = 42, content: UnitRect = .whole, long: Int? = nil
    ) -> Rig {
        let rig = Rig([[count]], columns: 100, rows: rows)
        for number in 0..<count {
            let width = number == 4 ? 1600 : 800
            rig.thumbnails.size(
                Rig.image(0, 0, number),
                PixelSize(width: width, height: number == long ? 4800 : 1200))
            rig.thumbnails.content(Rig.image(0, 0, number), content)
        }
        rig.loadPages()
        rig.loadPictures()
        rig.type("l")
        rig.press(.enter)
        rig.loadPictures()
        return rig
    }

    @Test(
        "two pages side by side: the cover and wide pages are alone, and turning back shows the same pairs"
    )
    func spreads() {
        let rig = comic()
        rig.type("D")
        var pages = [rig.position]
        #expect(rig.viewer?.others.count == 1)
        for _ in 0..<4 {
            rig.type("n")
            rig.loadPictures()
            pages.append("\(rig.position) \(rig.viewer?.others.count ?? 0)")
        }
        #expect(pages == ["2/9", "4/9 0", "5/9 0", "6/9 1", "8/9 1"])
        for (position, others) in [("6/9", 1), ("5/9", 0), ("4/9", 0), ("2/9", 1), ("1/9", 0)] {
            rig.type("p")
            rig.loadPictures()
            #expect(rig.position == position && rig.viewer?.others.count == others)
        }
    }

    @Test(
        "pages of a spread touch in the middle, and from right to left they and the arrows are swapped"
    )
    func rightToLeft() {
        let rig = comic()
        rig.type("D")
        rig.loadPictures()
        let (first, second) = (rig.viewer?.frame, rig.viewer?.others.first?.frame)
        #expect(first?.right == 50 && second?.x == 50)
        rig.type(":spread rtl")
        rig.press(.enter)
        rig.loadPictures()
        #expect(rig.viewer?.frame.x == 50 && rig.viewer?.others.first?.frame.right == 50)
        rig.press(.left)
        #expect(rig.position == "4/9")
        rig.press(.right)
        #expect(rig.position == "2/9")
        rig.type(":spread off")
        rig.press(.enter)
        #expect(rig.viewer?.others == [])
    }

    @Test(
        "borders are cropped on demand: the rest fills the screen, zooms and turns as a picture does"
    )
    func cropping() {
        let inner = UnitRect(x: 0.1, y: 0.25, width: 0.8, height: 0.5)
        let rig = comic(content: inner)
        rig.type("c")
        rig.loadPictures()
        let region = { rig.thumbnails.requests.last { $0.address == Rig.image(0, 0, 1) }?.region }
        #expect(region() == inner)
        rig.type("+")
        rig.loadPictures()
        let zoomed = region() ?? .whole
        #expect(zoomed.width < inner.width && zoomed.x > inner.x)
        rig.type("=)")
        rig.loadPictures()
        #expect(region() == .whole)
        rig.type("(c")
        rig.loadPictures()
        #expect(rig.message == "whole pictures" && region() == .whole)
    }

    @Test("marked pictures are compared side by side with one zoom; } goes on, Esc ends it")
    func comparing() {
        let rig = comic()
        rig.type(":compare")
        rig.press(.enter)
        #expect(rig.message == "mark two pictures to compare them")
        rig.type("mnnmnm:compare")
        rig.press(.enter)
        rig.loadPictures()
        #expect(rig.position.hasPrefix("5/9"))
        rig.type("}")
        rig.loadPictures()
        let before = rig.thumbnails.requests.count
        rig.type("+")
        rig.loadPictures()
        #expect(rig.position.hasPrefix("2/9"))
        let zoomed = rig.thumbnails.requests.dropFirst(before).filter { $0.region != .whole }
        #expect(Set(zoomed.map(\.address)) == [Rig.image(0, 0, 1), Rig.image(0, 0, 3)])
        rig.press(.escape)
        rig.press(.enter)
        #expect(rig.viewer?.others == [])
    }

    @Test("each page of a spread has the fit by its own shape")
    func fittedSpreads() {
        let rig = comic(long: 6)
        rig.type("6G")
        rig.loadPictures()
        rig.type("Dw")
        rig.loadPictures()
        func region(_ number: Int) -> UnitRect? {
            rig.thumbnails.requests.last { $0.address == Rig.image(0, 0, number) }?.region
        }
        #expect(region(5)?.width == 1 && region(6)?.width == 1)
        #expect((region(6)?.height ?? 1) < (region(5)?.height ?? 0) / 2)
        rig.type("W")
        rig.loadPictures()
        #expect([5, 6].allSatisfy { region($0)?.height ?? 0 > 0.999 })
    }

    @Test("a comparison that Esc ends leaves spreads as they were")
    func comparingInSpreads() {
        let rig = comic()
        rig.type("Dmnm:compare")
        rig.press(.enter)
        rig.loadPictures()
        #expect(rig.position.hasPrefix("4/9") && rig.viewer?.others.count == 1)
        rig.press(.escape, .enter)
        rig.loadPictures()
        #expect(rig.position.hasPrefix("4/9") && rig.viewer?.others == [])
        rig.type("p")
        rig.loadPictures()
        #expect(rig.position.hasPrefix("2/9") && rig.viewer?.others.count == 1)
    }

    @Test("a strip scrolls by screens without gaps, and back; it is neither zoomed nor turned")
    func strip() {
        // A page is 75 rows high, the screen 40.
        let rig = comic()
        rig.type(":strip")
        rig.press(.enter)
        rig.loadPictures()
        #expect(rig.viewer?.frame == CellRect(x: 0, y: 1, columns: 100, rows: 40))
        let asked = rig.thumbnails.requests.count
        for key in ["+", ")", "|"] {
            rig.type(key)
            #expect(rig.message == "a strip is as wide as the screen")
            rig.loadPictures()
        }
        #expect(rig.thumbnails.requests.count == asked)
        rig.type("  ")
        rig.loadPictures()
        let viewer = rig.viewer
        // After 2 × 36 rows the last three of the page remain.
        #expect(viewer?.others.map(\.frame) == [CellRect(x: 0, y: 4, columns: 100, rows: 37)])
        #expect(rig.position == "2/9")
        rig.type(" ")
        #expect(rig.position == "3/9")
        rig.type("bbb")
        rig.loadPictures()
        #expect(rig.position == "2/9" && rig.viewer?.others == [])
        rig.type("bb")
        #expect(rig.position == "1/9")
        rig.type("bbb")
        #expect(rig.position == "1/9")
    }

    @Test("Z keeps zoom and place from picture to picture")
    func keptView() {
        let rig = Rig()
        rig.loadPages()
        rig.press(.enter)
        rig.settle()
        rig.type("Z++lj")
        let map = rig.viewer?.map
        #expect(map != nil)
        rig.type("n")
        #expect(rig.viewer?.map == map)
        rig.type("Zn")
        #expect(rig.viewer?.map == nil)
    }

    @Test("without bars the picture has the whole screen, and a message stands over it")
    func bars() {
        let rig = Rig()
        rig.loadPages()
        rig.press(.enter)
        rig.settle()
        rig.type("F")
        #expect(rig.draw().hidesBars)
        #expect(rig.viewer?.frame.y == 0 && rig.viewer?.frame.size.rows == 40)
        rig.press(.escape)
        #expect(rig.gallery?.tiles.first?.frame.y == 1)
        rig.model.handle(.click(x: 40, y: 3))
        #expect(rig.selected == "0.0.1")
        rig.model.handle(.click(x: 76, y: 39))
        #expect(rig.draw().overlay == nil, "the hint is hidden, too")
        rig.type("gF")
        #expect(rig.gallery?.tiles.first?.frame.y == 2)
    }

    @Test("Enter opens the viewer; the centred thumbnail is shown until the full picture is loaded")
    func standIn() {
        let rig = opened()
        #expect(cells(rig) == CellSize(columns: 24, rows: 10))
        #expect(rig.viewer?.frame == CellRect(x: 28, y: 15, columns: 24, rows: 10))
        #expect(rig.viewer?.isLoading == true)
        #expect(rig.model.isAnimating)
        rig.loadPictures()
        #expect(cells(rig) == body)
        #expect(rig.viewer?.frame == CellRect(x: 0, y: 1, columns: 80, rows: 38))
        #expect(rig.viewer?.isLoading == false)
    }

    @Test("a single picture opens automatically and q quits; not among others or after a key press")
    func alone() {
        func rig(besides count: Int = 0) -> Rig {
            let rig = Rig([[1]] + Array(repeating: [1], count: count), starts: false)
            let address = Rig.address(0, 0)
            let picture = Picture(variants: [.init(address: address)], page: address, title: "a")
            rig.pages.set(
                .success(Page(address: address, title: "a", pictures: [picture])), at: address)
            rig.model.start()
            return rig
        }
        let alone = rig()
        alone.loadPages()
        #expect(alone.viewer != nil)
        #expect(alone.press(.character("q")) == .quit)
        alone.press(.escape)
        #expect(alone.gallery != nil)
        let touched = rig()
        touched.press(.character("j"))
        touched.loadPages()
        #expect(touched.viewer == nil)
        let other = rig(besides: 1)
        other.loadPages()
        #expect(other.viewer == nil)
    }

    @Test("next and previous follow gallery order, and going back selects the picture viewed")
    func turning() {
        let rig = opened([[3], [3]])
        rig.type("nn ")
        #expect(rig.selected == "1.0.0")
        rig.type("p")
        rig.press(.backspace)
        #expect(rig.selected == "0.0.1")
        rig.press(.right, .down)
        #expect(rig.selected == "1.0.0")
        rig.press(.escape)
        #expect(rig.gallery?.selected?.title == "1.0.0")
        #expect(rig.press(.character("q")) == .quit)
    }

    @Test("neighbours are prefetched, the next before the previous, and shown at once")
    func neighbours() {
        let rig = opened()
        rig.type("n")
        rig.draw()
        let full = rig.thumbnails.waiting.filter { $0.request.box == body }
        #expect(
            full.sorted { $0.priority > $1.priority }.map(\.request.address)
                == [1, 2, 0].map { Rig.image(0, 0, $0) })
        rig.loadPictures()
        rig.type("n")
        #expect(cells(rig) == body)
        #expect(rig.viewer?.isLoading == false)
    }

    @Test(
        "zooming requests a region, panning moves it up to the edges, fit shows the whole picture")
    func zoom() {
        let rig = opened()
        rig.loadPictures()
        rig.type("++")
        rig.draw()
        func region() -> UnitRect? {
            rig.thumbnails.waiting.last { $0.priority == .urgent }?.request.region
        }
        guard let zoomed = region() else {
            Issue.record("nothing was asked for")
            return
        }
        #expect(zoomed.width < 0.5 && zoomed.height < 1)
        #expect(abs(zoomed.x + zoomed.width / 2 - 0.5) < 1e-9)
        // The old cells stay until the zoomed part is ready.
        #expect(cells(rig) == body)
        rig.type("l")
        rig.draw()
        #expect((region()?.x ?? 0) > zoomed.x)
        #expect(rig.selected == "0.0.0")
        rig.type("99h99k")
        rig.draw()
        #expect(region()?.x == 0 && region()?.y == 0)
        rig.type("99l99j")
        rig.draw()
        #expect(abs((region()?.x ?? 0) + zoomed.width - 1) < 1e-9)
        rig.type("99+")
        rig.draw()
        #expect((region()?.width ?? 0) >= 1.0 / 17)
        rig.type("=")
        rig.settle()
        rig.type("l")
        #expect(rig.selected == "0.0.1")
    }

    @Test("moving to another picture resets the zoom")
    func zoomEnds() {
        let rig = opened()
        rig.type("+++n")
        rig.draw()
        #expect(
            rig.thumbnails.waiting.filter { $0.priority == .urgent }.map(\.request.region)
                == [.whole])
    }

    @Test(":invert, :brightness and :gamma change the viewer's pictures, and are kept for the work")
    func tone() {
        let rig = opened()
        func run(_ line: String) {
            rig.type(":" + line)
            rig.press(.enter)
            rig.draw()
        }
        for line in ["invert", "brightness +20", "brightness -50", "gamma 1.5"] { run(line) }
        let reading = rig.model.level.reading
        #expect(reading.words == "inverted brightness=-30 gamma=1.5")
        #expect(ReadingView(reading.words) == reading)
        #expect(rig.model.viewer.facts.suffix(3) == ["inverted", "brightness=-30", "gamma=1.5"])
        let seen = rig.thumbnails.waiting.filter { $0.request.box == body }
        #expect(!seen.isEmpty && seen.allSatisfy { $0.request.style.tone == reading.tone })
        run("brightness 0x")
        #expect(rig.message == "0x is no number" && rig.model.level.reading == reading)
        run("brightness 999")
        #expect(rig.model.level.reading.tone.brightness == 100)
        for line in ["invert", "brightness", "gamma"] { run(line) }
        #expect(rig.model.level.reading == ReadingView())
        #expect(rig.viewer?.picture.isReady == true)
        run("invert")
        #expect(rig.viewer?.picture.isReady == false, "the tile would flash")
        rig.press(.escape)
        rig.draw()
        #expect(rig.thumbnails.waiting.allSatisfy { $0.request.style.tone == Tone() })
        run("invert")
        #expect(rig.message == "invert: only in the viewer" && rig.model.level.marks.isEmpty)
    }

    @Test("a full picture that fails leaves the thumbnail with the reason; r retries")
    func failure() {
        let rig = opened()
        let error = ThumbnailError.fetch(.status(403))
        rig.thumbnails.fail(Rig.image(0, 0, 0), with: error)
        rig.loadPictures()
        #expect(rig.viewer?.failure == error.description)
        #expect(cells(rig) == CellSize(columns: 24, rows: 10))
        #expect(rig.viewer?.isLoading == false)
        rig.thumbnails.fail(Rig.image(0, 0, 0), with: nil)
        rig.type("r")
        rig.settle()
        rig.loadPictures()
        #expect(rig.viewer?.failure == nil)
        #expect(cells(rig) == body)
    }

    @Test("next past the last loaded picture waits for the next page and then moves on")
    func pastTheEnd() {
        let rig = Rig([[3, 3]])
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.press(.enter)
        rig.type("nnn")
        #expect(rig.selected == "0.0.2")
        #expect(rig.draw().bottom.message == "3 loaded, loading on: any key stays here")
        rig.loadPages()
        #expect(rig.selected == "0.1.0")
        rig.type("nnnnn")
        #expect(rig.selected == "0.1.2")
        #expect(rig.draw().bottom.message == "this is the last picture")
    }

    @Test("going back cancels the full pictures")
    func back() {
        let rig = opened()
        rig.draw()
        rig.press(.escape)
        rig.settle()
        #expect(!rig.thumbnails.waiting.contains { $0.request.box == body })
    }

    @Test("Enter in the viewer closes a picture but opens an album")
    func enter() {
        let rig = opened([[2]])
        rig.press(.enter)
        #expect(rig.gallery?.selected?.title == "0.0.0")
        var page = Rig.page(0, 0, count: 2)
        page.pictures[1].kind = .album
        page.pictures[1].link = Rig.address(5, 0)
        let other = Rig([[2]])
        other.pages.set(.success(page), at: Rig.address(0, 0))
        other.loadPages()
        other.press(.enter)
        other.type("n")
        other.press(.enter)
        #expect(other.viewer == nil)
        #expect(other.pages.loads.last?.address == Rig.address(5, 0))
    }
}
