import Basics
import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// The files in `Resources/Examples`, in the programs they are for, as Debian 12 has them; yazi is not in it.
    @Suite("Examples for other programs") struct ExampleTests {
        let folder: ScratchFolder

        private static let color = RGB(red: 215, green: 95, blue: 0)
        /// Quotes, a backslash, a blank and a command, which no example may run.
        private static let name = #"one '2" \; $(touch x).png"#
        private static let examples =
            #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
            + "/Resources/Examples"

        /// Makes a home with every example in its place, the program in its PATH, and a folder with one picture.
        init() throws {
            folder = try ScratchFolder()
            try folder.write(ProgramPictures.png(Self.color), to: "shots/" + Self.name)
            // lf takes ~ for the home in the password file.
            try Tool.run(
                "sh",
                [
                    "-c",
                    """
                    set -e; cd '\(folder.path)'; mkdir -p bin config/nnn/plugins
                    ln -s "$(realpath '\(ProgramRun.executable)')" bin/halftone
                    cp -R '\(Self.examples)/lf' '\(Self.examples)/ranger' '\(Self.examples)/vifm' config
                    cp '\(Self.examples)/nnn/halftone' config/nnn/plugins
                    sed -i 's#~/.config#\(folder.path)/config#' config/lf/lfrc
                    """,
                ])
        }

        /// Runs a command of a shell in the folder of pictures, in a terminal of 100 × 30 cells.
        private func terminal(_ command: String) throws -> PtyProcess {
            let home = folder.path
            let environment = folder.environment.merging([
                "PATH": home + "/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR": home, "SHELL": "/bin/sh",
                "NNN_PLUG": "p:halftone",
                "VIFM": home + "/config/vifm", "MYVIFMRC": home + "/config/vifm/vifmrc",
            ]) { $1 }
            return try PtyProcess(
                "/bin/sh", arguments: ["-c", "cd '\(home)/shots'; " + command],
                environment: environment, size: CellSize(columns: 100, rows: 30),
                answers: TerminalAnswers())
        }

        /// Reads until the right part of the screen shows the picture: at least 500 cells of its colour.
        private func showsPreview(_ process: PtyProcess, from left: Int) -> Bool {
            // Some programs use the nearest colour of the palette, which is the same.
            let colors: Set = [CellColor(Self.color), CellColor(palette: 166)]
            defer { #expect(access(folder.path + "/shots/x", F_OK) != 0, "a name was run") }
            return process.wait { screen in
                let count = (0..<screen.size.rows).reduce(0) { count, y in
                    count
                        + (left..<screen.size.columns).count { x in
                            colors.isSuperset(of: screen.grid[x, y].visibleColors)
                        }
                }
                return count >= 500
            }
        }

        @Test("fzf")
        func fzf() throws {
            let process = try terminal("ls | { . '\(Self.examples)/fzf/halftone.sh'; fzf; }")
            #expect(showsPreview(process, from: 41), "\(process.screen.text)")
            // fzf would say here that there is more below.
            #expect(!process.screen.shows("1/28"), "\(process.screen.text)")
            process.sendAlone("\r")
            #expect(process.waitForExit() == .code(0))
        }

        @Test("fzf shows text as text")
        func text() throws {
            try folder.write("Where the wild roses grow\n", to: "shots/notes.txt")
            let process = try terminal(
                "echo notes.txt | { . '\(Self.examples)/fzf/halftone.sh'; fzf; }")
            #expect(
                process.wait { $0.shows("Where the wild roses grow") }, "\(process.screen.text)")
        }

        @Test("lf, its preview and its choice")
        func lf() throws {
            // A server that lf has to start itself would outlive it, and may be a second late: what is chosen by then is lost.
            let process = try terminal(
                "lf -server & until [ -S ../lf.*.sock ]; do :; done; exec lf")
            #expect(showsPreview(process, from: 50), "\(process.screen.text)")
            choose(process)
            // How many are selected stands before the position.
            #expect(
                process.wait { $0.text(row: 29).contains(#/ 1 +1/1/#) }, "\(process.screen.text)")
            process.send("%basename \"chosen $fs\"\r")
            #expect(process.wait { $0.text(row: 29).contains(Self.name) }, "\(process.screen.text)")
        }

        @Test("ranger, its preview and its choice")
        func ranger() throws {
            // Without the commands, ranger would show root no previews.
            let process = try terminal(
                "exec ranger --cmd='set preview_files true' --cmd='set use_preview_script true'")
            #expect(showsPreview(process, from: 50), "\(process.screen.text)")
            choose(process)
            #expect(process.wait { $0.shows("Mrk") }, "\(process.screen.text)")
            #expect(showsPreview(process, from: 50), "\(process.screen.text)")
        }

        @Test("vifm, its preview and its choice")
        func vifm() throws {
            let process = try terminal("exec vifm .")
            #expect(process.wait { $0.shows("one") }, "\(process.screen.text)")
            process.sendAlone("j")
            process.sendAlone("w")
            #expect(showsPreview(process, from: 50), "\(process.screen.text)")
            choose(process)
            #expect(process.wait { $0.shows("1 file selected") }, "\(process.screen.text)")
        }

        @Test("nnn in tmux")
        func nnn() throws {
            let process = try terminal(
                "exec tmux -S '\(folder.path)/socket' -f /dev/null new-session 'exec nnn -a'")
            #expect(process.wait { $0.shows("one") }, "\(process.screen.text)")
            process.sendAlone(";")
            process.sendAlone("p")
            #expect(showsPreview(process, from: 45), "\(process.screen.text)")
            process.sendAlone("q")
            // The pane ends with nnn, and tmux with its last pane.
            #expect(process.waitForExit() == .code(0), "\(process.screen.text)")
        }

        /// Chooses the only picture in halftone by the key that the examples bind.
        private func choose(_ process: PtyProcess) {
            process.sendAlone("P")
            #expect(process.wait { $0.shows("Enter chooses") }, "\(process.screen.text)")
            process.sendAlone("\r")
            #expect(process.wait { !$0.shows("Enter chooses") }, "\(process.screen.text)")
        }
    }
}
