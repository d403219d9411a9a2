import Network
import Raster
import TestSupport
import Testing
import Thumbnails

@testable import Browser

/// The list: what it shows of each picture at various widths.
@MainActor @Suite("List") struct ListTests {
    private func list(
        columns: Int, count: Int = 24, _ change: (inout BrowserOptions) -> Void = { _ in }
    ) -> Rig {
        var options = BrowserOptions()
        options.layout = .list
        change(&options)
        let rig = Rig([[count]], columns: columns, options: options)
        rig.loadPages()
        return rig
    }

    private func frames(_ rig: Rig) -> [CellRect] { rig.gallery?.tiles.map(\.frame) ?? [] }

    @Test("as many items fit side by side as the width allows, and l moves between them")
    func columns() {
        #expect(frames(list(columns: 80)).allSatisfy { $0.x == 0 && $0.size.columns == 80 })
        let wide = list(columns: 200)
        #expect(frames(wide).prefix(3).map(\.x) == [0, 60, 0])
        wide.type("l")
        #expect(wide.selected == "0.0.1")
        #expect(wide.viewer == nil)
        let narrow = list(columns: 80)
        narrow.type("l")
        #expect(narrow.viewer != nil)
    }

    @Test("from 120 columns on, the selected picture and its facts are shown beside the list")
    func pane() throws {
        #expect(list(columns: 119).gallery?.pane == nil)
        let rig = list(columns: 120)
        let pane = try #require(rig.gallery?.pane)
        #expect(frames(rig).allSatisfy { $0.x + $0.size.columns <= pane.frame.x - 1 })
        #expect(pane.frame.x + pane.frame.size.columns < 120)
        #expect(pane.lines == ["0.0.0", "https://s0.example/p0/0.jpg"])
        rig.loadPictures()
        #expect(rig.gallery?.pane?.picture.isReady == true)
        #expect(rig.thumbnails.requests.contains { $0.box == pane.frame.size })
        rig.type("j")
        // The small thumbnail stands in.
        #expect(rig.gallery?.pane?.picture.isReady == true)
        #expect(rig.thumbnails.waiting.filter { $0.request.box == pane.frame.size }.count == 1)
        #expect(rig.gallery?.pane?.lines.first == "0.0.1")
    }

    @Test("what the preview beside the list was waiting for does not wake the viewer")
    func paneInViewer() {
        let rig = list(columns: 140, count: 600)
        rig.loadPictures()
        rig.clock.pause = 0.033
        for _ in 0..<20 {
            rig.press(" ")
            rig.draw()
        }
        #expect(rig.model.updateDue != nil)
        rig.press(.enter)
        rig.draw()
        rig.clock.now += 1
        rig.draw()
        #expect(rig.viewer != nil && rig.model.updateDue.map { $0 > rig.clock.now } != false)
    }

    @Test("an item without a picture shows the reason")
    func failure() {
        let rig = list(columns: 120)
        rig.thumbnails.fail(Rig.image(0, 0, 0), with: .fetch(.status(404)))
        rig.loadPictures()
        guard case .row(let row, _, _) = rig.gallery?.elements.first else {
            Issue.record("no row")
            return
        }
        #expect(row.failure == "the server answered 404 Not Found")
        #expect(rig.gallery?.pane?.failure == "the server answered 404 Not Found")
    }

    @Test("small items, and items without colours, take one line each")
    func plain() {
        for rig in [
            list(columns: 80) { $0.tileColumns = 8 }, list(columns: 80) { $0.style.depth = .mono },
        ] {
            #expect(frames(rig).prefix(3).map(\.y) == [1, 2, 3])
            #expect(frames(rig).allSatisfy { $0.size.rows == 1 })
            rig.loadPictures()
            guard case .row(let row, 0, _) = rig.gallery?.elements.first else {
                Issue.record("no line")
                continue
            }
            #expect(row.lines == ["0.0.0", "https://s0.example/p0/0.jpg"])
            #expect(row.details.first?.isEmpty == false)
        }
    }

    @Test("the list switches to single lines when C removes the colours, and back")
    func losingColours() {
        let rig = list(columns: 80) { $0.style.depth = .palette8 }
        #expect(frames(rig).first?.size.rows == 4)
        rig.model.adopt(RenderStyle(depth: .mono))
        #expect(frames(rig).first?.size.rows == 1)
        rig.model.adopt(RenderStyle(depth: .palette8))
        #expect(frames(rig).first?.size.rows == 4)
        rig.type("C")
        #expect(rig.model.style.depth == .mono)
        #expect(frames(rig).first?.size.rows == 1)
    }

    @Test("l opens the selected picture only if it was typed, not pasted")
    func pastedOpening() {
        let rig = list(columns: 80)
        for _ in 0..<4 { rig.model.handle(.key("l"), isTyped: false) }
        #expect(rig.viewer == nil)
        #expect(rig.message.contains("too fast"))
        rig.type("l")
        #expect(rig.viewer != nil)
    }

    @Test("with animation off there is no spinner, no playback and no tick")
    func still() {
        let rig = list(columns: 80) { $0.isAnimated = false }
        rig.settle()
        #expect(rig.gallery?.tiles.first?.picture.spins == true)
        #expect(!rig.model.isAnimating)
        #expect(rig.draw().spinnerPhase == nil)
        rig.thumbnails.animate(Rig.image(0, 0, 0), delays: [100, 100])
        rig.press(.enter)
        rig.loadPictures()
        #expect(rig.model.frameDue == nil)
    }

    @Test("a path is shown as one would type it, an address unchanged")
    func paths() throws {
        let texts = LocalTexts(home: "/home/x", locale: "C")
        #expect(texts.text(Address(path: "/home/x/Bilder/Föhr 1.jpg")) == "~/Bilder/Föhr 1.jpg")
        #expect(texts.text(Address(path: "/home/xy/1.jpg")) == "/home/xy/1.jpg")
        #expect(texts.text(Address(path: "/tmp/a\u{1B}[31mb.jpg")) == "/tmp/a[31mb.jpg")
        let web = try #require(Address("https://e.example/a%20b.jpg"))
        #expect(texts.text(web) == web.text)
        #expect(LocalTexts(home: "", locale: "C").text(Address(path: "/a.jpg")) == "/a.jpg")
    }

    @Test("a date is shown as a day in the locale's short format; other text is left unchanged")
    func days() {
        let texts = LocalTexts(home: "", locale: "C")
        #expect(texts.day("2024-05-01") == "2024-05-01")
        #expect(texts.day("2024-05-01T12:30") == "2024-05-01")
        #expect(texts.day("2024-05") == "2024-05")
        #expect(texts.day("in May") == "in May")
        #expect(texts.day("99999999999999999999-99-99T1:1:1Z").count < 65)
        #expect(["2024-05-01", "2024-05-02"].contains(texts.day("2024-05-01T23:30:00-00:30")))
    }
}
