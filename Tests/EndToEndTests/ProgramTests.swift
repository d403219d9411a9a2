import Basics
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// Addresses that other programs open: scripts that print what gallery-dl and a browser print.
    @Suite("Programs for addresses") struct ProgramTests {
        let folder: ScratchFolder
        private let gallery: ProgramGallery

        init() throws {
            folder = try ScratchFolder()
            gallery = try ProgramGallery(count: 4)
        }

        /// The message of gallery-dl for a picture.
        private func message(_ number: Int) -> String {
            """
            [3,"\(gallery.server.url(gallery.fullPath(number)))",{"title":"\(ProgramGallery.title(number))",\
            "thumbnail":"\(gallery.server.url(gallery.thumbnailPath(number)))","tags":["sea"],\
            "_http_headers":{"Referer":"http://127.0.0.1/post/\(number)","X-Other":"1"}}]
            """
        }

        /// Configures a script for the server's addresses, whose first argument is the address.
        private func configure(_ script: String) throws {
            try folder.write(script + "\n", to: "script")
            try folder.write(
                """
                {"programs": {"\(gallery.server.url("/"))p*": ["sh", "\(folder.path)/script", "{url}"]}}
                """, to: "config/halftone/config.json")
        }

        private var typed: String { gallery.server.url("/post?tags=a&b={url}") }
        /// As `typed`, in normal form.
        private var address: String { gallery.server.url("/post?tags=a&b=%7Burl%7D") }

        @Test("lines are pictures as they come, with the header fields of their records")
        func streaming() throws {
            mkfifo(folder.path + "/gate", 0o600)
            try configure(
                "echo '\(message(1))'; read line < \(folder.path)/gate; echo '\(message(2))'")
            let screen = try ProgramScreen([typed], in: folder)
            #expect(screen.waitForThumbnails([1]), "\(screen.screen.text)")
            #expect(screen.position == "1/1+")
            let sent = gallery.server.requests(to: gallery.thumbnailPath(1))
            #expect(sent.map { $0.header("referer") } == ["http://127.0.0.1/post/1"])
            #expect(sent.map { $0.header("x-other") } == [nil])
            try folder.write("go on\n", to: "gate")
            #expect(screen.wait { $0.position == "1/2" }, "\(screen.screen.text)")
            #expect(screen.waitForThumbnails([1, 2]))
            #expect(screen.quit() == .code(0))
        }

        @Test(
            "the address is one argument; all that is printed is one page; nothing leads to the socket"
        )
        func arguments() throws {
            try configure(
                """
                printf '%s\\n' "$#" "$1" "$HALFTONE_SOCKET" > \(folder.path)/seen
                echo '[2,{"title":"x"}]'; echo '\(message(1))'; echo '\(message(2))'
                """)
            let run = try ProgramRun(
                ["--urls", typed], in: folder, environment: ["HALFTONE_SOCKET": "/outer"])
            #expect(run.errors == [] && run.code == 0)
            #expect(run.lines == (1...2).map { gallery.server.url(gallery.fullPath($0)) })
            #expect(String(decoding: folder.read("seen"), as: UTF8.self) == "1\n\(address)\n\n")
            #expect(gallery.server.requests.isEmpty)
        }

        @Test("HTML is read as the page, whose pictures may be at private addresses as its own are")
        func markup() throws {
            try configure("cat \(folder.path)/page.html")
            try folder.write(gallery.html(1), to: "page.html")
            let run = try ProgramRun(["--json", typed], in: folder)
            #expect(run.errors == [] && run.lines.count == 4)
            #expect(run.output.contains("\"page\":\"\(address)\""))
            #expect(gallery.server.requests.isEmpty)
        }

        @Test(
            "a failure is one line with the last that was said, and loses nothing that was printed")
        func failures() throws {
            func errors(_ script: String, pictures: Int = 0) throws -> [String] {
                try configure(script)
                let run = try ProgramRun(["--urls", typed], in: folder)
                #expect(
                    run.lines.count == pictures && run.code == (pictures > 0 ? 0 : 1), "\(script)")
                return run.errors.map { String($0.dropFirst("halftone: \(typed): ".count)) }
            }
            let noise = "echo warning >&2; printf 'no \\033[31maccess\\n\\n' >&2; exit 4"
            #expect(try errors(noise) == ["sh ended with 4: no [31maccess"])
            #expect(
                try errors("echo '\(message(1))'; " + noise, pictures: 1)
                    == ["sh ended with 4: no [31maccess"])
            #expect(
                try errors(#"echo '[[-1,{"error":"E","message":"404 for x"}]]'"#) == ["404 for x"])
            #expect(
                try errors("echo '\(message(1))'; echo '[-1,{\"message\":\"later\"}]'", pictures: 1)
                    == ["later"])
            #expect(try errors("kill -SEGV $$") == ["sh ended with 139"])
            #expect(try errors("true") == ["the page is empty"])
        }

        @Test("more than --max-bytes ends the program")
        func limits() throws {
            let alive = watched()
            defer { close(alive) }
            try configure(
                "exec 9> \(folder.path)/alive; echo '\(message(1))'; exec yes '[2,{\"a\":1}]'")
            let run = try ProgramRun(["--urls", "--max-bytes", "1", typed], in: folder)
            #expect(run.lines.count == 1)
            #expect(
                run.errors.first?.hasSuffix("larger than the 1 MB allowed") == true, "\(run.errors)"
            )
            #expect(isReadable(alive, within: 120_000))
        }

        /// Opens a pipe that a script's `exec 9> alive` keeps open until it and all it has started have ended.
        private func watched() -> Int32 {
            mkfifo(folder.path + "/alive", 0o600)
            return open(folder.path + "/alive", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        }

        private func enter(_ line: String, on screen: ProgramScreen) {
            screen.type(line)
            #expect(screen.waitFor(line), "\(screen.bottom)")
            screen.type("\r")
        }

        @Test("it ends with its section, and with this program")
        func ending() throws {
            mkfifo(folder.path + "/gate", 0o600)
            let alive = watched()
            defer { close(alive) }
            try configure(
                "exec 9> \(folder.path)/alive; (read x < \(folder.path)/gate) & echo '\(message(1))'; wait"
            )
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/4" })
            enter(":open \(typed)", on: screen)
            #expect(screen.wait { $0.position == "1/1+" }, "\(screen.screen.text)")
            screen.type("\u{1B}")
            #expect(screen.wait { $0.position == "1/4" }, "\(screen.screen.text)")
            #expect(isReadable(alive, within: 120_000))
            enter(":open \(typed)", on: screen)
            #expect(screen.wait { $0.position == "1/1+" }, "\(screen.screen.text)")
            enter(":quit!", on: screen)
            #expect(screen.waitForExit() == .code(0))
            #expect(isReadable(alive, within: 120_000))
        }

        @Test(
            "without a screen, it ends with this program, however that is ended",
            arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
        func outlived(signal: Int32) throws {
            let alive = watched()
            defer { close(alive) }
            try configure(
                "exec 9> \(folder.path)/alive; echo '\(message(1))'; (sleep 987) & exec sleep 987")
            let variables = folder.environment.map { "\($0.key)=\($0.value)" }
            let program = try Tool(
                "env", ["-i"] + variables + [ProgramRun.executable, "--urls", typed])
            try program.waitFor(gallery.fullPath(1))
            #expect(!isReadable(alive, within: 0))
            program.signal(signal)
            #expect(isReadable(alive, within: 120_000))
        }

        @Test("of what it says only the end is kept")
        func loud() throws {
            // A file that it wrote to would end it.
            try configure(
                "ulimit -f 100; head -c 1M /dev/zero | tr '\\0' x >&2; echo >&2; echo last >&2; exit 3"
            )
            let run = try ProgramRun(["--urls", typed], in: folder)
            #expect(run.errors.first?.hasSuffix("sh ended with 3: last") == true, "\(run.errors)")
        }

        @Test("albums, the socket and --offline start no program")
        func untyped() throws {
            try configure("touch \(folder.path)/ran; echo '\(message(1))'")
            gallery.server.route("/post") { [html = gallery.html(1)] _ in .html(html) }
            try folder.write("[6,\"\(typed)\",{\"title\":\"Album\"}]", to: "list.json")
            let screen = try ProgramScreen(
                ["--allow-private", "--ipc", folder.path + "/socket", folder.path + "/list.json"],
                in: folder)
            #expect(screen.waitFor("Album"), "\(screen.screen.text)")
            screen.type("\r")
            #expect(screen.wait { $0.position == "1/4" }, "\(screen.screen.text)")
            screen.type("\u{1B}")
            #expect(screen.waitFor("Album"))
            let asked = try ProgramRun(
                ["--remote", "open \(typed)"], in: folder,
                environment: ["HALFTONE_SOCKET": folder.path + "/socket"])
            #expect(asked.code == 0, "\(asked.errors)")
            #expect(screen.wait { $0.position == "1/4" }, "\(screen.screen.text)")
            let offline = try ProgramRun(["--urls", "--offline", typed], in: folder)
            #expect(offline.lines.count != 1)
            #expect(access(folder.path + "/ran", F_OK) != 0)
        }

        @Test("gallery-dl's and yt-dlp's own output, where they are installed")
        func installed() throws {
            for number in 1...2 {
                gallery.server.route("/photos/\(number).png") { _ in
                    .picture(ProgramGallery.color(number))
                }
            }
            let path = getenv("PATH").map { String(cString: $0) } ?? ""
            func find(_ name: String) -> String? {
                path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
            }
            let picture = gallery.server.url("/photos/1.png")
            for (name, words) in [("gallery-dl", ["--config-ignore", "-j"]), ("yt-dlp", ["-J"])] {
                guard let program = find(name) else { continue }
                let list = ([program] + words + ["{url}"]).map { "\"\($0)\"" }
                try folder.write(
                    "{\"programs\": {\"\(picture)\": [\(list.joined(separator: ","))]}}",
                    to: "config/halftone/config.json")
                let run = try ProgramRun(["--urls", picture], in: folder)
                #expect(run.errors.count <= 1, "\(run.errors)")
                if name == "gallery-dl" { #expect(run.lines == [picture], "\(run.errors)") }
            }
        }

        @Test("Firefox's cookies for the SOURCE's own host are sent, and counted")
        func cookies() throws {
            let other = try ProgramGallery(count: 1)
            let root = ".mozilla/firefox"
            for (profile, value) in [("a.work", "a"), ("b.default-release", "b")] {
                let path = try folder.write([], to: "\(root)/\(profile)/cookies.sqlite")
                try Tool.run(
                    "python3",
                    [
                        "-c",
                        """
                        import sqlite3, sys
                        c = sqlite3.connect(sys.argv[1])
                        c.execute("CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', name, value, host, path, expiry INTEGER, isSecure INTEGER)")
                        for host in ("127.0.0.1", "localhost"):
                            c.execute("INSERT INTO moz_cookies (name, value, host, path, expiry, isSecure) VALUES ('k', ?, ?, '/', 4102444800, 0)", (sys.argv[2], host))
                        c.commit()
                        """, path, value,
                    ])
            }
            func sent(_ option: String) throws -> String? {
                let before = gallery.server.requests.count
                let run = try ProgramRun(
                    ["--urls", "--no-cache", "--cookies-from-browser", option, gallery.address],
                    in: folder)
                #expect(run.errors == ["halftone: 1 cookie of Firefox for 127.0.0.1"])
                return gallery.server.requests.dropFirst(before).first?.header("cookie")
            }
            #expect(try sent("firefox") == "k=b")
            #expect(try sent("firefox:work") == "k=a")
            #expect(try sent("firefox:a.work") == "k=a")
            #expect(try sent("firefox:\(folder.path)/\(root)/a.work") == "k=a")
            #expect(other.server.requests.isEmpty)
            for (option, reason) in [
                ("firefox:none", "a profile of Firefox: cannot be read"),
                (
                    "chromium",
                    "'chromium': is not firefox (Chromium's are encrypted; --cookies reads a file)"
                ),
            ] {
                let run = try ProgramRun(
                    ["--cookies-from-browser", option, "--urls", gallery.address], in: folder)
                #expect(run.code == 2 && run.errors.count == 1)
                #expect(run.errors.first?.contains(reason) == true, "\(run.errors)")
            }
        }
    }
}
