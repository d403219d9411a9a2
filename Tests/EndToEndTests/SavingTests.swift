import Basics
import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Galleries saved whole, by runs without a screen.
    @Suite("Saved galleries") struct SavingTests {
        let folder: ScratchFolder
        let gallery: ProgramGallery

        init() throws {
            folder = try ScratchFolder()
            gallery = try ProgramGallery(count: 30)
        }

        private static let kills =
            getenv("HALFTONE_KILLS").flatMap { Int(String(cString: $0)) } ?? 24

        private func save(_ target: String, _ options: String...) throws -> ProgramRun {
            try ProgramRun(
                ["--save", folder.path + "/" + target, "--pages", "all"] + options
                    + [gallery.address], in: folder)
        }

        /// The files below a folder but what killed programs have left, by their paths.
        private func files(_ path: String, below root: String = "") -> [String: [UInt8]] {
            var files: [String: [UInt8]] = [:]
            for name in fileNames(in: path, limit: 1000) ?? [] {
                let inner = path + "/" + name
                if let bytes = smallFile(inner, limit: 1 << 20) {
                    files[root + name] = bytes
                } else {
                    files.merge(self.files(inner, below: root + name + "/")) { $1 }
                }
            }
            return files
        }

        private var bodies: [String: [UInt8]] {
            let bodies = gallery.pictures.map {
                (ProgramGallery.title($0), ProgramPictures.png(ProgramGallery.fullColor($0)))
            }
            return Dictionary(uniqueKeysWithValues: bodies)
        }

        @Test("all pages are saved by a template, with records; another run gets only what is new")
        func template() throws {
            let name = ["--name", "{gallery}/{index:03} {title}.{ext}", "--write-json"]
            let first = try save("d", name[0], name[1], name[2])
            #expect(first.lines == ["30 saved"] && first.code == 0, "\(first.errors)")
            let path = folder.path + "/d"
            let files = files(path)
            #expect(files.count == 60)
            for number in gallery.pictures {
                let title = ProgramGallery.title(number)
                let digits = number < 10 ? "00\(number)" : "0\(number)"
                let file = "Paddock/\(digits) \(title).png"
                #expect(files[file] == bodies[title], "\(file)")
                let record = files[file + ".json"].flatMap { LooseParser.value(of: $0) }
                #expect(record?["title"]?.text == title && record?["index"]?.integer == number)
            }
            for ending in ["", ".json"] { unlink(path + "/Paddock/001 Picture 001.png" + ending) }
            let second = try save("d", name[0], name[1], name[2])
            #expect(
                second.lines == ["0 saved, 30 known: saved before; --again saves them once more"]
                    && second.code == 0)
            #expect(
                gallery.pictures.allSatisfy { gallery.server.count(of: gallery.fullPath($0)) == 1 })
            // Under other addresses they are known by what they contain.
            let other = try ProgramGallery(title: "Elsewhere", count: 31)
            let moved = try ProgramRun(
                ["--save", path, "--pages", "all", "--json", other.address], in: folder)
            #expect(moved.lines.count == 1 && moved.code == 0, "\(moved.errors)")
            let record = LooseParser.value(of: Array(moved.output.utf8))
            #expect(record?["file"]?.text == path + "/Picture 031.png")
            let again = try save("d", name[0], name[1], name[2], "--again")
            #expect(again.lines == ["30 saved"])
            #expect(self.files(path).count == 61, "what is there is left, what is gone is back")
        }

        @Test("what cannot be saved is told in one line, and the rest is saved")
        func failing() throws {
            gallery.server.route(gallery.fullPath(7)) { _ in .status(404) }
            gallery.server.route(gallery.fullPath(9)) { _ in .html("<p>no picture") }
            let run = try save("d")
            #expect(run.code == 1 && run.lines == ["28 saved, 2 failed"])
            #expect(
                run.errors.sorted() == [
                    "halftone: Picture 007: the server answered 404 Not Found",
                    "halftone: Picture 009: is not a picture of a known format",
                ])
            #expect(files(folder.path + "/d").count == 28)
        }

        @Test("an archive opens again as the same gallery", arguments: ["a.cbz", "a.warc.gz"])
        func archive(name: String) throws {
            gallery.server.route(gallery.fullPath(7)) { request in
                request.number == 1 ? .status(404) : .picture(ProgramGallery.fullColor(7))
            }
            let first = try save(name)
            #expect(first.code == 1 && first.lines == ["29 saved, 1 failed"])
            #expect(access(folder.path + "/" + name, F_OK) != 0, "another run may complete it")
            let second = try save(name)
            #expect(
                second.lines == ["1 saved, 29 known: saved before; --again saves them once more"]
                    && second.code == 0, "\(second.errors)")
            #expect(
                try save(name).lines == [
                    "0 saved, 30 known: saved before; --again saves them once more"
                ])
            #expect(fileNames(in: folder.path, limit: 100)?.filter { $0.hasPrefix("a") } == [name])
            let told = try ProgramRun(
                ["--save", folder.path + "/told-" + name, "--again", "--json", gallery.address],
                in: folder)
            #expect(!told.lines.isEmpty, "\(told.errors)")
            #expect(told.lines.allSatisfy { $0.contains("/told-\(name)\"") }, "\(told.lines)")
            try check(name)
        }

        @Test("what arrives is recorded, also out of the cache, and opens again without cookies")
        func recorded() throws {
            gallery.server.route(gallery.pagePath(1)) { [html = gallery.html(1)] _ in
                .html(html, headers: [("Set-Cookie", "session=secret"), ("ETag", "\"one\"")])
            }
            for number in gallery.pictures {
                // Long enough for its body to be left on the disk.
                let body =
                    ProgramPictures.png(ProgramGallery.color(number))
                    + [UInt8](repeating: 0, count: 100_000)
                gallery.server.route(gallery.thumbnailPath(number)) { _ in
                    .bytes(body, type: "image/png", headers: [("Cache-Control", "max-age=600")])
                }
            }
            let path = folder.path + "/a.warc.gz"
            let sheet = ["--print", "--tile", "8", "--colors", "truecolor"]
            let all = ["--pages", "all", gallery.address]
            let first = try ProgramRun(sheet + all, in: folder)
            let recorded = try ProgramRun(sheet + ["--record", path] + all, in: folder)
            #expect(
                gallery.pictures.allSatisfy {
                    gallery.server.count(of: gallery.thumbnailPath($0)) == 1
                })
            let saved = try save("d", "--record", folder.path + "/b.warc.gz")
            #expect(recorded.code == 0 && saved.lines == ["30 saved"], "\(recorded.errors)")
            let again = try ProgramRun(["--record", path] + all, in: folder)
            #expect(again.errors == ["halftone: --record: cannot be written: File exists"])
            #expect(again.code == 2)
            let text = try Tool.output(of: "zcat", [path]).joined()
            #expect(text.contains("etag: ") && !text.contains("secret"))
            try check("b.warc.gz")
            let offline = try ProgramRun(
                sheet + ["--pages", "all", "--offline", "--no-cache", path], in: folder)
            #expect(offline.output == first.output, "\(offline.errors)")
        }

        /// Compares what an archive shows with the gallery.
        private func check(_ name: String) throws {
            gallery.server.stop()
            let path = folder.path + "/" + name
            let list = try ProgramRun(["--json", "--offline", "--pages", "all", path], in: folder)
            let records = list.lines.compactMap { LooseParser.value(of: Array($0.utf8)) }
            let titles = gallery.pictures.map(ProgramGallery.title)
            #expect(records.count == titles.count && list.code == 0, "\(list.errors)")
            for (record, title) in zip(records, titles) {
                #expect(record["title"]?.text?.contains(title) == true, "\(title)")
            }
            let copy = folder.path + "/copy"
            let out = try ProgramRun(
                [
                    "--save", copy, "--no-state", "--offline", "--pages", "all",
                    "--name", "{index}.{ext}", path,
                ],
                in: folder)
            #expect(out.lines == ["30 saved"], "\(out.errors)")
            let files = files(copy)
            for number in gallery.pictures {
                #expect(files["\(number).png"] == bodies[ProgramGallery.title(number)])
            }
        }

        @Test(
            "killed at any moment, one more run completes it, with no file twice and none cut off",
            arguments: ["d", "k.cbz", "k.warc.gz"])
        func killed(name: String) throws {
            for number in gallery.pictures {
                let body = ProgramPictures.png(ProgramGallery.fullColor(number))
                gallery.server.route(gallery.fullPath(number)) { _ in
                    .bytes(body, type: "image/png").delivered(
                        .drip(bytes: max(1, body.count / 4), milliseconds: 2))
                }
            }
            var state: UInt64 = 1
            var left = 0
            for kill in 1...max(1, Self.kills / 3) {
                let screen = try ProgramScreen(
                    ["--save", folder.path + "/" + name, "--pages", "all", gallery.address],
                    in: folder)
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                for _ in 0..<(kill % 3 == 0 ? 60 : Int(state >> 33) % 40) {
                    _ = screen.process.readSome(seconds: 0.01)
                }
                screen.process.signal(SIGKILL)
                _ = screen.waitForExit()
                let whole = Set(bodies.values)
                let files = files(folder.path + "/" + name + (name == "d" ? "" : ".part"))
                for (path, bytes) in files where path.hasSuffix(".png") {
                    #expect(whole.contains(bytes), "\(path) has \(bytes.count) bytes")
                }
                left = max(left, files.count)
            }
            let last = try save(name)
            #expect(last.code == 0, "\(last.errors)")
            Swift.print("\(name): \(left) files when killed, then \(last.lines)")
            if name == "d" {
                let files = files(folder.path + "/d")
                #expect(
                    files == Dictionary(uniqueKeysWithValues: bodies.map { ($0 + ".png", $1) }),
                    "\(files.keys.sorted())")
                let all = fileNames(in: folder.path + "/d", limit: 1000, isAll: true)
                #expect(all?.count == files.count, "\(all ?? [])")
            } else {
                #expect(
                    fileNames(in: folder.path, limit: 100)?.filter { $0.hasPrefix("k") } == [name])
                try check(name)
            }
        }
    }
}
