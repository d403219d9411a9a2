import Browser
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

/// Animated pictures in the viewer.
@MainActor @Suite("Playback") struct PlaybackTests {
    private func opened(_ delays: [Int] = [100, 50, 200], plays: Int? = nil) -> Rig {
        let rig = Rig([[3]])
        rig.thumbnails.animate(Rig.image(0, 0, 0), delays: delays, plays: plays)
        rig.loadPages()
        rig.loadPictures()
        rig.press(.enter)
        rig.loadPictures()
        return rig
    }

    /// The visible frame, identified by its glyph; nil for the still picture.
    private func frame(_ rig: Rig) -> Int? {
        guard case .ready(let thumbnail)? = rig.viewer?.picture else { return nil }
        let glyphs = Set(thumbnail.cells.cells.map(\.glyph))
        return glyphs.count == 1 ? glyphs.first.flatMap { $0 == 0x20 ? nil : Int($0) - 0x30 } : nil
    }

    /// Delivers the requested frames, sets the time to `now`, and returns the visible frame.
    private func seen(_ rig: Rig, at now: Double) -> Int? {
        rig.thumbnails.frames.release()
        rig.settle()
        rig.model.showDueFrame(at: now)
        return frame(rig)
    }

    @Test("each frame is shown for its own delay, then the animation repeats")
    func frames() {
        let rig = opened()
        #expect(frame(rig) == nil)
        #expect(seen(rig, at: 10) == 0)
        #expect(seen(rig, at: 10.09) == 0)
        #expect(seen(rig, at: 10.1) == 1)
        #expect(seen(rig, at: 10.149) == 1)
        #expect(seen(rig, at: 10.15) == 2)
        #expect(seen(rig, at: 10.34) == 2)
        #expect(seen(rig, at: 10.35) == 0)
        #expect(seen(rig, at: 10.45) == 1)
    }

    @Test("out of focus nothing plays, and nothing is fetched ahead; with it both go on")
    func focus() {
        let rig = opened()
        #expect(seen(rig, at: 10) == 0)
        rig.model.hasFocus = false
        rig.settle()
        #expect(seen(rig, at: 11) == 0 && rig.model.frameDue == nil)
        rig.model.hasFocus = true
        rig.settle()
        #expect(seen(rig, at: 12) == 1)
        let gallery = Rig([[90]])
        gallery.model.hasFocus = false
        gallery.loadPages()
        let ahead = { gallery.thumbnails.waiting.count { $0.priority.level == .prefetch } }
        #expect(ahead() == 0 && gallery.thumbnails.waiting.count == 9)
        gallery.model.hasFocus = true
        gallery.settle()
        #expect(ahead() > 9)
    }

    @Test("the next frame's due time is known, and a still picture has none")
    func due() {
        let rig = opened()
        #expect(rig.model.frameDue == nil)
        rig.thumbnails.frames.release()
        rig.settle()
        #expect(rig.model.frameDue == 0)
        #expect(!rig.model.needsDisplay)
        rig.model.showDueFrame(at: 10)
        #expect(rig.model.needsDisplay)
        rig.settle()
        #expect(rig.model.frameDue == nil)
        rig.thumbnails.frames.release()
        rig.settle()
        #expect(abs((rig.model.frameDue ?? 0) - 10.1) < 1e-9)
        #expect(!rig.model.needsDisplay)
        #expect(!rig.model.isAnimating)
        rig.type("n")
        rig.loadPictures()
        #expect(rig.model.frameDue == nil)
        #expect(rig.thumbnails.frames.waiting.isEmpty)
    }

    @Test("exactly one frame is drawn ahead")
    func ahead() {
        let rig = opened()
        #expect(rig.thumbnails.frames.waiting == [0])
        #expect(seen(rig, at: 0) == 0)
        for _ in 0..<5 {
            rig.thumbnails.frames.release()
            rig.settle()
        }
        #expect(rig.thumbnails.frames.askedCount == 2)
    }

    @Test("a late frame delays the following ones, and none is skipped")
    func late() {
        let rig = opened()
        #expect(seen(rig, at: 0) == 0)
        rig.model.showDueFrame(at: 5)
        #expect(frame(rig) == 0)
        #expect(seen(rig, at: 5.01) == 1)
        #expect(seen(rig, at: 5.05) == 1)
        #expect(seen(rig, at: 5.07) == 2)
    }

    @Test("small wake-up delays do not accumulate")
    func jitter() {
        let rig = opened([20, 20])
        #expect(seen(rig, at: 0) == 0)
        for step in 1...50 {
            #expect(seen(rig, at: Double(step) * 0.02 + 0.005) == step % 2)
        }
    }

    @Test("after the number of plays that the file specifies, the last frame stays")
    func plays() {
        let rig = opened([20, 20], plays: 2)
        let frames = (0..<8).map { seen(rig, at: Double($0)) }
        #expect(frames == [0, 1, 0, 1, 1, 1, 1, 1])
        #expect(rig.model.frameDue == nil)
        #expect(rig.thumbnails.frames.waiting.isEmpty)
    }

    @Test("zooming redraws the current frame and playback continues from there")
    func zooming() {
        let rig = opened()
        #expect(seen(rig, at: 0) == 0)
        #expect(seen(rig, at: 0.1) == 1)
        rig.thumbnails.frames.release()
        rig.settle()
        rig.type("+")
        rig.settle()
        #expect(frame(rig) == 1)
        #expect(rig.thumbnails.frames.waiting == [1])
        rig.thumbnails.frames.release()
        rig.settle()
        #expect(frame(rig) == 1)
        #expect(rig.thumbnails.frames.waiting == [2])
        #expect(seen(rig, at: 0.151) == 2)
    }

    @Test("after shrinking the screen the still picture replaces a frame that no longer fits")
    func resizing() {
        let rig = opened()
        #expect(seen(rig, at: 0) == 0)
        rig.model.resize(to: CellSize(columns: 60, rows: 30), cellAspect: 2)
        rig.settle()
        #expect(frame(rig) == nil)
        rig.thumbnails.frames.release()
        rig.settle()
        #expect(frame(rig) == 0)
    }

    @Test("the help pauses playback, which then resumes where it stopped")
    func hidden() {
        let rig = opened()
        #expect(seen(rig, at: 0) == 0)
        rig.thumbnails.frames.release()
        rig.settle()
        rig.type("?")
        rig.settle()
        #expect(rig.model.frameDue == nil)
        rig.model.showDueFrame(at: 50)
        #expect(!rig.model.needsDisplay)
        rig.press(.escape)
        rig.settle()
        #expect(frame(rig) == 0)
        rig.model.showDueFrame(at: 51)
        #expect(frame(rig) == 1)
        #expect(seen(rig, at: 51.04) == 1)
    }

    @Test("leaving the viewer ends playback, whatever is in flight")
    func leaving() {
        let rig = opened()
        #expect(seen(rig, at: 0) == 0)
        rig.press(.escape)
        rig.settle()
        #expect(rig.thumbnails.frames.waiting.isEmpty)
        #expect(rig.model.frameDue == nil)
        rig.model.showDueFrame(at: 100)
        #expect(!rig.model.needsDisplay)
        #expect(!rig.model.isAnimating)
        rig.press(.enter)
        rig.settle()
        #expect(rig.thumbnails.frames.waiting == [0])
    }

    @Test("grid and list mark animations; the info panel counts the frames")
    func marks() {
        let rig = opened()
        rig.type("i")
        #expect(rig.info?.facts.contains { $0.value.contains("animated, 3 frames") } == true)
        rig.press(.escape, .escape)
        #expect(rig.gallery?.tiles.map(\.isAnimated) == [true, false, false])
        rig.type("v")
        rig.loadPictures()
        #expect(rig.gallery?.tiles.map(\.isAnimated) == [true, false, false])
    }
}
