import Basics
import Network
import Pipeline
import TestSupport
import Testing

@testable import Gallery

@Suite struct ArchivedGalleryTests {
    private let scratch: ScratchFolder
    private static let gif = Array("GIF89a".utf8)

    init() throws { scratch = try ScratchFolder() }

    private func page(_ path: String) throws -> Page {
        #expect(FolderReader.isContainer(path))
        return try PageReader().folder(at: Address(path: path)).get()
    }

    /// Returns the pictures' paths relative to the archive.
    private func names(_ page: Page) -> [String] {
        page.pictures.map { picture in
            let text = picture.image.text
            return text.hasPrefix("file://\(scratch.path)/a/")
                ? String(text.dropFirst(scratch.path.utf8.count + 10)) : text
        }
    }

    @Test("a folder's own pictures precede its subfolders', in natural order; others are omitted")
    func order() throws {
        let names = [
            "top/b/2.jpg", "top/b/10.jpg", "top/a/x.png", "top/z.jpg", "top/readme.txt",
            "top/.hidden.jpg", "__MACOSX/top/z.jpg", "top/@eaDir/z.jpg", "top/b/c/d.svg",
            "top/1?.gif",
        ]
        let path = scratch.path + "/a"
        try #require(PackedFiles.write(names.map { ($0, Self.gif) }, to: path))
        let page = try page(path)
        #expect(
            page.pictures.map(\.title)
                == ["1?.gif", "z.jpg", "a/x.png", "b/2.jpg", "b/10.jpg", "b/c/d.svg"])
        #expect(self.names(page)[0] == "top/1%3F.gif")
        #expect(page.pictures[0].byteCount == 6)
        #expect(page.pictures[0].date == "2018-11-26T10:00:00Z")
        #expect(page.pictures.allSatisfy { $0.isFullKnown && $0.page == Address(path: path) })
        #expect(page.title == "a")
    }

    @Test("a truncated archive shows what could be read, and why there is no more")
    func truncated() throws {
        let path = scratch.path + "/a"
        let pictures = (1...3).map { ("\($0).gif", Self.gif) }
        try #require(PackedFiles.write(pictures, to: path, as: .tar))
        #expect(try page(path).shortfall == nil)
        // Ends within the second header: each file takes two blocks of 512 bytes.
        try scratch.write(Array(scratch.read("a").prefix(1024 + 100)), to: "a")
        let explained = Locked("")
        let reader = PageReader(explain: { text in explained.withLock { $0 = text } })
        let page = try reader.folder(at: Address(path: path)).get()
        #expect(page.pictures.map(\.title) == ["1.gif"])
        let shortfall = try #require(page.shortfall)
        #expect(shortfall.hasPrefix("the archive could not be read to its end: a damaged archive:"))
        #expect(explained.withLock(\.self).contains(shortfall))
    }

    @Test("archives in a folder are albums, with their first picture as thumbnail where cheap")
    func albums() throws {
        let folder = scratch.path + "/shelf/"
        try scratch.write(Self.gif, to: "shelf/10.gif")
        try scratch.write(Self.gif, to: "shelf/b/1.gif")
        try scratch.write("no archive", to: "shelf/c.zip")
        let pictures = [("x/2.gif", Self.gif), ("x/1.gif", Self.gif)]
        for (name, form) in [("A 2.cbz", PackedFiles.Form.zip), ("d.cb7", .sevenZip)] {
            try #require(PackedFiles.write(pictures, to: folder + name, as: form))
        }
        try #require(PackedFiles.write([("a.txt", Self.gif)], to: folder + "words.zip"))
        let found = try page(folder).pictures
        #expect(found.map(\.title) == ["A 2.cbz", "b", "d.cb7", "10.gif"])
        #expect(found.map { $0.kind == .album } == [true, true, true, false])
        #expect(found[0].thumbnail == Address(path: folder + "A 2.cbz/x/1.gif"))
        #expect(found[0].link == Address(path: folder + "A 2.cbz") && found[0].isDrawable)
        #expect(found[2].link == Address(path: folder + "d.cb7") && !found[2].isDrawable)
        let link = try #require(found[2].link?.filePath)
        #expect(try page(link).pictures.map(\.title) == ["1.gif", "2.gif"])
    }

    @Test("an album of a zip archive without its directory has no cover, as finding it unpacks all")
    func albumWithoutDirectory() throws {
        let path = scratch.path + "/shelf/a.zip"
        try scratch.write("", to: "shelf/a.zip")
        try #require(PackedFiles.write([("1.gif", Self.gif)], to: path))
        let whole = scratch.read("shelf/a.zip")
        let directory = try #require(whole.firstRange(of: Array("PK\u{1}\u{2}".utf8)))
        try scratch.write(Array(whole[..<directory.lowerBound]), to: "shelf/a.zip")
        let album = try #require(try page(scratch.path + "/shelf/").pictures.first)
        #expect(album.link == Address(path: path) && !album.isDrawable)
        #expect(try page(path).pictures.map(\.title) == ["1.gif"])
    }

    @Test("an archive whose reading ends before its first picture says why")
    func abandoned() throws {
        let path = scratch.path + "/a"
        let zeros = [UInt8](repeating: 0, count: 80 << 20)
        try #require(
            PackedFiles.write([("0.bin", zeros), ("1.gif", Self.gif)], to: path, as: .quickTar))
        let error = #expect(throws: PageError.self) { try page(path) }
        #expect(error?.description == "cannot be read: unpacked it would be larger than 64 MB")
    }

    @Test("a folder waits no longer than a quarter of a second for covers of archives")
    func coversTakeTime() throws {
        for name in ["a.zip", "b.zip"] {
            try scratch.write("", to: "shelf/" + name)
            try #require(
                PackedFiles.write([("1.gif", Self.gif)], to: scratch.path + "/shelf/" + name))
        }
        let pictures = [0.0, 1].map { pause in
            let reader = FolderReader(clock: steppingClock(pause))
            return try? reader.page(at: Address(path: scratch.path + "/shelf", isFolder: true))
                .pictures.map(\.isDrawable)
        }
        #expect(pictures == [[true, true], [false, false]])
    }

    @Test("an archive without pictures, or no archive at all, is rejected")
    func nothing() throws {
        let path = scratch.path + "/a"
        try #require(PackedFiles.write([("a.txt", Self.gif)], to: path))
        #expect(throws: PageError.self) { try page(path) }
        #expect(!FolderReader.isContainer(try scratch.write("text", to: "b")))
        #expect(!FolderReader.isContainer(scratch.path + "/none"))
    }

    /// Reads a mail with a page and parts, given by `Content-Location` and `Content-ID`.
    private func mail(_ html: String, at location: String, parts: [(String, String)]) throws -> Page
    {
        var text = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n"
        text += "--b\nContent-Type: text/html\nContent-Location: \(location)\n\n\(html)\n"
        for (location, id) in parts {
            text += "--b\nContent-Type: image/gif\nContent-ID: <\(id)>\n"
            text += "Content-Location: \(location)\n\nGIF89a\n"
        }
        return try page(try scratch.write(text + "--b--", to: "a"))
    }

    @Test("MHTML pictures are found by address, by content ID, or at their original address")
    func mail() throws {
        let page = try mail(
            """
            <title>Racing</title><main><a href=/full/1.jpg><img src=t/1.gif alt=One></a>
            <a href=/full/2.jpg><img src="cid:two@x" alt=Two></a>
            <a href=/full/3.jpg><img src=t/3.gif alt=Three></a></main><a rel=next href=2>next</a>
            """, at: "https://photos.example/racing/",
            parts: [
                ("https://photos.example/racing/t/1.gif", "one@x"), ("about:blank", "two@x"),
            ])
        #expect(page.title == "Racing")
        #expect(page.pictures.map(\.title) == ["One", "Two", "Three"])
        #expect(
            names(page) == [
                "photos.example/racing/t/1.gif", "two%40x", "https://photos.example/full/3.jpg",
            ])
        #expect(page.pictures.allSatisfy { $0.page == Address(path: scratch.path + "/a") })
        #expect(page.next == nil)
    }

    @Test(
        "MHTML of a page on a disk shows its parts and no other file of this disk",
        arguments: ["file:///home/you/pages/1.html", "pages/1.html"])
    func mailOfFile(location: String) throws {
        try scratch.write(Self.gif, to: "secret.gif")
        let folder = location.dropLast("1.html".count)
        let page = try mail(
            "<main><img src='\(folder)a.gif'><img src=b.gif><img src='../pages/c.gif'>"
                + "<img src='file://\(scratch.path)/secret.gif'><img src='../../secret.gif'></main>",
            at: location, parts: ["a", "b", "c"].map { ("\(folder)\($0).gif", $0) })
        let names = names(page)
        #expect(names.count(where: { $0.hasSuffix("/secret.gif") && $0.hasPrefix("file:") }) == 0)
        let parts = page.pictures.map(\.image).filter(\.isFile)
        #expect(parts.map(\.lastPathComponent) == ["a.gif", "b.gif", "c.gif"])
    }

    @Test("relative part locations in MHTML are resolved")
    func relative() throws {
        let page = try mail(
            "<main>" + (1...3).map { "<img src='x/\($0).gif'>" }.joined() + "</main>",
            at: "page.html", parts: (1...3).map { ("x/\($0).gif", "\($0)") })
        #expect(names(page) == (1...3).map { "x/\($0).gif" })
    }

    @Test(
        "WARC: a picture that was stored before, or has moved, is found where it is, whatever the scheme"
    )
    func elsewhere() throws {
        let site = "https://photos.example/"
        func record(_ type: String, _ location: String, _ fields: String = "", _ body: String = "")
            -> String
        {
            "WARC/1.0\r\nWARC-Type: \(type)\r\nWARC-Target-URI: \(location)\r\n\(fields)"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)\r\n\r\n"
        }
        func answer(_ status: String, _ fields: String, _ body: String = "") -> String {
            "HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n\(body)"
        }
        let html = "<main>" + (1...6).map { "<img src=/\($0).gif>" }.joined() + "</main>"
        let gif = answer("200 OK", "Content-Type: image/gif", "GIF89a")
        let whole = [
            record("response", site, "", answer("200 OK", "Content-Type: text/html", html)),
            record(
                "response", "http://photos.example/1.gif",
                "WARC-Record-ID: <urn:uuid:1>\r\nWARC-Payload-Digest: sha1:ABC\r\n", gif),
            record(
                "revisit", site + "2.gif",
                "WARC-Refers-To-Target-URI: http://photos.example/1.gif\r\n"),
            record("revisit", site + "3.gif", "WARC-Refers-To: <urn:uuid:1>\r\n"),
            record("revisit", site + "4.gif", "WARC-Payload-Digest: sha1:ABC\r\n"),
            record("response", site + "5.gif", "", answer("301 Moved", "Location: /there/5")),
            record("response", site + "6.gif", "", answer("302 Found", "Location: 6.gif")),
            record("response", site + "there/5", "", answer("302 Found", "Location: ../1.gif")),
        ]
        let page = try page(try scratch.write(whole.joined(), to: "a"))
        #expect(
            names(page) == [1, 2, 3, 4, 1].map { "photos.example/\($0).gif" } + [site + "6.gif"])
    }

    @Test("WARC pages have their own pictures; without any page with pictures, all are shown")
    func records() throws {
        func record(_ location: String, _ type: String, _ body: String) -> String {
            let answer = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n\(body)"
            return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: \(location)\r\n"
                + "Content-Length: \(answer.utf8.count)\r\n\r\n\(answer)\r\n\r\n"
        }
        let site = "https://photos.example/"
        func html(_ numbers: ClosedRange<Int>) -> String {
            "<main>" + numbers.map { "<img src=/\($0).gif>" }.joined()
                + "</main><a rel=next href=/two>next</a>"
        }
        let pictures = (1...6).map { record("\(site)\($0).gif", "image/gif", "GIF89a") }
        let pages =
            record(site, "text/html", html(1...3)) + record(site + "two", "text/html", html(4...6))
        let first = try page(try scratch.write(pages + pictures.joined(), to: "a"))
        #expect(names(first) == (1...3).map { "photos.example/\($0).gif" })
        let next = try #require(first.next?.filePath)
        #expect(names(try page(next)) == (4...6).map { "photos.example/\($0).gif" })
        let none = record(site, "text/html", "<p>nothing")
        let all = try page(try scratch.write(none + pictures.joined(), to: "a"))
        #expect(names(all) == (1...6).map { "photos.example/\($0).gif" })
    }

    @Test("an archive shows what a folder would, and pages without ending by their content")
    func furtherFormats() throws {
        let names = [
            "1.ico", "2.ppm", "3.tga", "4.jp2", "5.qoi", "6.apng", "7.psd", "8.svgz", "10",
        ]
        let path = scratch.path + "/a"
        let others = [
            ("9.mp4", Self.gif), ("11", Array("words".utf8)), ("12.svg", Array("<p>".utf8)),
            ("13.c", Self.gif),
        ]
        for form in [PackedFiles.Form.zip, .tar, .sevenZip] {
            try #require(
                PackedFiles.write(names.map { ($0, Self.gif) } + others, to: path, as: form))
            #expect(try page(path).pictures.map(\.title) == names)
        }
        // It is also the cover.
        try scratch.write("", to: "shelf/a.zip")
        try #require(PackedFiles.write([("1", Self.gif)], to: scratch.path + "/shelf/a.zip"))
        let album = try #require(try page(scratch.path + "/shelf/").pictures.first)
        #expect(album.thumbnail == Address(path: scratch.path + "/shelf/a.zip/1"))
    }

    @Test("archives in an archive are its albums, each opened on its own")
    func volumes() throws {
        let shelf = scratch.path + "/shelf/all.zip"
        try scratch.write("", to: "shelf/all.zip")
        try #require(PackedFiles.write([("x/1.gif", Self.gif), ("x/2.gif", Self.gif)], to: shelf))
        let volume = scratch.read("shelf/all.zip")
        let names = ["v 1.cbz", "v 2.cbz"]
        try #require(PackedFiles.write(names.map { ($0, volume) }, to: shelf))
        let outer = try #require(try page(scratch.path + "/shelf/").pictures.first)
        #expect(outer.kind == .album && !outer.isDrawable)
        let albums = try page(shelf).pictures
        #expect(albums.map(\.title) == names)
        #expect(albums.allSatisfy { $0.kind == .album && !$0.isDrawable })
        let inner = try page(try #require(albums[1].link?.filePath))
        #expect(inner.title == "v 2.cbz" && inner.pictures.map(\.title) == ["1.gif", "2.gif"])
        #expect(inner.pictures[0].image == Address(path: shelf + "/v 2.cbz/x/1.gif"))
    }
}
