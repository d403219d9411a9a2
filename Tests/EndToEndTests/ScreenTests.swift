import Basics
import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The screen") struct ScreenTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test("resizing keeps the selection and leaves no artefacts")
        func resize() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 24)
            let screen = try ProgramScreen([gallery.address], in: folder, size: EndToEnd.sizes[1])
            #expect(screen.waitForThumbnails(1...8))
            screen.type("9l")
            #expect(screen.waitForSelected(10))
            for (columns, rows) in [(60, 20), (200, 60), (24, 9), (80, 24)] {
                screen.process.resize(to: CellSize(columns: columns, rows: rows))
                #expect(screen.wait { $0.position == "10/24" }, "\(screen.screen.text)")
                #expect(columns < 24 || screen.waitForSelected(10))
                #expect(screen.changesByRedraw() == [], "\(columns)×\(rows)")
            }
            #expect(screen.waitForThumbnails([10]))
        }

        @Test("a redraw produces the same cells in grid, list, viewer and help")
        func redraw() throws {
            let gallery = try ProgramGallery(count: 12)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            for keys in ["jj", "v", "\r", "n", "+", "\u{1B}", "i", "?", "\u{1B}"] {
                screen.type(keys)
                #expect(screen.changesByRedraw() == [], "after \(keys.debugDescription)")
            }
            #expect(screen.screen.unrecognised.isEmpty)
        }

        @Test("all threads share two heaps, so that memory freed by one is reused by others")
        func heaps() throws {
            let gallery = try ProgramGallery(count: 24)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            let path = "/proc/\(screen.process.identifier)/maps"
            let maps = String(decoding: smallFile(path, limit: 1 << 20) ?? [], as: UTF8.self)
            // glibc reserves 64 MB for each heap but the first, at a multiple of that size, and uses the beginning.
            let starts = maps.split(separator: "\n").filter {
                $0.contains(" rw-p 00000000 00:00 0")
            }
            .compactMap { Int($0.prefix { $0 != "-" }, radix: 16) }
            #expect(starts.count > 10)
            #expect(starts.count { $0 % (64 << 20) == 0 } == 1)
        }

        @Test("^L repairs the screen after another program has written on it")
        func repair() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            screen.settle()
            let before = screen.view
            screen.screen.feed("\u{1B}[5;5HBroadcast message\u{1B}[10;1H\u{1B}[2K".utf8)
            #expect(screen.view != before)
            screen.type(Keys.redraw)
            #expect(screen.wait { $0.view == before }, "\(screen.differences(from: before))")
        }

        @Test("^Z restores the terminal and suspends; continuing takes it over again")
        func suspend() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder, isUnderShell: true)
            #expect(screen.waitForThumbnails(1...6))
            screen.type("l")
            #expect(screen.waitForSelected(2))
            screen.settle()
            let before = screen.view
            for _ in 1...2 {
                screen.type(Keys.suspend)
                #expect(screen.process.waitForStop())
                screen.settle()
                #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
                screen.process.signal(SIGCONT)
                #expect(screen.wait { $0.view == before }, "\(screen.differences(from: before))")
                #expect(screen.screen.isAlternate)
                // The frame may be read before the modes that follow it.
                #expect(screen.wait { $0.screen.modes.isSuperset(of: [1000, 1006]) })
            }
            screen.type("l")
            #expect(screen.waitForSelected(3))
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test("a program started behind the screen that is stopped does not stop this one")
        func stoppedChild() throws {
            let gallery = try ProgramGallery(count: 6)
            let script = try folder.write("#!/bin/sh\necho $$ >~/pid\nkill -STOP $$\n", to: "stop")
            #expect(chmod(script, 0o755) == 0)
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: ["BROWSER": script])
            #expect(screen.waitForThumbnails(1...6))
            screen.type("o")
            #expect(screen.waitFor("opened in"))
            var child: pid_t?
            #expect(
                screen.wait { _ in
                    child = Int32(String(decoding: folder.read("pid").dropLast(), as: UTF8.self))
                    return child != nil
                })
            defer { child.map { _ = kill($0, SIGKILL) } }
            #expect(!screen.process.waitForStop(seconds: 1))
            screen.type("l")
            #expect(screen.waitForSelected(2))
            #expect(screen.quit() == .code(0))
        }

        @Test("^Z where no shell waits, as in a window of its own, leaves the program going")
        func suspendAlone() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            screen.type(Keys.suspend + "l")
            #expect(screen.waitForSelected(2))
            #expect(screen.quit() == .code(0))
        }

        @Test("a resize while suspended takes effect on continuing")
        func resizeWhileSuspended() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder, isUnderShell: true)
            #expect(screen.waitForThumbnails(1...6))
            screen.type(Keys.suspend)
            #expect(screen.process.waitForStop())
            screen.process.resize(to: EndToEnd.sizes[1])
            screen.process.signal(SIGCONT)
            #expect(screen.waitForThumbnails(1...6))
            #expect(screen.wait { $0.position == "1/6" })
            #expect(screen.changesByRedraw() == [])
        }

        @Test("with everything loaded and no input, nothing is written and no thread wakes up")
        func idle() throws {
            let gallery = try ProgramGallery(count: 30, perPage: 12)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            #expect(screen.wait { $0.position.hasPrefix("1/24") })
            screen.settle()
            let wakes = screen.mainThreadWakes
            #expect(screen.process.waitForSilence(seconds: 1) == 0)
            #expect(wakes != nil && screen.mainThreadWakes == wakes)
            screen.type("l")
            #expect(screen.waitForSelected(2))
        }
    }
}

extension ProgramScreen {
    /// The number of times that the program's main thread has slept and woken up, according to the kernel.
    fileprivate var mainThreadWakes: Int? {
        guard let file = fopen("/proc/\(process.identifier)/status", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = fread(&bytes, 1, bytes.count, file)
        let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line.flatMap { Int($0.drop { !$0.isNumber }) }
    }
}
