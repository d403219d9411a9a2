import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Folders on file servers: OpenSSH's, pyftpdlib, and a hostile one.
    @Suite("File servers") struct FileServerTests {
        let home: ScratchFolder
        /// The folder that is served.
        private var pictures: String { home.path + "/pictures" }

        init() throws {
            home = try ScratchFolder()
            try home.write(
                ProgramPictures.png(ProgramGallery.color(1)),
                to: "pictures/\(ProgramGallery.title(1)).png")
            try home.write(
                ProgramPictures.png(ProgramGallery.color(2)),
                to: "pictures/Later/\(ProgramGallery.title(2)).png")
            try home.write([1], to: "pictures/.hidden.png")
            try home.write("text", to: "pictures/notes.txt")
            symlink(".", pictures + "/loop")
            symlink("\(ProgramGallery.title(1)).png", pictures + "/Twin.png")
        }

        private func trusted() throws -> SSHServer {
            let server = try SSHServer(home: home)
            try server.trust()
            return server
        }

        /// Runs the program, which must fail with one line that ends with `reason`.
        private func expect(
            _ reason: String, from source: String, environment: [String: String] = [:],
            at location: SourceLocation = #_sourceLocation
        ) throws {
            let run = try ProgramRun(
                ["--urls", "--no-cache", source], in: home, environment: environment)
            #expect(run.code == 1 && run.lines.isEmpty, sourceLocation: location)
            #expect(run.errors.count == 1, "\(run.errors)", sourceLocation: location)
            let line = run.errors.first ?? ""
            #expect(line.hasSuffix(reason), "\(line)", sourceLocation: location)
            #expect(!line.contains("pass:word"), sourceLocation: location)
        }

        @Test(
            "a folder over sftp: albums, pictures, links; nothing hidden, no folder behind a link")
        func listing() throws {
            let server = try trusted()
            let base = "sftp://127.0.0.1:\(server.port)\(pictures)/"
            // Without its slash, a folder is found as well.
            let run = try ProgramRun(["--urls", server.address + pictures], in: home)
            #expect(run.errors.isEmpty)
            #expect(run.lines == [base + "Picture%20001.png", base + "Twin.png"])
            let records = try ProgramRun(["--json", server.address + pictures + "/"], in: home)
            #expect(records.lines.first?.contains("\"link\":\"\(base)Later/\"") == true)
            #expect(records.lines.last?.contains(/"date":"20\d\d-\d\d-\d\dT\d\d:\d\d"/) == true)
        }

        /// Whether what a run has printed is greener than it is red.
        private func isGreen(_ run: ProgramRun) -> Bool {
            let colors = run.output.matches(of: /8;2;(\d+);(\d+);\d+/)
            return colors.contains { (Int($0.2) ?? 0) > (Int($0.1) ?? 0) + 99 }
        }

        @Test("the tile of a photograph over sftp takes 128 KB at most, the viewer the rest")
        func beginning() throws {
            let command = "/usr/lib/openssh/sftp-server | tee -a \(home.path)/sent"
            let server = try SSHServer(home: home, command: command)
            try server.trust()
            try home.write(ProgramPictures.photograph(), to: "photos/p.jpg")
            let source = server.address + home.path + "/photos/"
            let tile = try ProgramRun(["--print", source], in: home)
            #expect(isGreen(tile), "\(tile.output)\(tile.errors)")
            #expect(home.read("sent").count < 128 << 10)
            // The second time it is in the cache, as a part.
            #expect(isGreen(try ProgramRun(["--print", source], in: home)))
            #expect(home.read("sent").count < 160 << 10)
            let screen = try ProgramScreen([source], in: home)
            #expect(screen.waitFor("p.jpg"))
            screen.type(Keys.enter)
            #expect(
                screen.wait { screen in
                    screen.middle.contains { $0.rawValue >> 16 & 0xFF > 150 }
                }, "\(screen.screen.text)")
            screen.type("q")
            #expect(screen.quit() == .code(0))
            #expect(home.read("sent").count > 3 << 20)
        }

        @Test(
            "two connections at most go to a server that ssh reaches, or as many as are asked for")
        func connections() throws {
            let command = "echo >> \(home.path)/sessions; exec /usr/lib/openssh/sftp-server"
            let server = try SSHServer(home: home, command: command)
            try server.trust()
            for number in 1...8 {
                try home.write(
                    ProgramPictures.png(ProgramGallery.color(number)), to: "many/\(number).png")
            }
            let source = server.address + home.path + "/many/"
            for (options, most) in [([], 2), (["--connections", "1"], 1)] {
                try home.write([], to: "sessions")
                let run = try ProgramRun(["--print", "--no-cache"] + options + [source], in: home)
                #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
                #expect(home.read("sessions").count == most)
            }
        }

        @Test(
            "the tile of a photograph from a web server takes its beginning, unless three had no thumbnail"
        )
        func beginningOnWeb() throws {
            let server = try LoopbackServer()
            for hasThumbnail in [true, false] {
                let photograph = ProgramPictures.photograph(hasThumbnail: hasThumbnail)
                let names = (1...9).map { "\(hasThumbnail)/p\($0).jpg" }
                for name in names {
                    server.route("/" + name) { request in
                        .ranged(photograph, type: "image/jpeg", tag: "\"1\"", for: request)
                    }
                }
                let page = names.map { "<p><img src='/\($0)' width=900 height=600>" }.joined()
                server.route("/\(hasThumbnail)") { _ in .html(page) }
                let run = try ProgramRun(
                    ["--print", "--connections", "1", server.url("/\(hasThumbnail)")], in: home)
                #expect(isGreen(run) == hasThumbnail, "\(run.output)\(run.errors)")
                let ranges = names.flatMap { name in
                    server.requests(to: "/" + name).map { $0.header("range") ?? "" }
                }
                let count = { (range: String) in ranges.count { $0 == range } }
                #expect(count("bytes=0-81919") >= (hasThumbnail ? 9 : 3), "\(ranges)")
                #expect((count("bytes=81920-") == 0) == hasThumbnail, "\(ranges)")
            }
        }

        @Test("an archive over sftp is an album of its folder, and a gallery")
        func archive() throws {
            let server = try trusted()
            try home.write("x", to: "books/notes.txt")
            let path = home.path + "/books/a.cbz"
            let files = [("1.png", ProgramPictures.png(ProgramGallery.color(1)))]
            #expect(PackedFiles.write(files, to: path, as: .zip))
            let address = "sftp://127.0.0.1:\(server.port)\(path)"
            let listed = try ProgramRun(
                ["--json", server.address + home.path + "/books/"], in: home)
            #expect(listed.lines.count == 1 && listed.output.contains("\"link\":\"\(address)\""))
            let run = try ProgramRun(["--urls", server.address + path], in: home)
            #expect(run.lines == [address + "#entry=1.png"], "\(run.errors)")
            let sheet = try ProgramRun(["--print", server.address + path], in: home)
            let color = ProgramGallery.color(1)
            #expect(sheet.output.contains("2;\(color.red);\(color.green);\(color.blue)"))
        }

        /// Prints what is at `source`; returns the trace.
        private func printed(_ source: String) throws -> String {
            let run = try ProgramRun(
                ["--print", "--trace", home.path + "/trace", source], in: home)
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            return String(decoding: home.read("trace"), as: UTF8.self)
        }

        /// A server of sftp, version 3, which opens any folder and then lists nothing.
        private static let stalling = """
            import struct, sys
            def number(n): return struct.pack('>I', n)
            def send(kind, body):
                sys.stdout.buffer.write(number(len(body) + 1) + bytes([kind]) + body)
                sys.stdout.buffer.flush()
            while head := sys.stdin.buffer.read(4):
                packet = sys.stdin.buffer.read(struct.unpack('>I', head)[0])
                kind, own = packet[0], packet[1:5]
                if kind == 1: send(2, number(3))
                elif kind == 16: send(104, own + number(1) + (number(2) + b'/x') * 2 + number(0))
                elif kind == 11: send(102, own + number(1) + b'h')
                elif kind in (7, 8, 17): send(105, own + number(0))
                elif kind != 12: send(101, own + number(0) + number(0) * 2)
            """

        @Test("a listing that stalls is given up after --timeout")
        func stalledListing() throws {
            let script = try home.write(Self.stalling, to: "stalling.py")
            let server = try SSHServer(home: home, command: "python3 \(script)")
            try server.trust()
            let run = try ProgramRun(
                [
                    "--urls", "--no-cache", "--timeout", "1", "--retries", "0",
                    server.address + "/x/",
                ],
                in: home)
            #expect(run.code == 1)
            #expect(run.errors.first?.hasSuffix("no response within 1 s") == true, "\(run.errors)")
        }

        @Test(
            "tiles, viewer and albums over sftp; what is cached is only looked at, until it changes"
        )
        func browsing() throws {
            let server = try trusted()
            let source = server.address + pictures + "/"
            // What is changed in the future is never fresh.
            try Tool.run("touch", ["-d", "1 hour", pictures + "/Twin.png"])
            let screen = try ProgramScreen([source], in: home)
            #expect(screen.waitForThumbnails([1]), "\(screen.screen.text)")
            #expect(screen.waitFor("Later"))
            screen.type(Keys.enter)
            #expect(screen.waitForThumbnails([2]), "\(screen.screen.text)")
            screen.type(Keys.enter)
            #expect(
                screen.wait {
                    $0.colors(in: CellRect(x: 20, y: 5, columns: 40, rows: 10))
                        == [CellColor(ProgramGallery.color(2))]
                }, "\(screen.screen.text)")
            screen.type("qqq")
            #expect(screen.waitForExit() == .code(0))
            let again = try printed(source)
            #expect(again.contains("304 0 bytes"))
            let changed = ProgramPictures.png(ProgramGallery.color(3))
            try home.write(changed, to: "pictures/\(ProgramGallery.title(1)).png")
            try Tool.run("touch", ["-d", "2 hours", pictures + "/Twin.png"])
            #expect(try printed(source).contains("200 \(changed.count) bytes"))
            // Neither state nor trace nor cache knows how to log in, and the state not even where.
            let user = server.address.dropFirst(7).prefix { $0 != "@" }
            let state = try? Tool.output(of: "grep", ["-rla", "sftp://", home.path + "/.local"])
            #expect(state == nil)
            #expect(!again.contains("\(user)@"))
        }

        @Test("an unknown or changed key, a wrong password, no folder and no server: one line each")
        func failures() throws {
            let server = try SSHServer(home: home)
            let host = "127.0.0.1"
            let port = server.port
            let scan = "ssh-keyscan -t ed25519 -p \(port) \(host) >> ~/.ssh/known_hosts"
            try expect(
                "is not in ~/.ssh/known_hosts; to trust it: \(scan)", from: server.address + "/")
            try server.trust()
            try expect("no such file", from: server.address + pictures + "/None/")
            unlink(home.path + "/.ssh/id_ed25519")
            let login = "refuses the login: is the name, key or password right?"
            try expect(login, from: server.address + "/")
            try expect(login, from: "sftp://nobody:pass%3Aword@\(host):\(port)/")
            server.stop()
            try expect("no connection: \(host) does not answer", from: server.address + "/")
            try expect("is not a valid address", from: "sftp://me:pass:word@\(host):1:2/")
            unlink(home.path + "/host-key")
            let other = try SSHServer(home: home)
            let known = try Tool.output(of: "cat", [home.path + "/.ssh/known_hosts"]).first ?? ""
            try home.write(
                known.replacing("]:\(port) ", with: "]:\(other.port) ") + "\n",
                to: ".ssh/known_hosts")
            try expect(
                "ssh-keygen -R '[\(host)]:\(other.port)' && "
                    + scan.replacing("\(port)", with: "\(other.port)"), from: other.address + "/")
        }

        @Test(
            "a page there names what is beside it, and no file, no private server, no file server")
        func page() throws {
            let server = try trusted()
            let web = try LoopbackServer()
            web.route("/a.png") { _ in .picture(ProgramGallery.color(3)) }
            let others = [
                "file://\(pictures)/Twin.png", web.url("/a.png"), server.address + "/b.png",
                "sftp://127.0.0.1:\(server.port)\(pictures)/Twin.png", "ftp://127.0.0.1/c.png",
                "//127.0.0.1:\(server.port)/d.png",
            ]
            let page =
                "<title>x</title>"
                + (others + ["Twin.png"]).map {
                    "<p><img src='\($0)' width=300 height=200>"
                }.joined()
            try home.write(page, to: "pictures/index.html")
            let source = server.address + pictures + "/index.html"
            let run = try ProgramRun(["--urls", source], in: home)
            #expect(
                run.lines.filter { !$0.hasPrefix("http") }
                    == ["sftp://127.0.0.1:\(server.port)\(pictures)/Twin.png"], "\(run.lines)")
            let print = try ProgramRun(["--print", source], in: home)
            #expect(print.code == 0)
            #expect(web.requests.isEmpty)
        }

        @Test("no page, key or other program opens a file server; who types it does")
        func typedOnly() throws {
            let server = try trusted()
            let web = try ProgramGallery(count: 3)
            let folder = server.address + pictures + "/"
            web.server.route("/away") { _ in .redirect(to: folder) }
            try expect("redirects to nowhere", from: web.server.url("/away"))
            try home.write(
                "{ \"bind\": { \"gallery\": { \"F5\": \":open \(folder)\" } } }",
                to: "config/halftone/config.json")
            let socket = home.path + "/socket"
            let screen = try ProgramScreen(["--ipc", socket, web.address], in: home)
            #expect(screen.wait { $0.position == "1/3" }, "\(screen.screen.text)")
            let refused = "‘sftp:’ addresses are opened only where they are typed"
            let asked = try ProgramRun(["--remote", "open " + folder, "--ipc", socket], in: home)
            #expect(asked.code == 1)
            #expect(screen.waitFor(refused), "\(screen.bottom)")
            screen.type("?" + Keys.escape)
            #expect(screen.wait { !$0.bottom.contains(refused) })
            screen.type("\u{1B}[15~")
            #expect(screen.waitFor(refused), "\(screen.bottom)")
            screen.type(":open " + folder)
            #expect(screen.waitFor("pictures/"))
            screen.type(Keys.enter)
            #expect(screen.waitForThumbnails([1]), "\(screen.screen.text)")
            // Where it is does not get into the history either.
            let state = try? Tool.output(
                of: "grep", ["-rla", folder, home.path + "/.local"])
            #expect(state == nil)
        }

        @Test("a folder over ftp, with a password that is neither shown nor kept")
        func ftp() throws {
            let server = try FTPServer(folder: pictures)
            let place = "ftp://127.0.0.1:\(server.port)/"
            let source = "ftp://reader:pass%3Aword@127.0.0.1:\(server.port)/"
            let run = try ProgramRun(["--urls", source], in: home)
            #expect(run.lines == ["Picture%20001.png", "Twin.png"].map { place + $0 })
            #expect(run.errors.isEmpty)
            let below = try ProgramRun(
                ["--print", "--trace", home.path + "/trace", source + "Later"], in: home)
            #expect(below.code == 0 && below.output.contains("Picture 002"), "\(below.errors)")
            try expect(
                "refuses the login: is the name, key or password right?",
                from: "ftp://reader:wrong@127.0.0.1:\(server.port)/")
            try expect("no such folder", from: source + "None/")
            let kept = try? Tool.output(
                of: "grep",
                ["-rlaE", "pass(%3A|:)word", home.path + "/cache", home.path + "/trace"])
            #expect(kept == nil)
            server.stop()
            try expect("no connection: 127.0.0.1 does not answer", from: source)
        }

        @Test("hostile names are left out, data comes from no other host; ftps needs a certificate")
        func hostile() throws {
            let picture = pictures + "/Twin.png"
            let names = ["caf%E9.png", "day%20first.png", "good%20one.png"]
            let server = try FTPServer(hostile: picture)
            let place = "ftp://127.0.0.1:\(server.port)/"
            let run = try ProgramRun(["--urls", place], in: home)
            #expect(run.lines == names.map { place + $0 }, "\(run.errors)")
            let print = try ProgramRun(["--print", place], in: home)
            #expect(print.code == 0 && !print.bytes.contains(0x07))
            #expect(!server.stop().contains("reached the other host"))
            let certificate = try TestCertificate(for: ["IP:127.0.0.1"], in: home.path)
            let secure = try FTPServer(hostile: picture, certificate)
            let safe = "ftps://127.0.0.1:\(secure.port)/"
            try expect("the server's certificate is self-signed", from: safe)
            let trusting = try ProgramRun(
                ["--urls", safe], in: home, environment: ["SSL_CERT_FILE": certificate.path])
            #expect(trusting.lines == names.map { safe + $0 }, "\(trusting.errors)")
        }
    }
}
