import Basics
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Pasted text is never taken for keys.
    @Suite("Pasting") struct PasteTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private func pasted(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }

        private func opened() throws -> (ProgramGallery, ProgramScreen) {
            let gallery = try ProgramGallery(count: 12)
            let screen = try ProgramScreen(["--output", folder.path, gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/12" }, "\(screen.screen.text)")
            return (gallery, screen)
        }

        @Test("pasted text triggers no key, whatever sequences it contains")
        func noKeys() throws {
            let (gallery, screen) = try opened()
            #expect(screen.screen.modes.contains(2004))
            screen.process.send(pasted("sq\rQ\u{1B}OB\u{1B}[Bj"))
            screen.type("l")
            #expect(screen.waitForSelected(2), "\(screen.screen.text)")
            #expect(gallery.server.count(of: gallery.fullPath(1)) == 0)
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind == [])
        }

        @Test("a pasted address or path prompts for opening it")
        func opening() throws {
            let (_, screen) = try opened()
            let other = try ProgramGallery(title: "Second", first: 40, count: 3)
            screen.process.send(pasted(other.address + "\n"))
            #expect(screen.waitFor("Open what was pasted?"), "\(screen.screen.text)")
            screen.type(Keys.escape)
            #expect(screen.waitForSelected(1))
            screen.process.send(pasted(other.address + "\n"))
            #expect(screen.waitFor("Open what was pasted?"), "\(screen.screen.text)")
            screen.type("\r")
            #expect(screen.waitForSelected(40), "\(screen.screen.text)")
        }

        @Test("text pasted into a prompt is inserted as one line")
        func prompt() throws {
            let (_, screen) = try opened()
            screen.type("/x")
            #expect(screen.waitFor("/x   0 hits"))
            screen.process.send(pasted("\u{7}y z\nq"))
            #expect(screen.waitFor("/xy z   0 hits"), "\(screen.bottom)")
        }

        @Test("a line pasted with its newline is not run, with a message; typing Enter runs it")
        func lines() throws {
            let (_, screen) = try opened()
            for line in [":sort title\r", "\u{15}quit\r"] {
                screen.process.sendAlone(line)
                #expect(screen.waitFor("press Enter again"), "\(screen.bottom)")
            }
            #expect(screen.bottom.contains(":quit "))
            screen.type("\r")
            #expect(screen.waitForExit() == .code(0))
        }

        @Test("keys arriving too fast to be typed do not save, quit, open or run commands")
        func unmarked() throws {
            let (gallery, screen) = try opened()
            for keys in ["ssss", "llls", "jj\r\r", "jjlQ", "jkjq", ":quit\r"] {
                screen.process.sendAlone(keys)
                screen.settle()
            }
            #expect(screen.bottom.contains(":quit"), "\(screen.screen.text)")
            screen.type(Keys.escape)
            #expect(screen.wait { !$0.bottom.contains(":quit") }, "\(screen.bottom)")
            #expect(
                gallery.pictures.allSatisfy { gallery.server.count(of: gallery.fullPath($0)) == 0 })
            screen.type("v")
            #expect(screen.waitFor("/full/"), "the list, where l opens")
            screen.process.sendAlone("llll")
            #expect(screen.waitFor("too fast to have been typed"), "\(screen.screen.text)")
            #expect(screen.screen.shows("/full/"))
            screen.type("v")
            #expect(screen.wait { !$0.screen.shows("/full/") })
            screen.process.sendAlone("kjkq")
            #expect(screen.waitFor("too fast to have been typed"), "\(screen.bottom)")
            #expect(screen.quit() == .code(0))
        }
    }
}
