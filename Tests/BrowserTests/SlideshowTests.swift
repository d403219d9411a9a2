import Browser
import TestSupport
import Testing

/// The slideshow.
@MainActor @Suite("Slideshow") struct SlideshowTests {
    private func started(_ sections: [[Int]] = [[3]]) -> Rig {
        let rig = Rig(sections)
        rig.loadPages()
        rig.loadPictures()
        rig.type("P")
        rig.loadPictures()
        return rig
    }

    private func tick(_ rig: Rig, _ count: Int) {
        for _ in 0..<count {
            rig.model.tick()
        }
    }

    @Test("with marks, it shows the marked pictures over and over")
    func marked() {
        let rig = Rig()
        rig.loadPages()
        rig.type("mllmllmgP")
        var shown: [String] = []
        for _ in 0..<4 {
            shown.append(rig.selected)
            for _ in 0..<60 where rig.selected == shown.last {
                rig.loadPictures()
                rig.model.tick()
            }
        }
        #expect(shown == ["0.0.0", "0.0.2", "0.0.4", "0.0.0"])
    }

    @Test("P opens the viewer and advances every five seconds, redrawing only then, up to the last")
    func turning() {
        let rig = started()
        #expect(rig.viewer != nil)
        #expect(rig.model.isAnimating)
        tick(rig, 49)
        #expect(!rig.model.needsDisplay)
        #expect(rig.selected == "0.0.0")
        tick(rig, 1)
        #expect(rig.model.needsDisplay)
        #expect(rig.selected == "0.0.1")
        rig.loadPictures()
        tick(rig, 50)
        #expect(rig.selected == "0.0.2")
        rig.loadPictures()
        tick(rig, 50)
        #expect(rig.message == "this is the last picture")
        rig.loadPictures()
        #expect(!rig.model.isAnimating)
    }

    @Test("a key stops the slideshow and does nothing else")
    func stopping() {
        let rig = started()
        #expect(rig.press("q") == nil)
        #expect(rig.message == "slideshow stopped")
        #expect(rig.viewer != nil)
        rig.loadPictures()
        #expect(!rig.model.isAnimating)
        tick(rig, 100)
        #expect(rig.selected == "0.0.0")
    }

    @Test("a slideshow ends when another program leaves the viewer")
    func left() {
        let rig = started()
        #expect(rig.model.perform("open", .browsing) == nil)
        #expect(rig.viewer == nil)
        rig.loadPictures()
        #expect(!rig.model.isAnimating)
        tick(rig, 100)
        #expect(rig.selected == "0.0.0" && rig.viewer == nil)
    }

    @Test("n and p show another picture for the full time, and the slideshow goes on")
    func skipping() {
        let rig = started([[4]])
        #expect(rig.draw().bottom.hint == "slideshow 5 s")
        tick(rig, 40)
        rig.type("n")
        rig.loadPictures()
        #expect(rig.selected == "0.0.1")
        tick(rig, 49)
        #expect(rig.selected == "0.0.1")
        tick(rig, 1)
        #expect(rig.selected == "0.0.2")
        rig.loadPictures()
        rig.type("p")
        rig.loadPictures()
        #expect(rig.selected == "0.0.1")
        tick(rig, 50)
        #expect(rig.selected == "0.0.2")
        #expect(rig.draw().bottom.hint == "slideshow 5 s")
    }

    @Test("the slideshow waits for a loading picture and for the next page")
    func waiting() {
        let rig = Rig([[1, 2]])
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.type("P")
        rig.settle()
        tick(rig, 200)
        #expect(rig.selected == "0.0.0")
        rig.loadPictures()
        tick(rig, 1)
        #expect(rig.selected == "0.0.0")
        rig.loadPages()
        #expect(rig.selected == "0.1.0")
    }
}
