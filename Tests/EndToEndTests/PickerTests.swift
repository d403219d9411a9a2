import Basics
import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// The pickers and the makers' files in `Resources/Examples`, with stand-ins for programs that Debian lacks or that need a desktop.
    @Suite("Pickers and makers of pictures") struct PickerTests {
        let folder: ScratchFolder
        private static let examples =
            #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
            + "/Resources/Examples"

        /// Programs that say what the real ones do of three pictures, and write down what they are told.
        private static let standIns = [
            "cliphist": """
            [ $1 = decode ] && exec cat $2.png
            printf '3\\t[[ binary data 9 KiB png 64x48 ]]\\n8\\tsome text\\n'
            printf '2\\t[[ binary data 8 KiB png 64x48 ]]\\n'
            """,
            "wl-copy": "cat >got", "feh": "echo feh $4 >got", "mpv": "echo mpv $2 >got",
            "steam": "echo $1 >got", "rclip": "printf '3.png\\n1.png\\n'",
            "beet": """
            [ $1 = play ] && exec echo $3 >got
            printf '11\\t%s\\tA: B\\n12\\t%s\\tC: "D"\\n' $PWD/1.png $PWD/2.png
            """,
            "fc-list": "printf '/f/b.ttf: Second\\n/f/a.ttf: First\\n'",
            "convert": "for last; do :; done; cp 1.png $last",
            "curl": "cat answer",
        ]

        init() throws {
            folder = try ScratchFolder()
            for number in 1...3 {
                try folder.write(
                    ProgramPictures.png(ProgramGallery.color(number)), to: "home/\(number).png")
            }
            for (name, script) in Self.standIns {
                try folder.write("#!/bin/sh\n" + script, to: "bin/" + name)
            }
            try Tool.run(
                "sh",
                [
                    "-c",
                    """
                    set -e; cd '\(folder.path)'; chmod +x bin/*
                    ln -s "$(realpath '\(ProgramRun.executable)')" bin/halftone; cd home
                    git init -q; git config user.email a@example.org; git config user.name A
                    git add 1.png; git commit -qm 'The first'
                    cp 2.png 1.png; git commit -qam 'The second, with "quotes"'
                    git add 2.png; mkdir -p games/appcache/librarycache icons/hicolor/apps
                    for id in 10 20; do
                        cp 3.png games/appcache/librarycache/${id}_library_600x900.jpg
                    done
                    cp 1.png icons/hicolor/apps/mail.png; cp 2.png icons/hicolor/apps/web.png
                    cp 1.png a.mp4; cp 2.png b.mp4
                    """,
                ])
        }

        private func run(_ command: String, in terminal: Bool = true) throws -> PtyProcess {
            let home = folder.path + "/home"
            let variables = folder.environment.merging([
                "PATH": folder.path + "/bin:/usr/bin:/bin", "ICONS": "icons",
                "STEAM": home + "/games", "XDG_CACHE_HOME": folder.path + "/cache",
            ]) { $1 }
            return try PtyProcess(
                "/bin/sh", arguments: ["-c", "cd '\(home)' && { \(command); }"],
                environment: variables, size: CellSize(columns: 100, rows: 30),
                answers: TerminalAnswers())
        }

        private func written(_ name: String) -> String {
            String(decoding: folder.read("home/" + name), as: UTF8.self)
        }

        @Test(
            "each picker shows its pictures and hands on the chosen one",
            arguments: [
                ("clipboard", 2, "PNG"), ("wallpaper .", 9, "feh"), ("git-changed", 1, "2.png"),
                ("git-history 1.png", 2, "^[0-9a-f]{7}"),
                ("openverse wild roses", 2, "https://b.example"),
                ("products", 2, "22"), ("icons", 2, "web"), ("fonts", 2, "Second"),
                ("screenshots .", 9, "PNG"), ("search red", 2, "/1.png"),
                ("videos", 2, "mpv /.*/b.mp4"),
                ("albums", 2, "id:12"), ("games", 2, "rungameid/20"),
            ])
        func pickers(_ call: String, _ count: Int, _ result: String) throws {
            let server = try ProgramGallery(count: 2)
            let image = { server.server.url(server.fullPath($0)) }
            try folder.write(
                """
                {"results":[{"url":"\(image(1))","thumbnail":null,"title":"a","foreign_landing_url":"https://a.example"},
                {"url":"\(image(2))","title":"b","foreign_landing_url":"https://b.example"}],
                "products":[{"thumbnail":"\(image(1))","title":"a","price":1,"id":11},
                {"thumbnail":"\(image(2))","title":"b","price":2,"id":22}]}
                """, to: "home/answer")
            let process = try run("'\(Self.examples)/pickers/'\(call) >out")
            #expect(process.wait { $0.shows("1/\(count) ") }, "\(process.screen.text)")
            if count > 1 {
                process.send("l")
                #expect(process.wait { $0.shows("2/\(count) ") }, "\(process.screen.text)")
            }
            process.sendAlone("\r")
            #expect(process.waitForExit() == .code(0), "\(process.screen.text)")
            let said = written("out") + written("got")
            let pattern = try Regex(result)
            #expect(!said.isEmpty && said.contains(pattern), "\(said)")
        }

        @Test("a matplotlib figure is shown, and shown anew when it has changed")
        func matplotlib() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/6" })
            // A figure of one colour, then of another.
            let script = """
                import matplotlib.pyplot as plt
                figure = plt.figure(facecolor="#d75f00"); plt.show()
                input()
                figure.set_facecolor("#0087d7"); plt.show()
                """
            let python = try run(
                "MPLBACKEND=module://halftone_backend PYTHONPATH='\(Self.examples)/makers' "
                    + "PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c '\(script)'")
            #expect(screen.wait { $0.position == "1/1" && $0.screen.shows("Shown") })
            screen.type(Keys.enter)
            let color = { (red: UInt8, green: UInt8, blue: UInt8) in
                CellColor(RGB(red: red, green: green, blue: blue))
            }
            #expect(screen.wait { $0.middle == [color(0xD7, 0x5F, 0)] }, "\(python.screen.text)")
            python.send("\r")
            #expect(screen.wait { $0.middle == [color(0, 0x87, 0xD7)] }, "\(python.screen.text)")
            #expect(python.waitForExit() == .code(0))
        }

        @Test("an agent's hook shows the pictures that its JSON names, and nothing else")
        func agent() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/6" })
            let path = folder.path + "/home/"
            try folder.write(
                #"{"tool":"Bash","input":{"command":"plot -o '\#(path)2.png' gone.png"},"x":["\#(path)3.png;touch y"]}"#,
                to: "home/hook.json")
            let hook = try run("'\(Self.examples)/makers/agent-hook' <hook.json >out 2>&1")
            #expect(hook.waitForExit() == .code(0))
            #expect(written("out") == "" && access(path + "y", F_OK) != 0)
            #expect(screen.wait { $0.position == "1/2" && $0.screen.shows("Shown") })
        }

        @Test(
            "what gnuplot and Julia pipe a plot to shows it",
            arguments: [
                ("gnuplot", #"s/^set output "| \(.*\)"/\1/p"#), ("jl", "s/.*`\\(.*\\)`.*/\\1/p"),
            ])
        func plots(_ ending: String, _ command: String) throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/6" })
            let file = "\(Self.examples)/makers/plots.\(ending)"
            let plot = try run("sh -c \"$(sed -n '\(command)' '\(file)')\" <3.png")
            #expect(plot.waitForExit() == .code(0), "\(plot.screen.text)")
            #expect(screen.wait { $0.position == "1/1" && $0.screen.shows("Shown") })
        }
    }
}
