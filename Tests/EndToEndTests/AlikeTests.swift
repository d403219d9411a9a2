import Basics
import Glibc
import ImageEncoders
import Raster
import State
import TestSupport
import Testing

extension EndToEnd {
    /// Pictures that are known by their look, whatever their size, format and address.
    @Suite("Do I have this?") struct AlikeTests {
        let folder: ScratchFolder
        private let mine: ScratchFolder

        init() throws {
            folder = try ScratchFolder()
            mine = try ScratchFolder()
        }

        /// A picture of patches, different for each number.
        private func patches(_ number: Int, width: Int) -> PixelBuffer {
            var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            let bytes = (0..<30).flatMap { _ -> [UInt8] in
                state = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9 &+ 1
                let code = UInt8(truncatingIfNeeded: state >> 32)
                return [code, code / 2, 255 - code, 255]
            }
            return PixelBuffer(
                size: PixelSize(width: 6, height: 5), bytes: bytes, isOpaque: true
            ).resampled(to: PixelSize(width: width, height: width * 3 / 4))
        }

        /// Writes two pictures and a flat one, one of them in a sub-folder.
        private func fill() throws {
            mkdir(mine.path + "/sub", 0o755)
            try mine.write(ImageEncoder.png(patches(1, width: 200)), to: "one.png")
            try mine.write(ImageEncoder.jpeg(patches(2, width: 200)), to: "sub/two.jpg")
            try mine.write(
                ImageEncoder.png(
                    PixelBuffer(
                        filledWith: RGB(0x336699), size: PixelSize(width: 64, height: 48))),
                to: "flat.png")
        }

        /// A page of the web with a smaller copy of the first picture, a larger one of the second, another picture and a flat one.
        private func gallery() throws -> ProgramGallery {
            let gallery = try ProgramGallery(count: 4)
            let files = [
                try ImageEncoder.webp(patches(1, width: 100)),
                try ImageEncoder.jpeg(patches(2, width: 400), JPEGOptions(quality: 40)),
                try ImageEncoder.png(patches(3, width: 120)),
            ]
            for (number, file) in zip(1..., files) {
                for path in [gallery.thumbnailPath(number), gallery.fullPath(number)] {
                    gallery.server.route(path) { _ in .bytes(file, type: "image/png") }
                }
            }
            return gallery
        }

        private func index(_ options: String...) throws -> ProgramRun {
            try ProgramRun(["--index", mine.path] + options, in: folder)
        }

        private var kept: [String] {
            StateStore(folder: folder.path + "/.local/state/halftone") { _ in }.pictures()
        }

        @Test(
            "a folder is read with its sub-folders, what is unchanged only once; what is gone is forgotten"
        )
        func indexing() throws {
            try fill()
            let trace = folder.path + "/trace"
            func decodes() throws -> Int {
                try ProgramTrace(folder.read("trace")).spans("decode").count
            }
            let first = try index("--trace", trace)
            #expect(first.lines == ["\(mine.path): 3 pictures indexed"], "\(first.errors)")
            #expect(try first.code == 0 && first.errors == [] && decodes() == 3)
            try mine.write(ImageEncoder.png(patches(4, width: 90)), to: "one.png")
            #expect(unlink(mine.path + "/sub/two.jpg") == 0)
            let second = try index("--trace", trace)
            #expect(second.lines == ["\(mine.path): 2 pictures indexed"])
            #expect(try decodes() == 1, "only the changed one")
            #expect(kept.count == 2 && kept.contains { $0.hasPrefix("90 67 ") })
            let web = try ProgramRun(["--index", "http://127.0.0.1:1/"], in: folder)
            #expect(web.code == 1 && web.lines.isEmpty)
            #expect(web.errors == ["halftone: http://127.0.0.1:1/: is not on this machine"])
            let empty = try ProgramRun(["--index", folder.path], in: folder)
            #expect(empty.code == 1 && empty.lines == ["\(folder.path): 0 pictures indexed"])
        }

        @Test("tiles of the web tell what is there, and whether theirs is larger; filters go by it")
        func tiles() throws {
            try fill()
            #expect(try index().code == 0)
            let gallery = try gallery()
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(
                screen.wait {
                    $0.screen.shows("= Picture 001") && $0.screen.shows("↑ Picture 002")
                        && $0.screen.shows("Picture 003")
                }, "\(screen.screen.text)")
            #expect(!screen.screen.shows("= Picture 003") && !screen.screen.shows("= Picture 004"))
            screen.type("fhave:no\r")
            #expect(screen.waitFor("have:no: 2 of 4 pictures"))
            screen.type(Keys.escape)
            #expect(screen.waitFor("all shown"))
            screen.type("fhave:smaller\r")
            #expect(screen.waitFor("have:smaller: 1 of 4 pictures"))
            screen.type("i")
            #expect(screen.waitFor("/sub/two.jpg 200 × 150"), "\(screen.screen.text)")
            screen.type("i")
            #expect(screen.quit() == .code(0))
        }

        @Test("a folder is indexed, and what is saved is added, while the program runs")
        func growing() throws {
            try fill()
            let gallery = try gallery()
            let screen = try ProgramScreen(
                ["--output", mine.path, gallery.address], in: folder)
            #expect(screen.waitFor("Picture 003") && !screen.screen.shows("= Picture 001"))
            screen.type(":index \(mine.path)\r")
            #expect(screen.waitFor("3 pictures indexed"), "\(screen.screen.text)")
            screen.type("R")
            #expect(screen.waitFor("= Picture 001"), "\(screen.screen.text)")
            screen.type("ls")
            #expect(screen.waitFor("saved Picture 002"))
            // It is read once it is saved.
            let deadline = SteadyClock.now + 120
            while kept.count < 4, SteadyClock.now < deadline { screen.settle() }
            screen.type("R")
            #expect(screen.waitFor("= Picture 002"), "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }

        @Test("duplicates of a folder are groups under the path of the largest, which comes first")
        func duplicates() throws {
            for (name, number, width) in [
                ("a", 1, 80), ("b", 2, 60), ("c", 1, 200), ("d", 3, 90), ("e", 2, 150),
                ("f", 1, 120),
            ] {
                try mine.write(ImageEncoder.png(patches(number, width: width)), to: "\(name).png")
            }
            func run(_ options: String...) throws -> ProgramRun {
                try ProgramRun(["--group", "alike"] + options + [mine.path], in: folder)
            }
            let paths = ["c", "f", "a", "", "e", "b"].map {
                $0.isEmpty ? "" : "\(mine.path)/\($0).png"
            }
            func lines(_ option: String) throws -> [String] {
                try run(option).output.split(separator: "\n", omittingEmptySubsequences: false)
                    .map(String.init).dropLast()
            }
            #expect(try lines("--urls") == paths.map { $0.isEmpty ? "" : "file://" + $0 })
            #expect(try lines("--paths") == paths)
            #expect(
                try run("--urls", "--paths", "--print0").output
                    == paths.map { $0 + "\0" }.joined())
            let records = try run("--json").lines
            #expect(records.count == 5 && records[0].contains("\"path\":\"\(paths[0])\""))
            let groups = [3, 2].enumerated().flatMap { number, count in
                repeatElement("\"group\":\"\(paths[number * 4])\"}", count: count)
            }
            #expect(zip(records, groups).allSatisfy { $0.hasSuffix($1) }, "\(records)")
            let screen = try ProgramScreen([mine.path], in: folder)
            #expect(screen.waitFor("f.png"))
            screen.type(":duplicates\r")
            #expect(screen.waitFor("have:yes: 5 of 6 pictures"), "\(screen.screen.text)")
            #expect(screen.waitFor("\(mine.path)/c.png"))
            screen.type("]")
            #expect(screen.waitFor("\(mine.path)/e.png"), "\(screen.screen.text)")
            screen.type("[")
            #expect(screen.waitFor("\(mine.path)/c.png"))
            screen.type(Keys.escape)
            #expect(screen.wait { $0.screen.shows("b.png") && !$0.screen.shows("/c.png") })
            screen.type(":group alike\r")
            #expect(screen.waitFor("/c.png"))
            screen.type("G")
            #expect(screen.waitFor("no others"), "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }
    }
}
