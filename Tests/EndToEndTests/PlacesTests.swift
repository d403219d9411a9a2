import Basics
import Glibc
import ImageEncoders
import Raster
import State
import TestSupport
import Testing

extension EndToEnd {
    /// What the program keeps from one run to the next.
    @Suite("Where I was") struct PlacesTests {
        let folder: ScratchFolder
        private let pictures: ScratchFolder

        init() throws {
            folder = try ScratchFolder()
            pictures = try ScratchFolder()
            for number in 1...6 {
                let picture = PixelBuffer(
                    filledWith: ProgramGallery.color(number), size: PixelSize(width: 64, height: 48)
                )
                try pictures.write(ImageEncoder.png(picture), to: "\(number).png")
            }
        }

        /// Opens the program as a reader does, and waits for its first picture.
        private func opened(
            _ arguments: [String], at position: String, in place: String? = nil
        ) throws -> ProgramScreen {
            let screen = try ProgramScreen(arguments + [place ?? pictures.path], in: folder)
            #expect(screen.wait { $0.position == position }, "\(screen.screen.text)")
            return screen
        }

        private func leave(_ screen: ProgramScreen) {
            #expect(screen.quit() == .code(0))
        }

        @Test(
            "a folder opens where it was left, unless told otherwise; a picture that is gone is replaced by its neighbour"
        )
        func folders() throws {
            let first = try opened([], at: "1/6")
            first.type("lll")
            #expect(first.wait { $0.position == "4/6" })
            leave(first)
            let second = try opened([], at: "4/6")
            #expect(second.waitFor("where you were: g goes to the start"))
            leave(second)
            leave(try opened(["--fresh"], at: "1/6"))
            leave(try opened(["--at", "2"], at: "2/6"))
            leave(try opened([], at: "2/6"))
            unlink(pictures.path + "/2.png")
            leave(try opened([], at: "2/5"))
        }

        @Test("a picture file opens itself, and its folder then opens there")
        func files() throws {
            leave(try opened([], at: "5/6", in: pictures.path + "/5.png"))
            leave(try opened([], at: "5/6"))
        }

        @Test("a key that comes first stays where it went")
        func early() throws {
            let gallery = try ProgramGallery(count: 24)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForSelected(1), "\(screen.screen.text)")
            screen.type("G")
            #expect(
                screen.wait { $0.position == "12/24" || $0.position == "24/24" },
                "\(screen.screen.text)")
            screen.type("G")
            #expect(screen.wait { $0.position == "24/24" })
            leave(screen)
            let again = try opened([], at: "24/24", in: gallery.address)
            leave(again)
        }

        @Test("an archive remembers its place and its two pages")
        func archives() throws {
            let files = try (1...6).map { number in
                let page = PixelBuffer(
                    filledWith: ProgramGallery.color(number), size: PixelSize(width: 48, height: 64)
                )
                return ("\(number).png", try ImageEncoder.png(page))
            }
            let path = folder.path + "/comic.cbz"
            #expect(PackedFiles.write(files, to: path, as: .zip))
            let screen = try opened([], at: "1/6", in: path)
            screen.type("ll\r")
            #expect(screen.wait { $0.bottom.contains("%") })
            screen.type("D")
            #expect(screen.waitFor("two pages"))
            screen.type("qq")
            #expect(screen.waitForExit() == .code(0))
            let again = try opened([], at: "3/6", in: path)
            again.type("\r")
            func colors() -> Set<CellColor> {
                again.colors(in: CellRect(x: 0, y: 1, columns: 80, rows: 22))
            }
            #expect(
                again.wait { _ in
                    colors().isSuperset(of: [2, 3].map { CellColor(ProgramGallery.color($0)) })
                        || colors().isSuperset(
                            of: [3, 4].map { CellColor(ProgramGallery.color($0)) })
                }, "\(again.screen.text)")
        }

        @Test("bookmarks come back, in another run and from another gallery")
        func bookmarks() throws {
            let first = try opened([], at: "1/6")
            first.type("l\"a")
            #expect(first.waitFor("'a comes back here"))
            first.type("'")
            #expect(first.waitFor("2.png, "))
            // Together they would be a key with Alt.
            first.type(Keys.escape)
            #expect(first.wait { !$0.screen.shows("2.png, ") })
            first.type("'z")
            #expect(first.waitFor("there is no bookmark z"))
            leave(first)
            let gallery = try ProgramGallery(count: 3)
            let second = try opened([], at: "1/3", in: gallery.address)
            second.type("'a")
            #expect(second.wait { $0.position == "2/6" }, "\(second.screen.text)")
            second.type("G'a")
            #expect(second.wait { $0.position == "2/6" })
        }

        @Test(
            "lines typed after : and / are there in the next run, but none that may hold a password"
        )
        func history() throws {
            let first = try opened([], at: "1/6")
            first.type("/4.png\r")
            #expect(first.wait { $0.position == "4/6" })
            first.type(":sort name\r")
            #expect(first.waitFor("sorted by name"))
            first.type(":open https://me:secret@example.invalid/\r")
            #expect(first.waitFor("no names or passwords"))
            first.type(":open me:secret@example.invalid\r")
            #expect(first.wait { $0.bottom.contains("no such file") }, "\(first.bottom)")
            first.type(":!echo secret\r")
            #expect(first.waitFor("Run this?"))
            first.type(Keys.escape)
            #expect(first.wait { !$0.screen.shows("Run this?") })
            leave(first)
            let second = try opened([], at: "4/6")
            second.type("/" + "\u{1B}[A")
            #expect(second.wait { $0.bottom.contains("/4.png") })
            // Together they would be a key with Alt.
            second.type(Keys.escape)
            #expect(second.wait { !$0.bottom.contains("/4.png") })
            second.type(":" + "\u{1B}[A")
            #expect(second.wait { $0.bottom.contains(":sort name") }, "\(second.bottom)")
            second.type(Keys.escape)
            // Together with a letter it would be that letter with Alt, which does nothing.
            #expect(second.wait { !$0.bottom.contains(":sort name") })
            leave(second)
            for file in ["state.db", "state.db-wal"] {
                #expect(
                    !String(utf8: folder.read(".local/state/halftone/" + file)).contains("secret"))
            }
        }

        @Test("without SOURCE, in a folder without pictures, the places where one was are shown")
        func home() throws {
            leave(try opened([], at: "1/6"))
            let empty = folder.path + "/empty"
            mkdir(empty, 0o700)
            let script = "cd '\(empty)' && exec \"$0\""
            let screen = try PtyProcess(
                "/bin/sh", arguments: ["-c", script, ProgramRun.executable],
                environment: folder.environment, size: CellSize(columns: 80, rows: 24))
            #expect(screen.wait { $0.shows("Recent places") && $0.shows("1 album") })
            screen.sendAlone("\r")
            #expect(screen.wait { $0.shows("6 pictures") }, "\(screen.screen.text)")
        }

        @Test("--no-state keeps nothing, --forget forgets")
        func nothing() throws {
            let first = try opened(["--no-state"], at: "1/6")
            first.type("ll:home\r")
            #expect(first.waitFor("no places are kept"))
            leave(first)
            #expect(access(folder.path + "/.local/state", F_OK) != 0)
            let second = try opened([], at: "1/6")
            second.type("ll")
            leave(second)
            #expect(try ProgramRun(["--forget"], in: folder).code == 0)
            leave(try opened([], at: "1/6"))
        }

        @Test("a damaged database is set aside, with one line when the screen is left")
        func damaged() throws {
            let first = try opened([], at: "1/6")
            first.type("l")
            leave(first)
            let place = ".local/state/halftone/state.db"
            for ending in ["-wal", "-shm"] { unlink(folder.path + "/" + place + ending) }
            try folder.write([UInt8](repeating: 0x41, count: 20_000), to: place)
            let second = try opened([], at: "1/6")
            second.type("q")
            #expect(second.waitForExit() == .code(0))
            #expect(
                second.wait { $0.screen.shows("and was renamed to state.db.damaged-") },
                "\(second.screen.text)")
        }
    }
}
