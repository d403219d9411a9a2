import Basics
import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Other programs' pictures in the program beside, or in a new pane.
    @Suite("Pictures shown from outside") struct ShowTests {
        let folder: ScratchFolder
        private var sockets: String { folder.path + "/.local/state/halftone/run" }

        init() throws {
            folder = try ScratchFolder()
            for number in 1...9 { try write(number) }
        }

        private func write(_ number: Int) throws {
            let color = ProgramGallery.color(number)
            try folder.write(
                ImageEncoder.png(
                    PixelBuffer(filledWith: color, size: PixelSize(width: 80, height: 60))),
                to: "made/\(number).png")
        }

        private func names(in folder: String) -> [String] { fileNames(in: folder, limit: 99) ?? [] }

        private func path(_ number: Int) -> String { "\(folder.path)/made/\(number).png" }

        private func begun(_ options: [String] = []) throws -> (ProgramGallery, ProgramScreen) {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen(options + [gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/6" }, "\(screen.screen.text)")
            return (gallery, screen)
        }

        private func show(
            _ arguments: String..., environment: [String: String] = [:], input: [UInt8]? = nil
        ) throws -> ProgramRun {
            try ProgramRun(
                ["--show"] + arguments, in: folder, environment: environment, inputBytes: input)
        }

        /// Quits by way of the gallery that was there before.
        private func leave(_ screen: ProgramScreen) {
            screen.type("q")
            #expect(screen.wait { $0.position == "1/6" })
            #expect(screen.quit() == .code(0))
        }

        @Test(
            "pictures appear in the program that runs, newest first, in the viewer if that is open")
        func running() throws {
            let (gallery, screen) = try begun()
            let first = try show(path(1), path(2))
            #expect(first.code == 0 && first.output.isEmpty && first.errors.isEmpty)
            #expect(screen.wait { $0.selectedTitle == "2.png" && $0.position == "1/2" })
            #expect(screen.screen.shows("Shown"))
            screen.type("l")
            #expect(screen.wait { $0.selectedTitle == "1.png" })
            #expect(try show(path(3)).code == 0)
            #expect(screen.wait { $0.selectedTitle == "3.png" && $0.position == "1/3" })
            // One that is shown again is the newest again.
            #expect(try show(path(1)).code == 0)
            #expect(screen.wait { $0.selectedTitle == "1.png" && $0.position == "1/3" })
            screen.type(Keys.enter)
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(1))] })
            #expect(try show(path(4)).code == 0)
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(4))] })
            screen.type(Keys.escape)
            #expect(screen.wait { $0.selectedTitle == "4.png" && $0.position == "1/4" })
            // Back where the reader was.
            screen.type("<")
            #expect(screen.wait { $0.position == "1/6" }, "\(screen.screen.text)")
            let address = gallery.server.url(gallery.fullPath(5))
            #expect(try show(address).code == 0)
            #expect(screen.wait { $0.position == "1/5" })
            // What is drawn anew there is here, too, and what is removed stays for those who look at it.
            #expect(try show(path(5)).code == 0)
            screen.type(Keys.enter)
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(5))] })
            rename(path(6), path(5))
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(6))] })
            unlink(path(5))
            screen.type(Keys.escape)
            #expect(screen.wait { $0.selectedTitle == "5.png" })
            leave(screen)
            #expect(names(in: sockets) == ["lock"])
        }

        @Test(
            "a picture from a pipe is shown, and so is what a pipe lists; what does not exist is told"
        )
        func pipes() throws {
            let (gallery, screen) = try begun()
            withExtendedLifetime(gallery) {}
            #expect(try show("-", input: folder.read("made/5.png")).code == 0)
            #expect(screen.wait { $0.position == "1/1" })
            screen.type(Keys.enter)
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(5))] })
            screen.type(Keys.escape)
            #expect(try show("-", input: Array("\(path(6))\n\(path(7))\n".utf8)).code == 0)
            #expect(screen.wait { $0.selectedTitle == "7.png" && $0.position == "1/3" })
            let run = try show(path(8), "none.png")
            #expect(run.code == 1 && run.errors.count == 1)
            #expect(run.errors[0].contains("none.png") && run.errors[0].contains("no such file"))
            #expect(screen.wait { $0.selectedTitle == "8.png" })
            #expect(try show().code == 2)
            leave(screen)
        }

        @Test("the socket of a program that has ended is removed, not that of one that is starting")
        func dead() throws {
            #expect(try show(path(1)).code == 0)
            let (living, dead) = ("\(getpid())", "999999999")
            for name in [living, dead] {
                let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(descriptor) }
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                let path = Array("\(sockets)/\(name)".utf8)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
                let length = socklen_t(MemoryLayout.size(ofValue: address))
                let code = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, length)
                    }
                }
                #expect(code == 0)
            }
            #expect(try show(path(1)).code == 0)
            #expect(Set(names(in: sockets)) == ["lock", living])
        }

        @Test(
            "at the socket that all find only pictures are shown, moves made and questions answered"
        )
        func rights() throws {
            let (gallery, screen) = try begun()
            func ask(_ line: String) throws -> ProgramRun {
                try ProgramRun(["--remote", line], in: folder)
            }
            #expect(try ask("right 2").code == 0)
            #expect(screen.wait { $0.position == "3/6" })
            #expect(try ask("get_property selection").output.contains(ProgramGallery.title(3)))
            for line in [
                "open \(gallery.address)", "save", "quit", "sort name", "mark", "view", "tile 40",
            ] {
                #expect(try ask(line).errors.first?.hasSuffix("needs --ipc") == true, "\(line)")
            }
            for line in ["!touch x", "trash", "copy-picture"] {
                #expect(try ask(line).code == 1, "\(line)")
            }
            #expect(try ask("show sftp://nas/x.png").code == 1)
            #expect(screen.quit() == .code(0))
            #expect(try ask("right").code == 2)
        }

        @Test("the program in the same tmux session is nearer than the one used last")
        func nearest() throws {
            let gallery = try ProgramGallery(count: 6)
            let own = ["TMUX": "/tmp/tmux-0/default,7,1", "TERM": "tmux-256color"]
            let beside = try ProgramScreen([gallery.address], in: folder, environment: own)
            #expect(beside.wait { $0.position == "1/6" })
            let other = try ProgramScreen([gallery.address], in: folder)
            #expect(other.wait { $0.position == "1/6" })
            other.type("l")
            #expect(other.wait { $0.position == "2/6" })
            #expect(try show(path(1), environment: own).code == 0)
            #expect(beside.wait { $0.position == "1/1" })
            #expect(other.position == "2/6")
            #expect(try show(path(2)).code == 0)
            #expect(other.wait { $0.selectedTitle == "2.png" })
            #expect(beside.position == "1/1")
        }

        @Test(
            "without a program a pane is opened, by one of many only; without a pane it is printed")
        func pane() throws {
            // Starts what it is given in a terminal of its own.
            try folder.write(
                "#!/bin/sh\nfor word; do echo \"$word\"; done >> \"$HOME/words\"\nshift 5\n"
                    + "setsid script -qc \"$*\" /dev/null > /dev/null 2>&1 < /dev/null &\n",
                to: "bin/tmux")
            chmod(folder.path + "/bin/tmux", 0o755)
            let environment = [
                "TMUX": "/tmp/x,1,0", "PATH": folder.path + "/bin:/usr/bin:/bin",
                "TERM": "tmux-256color",
            ]
            try folder.write("{\"split\": \"below:30\"}", to: "config/halftone/config.json")
            let run = try ProgramRun(
                ["--show"] + (1...9).map(path), in: folder, environment: environment)
            #expect(run.code == 0 && run.output.isEmpty, "\(run.errors)")
            #expect(try show(path(2), environment: environment).code == 0)
            let words = String(decoding: folder.read("words"), as: UTF8.self)
                .split(separator: "\n").map(String.init)
            #expect(words.prefix(5) == ["split-window", "-d", "-v", "-l", "30%"])
            #expect(words[5...6] == ["env", "HALFTONE_PANE=" + sockets])
            #expect(words.count == 9 && words.last == "--show")
            let pane = names(in: sockets).compactMap { pid_t($0) }
            #expect(pane.count == 1)
            let shown = try ProgramRun(["--remote", "get_property selection"], in: folder)
            #expect(shown.output.contains("2.png"), "\(shown.output) \(shown.errors)")
            pane.forEach { kill($0, SIGKILL) }
            let printed = try show("-", input: folder.read("made/1.png"))
            #expect(printed.code == 0 && !printed.output.isEmpty)
            // The reader's own files stay, whatever they are called.
            let own = try folder.write(folder.read("made/1.png"), to: "made/picture-1.png")
            #expect(try show(own).code == 0)
            #expect(access(own, F_OK) == 0)
            #expect(names(in: sockets) == ["lock"])
        }

        @Test("a suspended program is passed over")
        func suspended() throws {
            let (gallery, screen) = try begun()
            let other = try ProgramScreen([gallery.address], in: folder)
            #expect(other.wait { $0.position == "1/6" })
            other.type("l")
            #expect(other.wait { $0.position == "2/6" })
            kill(other.process.identifier, SIGSTOP)
            for number in 1...2 { #expect(try show(path(number)).code == 0) }
            #expect(screen.wait { $0.selectedTitle == "2.png" && $0.position == "1/2" })
            kill(other.process.identifier, SIGCONT)
            leave(screen)
        }

        @Test("a link or what others may change in its place, and --no-socket, mean no socket")
        func places() throws {
            let away = try folder.write([], to: "away/x").dropLast(2)
            let runtime = folder.path + "/runtime"
            mkdir(runtime, 0o700)
            symlink(String(away), runtime + "/halftone")
            let environment = ["XDG_RUNTIME_DIR": runtime]
            let gallery = try ProgramGallery(count: 3)
            for kind in ["link", "open", "off"] {
                if kind != "link" {
                    unlink(runtime + "/halftone")
                    mkdir(runtime + "/halftone", 0o777)
                    chmod(runtime + "/halftone", kind == "open" ? 0o777 : 0o700)
                }
                let screen = try ProgramScreen(
                    (kind == "off" ? ["--no-socket"] : []) + [gallery.address], in: folder,
                    environment: environment)
                #expect(screen.wait { $0.position == "1/3" })
                #expect(names(in: String(away)) == ["x"])
                #expect(names(in: runtime + "/halftone").filter { $0 != "x" }.isEmpty)
                #expect(screen.quit() == .code(0))
            }
        }

        @Test("twenty writers at once lose none of a hundred pictures")
        func writers() async throws {
            let (gallery, screen) = try begun()
            withExtendedLifetime(gallery) {}
            for number in 10..<110 { try write(number) }
            let paths = (10..<110).map(path)
            let codes = try await withThrowingTaskGroup(of: Int32?.self) { [folder] group in
                for writer in 0..<20 {
                    group.addTask {
                        let own = try ScratchFolder()
                        let pair = Array(paths[writer * 5..<writer * 5 + 5])
                        return try ProgramRun(
                            ["--show"] + pair, in: own,
                            environment: ["HOME": folder.path]
                        ).code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: 0, count: 20))
            #expect(screen.wait { $0.position == "1/100" }, "\(screen.screen.text)")
            leave(screen)
        }
    }
}
