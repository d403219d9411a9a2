import Browser
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

/// Animated pictures in the viewer.
@MainActor @Suite("Playback") struct PlaybackTests {
    private func opened(
        _ delays: [Int] = [100, 50, 200], plays: Int? = nil, tiles: MovingTiles = .none,
        isKept: Bool = false, isOverSSH: Bool = false
    ) -> Rig {
        var options = BrowserOptions()
        (options.movingTiles, options.isOverSSH) = (tiles, isOverSSH)
        options.style.pixels =
            isKept
            ? PixelForm(.kitty, cell: PixelSize(width: 10, height: 20), playsFilms: true) : nil
        let rig = Rig([[3]], options: options)
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

    private func film(_ rig: Rig) -> Film? {
        guard case .ready(let thumbnail)? = rig.viewer?.picture else { return nil }
        return thumbnail.pixels?.film
    }

    @Test(
        "a terminal that keeps frames gets each once and then plays by itself; what the reader stops is where it was"
    )
    func films() {
        let rig = opened(isKept: true)
        var ids: Set<Int> = []
        for (time, place) in [(10, 0), (10.1, 1), (10.15, 2)] {
            #expect(seen(rig, at: time) == place)
            let film = film(rig)
            #expect(film?.position == place && film?.frames.count == place + 1)
            #expect(film?.isPlaying == false)
            ids.formUnion(film?.frames.prefix(1).map(\.picture.serial) ?? [])
        }
        rig.clock.now = 10.35
        #expect(seen(rig, at: 10.35) == 0)
        let whole = film(rig)
        #expect(whole?.isPlaying == true && whole?.position == 0)
        #expect(whole?.frames.map(\.milliseconds) == [100, 50, 200])
        #expect(ids.count == 1 && ids.first == whole?.frames.first?.picture.serial)
        #expect(rig.model.frameDue == nil && rig.thumbnails.frames.waiting.isEmpty)
        // In its fourth play.
        rig.clock.pause = 0
        rig.clock.now += 3 * 0.35 + 0.12
        rig.type("?")
        rig.draw()
        #expect(film(rig)?.position == 1 && film(rig)?.isPlaying == false)
        #expect(rig.model.frameDue == nil)
        rig.press(.escape)
        rig.draw()
        #expect(film(rig)?.position == 1 && film(rig)?.isPlaying == true)
        // Its last frame is there, and then those after it.
        rig.clock.now += 0.07
        for place in [0, 1, 2, 0] {
            rig.type(".")
            rig.draw()
            #expect(film(rig)?.position == place && film(rig)?.isPlaying == false)
        }
        #expect(rig.thumbnails.frames.waiting.isEmpty)
        // Zoomed, it goes on from there, with frames of another size.
        rig.type("+")
        rig.settle()
        rig.thumbnails.frames.release()
        rig.settle()
        #expect(frame(rig) == 0)
        rig.type("a")
        rig.settle()
        #expect((0..<3).map { seen(rig, at: Double(20 + $0)) } == [1, 2, 0])
        #expect(film(rig)?.frames.count == 3 && film(rig)?.isPlaying == true)
    }

    @Test("tiles move as told: none, the selected one or all, at most ten times a second")
    func tiles() {
        for (tiles, isOverSSH, playing) in [
            (MovingTiles.none, false, 0), (.selected, false, 1), (.all, false, 2),
            (.all, true, 0),
        ] {
            var options = BrowserOptions()
            (options.movingTiles, options.isOverSSH) = (tiles, isOverSSH)
            let rig = Rig([[3]], options: options)
            for picture in 0..<2 {
                rig.thumbnails.animate(Rig.image(0, 0, picture), delays: [20, 30], plays: nil)
            }
            rig.loadPages()
            rig.loadPictures()
            let frames = { rig.thumbnails.frames }
            #expect(frames().waiting.count == playing, "\(tiles)")
            guard playing > 0 else { continue }
            let glyphs = { (now: Double) -> [UInt32] in
                frames().release()
                rig.settle()
                rig.model.showDueFrame(at: now)
                return rig.gallery?.tiles.prefix(playing).compactMap { tile in
                    guard case .ready(let thumbnail) = tile.picture else { return nil }
                    return thumbnail.cells.cells.first?.glyph
                } ?? []
            }
            #expect(glyphs(10) == Array(repeating: 0x30, count: playing))
            #expect(glyphs(10.09) == Array(repeating: 0x30, count: playing))
            #expect(glyphs(10.1) == Array(repeating: 0x31, count: playing))
            // Under a dialog and in another window nothing moves, and with another selection that.
            rig.type("?")
            rig.settle()
            #expect(rig.model.frameDue == nil)
            rig.press(.escape)
            rig.type("ll")
            rig.settle()
            #expect(frames().waiting.count == (tiles == .all ? 2 : 0))
        }
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
