import Browser
import Gallery
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

/// Which thumbnails are requested, at what priority, and when they are cancelled.
@MainActor @Suite("Requests") struct RequestTests {
    private func loaded(
        _ sections: [[Int]] = [[240]], remembers: Bool = true
    ) -> Rig {
        let rig = Rig(sections, remembers: remembers)
        rig.loadPages()
        return rig
    }

    private func waiting(_ rig: Rig, at priority: Priority.Level) -> Set<Address> {
        Set(rig.thumbnails.waiting.filter { $0.priority.level == priority }.map(\.request.address))
    }

    @Test("the selected picture is requested first, then the visible ones, then two screens ahead")
    func urgency() {
        let rig = loaded()
        let asked = rig.thumbnails.waiting
        #expect(asked.first?.request.address == Rig.image(0, 0, 0))
        #expect(asked.first?.priority == .urgent)
        // A body of 38 rows, 12 per row of three tiles: three rows are visible, and the next two screens have six more.
        #expect(waiting(rig, at: .visible) == Set((1..<9).map { Rig.image(0, 0, $0) }))
        #expect(waiting(rig, at: .prefetch) == Set((9..<27).map { Rig.image(0, 0, $0) }))
        #expect(waiting(rig, at: .idle).isEmpty)
        #expect(asked.map(\.priority) == asked.map(\.priority).sorted(by: >))
    }

    @Test("only visible pictures are kept in memory; in the viewer, the picture and its thumbnail")
    func pins() {
        let rig = loaded()
        let screen = Set((0..<9).map { Rig.image(0, 0, $0) })
        #expect(Set(rig.thumbnails.pinned.map(\.address)) == screen)
        let box = rig.thumbnails.pinned.first?.box
        rig.press(.enter)
        rig.draw()
        rig.draw()
        #expect(rig.thumbnails.pinned.count == 2)
        #expect(Set(rig.thumbnails.pinned.map(\.box)).count == 2)
        rig.press(.escape)
        rig.draw()
        #expect(Set(rig.thumbnails.pinned.map(\.address)) == screen)
        #expect(rig.thumbnails.pinned.allSatisfy { $0.box == box })
    }

    @Test("the screen in the scroll direction is prefetched; the one behind waits at idle priority")
    func direction() {
        let rig = loaded()
        rig.type("100G")
        rig.draw()
        let top = waiting(rig, at: .idle)
        let below = waiting(rig, at: .prefetch)
        #expect(!top.isEmpty && !below.isEmpty)
        rig.type("k")
        rig.draw()
        let near = below.subtracting(top).sorted { $0.pictureNumber < $1.pictureNumber }.prefix(3)
        #expect(waiting(rig, at: .idle).isSuperset(of: near))
        #expect(waiting(rig, at: .prefetch).isSuperset(of: top))
    }

    @Test("pictures leaving the window are cancelled, then on return requested once more and kept")
    func leaveAndReturn() {
        let rig = loaded()
        let first = rig.thumbnails.waiting.count
        rig.type("G")
        rig.draw()
        #expect(rig.thumbnails.cancelledCount == first)
        rig.type("g")
        // Requested again before the cancellation has been delivered, which is then stale.
        rig.draw()
        let asked = rig.thumbnails.requests.count
        rig.settle()
        #expect(rig.thumbnails.requests.count == asked)
        #expect(rig.thumbnails.waiting(for: Rig.image(0, 0, 0)) != nil)
        rig.loadPictures()
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
    }

    @Test("a picture that stays in the window is not requested twice; only its priority changes")
    func staysAsked() {
        let rig = loaded()
        let before = rig.thumbnails.requests.count
        rig.type("l")
        rig.draw()
        #expect(rig.thumbnails.requests.count == before)
        #expect(waiting(rig, at: .urgent) == [Rig.image(0, 0, 1)])
        #expect(waiting(rig, at: .visible).contains(Rig.image(0, 0, 0)))
    }

    @Test("after a fling nothing keeps loading for ever, and only the window is requested")
    func fling() {
        let rig = loaded([[2000]])
        for step in 0..<200 {
            rig.type(step % 7 == 6 ? "b" : " ")
            rig.draw()
        }
        #expect(rig.thumbnails.waiting.count <= 60)
        rig.loadPictures()
        rig.loadPictures()
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
        #expect(rig.thumbnails.transfersInFlight == 0)
        #expect(!rig.model.isAnimating)
    }

    @Test("several keys between two frames cause the requests of one")
    func coalescing() {
        let rig = loaded([[2000]])
        let before = rig.thumbnails.requests.count
        rig.type("              ")
        #expect(rig.thumbnails.requests.count == before)
    }

    @Test("detecting a light background redraws every picture without fetching a file again")
    func surroundings() {
        let rig = loaded()
        let before = rig.thumbnails.waiting
        #expect(before.allSatisfy { $0.request.style.background == RGB(0) })
        rig.model.adopt(RenderStyle(background: RGB(0xFFFFFF), systemColors: .xterm))
        #expect(rig.model.needsDisplay)
        rig.draw()
        let after = rig.thumbnails.waiting
        #expect(after.map(\.request.address) == before.map(\.request.address))
        #expect(after.allSatisfy { $0.request.style.background == RGB(0xFFFFFF) })
        // Requested before the old request was cancelled, so that the transfer continues.
        #expect(rig.thumbnails.sharedCount == before.count)
        #expect(rig.thumbnails.cancelledCount == before.count)
    }

    @Test("square cells make taller tiles; implausible cell sizes are ignored")
    func cells() {
        let rig = loaded()
        let rows = { rig.thumbnails.waiting.first?.request.box.rows }
        #expect(rows() == 10)
        rig.model.adopt(RenderStyle(cellAspect: 1))
        rig.draw()
        #expect(rows() == 16)
        rig.model.adopt(RenderStyle(cellAspect: 1000))
        rig.draw()
        #expect(rows() == 10)
    }

    @Test("the viewer draws pictures on the terminal's own background, whatever the tiles use")
    func viewerGround() {
        let rig = loaded()
        rig.press(.enter)
        rig.draw()
        let viewed = rig.thumbnails.waiting.filter { $0.request.box.rows > 20 }
        #expect(!viewed.isEmpty && viewed.allSatisfy { !$0.request.style.isTinted })
    }

    @Test("a request cancelled by another client is sent again")
    func cancelledElsewhere() {
        let rig = loaded()
        let before = rig.thumbnails.waiting.map(\.request.address)
        rig.thumbnails.cancelAll()
        rig.settle()
        #expect(rig.thumbnails.waiting.map(\.request.address) == before)
        rig.loadPictures()
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
    }

    @Test("pictures keep the page's order, whatever the order of arrival")
    func order() {
        let rig = loaded([[9]])
        let titles = rig.titles
        var random = SeededRandom(seed: 7)
        for picture in (0..<9).shuffled(using: &random) {
            rig.thumbnails.release(Rig.image(0, 0, picture))
            rig.main.drain()
            #expect(rig.model.needsDisplay)
            let tiles = rig.gallery?.tiles ?? []
            #expect(tiles.map(\.title) == titles)
            #expect(tiles[picture].picture.isReady)
        }
    }

    @Test("a picture in memory is shown in the first frame that contains it")
    func memory() {
        let rig = loaded()
        rig.loadPictures()
        rig.type("G")
        rig.draw()
        rig.type("g")
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
    }

    @Test(
        "a style change or smaller tile keeps the old cells until the new ones arrive; the list drops them"
    )
    func oldCells() {
        let rig = loaded([[6]])
        rig.loadPictures()
        rig.type("t")
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
        #expect(rig.thumbnails.waiting.allSatisfy { !$0.request.style.isTinted })
        #expect(rig.thumbnails.waiting.count == 6)
        rig.loadPictures()
        rig.type("-")
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
        #expect(rig.thumbnails.waiting.count == 6)
        rig.loadPictures()
        rig.type("v")
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.spins } == true)
        rig.loadPictures()
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
    }

    @Test("late cells in an outdated style are dropped")
    func lateCells() {
        let rig = loaded([[1]])
        rig.thumbnails.releaseAll()  // posted, not yet delivered
        rig.type("t")
        rig.draw()
        rig.main.drain()
        #expect(rig.gallery?.tiles.first?.picture.spins == true)
        rig.loadPictures()
        #expect(rig.gallery?.tiles.first?.picture.isReady == true)
    }

    @Test("a prefetched picture triggers no redraw; a visible one does")
    func frames() {
        let rig = loaded()
        rig.thumbnails.release(Rig.image(0, 0, 15))
        rig.main.drain()
        #expect(!rig.model.needsDisplay)
        rig.thumbnails.release(Rig.image(0, 0, 5))
        rig.main.drain()
        #expect(rig.model.needsDisplay)
    }

    @Test("the transfer count disappears even if the last transfers are cancelled")
    func transfers() {
        let rig = loaded()
        for picture in 0..<12 {
            rig.thumbnails.release(Rig.image(0, 0, picture))
        }
        rig.settle()
        // All visible pictures are ready; the prefetch only shows as a transfer count.
        #expect(rig.gallery?.tiles.contains { $0.picture.spins } == false)
        #expect(rig.draw().bottom.transfers > 0)
        rig.thumbnails.releaseAll()  // posted, not yet delivered
        #expect(rig.model.isAnimating)
        rig.model.tick()
        #expect(rig.model.needsDisplay)
        #expect(rig.draw().bottom.transfers == 0)
    }

    @Test("with 100,000 pictures a frame costs no more than the pictures near the screen")
    func scale() {
        let rig = loaded([[100_000]])
        let asked = rig.thumbnails.cachedCalls
        #expect(asked < 60)
        rig.type("50000G")
        rig.draw()
        #expect(rig.selected == "0.0.49999")
        #expect(rig.thumbnails.cachedCalls - asked < 60)
        rig.type("99999j")
        rig.draw()
        #expect(rig.thumbnails.waiting.count < 60)
    }
}

/// A small seeded generator (SplitMix64), so that a failing walk can be repeated.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
