import Basics
import Foundation
import Glibc
import ImageCodecs
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Decoder processes") struct SandboxTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private static let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100' width='100'>"
        private static let good = RGB(0x20_A0_40)

        private func print(_ arguments: String..., from place: String? = nil) throws -> ProgramRun {
            try ProgramRun(
                ["--print", "--no-cache", "--no-config", "--colors", "truecolor"] + arguments
                    + [place ?? folder.path + "/pictures"], in: folder, seconds: 200)
        }

        @Test("a picture that crashes its decoder fails alone")
        func crash() throws {
            // librsvg 2.54 panics, and Rust does not unwind through C.
            let fatal =
                "<filter id='f'><feConvolveMatrix order='99' kernelMatrix='"
                + String(repeating: "1 ", count: 9801)
                + "'/></filter><rect width='50' height='50' filter='url(#f)'/>"
            try folder.write(Self.svg + fatal + "</svg>", to: "pictures/1 bad.svg")
            let png = try ImageEncoder.png(
                PixelBuffer(filledWith: Self.good, size: PixelSize(width: 60, height: 40)))
            try folder.write(png, to: "pictures/2 good.png")
            try folder.write(
                Self.svg + "<rect width='100' height='100' fill='#20a041'/></svg>",
                to: "pictures/3 good.svg")
            let run = try print("--tile", "50")
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("× crashed its decoder"))
            // Red, green and blue of the PNG and of the other SVG.
            #expect(run.output.contains("32;160;64"), "\(run.output)")
            #expect(run.output.contains("32;160;65"), "\(run.output)")
        }

        @Test(
            "sandboxed decoding gives the same pictures as in-process decoding, including SVG text")
        func same() throws {
            let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
            let fixtures = "/\(tests)/ImageCodecsTests/Fixtures"
            let own = try print("--no-sandbox", from: fixtures)
            #expect(own.lines.count > 100)
            #expect(try print(from: fixtures).output == own.output)
            try folder.write(
                Self.svg + "<text y='50' font-size='30'>Text</text></svg>", to: "pictures/text.svg")
            let text = try print()
            #expect(try print("--no-sandbox").output == text.output)
            try folder.write(Self.svg + "</svg>", to: "pictures/text.svg")
            #expect(try print().output != text.output)
        }

        @Test("a picture embedded in a drawing is shown, in a helper too")
        func embedded() throws {
            let green = PixelBuffer(filledWith: Self.good, size: PixelSize(width: 60, height: 40))
            let files = [
                ("png", try ImageEncoder.png(green)), ("jpeg", try ImageEncoder.jpeg(green)),
            ]
            for (type, file) in files {
                let data = "data:image/\(type);base64," + Data(file).base64EncodedString()
                try folder.write(
                    Self.svg + "<image width='100' height='100' href='\(data)'/></svg>",
                    to: "pictures/embedded.svg")
                let run = try print()
                #expect(run.output.contains("32;160;6"), "\(run.output) \(run.errors)")
                #expect(try print("--no-sandbox").output == run.output)
            }
        }

        @Test("a video larger than any download is read in place, without and with the cache")
        func giant() throws {
            let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
            let video = try Array(
                Data(contentsOf: URL(filePath: "/\(tests)/ImageCodecsTests/Fixtures/video-709.mp4"))
            )
            let path = try folder.write(video, to: "pictures/giant.mp4")
            // A hole that takes no space.
            #expect(truncate(path, 5 << 30) == 0)
            let cached = [
                "--print", "--no-config", "--colors", "truecolor", folder.path + "/pictures",
            ]
            let runs = [
                try print(), try print("--no-sandbox"), try ProgramRun(cached, in: folder),
                try ProgramRun(cached, in: folder),
            ]
            for run in runs {
                #expect(run.code == 0 && run.output.contains("220;220;220"), "\(run.output)")
            }
        }

        @Test("--version reports the active sandbox")
        func version() throws {
            let run = try ProgramRun(["--version"], in: folder)
            #expect(run.lines.last == "decoders: seccomp, Landlock, rlimits")
            let free = try ProgramRun(["--version", "--no-sandbox"], in: folder)
            #expect(free.lines.last == "decoders: in this process, as asked")
        }

        @Test("decoders killed during loading cost at most one picture each")
        func kills() throws {
            let gallery = try ProgramGallery(count: 40, perPage: 40)
            let screen = try ProgramScreen(
                [gallery.address], in: folder, size: CellSize(columns: 240, rows: 70)
            )
            var (seen, killed) = (Set<pid_t>(), 0)
            let isLoaded = screen.wait { screen in
                // The first and then every third one.
                for helper in screen.helpers where seen.insert(helper).inserted {
                    if seen.count % 3 == 1, kill(helper, SIGKILL) == 0 { killed += 1 }
                }
                let shown = (1...40).count(where: screen.showsThumbnail)
                return shown >= 40 - killed
            }
            #expect(isLoaded && killed > 0, "\(killed)\n\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }

        @Test("no decoder process outlives the program", arguments: [SIGKILL, SIGTERM, 0])
        func endings(number: Int32) throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6), "\(screen.screen.text)")
            let processes = children(of: screen.process.identifier) + screen.helpers
            #expect(processes.count > 1)
            let ends = processes.map(ProcessEnd.init)
            if number == 0 {
                #expect(screen.quit() == .code(0))
            } else {
                screen.process.signal(number)
                _ = screen.waitForExit()
            }
            #expect(ends.allSatisfy { $0.wait() })
        }

        @Test(
            "modes that decode no pictures start no process",
            arguments: ["--urls", "--json", "--explain", "--print"])
        func modes(mode: String) throws {
            let gallery = try ProgramGallery(count: 6)
            gallery.server.route(gallery.pagePath(1)) { _ in
                .html("<html>").delivered(.stalled(after: 1))
            }
            let screen = try ProgramScreen([mode, gallery.address], in: folder)
            #expect(gallery.server.waitForRequests(to: gallery.pagePath(1)))
            #expect(children(of: screen.process.identifier).isEmpty == (mode != "--print"))
        }

        @Test(
            "near the limit of processes, pictures say why they are not shown, or the program why it ends",
            .enabled(if: geteuid() == 0, "the limit counts all processes of an account"))
        func processLimit() throws {
            chmod(folder.path, 0o777)
            let png = try ImageEncoder.png(
                PixelBuffer(filledWith: Self.good, size: PixelSize(width: 60, height: 40)))
            try folder.write(png, to: "a.png")
            chmod(folder.path + "/a.png", 0o644)
            let (picture, reason) = ("32;160;64", "× no decoder process could be started")
            for (limit, code, words) in [
                // On a busy machine there are fewer threads at that moment.
                (12, 0, [picture]), (5, 0, [reason, picture]),
                (2, 1, ["halftone: no room for threads within the limits"]),
            ] {
                // Processes of the run before may not have ended yet.
                let account = "\(200_000 + 10 * Int(getpid()) + limit)"
                let tool = try Tool(
                    "timeout",
                    [
                        "60", "setpriv", "--reuid", account, "--regid", account, "--clear-groups",
                        "env",
                    ]
                        + ["HOME=" + folder.path, "prlimit", "--nproc=\(limit)"]
                        + [ProgramRun.executable, "--print", "--no-cache", "--no-config"]
                        + ["--colors", "truecolor", "--tile", "60", folder.path + "/a.png"])
                #expect(tool.waitForEnd() == code, "\(limit)")
                func isTold(_ text: String) -> Bool { tool.lines.contains { $0.contains(text) } }
                #expect(words.contains(where: isTold), "\(limit) \(tool.lines)")
                #expect(isTold("--no-sandbox decodes") == isTold(reason))
            }
        }

        /// libde265 waits for ever for a thread that it could not start.
        @Test(
            "an ordinary user's helper, which may start no thread, decodes HEIC",
            .enabled(
                if: geteuid() == 0 && ImageFormat.heic.isReadable,
                "root's threads are not limited; needs libheif"))
        func threads() throws {
            let fixtures = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
            let file = "/\(fixtures)/ImageCodecsTests/Fixtures/heic-turned0.heic"
            chmod(folder.path, 0o777)
            try folder.write(try #require(smallFile(file, limit: 1 << 20)), to: "a.heic")
            chmod(folder.path + "/a.heic", 0o644)
            let account = "\(300_000 + 10 * Int(getpid()))"
            let tool = try Tool(
                "timeout",
                ["60", "setpriv", "--reuid", account, "--regid", account, "--clear-groups", "env"]
                    + ["HOME=" + folder.path, ProgramRun.executable, "--print", "--no-cache"]
                    + ["--no-config", "--colors", "truecolor", folder.path + "/a.heic"])
            #expect(tool.waitForEnd() == 0)
            #expect(tool.lines.contains { $0.contains("220;30;30") }, "\(tool.lines)")
        }

        @Test("without the sandbox there are no child processes")
        func none() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen(["--no-sandbox", gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6), "\(screen.screen.text)")
            #expect(children(of: screen.process.identifier).isEmpty)
        }
    }
}

extension ProgramScreen {
    /// The decoder processes.
    fileprivate var helpers: [pid_t] {
        children(of: process.identifier).flatMap { children(of: $0) }
    }
}
