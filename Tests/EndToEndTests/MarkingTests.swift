import Basics
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Marks and the commands that use them.
    @Suite("Marking and selecting") struct MarkingTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private func opened(_ gallery: ProgramGallery) throws -> ProgramScreen {
            let screen = try ProgramScreen(["--output", folder.path, gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/12" }, "\(screen.screen.text)")
            return screen
        }

        @Test("V marks a range, } and { go to the next and previous mark")
        func ranges() throws {
            let screen = try opened(ProgramGallery(count: 12))
            screen.type("lV2lV")
            #expect(screen.waitFor("4/12 · 3 marked"), "\(screen.bottom)")
            screen.type("}")
            #expect(screen.waitForSelected(2))
            screen.type("{")
            #expect(screen.waitForSelected(4))
            screen.type("gVl" + Keys.escape)
            #expect(screen.waitForSelected(2))
            screen.type("V")
            #expect(screen.waitFor("a range begins here"), "\(screen.bottom)")
        }

        @Test("saving shows progress and clears the marks; saving again reports the existing file")
        func saving() throws {
            let gallery = try ProgramGallery(count: 12)
            let gate = Gate()
            gallery.server.route(gallery.fullPath(2)) { _ in
                .picture(ProgramGallery.fullColor(2)).held(by: gate)
            }
            let screen = try opened(gallery)
            screen.type("mlms")
            #expect(screen.waitFor("2/12 · 1 marked"), "\(screen.bottom)")
            screen.type("l")
            #expect(screen.waitFor("saving 2 of 2"), "\(screen.bottom)")
            gate.open()
            #expect(screen.wait { $0.position == "3/12" && !$0.bottom.contains("marked") })
            #expect(screen.wait { !$0.bottom.contains("saving") }, "\(screen.bottom)")
            screen.type("hs")
            #expect(screen.waitFor("saved before (see --again)"), "\(screen.bottom)")
        }

        @Test("keys that arrive together with q after it do nothing")
        func afterQuitting() throws {
            let gallery = try ProgramGallery(count: 12)
            let screen = try opened(gallery)
            screen.settle()
            screen.process.send("qmQ")
            #expect(screen.waitForExit() == .code(0))
            let output = String(decoding: screen.process.output, as: UTF8.self)
            #expect(!output.hasSuffix(gallery.server.url(gallery.fullPath(1)) + "\r\n"))
        }

        @Test("Q quits and prints the marked pictures on the original screen")
        func printing() throws {
            let gallery = try ProgramGallery(count: 12)
            let screen = try opened(gallery)
            screen.type("lmlm")
            #expect(screen.waitFor("2 marked"))
            screen.type("Q")
            #expect(screen.waitForExit() == .code(0))
            let printed = [2, 3].map { gallery.server.url(gallery.fullPath($0)) }
            let output = String(decoding: screen.process.output, as: UTF8.self)
            #expect(output.hasSuffix(printed.map { $0 + "\r\n" }.joined()))
        }

        @Test("-o prints the path or address chosen with Enter to a pipe and draws on the terminal")
        func choosing() throws {
            for name in ["one", "two", "three"] {
                _ = try folder.write(ProgramPictures.png(RGB(0x336699)), to: "shots/\(name).png")
            }
            let command = "'\(ProgramRun.executable)' --no-config -o shots > chosen"
            let process = try PtyProcess(
                "/bin/sh", arguments: ["-c", "cd '\(folder.path)' && exec " + command],
                environment: folder.environment)
            #expect(process.wait { $0.shows("1/3") }, "\(process.screen.text)")
            process.send("l")
            #expect(process.wait { $0.shows("2/3") })
            process.sendAlone("\r")
            #expect(process.waitForExit() == .code(0))
            let chosen = smallFile(folder.path + "/chosen", limit: 4096) ?? []
            #expect(String(decoding: chosen, as: UTF8.self) == folder.path + "/shots/three.png\n")
        }

        @Test(
            "-o keeps the bytes of a name, ends it with NUL if asked, and exits with 1 without a choice"
        )
        func choosingBytes() throws {
            let shots = folder.path + "/shots"
            _ = try folder.write(ProgramPictures.png(RGB(0x336699)), to: "shots/a.png")
            try Tool.run("sh", ["-c", "cd '\(shots)' && mv a.png \"$(printf 'caf\\351.png')\""])
            for (key, code, bytes) in [
                ("\r", Int32(0), Array("\(shots)/caf".utf8) + [0xE9] + Array(".png\0".utf8)),
                ("q", 1, []),
            ] {
                let command = "'\(ProgramRun.executable)' --no-config --print0 -o shots > chosen"
                let process = try PtyProcess(
                    "/bin/sh", arguments: ["-c", "cd '\(folder.path)' && exec " + command],
                    environment: folder.environment)
                #expect(process.wait { $0.shows("1/1") }, "\(process.screen.text)")
                process.sendAlone(key)
                #expect(process.waitForExit() == .code(code))
                #expect(folder.read("chosen") == bytes)
            }
        }

        @Test(
            "--choose-file writes what Enter or Q chooses to a file; without a choice that stays as it was",
            arguments: [
                ("lm", "\r", "two.png\n", []), ("mlm", "Q", "one.png\ntwo.png\n", []),
                ("", "\r", "one.png\0", ["--print0"]), ("l", "q", nil, []),
            ] as [(String, String, String?, [String])])
        func choosingFile(
            keys: String, last: String, names: String?, options: [String]
        ) throws {
            for name in ["one", "two"] {
                _ = try folder.write(ProgramPictures.png(RGB(0x336699)), to: "shots/\(name).png")
            }
            let before = String(repeating: "longer than any name\n", count: 50)
            let path = try folder.write(before, to: "chosen")
            let shots = folder.path + "/shots/"
            let screen = try ProgramScreen(
                ["--sort", "title", "--choose-file", path, shots] + options, in: folder)
            #expect(screen.waitFor("1/2"), "\(screen.screen.text)")
            screen.type(keys + last)
            #expect(screen.waitForExit() == .code(names == nil ? 1 : 0))
            let end = names == "one.png\0" ? "\0" : "\n"
            let chosen = names?.split(separator: Character(end)).map { shots + $0 + end }.joined()
            #expect(String(decoding: folder.read("chosen"), as: UTF8.self) == chosen ?? before)
            // Standard output stays the program's that runs it.
            let output = String(decoding: screen.process.output, as: UTF8.self)
            #expect(output.split(separator: "\u{1B}[?1049l").last?.contains(".png") == false)
        }

        @Test("a file for the choice that cannot be written is one line, and exit code 1")
        func choosingFileFails() throws {
            _ = try folder.write(ProgramPictures.png(RGB(0x336699)), to: "shots/one.png")
            let path = folder.path + "/missing/chosen"
            let screen = try ProgramScreen(
                ["--choose-file", path, folder.path + "/shots/"], in: folder)
            #expect(screen.waitFor("1/1"), "\(screen.screen.text)")
            screen.type("\r")
            #expect(screen.waitForExit() == .code(1))
            let output = String(decoding: screen.process.output, as: UTF8.self)
            #expect(
                output.hasSuffix("halftone: \(path): No such file or directory\r\n"), "\(output)")
        }

        @Test("every mistake of the configuration is told after the screen")
        func mistakesAfterwards() throws {
            let gallery = try ProgramGallery(count: 2)
            let file = try folder.write("{\n\"tile\": 3,\n\"layuot\": 1\n}", to: "c.json")
            let screen = try ProgramScreen(["--config", file, gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/2" }, "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
            let output = String(decoding: screen.process.output, as: UTF8.self)
            let end = output.split(separator: "\u{1B}[?1049l").last ?? ""
            #expect(end.contains(":2: tile: ") && end.contains(":3: layuot: "), "\(end)")
        }

        @Test("a picture removed by a command is gone when the program has the terminal again")
        func removed() throws {
            for name in ["one", "two"] {
                _ = try folder.write(ProgramPictures.png(RGB(0x336699)), to: "shots/\(name).png")
            }
            let screen = try ProgramScreen([folder.path + "/shots/"], in: folder)
            #expect(screen.waitFor("1/2"), "\(screen.screen.text)")
            screen.type("!rm\r")
            #expect(screen.waitFor("Run this?"), "\(screen.screen.text)")
            screen.type("\r")
            #expect(screen.waitFor("halftone: rm has ended; Enter goes back"))
            screen.type("\r")
            #expect(screen.wait { $0.screen.isAlternate && $0.position == "1/1" })
            #expect(screen.waitFor("two"), "\(screen.screen.text)")
        }

        @Test("! runs a command on the marked pictures after confirmation, without a shell")
        func running() throws {
            let name = "a'b;$(touch x) \"c\".png"
            _ = try folder.write(ProgramPictures.png(RGB(0x336699)), to: "shots/\(name)")
            _ = try folder.write(ProgramPictures.png(RGB(0x336699)), to: "target/t.png")
            let screen = try ProgramScreen([folder.path + "/shots/"], in: folder)
            #expect(screen.waitFor("1/1"), "\(screen.screen.text)")
            screen.type("m!cp -t '\(folder.path)/target'\r")
            #expect(screen.waitFor("Run this?"), "\(screen.screen.text)")
            #expect(smallFile(folder.path + "/target/" + name, limit: 4096) == nil)
            screen.type("\r")
            #expect(
                screen.waitFor("halftone: cp has ended; Enter goes back"), "\(screen.screen.text)")
            #expect(smallFile(folder.path + "/target/" + name, limit: 4096) != nil)
            screen.type("\r")
            #expect(screen.wait { $0.screen.isAlternate && $0.position == "1/1" })
            screen.type("!/nowhere/x {}\r")
            #expect(screen.waitFor("Run this?"))
            screen.type("\r")
            #expect(screen.waitFor("/nowhere/x: No such file or directory"))
            screen.type("\r")
            #expect(screen.wait { $0.screen.isAlternate && $0.position == "1/1" })
            // Marks stay after a command, and q would ask.
            screen.type("u")
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind == [])
        }
    }
}
