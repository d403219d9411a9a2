import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Archives and saved pages, offline") struct ArchiveTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private func packed(_ form: PackedFiles.Form, as name: String) throws -> String {
            let path = folder.path + "/" + name
            let files = [10, 2, 1].map { number in
                ("Comic/Seite \(number).png", ProgramPictures.png(ProgramGallery.color(number)))
            }
            #expect(PackedFiles.write(files, to: path, as: form))
            return path
        }

        @Test(
            "an archive is a gallery in natural order, each picture with its own address",
            arguments: [
                (PackedFiles.Form.zip, "a b#c.cbz"), (.sevenZip, "a.cb7"), (.packedTar, "a.cbt"),
            ])
        func archive(_ form: PackedFiles.Form, _ name: String) throws {
            let path = try packed(form, as: name)
            let urls = try ProgramRun(["--urls", "--offline", path], in: folder)
            let place = "file://" + path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            let escaped = name == "a b#c.cbz" ? "a%20b%23c.cbz" : name
            #expect(
                urls.lines
                    == [1, 2, 10].map { "\(place)/\(escaped)/Comic/Seite%20\($0).png" },
                "\(urls.errors)")
            // The second run uses the cache and reads no archive.
            for _ in 1...2 {
                let run = try ProgramRun(
                    ["--print", "--offline", path], in: folder, environment: ["COLUMNS": "90"])
                #expect(run.code == 0, "\(run.errors)")
                for number in [1, 2, 10] {
                    let color = ProgramGallery.color(number)
                    #expect(run.output.contains("2;\(color.red);\(color.green);\(color.blue)"))
                    #expect(run.output.contains("Seite \(number)"))
                }
            }
            // Addresses in the list can be passed as SOURCEs.
            let one = try ProgramRun(["--print", "--offline", urls.lines[0]], in: folder)
            #expect(one.code == 0, "\(one.errors)")
        }

        @Test(
            "an archive on a server is a gallery, whatever its type, fetched once; its pictures can be saved",
            arguments: [
                (PackedFiles.Form.zip, "application/vnd.comicbook+zip"),
                (.sevenZip, "application/octet-stream"), (.packedTar, ""),
            ])
        func onServer(_ form: PackedFiles.Form, _ type: String) throws {
            _ = try packed(form, as: "a")
            let bytes = folder.read("a")
            let server = try LoopbackServer()
            server.route("/get") { _ in .bytes(bytes, type: type.isEmpty ? nil : type) }
            let address = server.url("/get?id=1")
            let urls = try ProgramRun(["--urls", address], in: folder)
            #expect(
                urls.lines == [1, 2, 10].map { "\(address)#entry=Comic/Seite%20\($0).png" },
                "\(urls.errors)")
            let screen = try ProgramScreen([address], in: folder, at: folder.path)
            #expect(screen.waitFor("Seite 10.png"), "\(screen.screen.text)")
            screen.type("l" + Keys.enter)
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(2))] })
            screen.type("s")
            #expect(screen.waitFor("saved"))
            #expect(!folder.read("Seite 2.png").isEmpty)
            // Escape and what follows it at once would be one key.
            screen.type("q")
            #expect(screen.quit() == .code(0))
            #expect(server.requests.count { $0.path.hasPrefix("/get") } <= 2)
        }

        @Test("archives are albums in listings, and on pages whose pictures link to them")
        func linked() throws {
            _ = try packed(.zip, as: "a.cbz")
            let (bytes, cover) = (
                folder.read("a.cbz"), ProgramPictures.png(ProgramGallery.color(7))
            )
            let server = try LoopbackServer()
            server.route("/books/a.cbz") { _ in .bytes(bytes, type: nil) }
            server.route("/cover.png") { _ in .bytes(cover, type: "image/png") }
            server.route("/books/") { _ in
                .html(
                    "<title>Index of /books/</title><pre><a href='../'>../</a>\n"
                        + "<a href='a.cbz'>a.cbz</a> 2024-05-01 10:00 9K\n"
                        + "<a href='notes.doc'>notes.doc</a> 2024-05-01 10:00 9K\n</pre>")
            }
            server.route("/shelf") { _ in
                .html(
                    (1...4).map {
                        "<li><a href='/books/a.cbz?\($0)'><img src='/cover.png?\($0)' width=200 height=300></a>"
                    }.joined())
            }
            server.route("/cover.png") { _ in .bytes(cover, type: "image/png") }
            for path in ["/books/", "/shelf"] {
                let screen = try ProgramScreen([server.url(path)], in: folder)
                #expect(screen.wait { $0.position.hasPrefix("1/") }, "\(screen.screen.text)")
                screen.type(Keys.enter)
                #expect(screen.waitFor("Seite 10.png"), "\(screen.screen.text)")
                screen.type(Keys.enter)
                #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(1))] })
                screen.type("qq")
                #expect(screen.wait { !$0.screen.shows("Seite 1.png") })
                #expect(screen.quit() == .code(0))
            }
            let listed = try ProgramRun(["--json", server.url("/books/")], in: folder)
            #expect(listed.lines.count == 1 && listed.output.contains(#""kind":"album""#))
        }

        @Test(
            "an archive can be piped in; a broken one yields one error line, its pictures show why")
        func piped() throws {
            let path = try packed(.zip, as: "a.zip")
            let whole = folder.read("a.zip")
            let run = try ProgramRun(["--json", "-"], in: folder, inputBytes: whole)
            #expect(run.lines.count == 3, "\(run.errors)")
            try folder.write(Array(whole.prefix(8)), to: "cut.zip")
            let cut = try ProgramRun(["--urls", folder.path + "/cut.zip"], in: folder)
            #expect(cut.code == 1 && cut.errors.count == 1, "\(cut.errors)")
            let tar = folder.path + "/a.tar"
            #expect(PackedFiles.write([("1.png", [1]), ("2.png", [2])], to: tar, as: .tar))
            try folder.write(Array(folder.read("a.tar").prefix(1024 + 100)), to: "a.tar")
            let partial = try ProgramRun(["--urls", tar], in: folder)
            #expect(partial.code == 0 && partial.lines.count == 1)
            #expect(partial.errors.count == 1, "\(partial.errors)")
            let secret = folder.path + "/secret.zip"
            #expect(
                PackedFiles.write(
                    [(name: Array("a.png".utf8), bytes: folder.read("a.zip"))], to: secret,
                    as: .zip, password: "x"))
            let sheet = try ProgramRun(["--print", "--tile", "60", secret, path], in: folder)
            #expect(sheet.code == 0 && sheet.output.contains("encrypted"), "\(sheet.output)")
        }

        @Test("a saved page and MHTML show the saved pictures without network requests")
        func saved() throws {
            let server = try LoopbackServer()
            let items = [1, 2, 3, 4].map { number in
                "<a href='\(server.url("/full\(number).png"))'>"
                    + "<img src='page_files/\(number).png' alt='Lap \(number)'></a>"
            }
            for number in 1...4 {
                try folder.write(
                    ProgramPictures.png(ProgramGallery.color(number)),
                    to: "page_files/\(number).png")
            }
            let page = try folder.write("<main>\(items.joined())</main>", to: "page.html")
            var mail = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n"
            mail += "Content-Type: text/html\nContent-Location: \(server.url("/p/"))\n\n"
            mail += "<main>\(items.joined())<a rel=next href=2>next</a></main>\n"
            for number in 1...4 {
                let bytes = ProgramPictures.png(ProgramGallery.color(number))
                mail +=
                    "--b\nContent-Type: image/png\nContent-Transfer-Encoding: quoted-printable\n"
                mail += "Content-Location: \(server.url("/p/page_files/\(number).png"))\n\n"
                mail +=
                    bytes.map { "=" + String(Int($0) + 256, radix: 16).dropFirst().uppercased() }
                    .joined() + "\n"
            }
            let archive = try folder.write(mail + "--b--\n", to: "page.mhtml")
            for source in [page, archive] {
                let run = try ProgramRun(
                    ["--print", "--pages", "all", source], in: folder,
                    environment: ["COLUMNS": "120"])
                #expect(run.code == 0, "\(run.errors)")
                for number in 1...4 {
                    let color = ProgramGallery.color(number)
                    #expect(run.output.contains("2;\(color.red);\(color.green);\(color.blue)"))
                    #expect(run.output.contains("Lap \(number)"))
                }
                let piped = try ProgramRun(
                    ["--urls", "-"], in: folder, inputBytes: folder.read("page.mhtml"))
                #expect(piped.lines.count == 4, "\(piped.errors)")
            }
            #expect(server.requests.isEmpty)
        }

        @Test(
            "a saved public page reaches no private address, and says so",
            arguments: ["page.html", "page.mhtml"])
        func privateAddresses(name: String) throws {
            let server = try LoopbackServer()
            let png = ProgramPictures.png(ProgramGallery.color(1))
            server.route(below: "/") { _ in .bytes(png, type: "image/png") }
            let items = (1...3).map { "<img src='\(server.url("/\($0).png"))'>" }.joined()
            let site = "https://photos.example/"
            let mail =
                "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n"
                + "--b\nContent-Type: text/html\nContent-Location: \(site)\n\n"
            let head = name == "page.html" ? "<!-- saved from url=(0023)\(site) -->\n" : mail
            let page = try folder.write(head + "<main>\(items)</main>\n", to: name)
            let arguments = ["--print", "--no-cache", "--tile", "60", page]
            let run = try ProgramRun(arguments, in: folder)
            #expect(server.requests.isEmpty)
            #expect(run.output.contains("a public page"), "\(run.output) \(run.errors)")
            _ = try ProgramRun(["--allow-private"] + arguments, in: folder)
            #expect(server.requests.count == 3)
        }
    }
}
