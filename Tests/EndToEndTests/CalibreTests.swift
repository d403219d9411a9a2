import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// A real catalogue: OPDS 1.2 behind a digest log-in.
    @Suite(
        "calibre's server",
        .enabled(if: access("/usr/bin/calibre-server", X_OK) == 0, "needs calibre"))
    struct CalibreTests {
        @Test("a comic is found in the catalogue and opens as its archive")
        func comic() throws {
            let folder = try ScratchFolder()
            let files = (1...3).map {
                ("\($0).png", ProgramPictures.png(ProgramGallery.color($0)))
            }
            let (comic, library) = (folder.path + "/A comic.cbz", folder.path + "/library")
            #expect(PackedFiles.write(files, to: comic, as: .zip))
            mkdir(library, 0o700)
            let settings = [
                "CALIBRE_CONFIG_DIRECTORY=\(folder.path)/settings", "QT_QPA_PLATFORM=offscreen",
            ]
            try Tool.run("env", settings + ["calibredb", "add", "--with-library", library, comic])
            let serve = settings + ["calibre-server", "--userdb", folder.path + "/users.sqlite"]
            try Tool.run("env", serve + ["--manage-users", "--", "add", "me", "secret"])
            let (listener, port) = try listenOnLoopback(.ipv4)
            close(listener)
            let server = try Tool(
                "env",
                serve + [
                    "--enable-auth", "--listen-on", "127.0.0.1", "--port", "\(port)",
                    "--disable-use-bonjour", library,
                ])
            try server.waitFor("listening on")

            let configuration = try folder.write(
                #"{"sites": {"127.0.0.1:\#(port)": {"user": "me", "password-command": ["echo", "secret"]}}}"#,
                to: "config.json")
            let screen = try ProgramScreen(
                ["--config", configuration, "http://127.0.0.1:\(port)/opds"], in: folder)
            #expect(screen.waitFor("By Newest"), "\(screen.screen.text)")
            screen.type(Keys.enter)
            #expect(screen.waitFor("A comic"), "\(screen.screen.text)")
            screen.type(Keys.enter)
            #expect(screen.wait { $0.position == "1/3" }, "\(screen.screen.text)")
            screen.type("l" + Keys.enter)
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(2))] })
            screen.type("qqq")
            #expect(screen.quit() == .code(0))
        }
    }
}
