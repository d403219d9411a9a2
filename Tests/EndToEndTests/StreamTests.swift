import Basics
import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Lists on standard input that are shown as they arrive, and what is chosen from them.
    @Suite("Lists that flow") struct StreamTests {
        let folder: ScratchFolder

        init() throws {
            folder = try ScratchFolder()
            for number in 1...4 {
                try folder.write(
                    ProgramPictures.png(ProgramGallery.color(number)), to: "\(number).png")
            }
        }

        /// Starts the program with a pipe, to which `write` writes.
        private func begun(
            _ arguments: [String] = []
        ) throws -> (screen: ProgramScreen, write: (String) -> Void, end: () -> Void) {
            let fifo = folder.path + "/fifo"
            #expect(mkfifo(fifo, 0o600) == 0)
            // Opened for both, so that neither end waits for the other.
            let pipe = open(fifo, O_RDWR | O_CLOEXEC)
            let screen = try ProgramScreen(
                arguments + ["-"], in: folder, input: fifo, at: folder.path)
            return (
                screen, { _ = writeAll(Array($0.utf8), to: pipe) }, { _ = close(pipe) }
            )
        }

        @Test("pictures appear as their lines arrive; what is none is counted at the end")
        func flowing() throws {
            let (screen, write, end) = try begun()
            write("1.png\n")
            #expect(screen.wait { $0.position == "1/1+" && $0.selectedTitle == "1.png" })
            write(
                "2.png\n{\"path\":\"3.png\",\"title\":\"third\"}\n{\"image\":\"file:///etc/x.png\"}\n"
            )
            #expect(screen.wait { $0.position == "1/3+" }, "\(screen.screen.text)")
            screen.type("G")
            #expect(screen.wait { $0.selectedTitle == "third" })
            write("gone.png\n\(folder.path)/4.png")
            #expect(screen.screen.shows("loading…"))
            end()
            #expect(
                screen.wait {
                    $0.position == "3/4" && $0.screen.shows("lines that name no picture: 2")
                })
            // What was listed stays, read again.
            screen.type("R")
            #expect(screen.wait { $0.position == "3/4" })
            #expect(screen.quit() == .code(0))
        }

        @Test("one name on standard input is opened like an argument")
        func single() throws {
            let (screen, write, end) = try begun()
            write("2.png\n")
            end()
            #expect(screen.wait { $0.position == "2/4" }, "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }

        @Test("a field of what is chosen is printed, below a heading")
        func fields() throws {
            let records = (1...3).map {
                #"{"path":"\#($0).png","title":"No. \#($0)","id":\#($0 * 11)}"#
            }
            let list = try folder.write(records.joined(separator: "\n"), to: "list.jsonl")
            for arguments in [["-"], [list]] {
                let screen = try ProgramScreen(
                    ["-o", "--print-field", "id", "--heading", "Which one?"] + arguments,
                    in: folder, input: arguments == ["-"] ? list : nil, at: folder.path)
                #expect(
                    screen.wait {
                        $0.position == "1/3" && $0.screen.text(row: 0).contains("Which one?")
                    }, "\(screen.screen.text)")
                screen.type("l" + Keys.enter)
                #expect(screen.waitForExit() == .code(0))
                #expect(screen.screen.text.contains("22"))
            }
        }

        @Test("what has the same picture is told apart by its other keys, which stay as they are")
        func sameness() throws {
            let ids = ["1234567890123456789", "7", "\"x\""]
            let lines = ids.map { #"{"path":"\#(folder.path)/1.png","id":\#($0)}"# }
            let run = try ProgramRun(
                ["--json", "-"], in: folder, inputBytes: Array(lines.joined(separator: "\n").utf8))
            #expect(
                run.lines.map { $0.contains(/"id":"(1234567890123456789|7|x)"/) } == [
                    true, true, true,
                ])
            // Folders are albums here, too, and a control character names nothing.
            let (screen, write, end) = try begun(["-o", "--print-field", "id"])
            write("1.png\n\u{1B}[0m2.png\n{\"path\":\"\(folder.path)\"}\n")
            end()
            #expect(screen.wait { $0.position == "1/2" }, "\(screen.screen.text)")
            // What has no such field is not chosen.
            screen.type(Keys.enter)
            #expect(screen.waitForExit() == .code(1))
        }

        @Test("what --json prints is the same gallery again, of the web and of this machine")
        func records() throws {
            let gallery = try ProgramGallery(count: 3)
            for source in [gallery.address, folder.path] {
                let lines = try ProgramRun(["--json", source], in: folder)
                #expect(lines.lines.count == (source == folder.path ? 4 : 3))
                let input = Array(lines.output.utf8)
                let again = try ProgramRun(["--urls", "-"], in: folder, inputBytes: input)
                let direct = try ProgramRun(["--urls", source], in: folder)
                #expect(again.lines == direct.lines)
                let titles = try ProgramRun(["--json", "-"], in: folder, inputBytes: input)
                #expect(titles.lines.count == lines.lines.count)
                for (first, second) in zip(lines.lines, titles.lines) {
                    let (one, two) = (
                        LooseParser.value(of: Array(first.utf8)),
                        LooseParser.value(of: Array(second.utf8))
                    )
                    for key in ["title", "image", "thumbnail", "path", "link"] {
                        #expect(one?[key] == two?[key], "\(key)")
                    }
                }
            }
        }
    }
}
