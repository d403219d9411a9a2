import Basics
import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Kills the program while it writes; `HALFTONE_KILLS` sets how often (`make faults`).
    @Suite("Killed at any moment") struct KillTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private static let kills =
            getenv("HALFTONE_KILLS").flatMap { Int(String(cString: $0)) } ?? 24

        /// Creates a gallery whose thumbnails and full sizes are sent a few bytes at a time.
        private func gallery() throws -> ProgramGallery {
            let gallery = try ProgramGallery(count: 12)
            for number in gallery.pictures {
                for (path, color) in [
                    (gallery.thumbnailPath(number), ProgramGallery.color(number)),
                    (gallery.fullPath(number), ProgramGallery.fullColor(number)),
                ] {
                    let body = ProgramPictures.png(color, width: 400, height: 300)
                    gallery.server.route(path) { request in
                        .ranged(body, type: "image/png", tag: "\"\(path)\"", for: request)
                            .delivered(.drip(bytes: max(1, body.count / 8), milliseconds: 2))
                    }
                }
            }
            return gallery
        }

        @Test("killing the program leaves neither broken cache entries nor partial saved files")
        func kills() throws {
            let gallery = try gallery()
            let saved = folder.path + "/saved"
            mkdir(saved, 0o700)
            let full = Set(
                gallery.pictures.map {
                    ProgramPictures.png(ProgramGallery.fullColor($0), width: 400, height: 300)
                })
            var (files, shown) = (0, 0)
            for kill in 1...Self.kills {
                let cache = folder.path + "/cache\(kill / 6)"
                let screen = try ProgramScreen(
                    ["--cache", cache, "--output", saved, gallery.address], in: folder)
                // From the first frame until everything is loaded and being saved.
                if kill % 2 == 0 {
                    #expect(screen.waitFor(ProgramGallery.title(6)))
                    screen.type("Ms")
                }
                for _ in 0..<(kill * 7 % 23) { _ = screen.process.readSome(seconds: 0.01) }
                screen.process.signal(SIGKILL)
                #expect(screen.waitForExit() == .signal(SIGKILL))
                guard kill % 6 == 5 || kill == Self.kills else { continue }
                for name in fileNames(in: saved, limit: 100_000) ?? [] {
                    let bytes = smallFile(saved + "/" + name, limit: 1 << 20) ?? []
                    #expect(full.contains(bytes), "\(name): \(bytes.count) bytes")
                    unlink(saved + "/" + name)
                    files += 1
                }
                shown += try check(gallery, cache: cache)
            }
            Swift.print(
                "\(Self.kills) kills: \(files) files saved, \(shown) pictures served from caches, none broken"
            )
            #expect(shown > 0 && files > 0)
        }

        /// Returns how many pictures the cache shows offline; the program must report those it lacks.
        private func check(_ gallery: ProgramGallery, cache: String) throws -> Int {
            let run = try ProgramRun(
                ["--offline", "--print", "--cache", cache, gallery.address], in: folder,
                environment: ["COLUMNS": "124"])
            for line in run.output.split(separator: "\n") {
                for part in line.split(separator: "×", omittingEmptySubsequences: false).dropFirst()
                {
                    #expect(part.hasPrefix(" not in the cache"), "\(part.prefix(60))")
                }
            }
            return gallery.pictures.count { number in
                let color = ProgramGallery.color(number)
                return run.output.contains("2;\(color.red);\(color.green);\(color.blue)")
            }
        }
    }
}
