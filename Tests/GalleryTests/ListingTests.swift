import Network
import Testing

@testable import Gallery

/// The listings of three web servers.
@Suite struct ListingTests {
    @Test("nginx: dates, sizes and truncated names are read, the parent link is omitted")
    func nginx() throws {
        let page = try page(
            """
            <html><head><title>Index of /photos/</title></head><body><h1>Index of /photos/</h1><hr><pre><a href="../">../</a>
            <a href="album/">album/</a>                     05-Jan-2021 08:30                   -
            <a href="10.jpg">10.jpg</a>                     28-Sep-1970 12:00              123456
            <a href="2.jpg">2.jpg</a>                      28-Sep-1970 12:01                  77
            <a href="a%20very%20long%20name%20that%20is%20cut%20somewhere%20here.png">a very long name that is cut somewhere..&gt;</a> 01-Feb-2020 00:00 9
            <a href="readme.txt">readme.txt</a>             01-Feb-2020 00:00                  9
            </pre><hr></body></html>
            """, at: "https://photos.example/photos/")
        #expect(
            page.pictures.map(\.title) == [
                "album", "2.jpg", "10.jpg", "a very long name that is cut somewhere here.png",
            ])
        #expect(page.pictures.map(\.kind) == [.album, .picture, .picture, .picture])
        #expect(page.pictures[2].date == "1970-09-28T12:00")
        #expect(page.pictures[2].byteCount == 123_456)
        #expect(page.pictures[0].date == "2021-01-05T08:30")
        #expect(short(page.pictures[0].link) == "/photos/album/")
        #expect(page.next == nil)
        #expect(page.pictures.allSatisfy { $0.kind == .album || $0.isFullKnown })
    }

    @Test("a listing has as many entries as a page may have pictures, and says so")
    func endless() throws {
        let page = try page(
            "<title>Index of /</title><pre>"
                + (0..<100_001).map { "<a href=\($0).jpg>\($0).jpg</a>\n" }.joined(),
            at: "https://photos.example/")
        #expect(page.pictures.count == 100_000 && page.shortfall == "only 100000 entries")
    }

    @Test("Apache's table: icons and sort links are neither pictures nor pages")
    func apacheTable() throws {
        let page = try page(
            """
            <title>Index of /p</title><h1>Index of /p</h1><table><tr><th><img src="/icons/blank.gif"></th><th><a href="?C=N;O=D">Name</a></th>
            <th><a href="?C=M;O=A">Last modified</a></th><th><a href="?C=S;O=A">Size</a></th></tr>
            <tr><td><img src="/icons/back.gif"></td><td><a href="/">Parent Directory</a></td><td>&nbsp;</td><td>  - </td></tr>
            <tr><td><img src="/icons/image2.gif"></td><td><a href="b.jpg">b.jpg</a></td><td>2021-03-04 10:11  </td><td>1.5K</td></tr>
            <tr><td><img src="/icons/folder.gif"></td><td><a href="sub/">sub/</a></td><td>2021-03-04 10:11  </td><td>  - </td></tr></table>
            """, at: "https://photos.example/p/")
        #expect(page.pictures.map(\.title) == ["sub", "b.jpg"])
        #expect(page.pictures[1].date == "2021-03-04T10:11")
        #expect(page.pictures[1].byteCount == 1536)
        #expect(page.next == nil)
    }

    @Test("Apache's pre format is read")
    func apachePre() throws {
        let page = try page(
            """
            <title>Index of /p</title><h1>Index of /p</h1><pre><img src="/icons/blank.gif" alt="Icon "> <a href="?C=N;O=D">Name</a> <a href="?C=M;O=A">Last modified</a><hr>
            <img src="/icons/back.gif" alt="[PARENTDIR]"> <a href="/">Parent Directory</a>   -
            <img src="/icons/image2.gif" alt="[IMG]"> <a href="z.webp">z.webp</a>  2022-12-31 23:59  3.0M
            <hr></pre>
            """, at: "https://photos.example/p/")
        #expect(page.pictures.map(\.title) == ["z.webp"])
        #expect(page.pictures[0].byteCount == 3 << 20)
    }

    @Test("Python's list is read")
    func python() throws {
        let page = try page(
            """
            <!DOCTYPE HTML><html><head><title>Directory listing for /g/</title></head><body><h1>Directory listing for /g/</h1><hr><ul>
            <li><a href="IMG_10.JPG">IMG_10.JPG</a></li><li><a href="IMG_9.JPG">IMG_9.JPG</a></li><li><a href="m%C3%BCll/">müll/</a></li>
            <li><a href="notes.txt">notes.txt</a></li></ul><hr></body></html>
            """, at: "https://photos.example/g/")
        #expect(page.pictures.map(\.title) == ["müll", "IMG_9.JPG", "IMG_10.JPG"])
    }

    private func served(_ lines: String) throws -> Page {
        let folder = try #require(FileServers().address("sftp://nas/~/a%20b/"))
        let response = Response(address: folder, body: Array(lines.utf8), origin: .network)
        return try PageReader().read(response)
    }

    @Test("file servers' lines are read whatever columns they have; links are files")
    func lines() throws {
        let page = try served(
            """
            total 12
            drwxr-xr-x    3 root     root         4096 Nov 25  2023 .
            drwxr-xr-x    3 root     root         4096 Nov 25  2023 sub folder\r
            -rw-r--r--    1 1000     may           123 Nov  5  2024  x.png
            -rw-r--r--    1 may      marketing     124 Feb 29 00:01 Nov 5 2024.png
            -rw-r--r--   1 0        0             125 25 Nov 2022 paramiko.png
            -rw-r--r-- owner 126 Jan 31 2021 few columns.png
            lrwxrwxrwx    1 root     root            4 Nov 25  2023 twin.png -> a -> b
            lrwxrwxrwx    1 root     root            4 Nov 25  2023 loop -> .
            prw-r--r--    1 root     root            4 Nov 25  2023 pipe.png
            -rw-r--r--    1 root     root            4 Nov 25  2023 .hidden.png
            -rw-r--r--    1 root     root            4 Nov 25  2023 a/b.png
            -rw-r--r--    1 root     root            4 Nov 25  2023 esc\u{1B}[2J.png
            -rw-r--r--    1 root     root
            -rw-r--r--    1 root     root            4 Nov 25  2023
            """)
        #expect(page.title == "a b")
        #expect(
            page.pictures.map(\.image.text).map { $0.dropFirst("sftp://nas/~/a%20b/".count) } == [
                "sub%20folder/", "few%20columns.png", "Nov%205%202024.png", "paramiko.png",
                "twin.png", "%20x.png",
            ])
        #expect(page.pictures.map(\.byteCount) == [nil, 126, 124, 125, 4, 123])
        #expect(page.pictures[0].kind == .album && page.pictures[0].date == "2023-11-25")
        #expect(page.pictures[1].date == "2021-01-31" && page.pictures[3].date == "2022-11-25")
        #expect(page.pictures[2].date?.hasSuffix("-02-29T00:01") == true)
        #expect(throws: PageError.self) { try served("nothing\n\n") }
        #expect(throws: PageError.self) { try served("") }
    }

    @Test("an empty listing has no pictures; a gallery called Index is not a listing")
    func notListings() throws {
        #expect(throws: PageError.self) {
            try page("<title>Index of /</title><h1>Index of /</h1><pre><a href='../'>../</a></pre>")
        }
        let html =
            "<title>Index of Wonders</title><figure><img src=1.jpg></figure><figure><img src=2.jpg></figure><ul><li>x</ul>"
        #expect(try page(html).pictures.count == 2)
    }
}
