import Basics
import Glibc
import Raster
import Remote
import TestSupport
import Testing

extension EndToEnd {
    /// Other programs at the program's socket.
    @Suite("Control from outside") struct RemoteTests {
        let folder: ScratchFolder
        private let gallery: ProgramGallery
        private var path: String { folder.path + "/socket" }

        init() throws {
            folder = try ScratchFolder()
            gallery = try ProgramGallery(count: 6)
        }

        private func begun(_ options: [String] = []) throws -> ProgramScreen {
            let screen = try ProgramScreen(
                ["--ipc", path] + options + [gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/6" }, "\(screen.screen.text)")
            return screen
        }

        private func ask(_ line: String) throws -> ProgramRun {
            try ProgramRun(["--remote", line], in: folder, environment: ["HALFTONE_SOCKET": path])
        }

        private func connected() throws -> (Int32, RemoteLines) {
            let socket = try RemoteSocket(path)
            #expect(socket.connect())
            return (socket.descriptor, RemoteLines(socket.descriptor))
        }

        @Test("--remote runs lines and prints properties; what is wrong is one line")
        func client() throws {
            let screen = try begun()
            #expect(try ask("right 2").code == 0)
            #expect(screen.wait { $0.position == "3/6" })
            let selection = try ask("get_property selection")
            #expect(selection.output.contains("\"title\":\"\(ProgramGallery.title(3))\""))
            #expect(try ask(":mark").code == 0)
            #expect(
                try ask("get_property marked").output
                    == "[\"\(gallery.server.url(gallery.fullPath(3)))\"]\n")
            #expect(try ask("get_property viewer").output == "false\n")
            for line in ["nonsense", "get_property nonsense", "observe_property x y", "right 2 3"] {
                let run = try ask(line)
                #expect(run.code == 1 && run.errors.count == 1, "\(line): \(run.errors)")
            }
            for line in [
                "!touch x", ":!touch x", "::!touch x", " : !touch x", "run touch x",
                "  run touch x", "open-elsewhere", "trash", "copy x",
                "move x",
                "rename x", "rotate-file right", "undo",
            ] {
                #expect(
                    try ask(line).errors.first?.hasSuffix("needs --ipc-commands all") == true,
                    "\(line)")
            }
            #expect(try ask("quit!").code == 0)
            #expect(screen.waitForExit() == .code(0))
            #expect(access(path, F_OK) != 0)
            #expect(try ask("right").errors.count == 1)
        }

        @Test("what answers is shown without controls")
        func listener() throws {
            let server = try RemoteServer(path: path)
            server.start { line, peer, done in
                if line != nil {
                    RemoteServer.send(
                        "{\"request_id\":1,\"error\":\"success\",\"data\":\"\u{1B}]0;pwn\u{7}x\"}",
                        to: peer)
                }
                done()
            }
            #expect(try ask("get_property place").output == "\"]0;pwnx\"\n")
            server.end()
        }

        @Test("what does not answer is not waited for")
        func silence() throws {
            let server = try RemoteServer(path: path)
            server.start { _, _, done in done() }
            #expect(try ask("get_property place").errors.first?.hasSuffix(": no answer") == true)
            server.end()
        }

        @Test("with --ipc-commands all programs are run, which find the socket")
        func commands() throws {
            let screen = try begun(["--ipc-commands", "all"])
            let script =
                "halftone() { \(ProgramRun.executable) \\\"$@\\\"; }; halftone --remote 'right 3'"
            #expect(try ask("!&sh -c \"\(script)\"").code == 0)
            #expect(screen.wait { $0.position == "4/6" }, "\(screen.screen.text)")
        }

        /// Configures the key E to run a script in the terminal, in which `halftone` is the program.
        private func bind(_ script: String, mode: String = "!") throws {
            let path = try folder.write(
                "#!/bin/sh\nhalftone() { \(ProgramRun.executable) \"$@\"; }\n\(script)\n",
                to: "script")
            #expect(chmod(path, 0o755) == 0)
            try folder.write(
                "{\"bind\": {\"gallery\": {\"E\": \"\(mode)\(path)\"}}}",
                to: "config/halftone/config.json")
        }

        @Test("a program in the terminal, and what it pages, is answered", arguments: ["!", "!|"])
        func answering(mode: String) throws {
            try bind("halftone --remote 'right 2' && echo answered", mode: mode)
            let screen = try ProgramScreen(
                ["--ipc", path, gallery.address], in: folder, environment: ["PAGER": "less"])
            #expect(screen.wait { $0.position == "1/6" }, "\(screen.screen.text)")
            screen.type("E")
            #expect(screen.waitFor("answered"), "\(screen.screen.text)")
            screen.type(mode == "!" ? "\r" : "q")
            #expect(screen.wait { $0.position == "3/6" }, "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }

        @Test("^C in a program in the terminal ends that program only, however long ago it was")
        func interrupted() throws {
            try bind("trap 'echo once more' INT; echo ready; while ! read line; do :; done")
            let screen = try begun()
            screen.type("mE")
            #expect(screen.waitFor("ready"), "\(screen.screen.text)")
            screen.process.send(Keys.interrupt)
            #expect(screen.waitFor("once more"), "\(screen.screen.text)")
            // Longer than an end that is asked for by a signal may take.
            #expect(screen.waitForExit(seconds: 4) == nil)
            screen.process.send("\n")
            #expect(screen.waitFor("Enter goes back"), "\(screen.screen.text)")
            screen.type("\r")
            #expect(screen.wait { $0.bottom.contains("1 marked") })
            #expect(screen.waitForExit(seconds: 4) == nil)
        }

        @Test("a SOURCE that does not exist is the line's failure")
        func missing() throws {
            let screen = try begun()
            let run = try ask("open /nonexistent")
            #expect(run.code == 1)
            #expect(run.errors.first?.hasSuffix("/nonexistent: no such file or folder") == true)
            #expect(try ask("open \(gallery.address)").code == 0)
            #expect(screen.wait { $0.position == "1/6" })
        }

        @Test("properties are observed, and events told")
        func events() throws {
            let screen = try begun(["--output", folder.path + "/saved"])
            var (peer, lines) = try connected()
            defer { close(peer) }
            RemoteServer.send(
                #"{"command":["observe_property",7,"selection"],"request_id":3}"#, to: peer)
            #expect(lines.next() == #"{"request_id":3,"error":"success"}"#)
            #expect(
                lines.next()?.hasPrefix(
                    #"{"event":"property-change","id":7,"name":"selection","data":{"section":1,"index":1,"#
                ) == true)
            screen.type("l")
            var seen: [String] = []
            func wait(for text: String) {
                while !(seen.last ?? "").contains(text), let line = lines.next() {
                    seen.append(line)
                }
            }
            wait(for: "selection-changed")
            #expect(seen.contains { $0.contains(#""id":7"#) && $0.contains(#""index":2,"#) })
            RemoteServer.send(#"{"command":["unobserve_property",7]}"#, to: peer)
            wait(for: "request_id")
            screen.type("ls")
            wait(for: "saved")
            #expect(
                seen.last?.hasPrefix(#"{"event":"saved","path":"\#(folder.path)/saved/"#) == true)
            #expect(!seen.contains { $0.contains(#""index":3,"#) })
            #expect(screen.quit() == .code(0))
            wait(for: "shutdown")
            #expect(seen.last == #"{"event":"shutdown"}"#)
        }

        @Test(
            "the socket is only this user's, and nothing that is there is replaced but an abandoned socket"
        )
        func socket() throws {
            let first = try begun()
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let second = try ProgramScreen(
                ["--ipc", path, gallery.address], in: folder, size: CellSize(columns: 160, rows: 30)
            )
            #expect(second.waitFor("another program listens there"))
            // It names no socket of others to what it runs.
            second.type(":!sh -c 'echo socket:$HALFTONE_SOCKET.'\r")
            #expect(second.waitFor("Run this?"))
            second.type("\r")
            #expect(second.waitFor("socket:."), "\(second.screen.text)")
            second.type("\r")
            #expect(second.wait { $0.position == "1/6" })
            #expect(second.quit() == .code(0))
            first.process.signal(SIGKILL)
            _ = first.waitForExit()
            #expect(try begun().quit() == .code(0))
            try folder.write("precious", to: "socket")
            let third = try ProgramScreen(
                ["--ipc", path, gallery.address], in: folder, size: CellSize(columns: 160, rows: 30)
            )
            #expect(third.waitFor("is no socket of this user's own"))
            #expect(third.quit() == .code(0))
            #expect(folder.read("socket") == Array("precious".utf8))
            unlink(path)
            try folder.write("precious", to: "target")
            symlink(folder.path + "/target", path)
            let fourth = try ProgramScreen(
                ["--ipc", path, gallery.address], in: folder, size: CellSize(columns: 160, rows: 30)
            )
            #expect(fourth.waitFor("is no socket of this user's own"))
            #expect(folder.read("target") == Array("precious".utf8))
        }

        @Test("garbage, endless lines, floods and programs that do not read disturb nothing")
        func hostility() throws {
            let screen = try begun()
            var (garbage, answers) = try connected()
            for line in [
                "{", "{}", #"{"command":3}"#, #"{"command":[[],{}]}"#, "\u{1B}[31m\u{7}",
                "{\"command\":[\"get_property\"]}",
            ] {
                RemoteServer.send(line, to: garbage)
            }
            while let answer = answers.next(), !answer.contains("property not found") {
                #expect(answer.hasPrefix(#"{"request_id":0,"error":"#), "\(answer)")
            }
            close(garbage)
            var (endless, none) = try connected()
            let chunk = [UInt8](repeating: 0x61, count: 1 << 16)
            while send(endless, chunk, chunk.count, Int32(MSG_NOSIGNAL)) > 0 {}
            #expect(none.next() == nil)
            close(endless)
            let (deaf, _) = try connected()
            RemoteServer.send(#"{"command":["observe_property",1,"selection"]}"#, to: deaf)
            var (flood, replies) = try connected()
            for number in 0..<3_000 {
                let request =
                    "{\"command\":[\"\(number % 2 == 0 ? "right" : "left")\"],\"request_id\":\(number)}\n"
                #expect(writeAll(Array(request.utf8), to: flood) == 0)
                while let reply = replies.next(), !reply.contains("\"request_id\":\(number),") {}
            }
            close(flood)
            screen.type("ll")
            #expect(screen.wait { $0.position == "3/6" }, "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
            close(deaf)
        }
    }
}
