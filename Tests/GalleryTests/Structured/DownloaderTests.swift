import Basics
import Network
import TestSupport
import Testing

@testable import Gallery

/// What gallery-dl 1.32 and yt-dlp 2026.10 print of loopback servers, with other hosts, and shortened.
@Suite("Output of downloaders") struct DownloaderTests {
    /// A record of gallery-dl's extractor for Moebooru.
    private static func record(_ number: Int, more: String = "") -> String {
        #"{"id":\#(number),"tags":"sky  red_sea & <b>","created_at":1543230000,"author":"ann","source":"","#
            + #""file_url":"https://img.example/p/\#(number).jpg","preview_url":"https://img.example/s/\#(number).jpg","#
            + #""width":1024,"height":683,"file_size":12345,"title":"Pic \#(number) \u001b[31m","#
            + #""filename":"\#(number)","extension":"jpg","date":"2018-11-26 11:00:00","category":"local"\#(more)}"#
    }

    private static func file(_ number: Int, more: String = "") -> String {
        #"[3,"https://img.example/p/\#(number).jpg",\#(record(number, more: more))]"#
    }

    private static let headers =
        #","_http_headers":{"Referer":"https://photos.example/post","Host":"evil.example","X-Key":"a","User-Agent":null}"#

    /// Reads what a program or a file contains, at this address.
    private func read(
        _ text: String, at address: String = testAddress, from origin: Response.Origin = .file
    ) throws -> Page {
        let address = try #require(Address(address))
        return try PageReader().read(
            Response(address: address, body: Array(text.utf8), origin: origin))
    }

    @Test("gallery-dl's messages, in lines or in an array, with titles, tags, dates and sizes")
    func messages() throws {
        let messages = [
            "[2,\(Self.record(1))]", Self.file(1), "[2,\(Self.record(2))]", Self.file(2),
        ]
        for text in [
            messages.joined(separator: "\n") + "\n",
            "[\n  \(messages.joined(separator: ",\n  "))\n]",
        ] {
            let page = try read(text)
            #expect(
                page.pictures.map { $0.variants.map(\.address.text) }
                    == (1...2).map {
                        ["https://img.example/s/\($0).jpg", "https://img.example/p/\($0).jpg"]
                    })
            let picture = page.pictures[0]
            #expect(picture.title == "Pic 1 [31m" && picture.summary == "sky red_sea & <b>")
            #expect(picture.date == "2018-11-26T11:00:00" && picture.byteCount == 12_345)
            #expect(picture.width?.count == 1024 && picture.height?.count == 683)
            #expect(!picture.hasUnseenDetail && page.next == nil && page.shortfall == nil)
        }
        let alone = try read(Self.file(7))
        #expect(alone.pictures.map(\.title) == ["Pic 7 [31m"])
    }

    @Test(
        "queued galleries are albums; videos are their thumbnails; errors and other files are told")
    func others() throws {
        let page = try read(
            """
            [6,"https://photos.example/album/x",{"title":"Sea","thumbnail":"no address"}]
            [3,"https://img.example/a.mp4",{"thumbnail":"https://img.example/a.jpg","content":"A wave","tags":["sea","wind"]}]
            [3,"https://img.example/b.zip",{"title":"Archive"}]
            [3,"ytdl:https://img.example/c",{"title":"Elsewhere"}]
            [3]
            """)
        #expect(page.pictures.map(\.kind) == [.album, .picture])
        #expect(short(page.pictures[0].link) == "/album/x" && page.pictures[0].title == "Sea")
        #expect(page.pictures[1].image.text == "https://img.example/a.jpg")
        #expect(page.pictures[1].link?.text == "https://img.example/a.mp4")
        #expect(page.pictures[1].title == "A wave" && page.pictures[1].summary == "sea, wind")
        #expect(page.shortfall == "some files are no pictures")
        #expect {
            try read(
                #"[[-1,{"error":"HttpError","message":"'404 Not Found' for 'https://x.example/'"}]]"#
            )
        } throws: {
            "\($0)" == "'404 Not Found' for 'https://x.example/'"
        }
    }

    @Test("yt-dlp's records are videos by their thumbnails, in playlists and in lines")
    func videos() throws {
        func record(_ number: Int, _ more: String) -> String {
            #"{"id":"v\#(number)","title":"Video \#(number)","description":null,"webpage_url":"https://photos.example/v/\#(number)","#
                + #""formats":[{"url":"https://img.example/v.mp4"}],"url":"https://img.example/v.mp4","upload_date":"20261126","#
                + #""tags":["sea"],"width":640,\#(more)"_type":"video"}"#
        }
        let thumbnails =
            #""thumbnails":[{"url":"https://img.example/s.jpg","id":"0"},{"url":"https://img.example/l.jpg","id":"1"}],"#
        let first = record(1, #""thumbnail":"https://img.example/1.jpg","#)
        let second = record(2, thumbnails)
        let playlist =
            #"{"_type":"playlist","title":"Feed of two","entries":[\#(first),{"_type":"playlist","entries":[\#(second)]},{"_type":"url","url":"https://photos.example/v/3","title":"Three"}]}"#
        let page = try read(playlist)
        #expect(page.title == "Feed of two")
        #expect(page.pictures.map(\.title) == ["Video 1", "Video 2", "Three"])
        #expect(page.pictures.map { short($0.link) } == ["/v/1", "/v/2", "/v/3"])
        #expect(page.pictures.map(\.kind) == [.picture, .picture, .album])
        #expect(page.pictures[0].image.text == "https://img.example/1.jpg")
        #expect(page.pictures[1].image.text == "https://img.example/l.jpg")
        #expect(page.pictures[0].date == "2026-11-26" && page.pictures[0].summary == "sea")
        #expect(page.pictures[0].width == nil)
        #expect(try read(first + "\n" + second + "\n").pictures.count == 2)
        #expect(try read(first).title == "Video 1")
    }

    @Test("records set a few header fields, unless a server has sent them")
    func headerFields() throws {
        let text = Self.file(1, more: Self.headers)
        let fields = try read(text).headers
        #expect(fields.count == 2)
        for (_, fields) in fields {
            #expect(fields.map(\.name) == ["Referer"])
            #expect(fields.map(\.value) == ["https://photos.example/post"])
        }
        #expect(try read(text, from: .network).headers.isEmpty)
        #expect(try read(text, from: .network).pictures.count == 1)
    }

    @Test("what is piped in or read from a file counts as a copy of a public page")
    func copies() throws {
        let page = try read(Self.file(1), at: "file:///proc/self/fd/7")
        #expect(page.isCopy && page.original == nil && page.pictures.count == 1)
    }

    @Test("a record names no file of this machine, but by a path, as Halftone's own lines do")
    func localFiles() throws {
        for text in [
            #"[[3,"file:///home/u/p.png",{"a":1}]]"#, #"[[3,"../../../home/u/p.png",{"a":1}]]"#,
            #"{"_type":"video","thumbnail":"file:///a.jpg"}"#,
            #"{"image":"file:///a.jpg"}"#, #"{"image":"/a.jpg","thumbnail":"b.jpg"}"#,
        ] {
            #expect(throws: PageError.self, "\(text)") {
                try read(
                    Array(repeating: text, count: 3).joined(separator: "\n"),
                    at: "file:///proc/self/fd/7")
            }
        }
        let own = (1...3).map { #"{"image":"file:///\#($0).jpg","path":"/\#($0).jpg"}"# }
        let page = try read(own.joined(separator: "\n"), at: "file:///proc/self/fd/7")
        #expect(page.pictures.map(\.image.text) == (1...3).map { "file:///\($0).jpg" })
        #expect(try read(own.joined(separator: "\n")).pictures.allSatisfy { !$0.image.isFile })
    }

    @Test("output that is cut off, deep or of another shape keeps what is whole, or is an error")
    func broken() throws {
        #expect(try read(Self.file(1) + "\n" + Self.file(2).dropLast(20)).pictures.count == 1)
        let deep = String(repeating: "[", count: 200)
        #expect(try read(Self.file(1) + "\n[3," + deep).pictures.count == 1)
        for text in [
            "[3,\(deep)", "[[3]]", "[3,{}]", #"[1e99,"https://img.example/a.jpg",{"a":1}]"#,
            #"[3,"file:///etc/passwd",{"a":1}]"#, #"{"_type":"video"}"#, #"{"_type":"playlist"}"#,
            #"{"_type":"video","thumbnail":"file:///a.jpg","url":"file:///b"}"#,
        ] {
            #expect(throws: PageError.self, "\(text)") { try read(text) }
        }
    }

    @Test(
        "data is told from a list of names that begin with brackets",
        arguments: [
            ("[2,{\"a\":1}]\n[3,\"x\",{}]\n", false), ("[\n  [\n    2,\n", true),
            ("[\n  [\n    -1,\n    {\"error\": \"x\"}\n  ]\n]", false),
            ("[1080p] Sea.jpg\n[2] b.jpg\n", true), ("[a, b].png\n", true),
            ("{\"_type\":1}", false),
        ])
    func lists(text: String, isList: Bool) {
        #expect(SourceParser.isList(Array(text.utf8)) == isList)
    }

    @Test("records beside a folder's pictures give these titles, texts and dates")
    func besideFiles() throws {
        let folder = try ScratchFolder()
        let record = Self.record(5)
        for name in ["a.jpg", "b.jpg", "sub/c.jpg"] {
            try folder.write([0xFF, 0xD8, 0xFF, 0xE0], to: name)
        }
        try folder.write(record, to: "a.jpg.json")
        try folder.write("[broken", to: "b.jpg.json")
        try folder.write(record, to: "sub/c.jpg.json")
        let address = Address(path: folder.path, isFolder: true)
        let pictures = try FolderReader().page(at: address).pictures
        #expect(pictures.map(\.title) == ["sub", "Pic 5 [31m", "b.jpg"])
        #expect(pictures[1].summary == "sky red_sea & <b>")
        #expect(
            pictures[1].date == "2018-11-26T11:00:00"
                && pictures[1].image.lastPathComponent == "a.jpg")
        let all = try FolderReader(isRecursive: true).page(at: address).pictures
        #expect(all.map(\.title) == ["Pic 5 [31m", "b.jpg", "Pic 5 [31m"])
    }

    @Test(
        "a page without pictures that asks for a password, or is filled by scripts, says what helps"
    )
    func hints() throws {
        let login = "<form><input name=user><input type=password></form>"
        for text in [login, login + "<div id=app></div><script src=a.js></script>"] {
            #expect {
                try page("<title>T</title><body>\(text)")
            } throws: {
                "\($0)".contains("log-in (--cookies-from-browser firefox")
            }
        }
        let picture = "<figure><a href=/1.jpg><img src=/t1.jpg></a></figure>"
        #expect(
            try page("<body>\(picture)\(picture.replacing("1", with: "2"))\(login)").pictures.count
                == 2)
        #expect {
            try page("<body><div id=app></div><script src=a.js></script>")
        } throws: {
            "\($0)".contains("needs JavaScript to show its pictures")
        }
        #expect("\(PageError.fetch(.status(403)))".contains("--cookies-from-browser firefox"))
        #expect("\(PageError.fetch(.status(404)))".hasSuffix("404 Not Found"))
    }
}
