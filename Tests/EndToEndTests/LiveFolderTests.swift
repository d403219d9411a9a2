import Basics
import Browser
import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// A picture file with its folder around it, and folders that change while they are shown.
    @Suite("Live folders") struct LiveFolderTests {
        let folder: ScratchFolder
        private let pictures: ScratchFolder

        init() throws {
            folder = try ScratchFolder()
            pictures = try ScratchFolder()
            for number in [10, 20, 30] { try write(number) }
        }

        private func write(_ number: Int, to name: String? = nil) throws {
            let picture = PixelBuffer(
                filledWith: ProgramGallery.color(number), size: PixelSize(width: 64, height: 48))
            // Renamed from outside the folder, as a camera's software does.
            let made = try folder.write(ImageEncoder.png(picture), to: "made.png")
            rename(made, pictures.path + "/" + (name ?? "\(number).png"))
        }

        private func makeOlder(_ number: Int, by seconds: Int) {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            time.tv_sec -= seconds
            #expect(utimensat(AT_FDCWD, pictures.path + "/\(number).png", [time, time], 0) == 0)
        }

        private func shows(_ number: Int) -> (ProgramScreen) -> Bool {
            { screen in
                let (x, y) = (screen.screen.size.columns / 2, screen.screen.size.rows / 2)
                return screen.grid[x, y].visibleColors.contains(
                    CellColor(ProgramGallery.color(number)))
            }
        }

        @Test(
            "a picture file opens in the viewer with its folder around it; Esc is the grid, q quits"
        )
        func file() throws {
            let screen = try ProgramScreen([pictures.path + "/20.png"], in: folder)
            #expect(screen.wait { $0.position == "2/3" && shows(20)($0) }, "\(screen.screen.text)")
            screen.type("n")
            #expect(screen.wait { $0.position == "3/3" && shows(30)($0) })
            screen.type(Keys.escape)
            #expect(screen.wait { $0.selectedTitle == "30.png" }, "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
            let other = try ProgramScreen([pictures.path + "/20.png"], in: folder)
            #expect(other.wait { $0.position == "2/3" })
            #expect(other.quit() == .code(0))
        }

        @Test("--alone shows only the file; so do several files, and what needs no screen")
        func alone() throws {
            let path = pictures.path + "/20.png"
            let screen = try ProgramScreen(["--alone", path], in: folder)
            #expect(screen.wait { $0.position == "1/1" && shows(20)($0) }, "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
            let list = try ProgramScreen([path, pictures.path + "/10.png"], in: folder)
            #expect(list.wait { $0.position == "1/2" }, "\(list.screen.text)")
            #expect(list.quit() == .code(0))
            let urls = try ProgramRun(["--urls", path], in: folder)
            #expect(urls.output == "file://\(path)\n")
            let chooser = try ProgramScreen(["-o", path], in: folder)
            #expect(chooser.wait { $0.position == "1/1" }, "\(chooser.screen.text)")
        }

        @Test("--at starts at a name or number")
        func at() throws {
            for place in ["30.png", "3"] {
                let screen = try ProgramScreen(["--at", place, pictures.path], in: folder)
                #expect(screen.wait { $0.position == "3/3" }, "\(screen.screen.text)")
                #expect(screen.quit() == .code(0))
            }
        }

        @Test(
            "files that are added, removed, replaced and renamed appear; the selection stays on its picture"
        )
        func changes() throws {
            let screen = try ProgramScreen([pictures.path], in: folder)
            #expect(screen.wait { $0.position == "1/3" })
            screen.type("l")
            #expect(screen.wait { $0.selectedTitle == "20.png" }, "\(screen.screen.text)")
            try write(15)
            #expect(screen.wait { $0.position == "3/4" && $0.selectedTitle == "20.png" })
            unlink(pictures.path + "/15.png")
            #expect(screen.wait { $0.position == "2/3" && $0.selectedTitle == "20.png" })
            rename(pictures.path + "/20.png", pictures.path + "/99.png")
            #expect(screen.wait { $0.position == "3/3" && $0.selectedTitle == "99.png" })
            screen.type(Keys.enter)
            #expect(screen.wait(shows(20)))
            try write(40, to: "99.png")
            #expect(screen.wait(shows(40)), "\(screen.screen.text)")
            unlink(pictures.path + "/99.png")
            #expect(screen.wait { $0.position == "2/2" && shows(30)($0) }, "\(screen.screen.text)")
            screen.type(Keys.escape)
            #expect(screen.wait { $0.selectedTitle == "30.png" })
            #expect(screen.quit() == .code(0))
        }

        @Test("a half-written file is shown once its writer has closed it")
        func halfWritten() throws {
            let picture = PixelBuffer(
                filledWith: ProgramGallery.color(7), size: PixelSize(width: 64, height: 48))
            let bytes = try ImageEncoder.png(picture)
            let screen = try ProgramScreen([pictures.path], in: folder)
            #expect(screen.wait { $0.position == "1/3" })
            let file = open(pictures.path + "/05.png", O_WRONLY | O_CREAT, 0o600)
            #expect(
                screen.wait { $0.position == "1/4" && $0.screen.shows("✗") },
                "\(screen.screen.text)")
            #expect(writeAll(bytes, to: file) == 0)
            close(file)
            #expect(screen.wait { !$0.screen.shows("✗") && $0.grid.shows(ProgramGallery.color(7)) })
            #expect(screen.quit() == .code(0))
        }

        @Test("--newest goes to newer files until another picture is selected")
        func newest() throws {
            for (number, age) in [(10, 300), (20, 200), (30, 100)] {
                makeOlder(number, by: age)
            }
            let screen = try ProgramScreen(["--newest", pictures.path], in: folder)
            #expect(screen.wait { $0.selectedTitle == "30.png" }, "\(screen.screen.text)")
            try write(11)
            #expect(screen.wait { $0.selectedTitle == "11.png" && $0.position == "2/4" })
            screen.type("l")
            #expect(screen.wait { $0.selectedTitle == "20.png" })
            try write(12)
            #expect(screen.wait { $0.position == "4/5" && $0.selectedTitle == "20.png" })
            #expect(screen.quit() == .code(0))
        }

        @Test(
            "--newest follows whole trees of several folders, new ones, too, but not those ignored")
        func trees() throws {
            for (number, age) in [(10, 300), (20, 200), (30, 100)] { makeOlder(number, by: age) }
            let other = try ScratchFolder()
            let made = pictures.path + "/a/b"
            makeFolder(made + "/c", mode: 0o700)
            for name in ["node_modules", "out"] { makeFolder("\(other.path)/\(name)", mode: 0o700) }
            symlink(pictures.path + "/10.png", other.path + "/0.png")
            let screen = try ProgramScreen(
                ["--newest", "--ignore", "out", pictures.path, other.path], in: folder)
            #expect(screen.wait { $0.selectedTitle == "30.png" }, "\(screen.screen.text)")
            try write(40, to: "a/b/c/40.png")
            #expect(screen.wait { $0.selectedTitle == "a/b/c/40.png" }, "\(screen.screen.text)")
            // In a folder that is made with it, and in the other gallery.
            let (later, ignored) = (
                other.path + "/x/later.png", ["node_modules/1.png", "out/2.png"]
            )
            for name in ignored { link(pictures.path + "/20.png", "\(other.path)/\(name)") }
            makeFolder(other.path + "/x", mode: 0o700)
            link(pictures.path + "/a/b/c/40.png", later)
            let time = timespec(tv_sec: 4_000_000_000, tv_nsec: 0)
            #expect(utimensat(AT_FDCWD, later, [time, time], 0) == 0)
            #expect(screen.wait { $0.selectedTitle == "x/later.png" }, "\(screen.screen.text)")
            #expect(screen.screen.text.contains("2 pictures"), "\(screen.screen.text)")
            // Another folder in the place of one has other pictures.
            makeFolder(other.path + "/y", mode: 0o700)
            let red = RGB(red: 255, green: 0, blue: 0)
            let picture = PixelBuffer(filledWith: red, size: PixelSize(width: 64, height: 48))
            rename(
                try folder.write(ImageEncoder.png(picture), to: "red.png"),
                other.path + "/y/later.png")
            rename(other.path + "/x", folder.path + "/x")
            rename(other.path + "/y", other.path + "/x")
            #expect(screen.wait { $0.grid.shows(red) }, "\(screen.screen.text)")
            // A folder that is moved is followed to its new place.
            rename(made, pictures.path + "/d")
            #expect(screen.wait { $0.screen.shows("d/c/40.png") }, "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }

        @Test("ten thousand files at once are shown, and the keys are answered")
        func flood() throws {
            let screen = try ProgramScreen([pictures.path], in: folder)
            #expect(screen.wait { $0.position == "1/3" })
            for number in 1_000..<11_000 {
                symlink("30.png", pictures.path + "/\(number).png")
            }
            screen.type("l")
            #expect(screen.wait { $0.position == "2/10003" && $0.selectedTitle == "20.png" })
            #expect(screen.quit() == .code(0))
        }

        @Test("a folder whose changes are not seen says so", .enabled(if: Self.canLimitWatches))
        func noWatches() throws {
            let script = "echo 0 > /proc/sys/user/max_inotify_watches; exec \"$0\" \"$@\""
            let screen = try PtyProcess(
                "/usr/bin/unshare",
                arguments: ["-Ur", "sh", "-c", script, ProgramRun.executable, pictures.path],
                environment: folder.environment, size: CellSize(columns: 100, rows: 30))
            #expect(
                screen.wait {
                    $0.shows("changes here are not seen (no more watches): R looks again")
                })
        }

        @Test(
            "sub-folders beyond the kernel's watches are told", .enabled(if: Self.canLimitWatches))
        func fewWatches() throws {
            for name in ["a", "b", "c"] { makeFolder("\(pictures.path)/\(name)", mode: 0o700) }
            let script = "echo 2 > /proc/sys/user/max_inotify_watches; exec \"$0\" \"$@\""
            let screen = try PtyProcess(
                "/usr/bin/unshare",
                arguments: ["-Ur", "sh", "-c", script, ProgramRun.executable, "-r", pictures.path],
                environment: folder.environment, size: CellSize(columns: 100, rows: 30))
            #expect(screen.wait { $0.shows("some folders are only seen every half minute") })
        }

        private static let canLimitWatches =
            (try? Tool.run(
                "unshare", ["-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_watches"]))
            != nil
    }
}

extension CellGrid {
    fileprivate func shows(_ color: RGB) -> Bool {
        cells.contains { $0.visibleColors.contains(CellColor(color)) }
    }
}
