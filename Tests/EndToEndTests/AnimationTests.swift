import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Animated pictures") struct AnimationTests {
        private static let colors = [RGB(0xC8_1E1E), RGB(0x1E_1EC8)]

        let folder: ScratchFolder
        let gallery: ProgramGallery

        init() throws {
            folder = try ScratchFolder()
            gallery = try ProgramGallery(count: 3)
            let frames = Self.colors.map {
                PixelBuffer(filledWith: $0, size: PixelSize(width: 80, height: 60))
            }
            let file = try ImageEncoder.gif(
                animating: frames, GIFOptions(delay: 0.05, repeats: 0))
            for path in [gallery.thumbnailPath(1), gallery.fullPath(1)] {
                gallery.server.route(path) { _ in .bytes(file, type: "image/gif") }
            }
        }

        private func shows(_ color: RGB) -> (ProgramScreen) -> Bool {
            { $0.middle == [CellColor(color)] }
        }

        @Test("the viewer alternates two frames; the grid shows the first one with a mark, if told")
        func playing() throws {
            let screen = try ProgramScreen(
                ["--animate-tiles", "none", gallery.address], in: folder)
            #expect(screen.waitFor("▸ " + ProgramGallery.title(1)), "\(screen.screen.text)")
            #expect(screen.waitForThumbnails(2...3))
            screen.settle()
            #expect(screen.process.waitForSilence() == 0)
            screen.type(Keys.enter)
            for _ in 0..<3 {
                #expect(screen.wait(shows(Self.colors[0])), "\(screen.screen.text)")
                #expect(screen.wait(shows(Self.colors[1])))
            }
            screen.type("+")
            for _ in 0..<2 {
                #expect(screen.wait(shows(Self.colors[0])))
                #expect(screen.wait(shows(Self.colors[1])))
            }
            screen.type(Keys.escape)
            #expect(screen.wait { $0.selectedTitle == "▸ " + ProgramGallery.title(1) })
            #expect(screen.waitForThumbnails(2...3))
            screen.settle()
            #expect(screen.process.waitForSilence() == 0)
            #expect(gallery.server.count(of: gallery.fullPath(1)) == 1)
            #expect(screen.quit() == .code(0))
        }

        @Test("the selected tile plays, and another one's selection ends that")
        func tile() throws {
            let screen = try ProgramScreen([gallery.address], in: folder)
            func shows(_ color: RGB) -> (ProgramScreen) -> Bool {
                {
                    $0.tile(of: 1).map($0.colors)?.contains(CellColor(color))
                        == true
                }
            }
            for _ in 0..<2 {
                #expect(screen.wait(shows(Self.colors[1])), "\(screen.screen.text)")
                #expect(screen.wait(shows(Self.colors[0])))
            }
            screen.type("l")
            #expect(screen.wait { $0.selectedTitle == ProgramGallery.title(2) })
            screen.settle()
            #expect(screen.process.waitForSilence() == 0)
            #expect(screen.quit() == .code(0))
        }

        @Test("kitty is sent each frame once and plays by itself: then no byte is written")
        func film() throws {
            let screen = try ProgramScreen(
                [gallery.address], in: folder, answers: GraphicsTests.Terminal.local.answers)
            let films = { screen.screen.graphics.films.values.filter(\.isPlaying) }
            #expect(screen.wait { _ in films().map(\.frames.count) == [2] })
            screen.settle()
            #expect(screen.process.waitForSilence() == 0)
            screen.type(Keys.enter)
            #expect(screen.wait { _ in films().contains { $0.frames[0].size.width == 80 } })
            screen.settle()
            #expect(screen.process.waitForSilence() == 0)
            screen.type(Keys.escape)
            #expect(screen.wait { $0.selectedTitle == "▸ " + ProgramGallery.title(1) })
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty && screen.screen.graphics.faults == [])
        }

        @Test("the help pauses the animation, which continues afterwards")
        func hidden() throws {
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitFor("▸ " + ProgramGallery.title(1)))
            screen.type(Keys.enter)
            #expect(screen.wait(shows(Self.colors[1])))
            screen.type("?")
            #expect(screen.waitFor("Keys"))
            screen.settle()
            #expect(screen.process.waitForSilence() == 0)
            screen.type(Keys.escape)
            #expect(screen.wait(shows(Self.colors[0])))
            #expect(screen.wait(shows(Self.colors[1])))
            screen.type("q")
            #expect(screen.waitFor("▸ " + ProgramGallery.title(1)))
            #expect(screen.quit() == .code(0))
        }
    }
}
