import Basics
import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Programs brought to another machine: this one, by OpenSSH's server, with another home.
    @Suite("Other machines") struct SSHHostTests {
        let home: ScratchFolder
        let server: SSHServer
        /// The home on the other machine.
        private var far: String { home.path + "/far" }
        /// What of the program is kept there.
        private var kept: [String] { names(in: far + "/.cache/halftone") }
        private var address: String { "ssh" + server.address.dropFirst(4) }

        /// Each shell reads its commands in its own way.
        static let shells = ["sh", "bash", "zsh", "fish"]

        init() throws { try self.init(shell: "sh") }

        /// Starts a server whose users have `shell` as their login shell.
        private init(shell: String) throws {
            home = try ScratchFolder()
            try home.write(
                ProgramPictures.png(ProgramGallery.color(1)),
                to: "far/Pictures/\(ProgramGallery.title(1)).png")
            let login = try home.write(
                """
                #!/bin/sh
                export HOME='\(home.path)/far' XDG_RUNTIME_DIR=; cd; exec \(shell) -c "$SSH_ORIGINAL_COMMAND"
                """, to: "login")
            server = try SSHServer(home: home, command: login)
            try server.trust()
            // OpenSSH takes the home from the system's list of users.
            let ssh = try home.write(
                """
                #!/bin/sh
                echo "$@" >> '\(home.path)/calls'
                exec /usr/bin/ssh -F none -i '\(home.path)/.ssh/id_ed25519' \\
                    -o UserKnownHostsFile='\(home.path)/.ssh/known_hosts' "$@"
                """, to: "bin/ssh")
            let portable = try home.write(
                "#!/bin/sh\nexec '\(ProgramRun.executable)' \"$@\"", to: "bin/portable")
            for path in [login, ssh, portable] { chmod(path, 0o700) }
        }

        private var environment: [String: String] {
            [
                // Small, as the program of a test is large.
                "HALFTONE_PORTABLE": home.path + "/bin/portable",
                "PATH": home.path + "/bin:/usr/bin:/bin",
            ]
        }

        private func names(in folder: String) -> [String] {
            (fileNames(in: folder, limit: 100, isAll: true) ?? []).sorted()
        }

        private func run(_ arguments: [String], portable: String? = nil) throws -> ProgramRun {
            let own = portable.map { ["HALFTONE_PORTABLE": $0] } ?? [:]
            return try ProgramRun(
                arguments, in: home, environment: environment.merging(own) { $1 })
        }

        /// Runs the program, which must fail with one line that contains `reason`.
        private func expect(
            _ reason: String, code: Int32, _ arguments: [String], portable: String? = nil,
            at location: SourceLocation = #_sourceLocation
        ) throws {
            let run = try run(arguments, portable: portable)
            #expect(run.code == code && run.lines.isEmpty, sourceLocation: location)
            #expect(
                run.errors.count == 1 && run.errors[0].contains(reason), "\(run.errors)",
                sourceLocation: location)
        }

        /// Installs a program of `lines` there; returns what names it in an option.
        private func install(_ lines: String) throws -> String {
            chmod(try home.write("#!/bin/sh\n" + lines, to: "far/bin/own"), 0o700)
            return "--remote-program=\(far)/bin/own"
        }

        @Test("a gallery there, shown here: the program is brought once, by hash, nothing is left")
        func browsing() throws {
            let files = names(in: far)
            let screen = try ProgramScreen(
                [address + "/~/Pictures"], in: home,
                environment: environment.merging([
                    "HALFTONE_PORTABLE": ProgramRun.executable
                ]) { $1 })
            #expect(screen.waitForThumbnails([1]), "\(screen.screen.text)")
            screen.type("s")
            #expect(screen.waitFor("saved"), "\(screen.bottom)")
            screen.type("q")
            #expect(screen.waitForExit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            let saved = "\(ProgramGallery.title(1)).png"
            #expect(names(in: far) == (files + [saved, ".cache"]).sorted())
            #expect(kept.count == 1 && kept[0].hasPrefix("portable-"), "\(kept)")
            let path = far + "/.cache/halftone/" + kept[0]
            let first = FileIdentity(path: path)
            let again = try run(
                ["--paths", address + "/~/Pictures"], portable: ProgramRun.executable)
            #expect(again.lines == ["\(far)/Pictures/\(saved)"], "\(again.errors)")
            #expect(FileIdentity(path: path) == first)
            // A new version takes its place.
            #expect(try run(["--paths", address]).code == 0)
            #expect(kept.count == 1 && !path.hasSuffix(kept[0]), "\(kept)")
            #expect(try run(["--forget-host", String(address.dropFirst(6))]).code == 0)
            #expect(names(in: far + "/.cache").isEmpty)
            // Neither the connection nor a trace of the place is left here.
            #expect(names(in: home.path + "/.local/state/halftone/run").isEmpty)
            let state = try? Tool.output(
                of: "grep", ["-rla", "ssh://", home.path + "/.local", home.path + "/cache"])
            #expect(state == nil)
        }

        @Test("no name is read by a shell, whichever it is", arguments: shells)
        func names(shell: String) throws {
            let tests = try SSHHostTests(shell: shell)
            let folder = "-a 'b' \"c\" $(touch x) `touch x` \\d !e *;&|<x\n%41é"
            try tests.home.write(
                ProgramPictures.png(ProgramGallery.color(1)), to: "far/\(folder)/1.png")
            let remote = try tests.install("exec \(ProgramRun.executable) \"$@\"")
            let path = folder.replacing("%", with: "%25")
            let run = try tests.run([
                "--print0", "--paths", "--heading", folder, "--filter", "", remote,
                "--", tests.address + "/~/" + path,
            ])
            #expect(run.output == "\(tests.far)/\(folder)/1.png\0", "\(run.errors)")
            let absolute = try tests.run(
                ["--print0", "--paths", remote, tests.address + tests.far + "/" + path])
            #expect(absolute.output == run.output)
            let own = [".cache", "Pictures", folder, "bin"]
            #expect(
                tests.names(in: tests.far).filter { !own.contains($0) && !$0.hasPrefix(".") } == [])
            #expect(tests.kept.isEmpty)
        }

        @Test("what is not a host and a path, or not alone, is refused before ssh is run")
        func refused() throws {
            let places = [
                "-oProxyCommand=touch x", "me@-oProxyCommand=x/", "", "h;touch x/", "$(touch x)/",
                "h x/", "h\n/", "h'/", "h\"/", "h`/", "@/", "h/%00--output=x",
            ]
            for place in places {
                try expect("is not the one ssh://", code: 2, ["--urls", "ssh://" + place])
            }
            try expect("is not the one ssh://", code: 2, ["--urls", address, home.path])
            try expect(
                "is not the one ssh://", code: 2,
                ["--urls", "--remote-program", "own; touch x", address])
            try expect("is not the one ssh://", code: 2, ["--forget-host", "-oX=y"])
            try expect("--forget: takes no value", code: 2, ["--forget", address])
            #expect(home.read("calls").isEmpty)
        }

        @Test("only the command line names another machine: no list, prompt, page or redirect")
        func commandLineOnly() throws {
            let list = try ProgramRun(
                ["--urls", "-"], in: home, environment: environment, input: address + "/\n")
            #expect(list.code == 1 && list.errors.count == 1, "\(list.errors)")
            let web = try ProgramGallery(count: 3)
            web.server.route("/away") { _ in .redirect(to: address + "/") }
            web.server.route("/page") { _ in
                .html("<a href='\(address)/'><img src='\(address)/a.png' width=300 height=200></a>")
            }
            for path in ["/away", "/page"] {
                #expect(try run(["--json", web.server.url(path)]).code == 1)
            }
            let screen = try ProgramScreen([web.address], in: home, environment: environment)
            #expect(screen.wait { $0.position == "1/3" }, "\(screen.screen.text)")
            screen.type(":open \(address)/" + Keys.enter)
            #expect(screen.waitFor("‘ssh:’"), "\(screen.bottom)")
            #expect(home.read("calls").isEmpty)
        }

        @Test("a program for another processor, one that does not run, no server: one line each")
        func failures() throws {
            var bytes = [UInt8](repeating: 0, count: 64)
            bytes[18] = 183
            let source = address + "/~/Pictures"
            let advice = "; sftp" + source.dropFirst(3)
            let foreign = try home.write(bytes, to: "foreign")
            try expect(
                "a program for Linux aarch64 cannot run on Linux x86_64" + advice, code: 1,
                ["--urls", source], portable: foreign)
            let broken = try home.write("#!/bin/sh\necho needs GLIBC_9 >&2; exit 1", to: "broken")
            try expect("needs GLIBC_9" + advice, code: 1, ["--urls", source], portable: broken)
            #expect(kept.isEmpty)
            try expect("HALFTONE_PORTABLE", code: 2, ["--urls", source], portable: "")
            // A folder in which nothing can be made.
            rmdir(far + "/.cache/halftone")
            try home.write("", to: "far/.cache/halftone")
            try expect("File exists" + advice, code: 1, ["--urls", source])
            unlink(far + "/.cache/halftone")
            server.stop()
            try expect("Connection refused" + advice, code: 1, ["--urls", source])
        }

        @Test(
            "what is sent: arguments, settings that run no programs, and what tells of the terminal"
        )
        func sent() throws {
            try home.write(
                """
                {
                    "tile": 30, "hints": false, "header": "K: secret", "cookies": "/secret",
                    "open": {"*": ["secret"]}, "on-open": "!secret", "theme": {"accent": "red"},
                    "bind": {"viewer": {"d": "!secret"}}, "keys": {"quit": ["x"]}, "browser-program": "secret",
                    "sites": {"example.org": {"header": "K: secret"}}, "tyle": 1
                }
                """, to: "config/halftone/config.json")
            let remote = try install(
                """
                cat "$2" >words; cat .cache/halftone/settings-* >settings; env >variables
                stat -c %a .cache/halftone/* >modes; exit 7
                """)
            let run = try ProgramRun(
                ["--urls", remote, "--sort", "title", address + "/~/Pictures"], in: home,
                environment: environment.merging([
                    "TERM_PROGRAM": "WezTerm", "COLORTERM": "truecolor", "LC_ALL": "x;touch y",
                    "SECRET": "1",
                ]) { $1 })
            #expect(run.code == 7 && run.lines.isEmpty)
            #expect(run.errors.count == 2, "\(run.errors)")
            let words = String(decoding: home.read("far/words"), as: UTF8.self)
                .split(separator: "\0").map(String.init)
            #expect(
                words.dropLast()
                    == [
                        "--no-state", "--no-cache", "--urls", remote, "--sort", "title",
                        "./Pictures", "--config",
                    ])
            let settings = String(decoding: home.read("far/settings"), as: UTF8.self)
            #expect(
                settings
                    == #"{"theme":{"accent":"red"},"keys":{"quit":["x"]},"tile":30,"hints":false}"#)
            let variables = String(decoding: home.read("far/variables"), as: UTF8.self)
                .split(separator: "\n")
            #expect(variables.contains("TERM_PROGRAM=WezTerm"))
            #expect(variables.contains("COLORTERM=truecolor"))
            #expect(!variables.contains { $0.hasPrefix("LC_ALL=x") || $0.hasPrefix("SECRET") })
            #expect(home.read("far/modes") == Array("600\n600\n".utf8))
            #expect(kept.isEmpty)
        }

        @Test("a connection that ends gives the terminal back with one line, and leaves nothing")
        func lost() throws {
            let remote = try install(
                #"printf '\033[?1049h\033[?1000h\033[?25l'; kill -9 $PPID; sleep 9"#)
            let screen = try ProgramScreen(
                [remote, address], in: home, environment: environment)
            #expect(screen.waitForExit() == .code(255))
            #expect(screen.screen.shows("the connection has ended"), "\(screen.screen.text)")
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            #expect(screen.wait { _ in kept.isEmpty }, "\(kept)")
        }

        @Test("a signal to end reaches the program there, and the connection goes with it")
        func terminated() throws {
            let screen = try ProgramScreen(
                [address + "/~/Pictures"], in: home, environment: environment)
            #expect(screen.waitForThumbnails([1]), "\(screen.screen.text)")
            kill(screen.process.identifier, SIGTERM)
            #expect(screen.waitForExit() == .code(255))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            #expect(names(in: home.path + "/.local/state/halftone/run").isEmpty)
        }
    }
}
