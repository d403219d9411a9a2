import Network
import Testing

@testable import Gallery

/// Sites whose start page lists albums by their covers, and whose albums are data for a player.
@Suite struct ScriptGalleryTests {
    private static let player = """
        <div class="icons"><a id="fullscreen"><img src="static/img/fullscreen.png"
        title="Fullscreen" alt="Fullscreen (f)"></a></div>
        """

    private static func album(_ count: Int) -> String {
        let objects = (1...count).map { number in
            """
            { title: "Ridge \(number)", description: "<abbr title='film speed'>100</abbr>",
              thumb: "thumbnails/r\(number).jpg",
              image: "r\(number).jpg" },
            """
        }
        return """
            <title>Ridge</title><style>body::after { width: 0; content: url(r1.jpg); }</style>
            <div id="main">\(player)<div id="gallery"></div></div>
            <script>
            var data = [ \(objects.joined(separator: "\n")) ]
            Player.ready(function() { this.keys({ right: this.next, 0x46: this.full }); });
            Player.run("#gallery", {dataSource: data});
            </script>
            """
    }

    private static let index =
        "<title>Walks</title><div id=main><div id=albums><ul>"
        + [("alpha", "Alpha valley"), ("beta", "Beta ridge")].map { name, title in
            """
            <li><a href="\(name)/"><img src="\(name)/thumbnails/first.jpg" class="album_thumb"
            alt="\(name)"></a> <span class="album_title">\(title)</span></li>
            """
        }.joined() + "</ul></div>\(player)</div>"

    @Test("a start page with two covers has two albums, and its player's button is no picture")
    func startPage() throws {
        let pictures = try page(Self.index).pictures
        #expect(pictures.map(\.title) == ["Alpha valley", "Beta ridge"])
        #expect(pictures.map(\.kind) == [.album, .album])
        #expect(pictures.map { short($0.link) } == ["/gallery/alpha/", "/gallery/beta/"])
    }

    @Test(
        "an album's data gives thumbnails and full pictures by bare names, however many there are",
        arguments: [3, 20])
    func data(count: Int) throws {
        let pictures = try page(Self.album(count)).pictures
        #expect(
            pictures.map(\.ladder)
                == (1...count).map { ["/gallery/thumbnails/r\($0).jpg", "/gallery/r\($0).jpg"] })
        #expect(pictures.map(\.title) == (1...count).map { "Ridge \($0)" })
    }

    @Test("a bare name beside an absolute address is an uploaded file's, not an address")
    func uploaded() throws {
        let objects = (1...3).map {
            "{\"src\": \"/media/\($0)a.jpg\", \"file\": \"DSC_\($0).jpg\"}"
        }
        let pictures = try page("<script>var p = [\(objects.joined(separator: ","))]</script>")
            .pictures
        #expect(pictures.map(\.ladder) == (1...3).map { ["/media/\($0)a.jpg"] })
    }

    @Test(
        "a page whose pictures are only in its data is an album behind a cover", arguments: [3, 9])
    func detail(count: Int) throws {
        let address = try #require(Address(testAddress + "alpha/"))
        let cover = Picture(
            variants: [.init(address: try #require(Address(testAddress + "alpha/cover.jpg")))],
            link: address, page: try #require(Address(testAddress)), title: "Alpha")
        let response = Response(
            address: address, mediaType: "text/html", headers: [],
            body: Array(Self.album(count).utf8), origin: .network)
        #expect(try PageReader().detail(response, of: cover, rule: nil) == .album)
    }

    @Test("covers beside the pages they link to are no albums, nor are pictures of one folder")
    func noAlbums() throws {
        let details = (1...3).map {
            "<a href='/photo/\($0)/'><img src='/photo/\($0)/small.jpg'></a>"
                + "<a href='/day/\($0).html'><img src='/day/thumbs/\($0).jpg'></a>"
        }
        let pictures = try page("<main>\(details.joined())</main>").pictures
        #expect(pictures.count == 6 && pictures.allSatisfy { $0.kind == .picture })
    }

    @Test(
        "buttons of players are no pictures, by their names or their words",
        arguments: [
            "<img src='/ui/play-button.png' alt=''>", "<img src='/a/x1.png' alt='Pause'>",
            "<img src='/a/x2.gif' title='Next slide'>", "<img src='/a/fullscreen.svg.png'>",
        ])
    func buttons(markup: String) throws {
        let pictures = (1...2).map { "<img src='/p/\($0).jpg' width=600 height=400 alt='Hill'>" }
        let found = try page("<main>\(pictures.joined())<a id=b>\(markup)</a></main>").pictures
        #expect(found.map { short($0.image) } == ["/p/1.jpg", "/p/2.jpg"])
    }
}
