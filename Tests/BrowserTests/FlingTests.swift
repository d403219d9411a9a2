import Browser
import Gallery
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

/// Fast scrolling: pictures that pass by are not requested, and those where it stops are requested at once.
@MainActor @Suite("Fling") struct FlingTests {
    /// Creates a gallery with a loaded first screen, and starts scrolling fast.
    private func hurrying(_ count: Int = 6000, remembers: Bool = true) -> Rig {
        let rig = Rig([[count]], remembers: remembers)
        rig.loadPages()
        rig.loadPictures()
        rig.clock.pause = 0.033
        return rig
    }

    private func page(_ rig: Rig, _ count: Int, _ key: Key = " ") {
        for _ in 0..<count {
            rig.press(key)
            rig.draw()
            rig.main.drain()
        }
    }

    /// Advances the clock until an update is due, then draws.
    private func rest(_ rig: Rig) throws {
        rig.clock.now = try #require(rig.model.updateDue)
        rig.model.update()
        #expect(rig.model.needsDisplay)
        rig.draw()
    }

    @Test("paging past 5,000 tiles requests none of them, then the whole last screen 0.1 s later")
    func pages() throws {
        let rig = hurrying()
        // The first move follows a rest, so its pictures are requested at once.
        page(rig, 1)
        let before = rig.thumbnails.requests.count
        page(rig, 560)
        #expect(rig.thumbnails.requests.count == before)
        #expect(rig.thumbnails.waiting.isEmpty)
        #expect(rig.gallery?.selected?.title.hasSuffix(".5049") == true)
        // No spinner and no polling: the loop sleeps until then.
        #expect(!rig.model.isAnimating && !rig.model.needsDisplay)
        let last = rig.clock.now
        try rest(rig)
        #expect(abs(rig.clock.now - last - 0.1) < 1e-9)
        let seen = Set(rig.titles)
        let asked = rig.thumbnails.waiting.filter { $0.priority.level >= .visible }
        #expect(Set(asked.map { "0.0.\($0.request.address.pictureNumber)" }) == seen)
        #expect(asked.first?.priority == .urgent)
        #expect(rig.thumbnails.waiting.contains { $0.priority.level == .prefetch })
        #expect(rig.model.updateDue == nil)
    }

    @Test("requests in flight when the fling begins are cancelled once they are out of range")
    func givesUp() {
        let rig = hurrying()
        page(rig, 1)
        #expect(!rig.thumbnails.waiting.isEmpty)
        page(rig, 5)
        #expect(rig.thumbnails.waiting.isEmpty)
    }

    @Test("a tile visible for a tenth of a second is requested even while scrolling continues")
    func seen() {
        let rig = hurrying()
        rig.clock.pause = 0.016
        let before = rig.thumbnails.requests.count
        var shown: [String: Double] = [:]
        var asked: Set<String> = []
        for step in 0..<120 {
            rig.clock.now += 0.016
            // A line of tiles in three frames from the third on: each is visible for nine.
            rig.model.handle(.wheel(rows: step < 2 ? 1 : 4))
            for title in rig.titles where shown[title] == nil { shown[title] = rig.clock.now }
            for request in rig.thumbnails.requests.dropFirst(before + asked.count) {
                asked.insert("0.0.\(request.address.pictureNumber)")
                let since = shown["0.0.\(request.address.pictureNumber)"] ?? rig.clock.now
                #expect(step < 3 || rig.clock.now - since >= 0.0999)
            }
        }
        #expect(asked.count > 20)
        #expect(asked.count < shown.count)
    }

    @Test("pictures in memory are shown during the fling")
    func memory() {
        let rig = hurrying(400)
        rig.clock.pause = 1
        for _ in 0..<40 {
            page(rig, 1)
            rig.loadPictures()
        }
        rig.clock.pause = 0.033
        for _ in 0..<30 {
            page(rig, 1, "b")
            #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
        }
    }

    @Test(
        "single pages and rows, and the first after a rest, are requested in the frame showing them"
    )
    func calm() {
        let rig = hurrying()
        rig.clock.pause = 0.4
        for key in [" ", " ", "j", "j", " ", "b", "G", "g"] as [Key] {
            page(rig, 1, key)
            #expect(
                rig.gallery?.tiles.allSatisfy { $0.picture.isReady || $0.picture.spins } == true)
            #expect(rig.thumbnails.transfersInFlight == rig.thumbnails.waiting.count)
            #expect(rig.model.updateDue == nil)
        }
    }

    @Test(
        "pictures skipped quickly in the viewer are not fetched; the one where the reader stops is")
    func viewer() throws {
        let rig = hurrying(300)
        rig.press(.enter)
        rig.settle()
        rig.loadPictures()
        page(rig, 1, "n")
        let before = rig.thumbnails.requests.filter { $0.box.rows > 20 }.count
        page(rig, 200, "n")
        #expect(rig.thumbnails.requests.filter { $0.box.rows > 20 }.count == before)
        try rest(rig)
        let asked = rig.thumbnails.waiting.filter { $0.request.box.rows > 20 }
        #expect(asked.first?.request.address == Rig.image(0, 0, 201))
        #expect(asked.count == 3)
    }

    @Test("a screen too small to show anything is not redrawn repeatedly")
    func tooSmall() throws {
        let rig = hurrying()
        page(rig, 20)
        rig.model.resize(to: CellSize(columns: 10, rows: 3), cellAspect: 2)
        rig.draw()
        if let due = rig.model.updateDue {
            rig.clock.now = due
            rig.draw()
        }
        #expect(rig.model.updateDue == nil)
        #expect(!rig.model.needsDisplay)
    }

    @Test("pictures are requested from the selected one outwards, those cut off by the edge last")
    func outwards() throws {
        // Only grids show no picture in part.
        var options = BrowserOptions()
        options.layout = .rows
        let rig = Rig([[240]], options: options)
        rig.loadPages()
        rig.loadPictures()
        rig.press("5", "0", "G")
        rig.thumbnails.releaseAll()
        rig.press("1", "2", "0", "G")
        rig.draw()
        let seen = rig.thumbnails.waiting.filter { $0.priority.level == .visible }
        #expect(seen.map(\.priority) == seen.map(\.priority).sorted(by: >))
        #expect(Set(seen.map(\.priority)).count > 3)
        let selected = try #require(rig.gallery?.selected?.frame)
        let frames = Dictionary(
            uniqueKeysWithValues: (rig.gallery?.tiles ?? []).map { ($0.title, $0.frame) })
        var isCut: [Bool] = []
        for load in seen {
            let frame = try #require(frames["0.0.\(load.request.address.pictureNumber)"])
            let (x, y) = (Double(frame.x - selected.x), 2 * Double(frame.y - selected.y))
            // 40 rows; the first and last are lines of text.
            isCut.append(frame.y < 1 || frame.y + frame.size.rows > 39)
            let distance = Int((x * x + y * y).squareRoot()) + (isCut.last == true ? 0x4000 : 0)
            #expect(load.priority.distance == distance)
        }
        #expect(Set(isCut) == [false, true])
        #expect(isCut.drop { !$0 }.allSatisfy { $0 })
    }
}
