import Basics
import Gallery
import ImageCodecs
import Network
import Raster
import TestSupport
import Testing
import Thumbnails

@testable import Browser

/// The viewer's zoom, rotation, map, filmstrip and bottom line.
@MainActor @Suite("Viewing") struct LookingTests {
    /// Opens the first picture, of 1600 × 800 pixels, in the viewer.
    private func opened(_ count: Int = 24, columns: Int = 80, rows: Int = 42) -> Rig {
        let rig = Rig([[count]], columns: columns, rows: rows)
        for number in 0..<count {
            rig.thumbnails.size(Rig.image(0, 0, number), PixelSize(width: 1600, height: 800))
        }
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.loadPictures()
        return rig
    }

    /// The last request.
    private func request(_ rig: Rig) -> ThumbnailRequest? {
        rig.loadPictures()
        return rig.model.viewer.full.want(of: PictureID(section: 1, index: 0))?.request
    }

    @Test("fit, fit width, fit height and 100 % request the matching region")
    func fitting() throws {
        let rig = opened()
        #expect(request(rig)?.region == .whole)
        // 80 × 40 cells are square, and the picture is twice as wide as high.
        rig.type("W")
        let tall = try #require(request(rig)?.region)
        #expect(abs(tall.width - 0.5) < 1e-9 && tall.height == 1)
        rig.type("w")
        #expect(request(rig)?.region == .whole)
        rig.type("z")
        let actual = try #require(request(rig)?.region)
        #expect(abs(actual.width * 1600 - 80) < 1)
        #expect(rig.draw().bottom.facts.contains("100 %"))
        rig.type("=")
        #expect(request(rig)?.region == .whole)
        #expect(rig.draw().bottom.facts.contains("5 %"))
    }

    @Test("w shows the top; Space reads on to the next picture's top, b back to the end before it")
    func reading() throws {
        let rig = Rig([[3]], columns: 80, rows: 42)
        for number in 0..<3 {
            // 80 columns wide, 200 rows high: five screens.
            rig.thumbnails.size(Rig.image(0, 0, number), PixelSize(width: 800, height: 4000))
        }
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.loadPictures()
        func part() throws -> UnitRect {
            rig.loadPictures()
            return rig.model.viewer.region
        }
        rig.type("w")
        #expect(try part().y == 0 && abs(part().height - 0.2) < 1e-6 && part().width == 1)
        var pages = 1
        while rig.selected == "0.0.0", pages < 9 {
            let before = try part()
            rig.type(" ")
            pages += 1
            if rig.selected == "0.0.0" {
                #expect(try part().y > before.y && part().y <= before.y + before.height)
            }
        }
        #expect(pages == 7, "the whole picture has been seen")
        #expect(rig.selected == "0.0.1")
        #expect(try part().y == 0 && abs(part().height - 0.2) < 1e-6)
        rig.type("b")
        #expect(rig.selected == "0.0.0")
        #expect(try abs(part().y - 0.8) < 1e-6)
        rig.type("k")
        #expect(try abs(part().y - 0.775) < 1e-6)
        rig.press(.control("u"))
        #expect(try abs(part().y - 0.675) < 1e-6)
        rig.press(.control("d"))
        rig.type("9j")
        #expect(try abs(part().y - 0.8) < 1e-6)
        rig.type("j")
        #expect(rig.selected == "0.0.1")
        #expect(try part().y == 0)
        rig.press(.pageUp)
        #expect(rig.selected == "0.0.0")
        rig.type("nn")
        #expect(try part().y == 0)
        rig.type("99j")
        rig.press(.pageDown)
        #expect(rig.message == "this is the last picture")
        #expect(try abs(part().y - 0.8) < 1e-6, "nothing moves at the end")
    }

    @Test("the kind of fit stays from picture to picture and when the viewer is opened again")
    func keepingFit() throws {
        let rig = opened()
        rig.type("W")
        _ = request(rig)
        let tall = rig.model.viewer.region
        #expect(tall.width < 1)
        rig.type("n")
        rig.loadPictures()
        #expect(rig.model.viewer.region == tall)
        rig.type("+n")
        rig.loadPictures()
        #expect(rig.model.viewer.region == tall, "a zoom of one's own ends with the picture")
        rig.press(.escape)
        rig.press(.enter)
        rig.loadPictures()
        #expect(rig.model.viewer.region == tall)
        rig.type("z2l")
        let part = rig.model.viewer.region
        rig.type("n")
        rig.loadPictures()
        #expect(rig.model.viewer.region == part, "the same part, to compare the two")
        rig.type("=n")
        rig.loadPictures()
        #expect(rig.model.viewer.region == .whole)
    }

    @Test(
        "with several sizes, pixels, bytes and 100 % refer to the largest",
        arguments: [(nil, "20 %"), (Pixels(1600), "5 %")])
    func sizes(width: Pixels?, fitting: String) throws {
        let rig = Rig([[1]])
        var page = Rig.page(0, 0, count: 1)
        var picture = Rig.picture(0, 0, 0)
        let small = Rig.image(0, 0, 7)
        picture.variants.insert(
            Picture.Variant(address: small, width: Pixels(400), height: Pixels(200)), at: 0)
        picture.variants[1].width = width
        page.pictures = PictureList([picture])
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.thumbnails.size(small, PixelSize(width: 400, height: 200))
        rig.thumbnails.size(Rig.image(0, 0, 0), PixelSize(width: 1600, height: 800))
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        #expect(request(rig)?.address == small, "it is large enough")
        #expect(rig.draw().bottom.facts == [fitting])
        rig.type("z")
        let actual = try #require(request(rig))
        #expect(actual.address == Rig.image(0, 0, 0))
        #expect(abs(actual.region.width * 1600 - 80) < 1)
        #expect(rig.draw().bottom.facts.first == "1600 × 800")
        #expect(rig.draw().bottom.facts.contains("100 %"))
        rig.type("-")
        #expect(!rig.draw().bottom.facts.contains("100 %"))
    }

    @Test("100 % is that of the file, although srcset claims more than the server has")
    func claimedSizes() {
        let rig = Rig([[1]], columns: 140, rows: 100)
        var page = Rig.page(0, 0, count: 1)
        var picture = Rig.picture(0, 0, 0)
        picture.variants = [320, 640, 3840].map { width in
            Picture.Variant(
                address: Rig.image(0, 0, width), width: Pixels(width), height: Pixels(width * 2 / 3)
            )
        }
        for variant in picture.variants {
            rig.thumbnails.size(variant.address, PixelSize(width: 120, height: 80))
        }
        page.pictures = PictureList([picture])
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.loadPictures()
        rig.type("z")
        for _ in 0..<3 { rig.loadPictures() }
        #expect(rig.draw().bottom.facts.contains("100 %"), "\(rig.draw().bottom.facts)")
        #expect(rig.viewer?.isLoading == false)
        #expect(rig.viewer?.frame.columns == 120)
        let lookedUp = rig.thumbnails.cachedCalls
        rig.type("Z")
        rig.settle()
        #expect(rig.thumbnails.cachedCalls == lookedUp, "nothing is decided anew")
    }

    @Test("percentages refer to the largest size even while only a smaller one is loaded")
    func maxSize() {
        let rig = Rig([[1]])
        var page = Rig.page(0, 0, count: 1)
        var picture = Rig.picture(0, 0, 0)
        let small = Rig.image(0, 0, 7)
        picture.variants.insert(
            Picture.Variant(address: small, width: Pixels(100), height: Pixels(50)), at: 0)
        page.pictures = PictureList([picture])
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.thumbnails.size(small, PixelSize(width: 100, height: 50))
        rig.thumbnails.size(Rig.image(0, 0, 0), PixelSize(width: 1600, height: 800))
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.loadPictures()
        let percent = rig.draw().bottom.facts.first { $0.hasSuffix("%") }
        #expect(percent == "5 %")
        // The existing cells no longer fit.
        rig.model.resize(to: CellSize(columns: 40, rows: 24), cellAspect: 2)
        #expect(rig.draw().bottom.facts.contains("3 %"), "\(rig.draw().bottom.facts)")
    }

    @Test("zooming keeps the point under the pointer in place, and dragging pans a zoomed picture")
    func pointer() throws {
        let rig = opened()
        rig.model.handle(.zoom(steps: 3, x: 0, y: 1))
        let corner = try #require(request(rig)?.region)
        #expect(corner.x < 0.02 && corner.width < 1)
        rig.model.handle(.drag(columns: -40, rows: 0))
        let dragged = try #require(request(rig)?.region)
        #expect(abs(dragged.x - corner.x - corner.width / 2) < 0.01)
        #expect(dragged.y == corner.y)
        rig.model.handle(.zoom(steps: -9, x: 0, y: 1))
        #expect(request(rig)?.region == .whole)
        // At a quarter of the width.
        rig.model.handle(.zoom(steps: 3, x: 20, y: 12))
        let quarter = try #require(request(rig)?.region)
        #expect(abs(quarter.x + 20.5 / 80 * quarter.width - 20.5 / 80) < 0.01)
    }

    @Test("rotating and flipping apply to one picture, not to the next")
    func turning() throws {
        let rig = opened()
        rig.type(")")
        #expect(request(rig)?.turn.quarters == 1)
        rig.type("W")
        // Now upright, twice as high as wide.
        #expect(request(rig)?.region == .whole)
        rig.type("(|")
        #expect(request(rig)?.turn.isMirrored == true)
        rig.type("np")
        #expect(request(rig)?.turn == Turn())
    }

    @Test("a map shows the visible part, only while zoomed in")
    func map() throws {
        let rig = opened()
        #expect(rig.viewer?.map == nil)
        rig.type("+++")
        let map = try #require(rig.viewer?.map)
        #expect(map.part.width < 1)
        let right = map.frame.x + map.frame.size.columns
        #expect(right < 80 && map.frame.y + map.frame.size.rows < 41)
    }

    @Test("T shows a filmstrip with the selected picture marked; a click goes to a picture")
    func filmstrip() throws {
        let rig = opened()
        #expect(rig.viewer?.filmstrip.isEmpty == true)
        rig.type("T")
        rig.loadPictures()
        let strip = try #require(rig.viewer?.filmstrip)
        #expect(strip.count == 5)
        #expect(strip.allSatisfy { $0.picture.isReady })
        #expect(strip.map(\.isSelected) == [true, false, false, false, false])
        #expect(strip.allSatisfy { $0.frame.y + $0.frame.size.rows < 41 })
        let picture = try #require(rig.viewer?.frame)
        #expect(picture.y + picture.size.rows < strip[0].frame.y)
        rig.model.handle(.click(x: strip[3].frame.x, y: strip[3].frame.y))
        #expect(rig.selected == "0.0.3")
        #expect(rig.viewer?.filmstrip.map(\.isSelected) == [false, false, true, false, false])
    }

    @Test("the bottom line shows facts about the picture and says when a key does nothing here")
    func line() {
        let rig = opened()
        #expect(rig.draw().bottom.facts.first == "1600 × 800")
        rig.type("v")
        #expect(rig.message.hasPrefix("v does nothing in the viewer"))
        rig.type("-")
        #expect(rig.message == "the whole picture is visible")
        rig.press(.escape)
        #expect(rig.draw().bottom.facts == [])
    }

    @Test("an animation can be paused, stepped and resumed; a still picture says it does not move")
    func playing() {
        let rig = Rig([[3]])
        rig.thumbnails.animate(Rig.image(0, 0, 0), delays: [100, 100, 100])
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.loadPictures()
        rig.thumbnails.frames.release()
        rig.settle()
        #expect(rig.model.frameDue != nil)
        rig.type("a")
        rig.settle()
        #expect(rig.model.frameDue == nil)
        let before = rig.viewer?.picture
        rig.type(".")
        rig.thumbnails.frames.release()
        rig.settle()
        #expect(rig.viewer?.picture != before)
        #expect(rig.model.frameDue == nil)
        rig.type("a")
        rig.thumbnails.frames.release()
        rig.settle()
        #expect(rig.model.frameDue != nil)
        rig.type("n")
        rig.loadPictures()
        rig.type("a")
        #expect(rig.message == "this picture is not animated")
    }

    @Test(
        "stepping starts at the visible frame, even with animation off",
        arguments: [true, false])
    func stepping(isAnimated: Bool) {
        var options = BrowserOptions()
        options.isAnimated = isAnimated
        options.movingTiles = .none
        let rig = Rig([[3]], options: options)
        rig.thumbnails.animate(Rig.image(0, 0, 0), delays: [100, 100, 100])
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.loadPictures()
        let frames = rig.thumbnails.frames
        #expect(frames.askedCount == (isAnimated ? 1 : 0))
        rig.type(".")
        rig.settle()
        #expect(frames.waiting == [1])
        let still = rig.viewer?.picture
        frames.release()
        rig.settle()
        let first = rig.viewer?.picture
        #expect(first != still)
        // Pressed before the frame is ready.
        rig.type(".")
        #expect(frames.waiting == [2])
        frames.release()
        rig.settle()
        #expect(rig.viewer?.picture != first)
        #expect(rig.model.frameDue == nil)
    }

    @Test("3P shows each picture for three seconds; P pauses and resumes at that pace")
    func slideshow() {
        let rig = opened()
        func tick(_ count: Int) { for _ in 0..<count { rig.model.tick() } }
        rig.type("3P")
        rig.loadPictures()
        tick(30)
        rig.loadPictures()
        #expect(rig.selected == "0.0.1")
        rig.type("P")
        #expect(rig.message == "slideshow paused: P resumes it")
        rig.loadPictures()
        tick(100)
        #expect(rig.selected == "0.0.1")
        rig.type("P")
        rig.loadPictures()
        tick(30)
        #expect(rig.selected == "0.0.2")
    }

    @Test("facts are shown beside the picture if there is room, the location only on request")
    func facts() throws {
        let rig = opened(columns: 120)
        rig.type("i")
        rig.loadPictures()
        let frame = try #require(rig.info?.frame)
        let picture = try #require(rig.viewer?.frame)
        #expect(picture.x + picture.size.columns <= frame.x)
        #expect(frame.x + frame.size.columns == 120)
        var camera = CameraFacts()
        camera.position = "60.39181, 5.32000"
        var facts = PictureFacts(
            size: PixelSize(width: 9, height: 9), format: .jpeg, byteCount: 9, dominant: RGB(0))
        facts.camera = camera
        func position(_ shows: Bool) -> String? {
            InfoScene(
                of: Rig.picture(0, 0, 0), facts: facts, LocalTexts(home: "", locale: "C"),
                showsPosition: shows, others: []
            ).facts.first { $0.label == "Position" }?.value
        }
        #expect(position(false)?.contains("60") == false)
        #expect(position(true) == "60.39181, 5.32000")
        #expect(opened().info?.frame == nil)
    }

    @Test("the facts count the requests to the page's host; one that asks to wait is told at once")
    func traffic() {
        let rig = opened(columns: 120)
        rig.type("i")
        func shown() -> String? { rig.info?.facts.first { $0.label == "Requests" }?.value }
        #expect(shown() == nil)
        rig.traffic.withLock { $0.counts = ["s0.example": 7, "other.example": 1] }
        #expect(shown() == "7 to s0.example")
        rig.traffic.withLock(\.report)("s0.example asks to wait 30 s")
        rig.settle()
        #expect(rig.message == "s0.example asks to wait 30 s")
        // Keys work meanwhile.
        rig.type("q")
        #expect(rig.info == nil)
    }

    @Test("the facts show the graphics in use, or how to enable them")
    func graphics() {
        let rig = opened(columns: 120)
        rig.type("i")
        func shown() -> String? { rig.info?.facts.first { $0.label == "Graphics" }?.value }
        #expect(shown() == "none")
        var style = rig.model.style
        rig.model.adopt(style, graphicsHint: "with an option")
        #expect(shown() == "none; with an option")
        let forms = [Graphics.kitty, .sixel].map {
            PixelForm($0, cell: PixelSize(width: 10, height: 20))
        }
        style.pixels = forms[0]
        rig.model.adopt(style, pixelForms: forms, graphicsHint: "with an option")
        #expect(shown() == "kitty")
        rig.type("X")
        #expect(shown() == "sixel")
        rig.type("X")
        #expect(shown() == "none; X shows kitty, sixel")
    }

    @Test("clicks answer dialogs, open the help from its hint and go to a section from its header")
    func clicks() throws {
        let rig = Rig([[3], [4]])
        rig.pages.set(.failure(.empty), at: Rig.address(1, 0))
        rig.loadPages()
        let dialog = try #require(rig.dialog)
        let answers = DialogLayout(dialog, in: CellRect(x: 0, y: 1, columns: 80, rows: 38)).answers
        rig.model.handle(.click(x: answers[0].x - 1, y: answers[0].y))
        #expect(rig.dialog != nil)
        let loads = rig.pages.loads.count
        rig.model.handle(.click(x: answers[0].x, y: answers[0].y))
        rig.settle()
        #expect(rig.pages.loads.count == loads + 1)
        #expect(rig.dialog != nil)
        rig.model.handle(.click(x: answers[1].x, y: answers[1].y))
        rig.settle()
        #expect(rig.dialog == nil)
        #expect(rig.pages.loads.count == loads + 1)
        rig.model.handle(.click(x: 76, y: 39))
        guard case .help? = rig.draw().overlay else {
            Issue.record("no help")
            return
        }
        rig.press("q")
        let sections = Rig([[3], [4]])
        sections.loadPages()
        let header = sections.gallery?.elements.compactMap {
            if case .header(let header, let frame) = $0, header.title == "gallery 1" {
                frame.y
            } else {
                nil
            }
        }.first
        let row = try #require(header)
        sections.model.handle(.click(x: 5, y: row))
        #expect(sections.selected == "1.0.0")
    }
}
