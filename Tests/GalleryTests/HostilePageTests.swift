import Testing

@testable import Gallery

/// Pages built to cost time or memory: costs are bounded, and nothing readable is lost.
@Suite(.timeLimit(.minutes(5))) struct HostilePageTests {
    @Test("100,000 nested elements are read")
    func depth() throws {
        let html =
            String(repeating: "<div class=a>", count: 100_000) + "<img src=1.jpg><img src=2.jpg>"
        #expect(try page(html).pictures.count == 2)
    }

    @Test("titles, paragraphs and pictures inside 200,000 nested elements are handled")
    func depthOfMany() throws {
        let text = "<b>" + String(repeating: "word ", count: 20)
        let picture = String(repeating: "<i>", count: 14) + "<img src=1.jpg>"
        for (inner, count) in [("<title>", 20_000), (text, 2_000), (picture, 5_000)] {
            let html =
                "<main><img src=2.jpg></main><svg>" + String(repeating: "<g>", count: 200_000)
                + String(repeating: inner, count: count)
            #expect(throws: Never.self) { _ = try page(html) }
        }
    }

    @Test("20,000 pictures with as many image maps are handled")
    func maps() throws {
        let html = (1...20_000).map {
            "<map name=m\($0)><area href=/\($0)></map><img src=\($0).jpg usemap=#x>"
        }.joined()
        #expect(try page(html).pictures.count == 20_000)
    }

    @Test("10,000 pictures are read")
    func pictures() throws {
        let html = "<main>" + (1...10_000).map { "<img src=\($0).jpg>" }.joined()
        #expect(try page(html).pictures.count == 10_000)
    }

    @Test("20,000 adjacent links in one list are handled")
    func links() throws {
        let html =
            "<main><img src=1.jpg>"
            + (1...20_000).map { "<a href=/\($0) class=current>\($0)</a>" }.joined()
        #expect(try page(html).pictures.count == 1)
    }

    @Test("100,000 headings of related items are handled")
    func headings() throws {
        let html =
            "<ul><li><img src=1.jpg><li><img src=2.jpg></ul>"
            + String(repeating: "<h2>Related posts</h2><p>x</p>", count: 100_000)
        #expect(try page(html).pictures.count == 2)
    }

    @Test("scripts full of folders, and links with long data around many pictures, are handled")
    func scripts() throws {
        let pictures = (1...2_000).map { "<img src=\($0).jpg>" }.joined()
        let data = "[" + String(repeating: "{\"a\":\"/\"},", count: 50_000) + "]"
        for html in [
            "<script>x.src=" + String(repeating: "/${", count: 1 << 16)
                + "</script><img src=1.jpg>",
            "<a href=/x data-x='\(data)' onclick='\(data)'>\(pictures)</a>",
        ] {
            #expect(try !page(html).pictures.isEmpty)
        }
    }

    @Test("20,000 nested feed entries, and nested picture groups, are handled")
    func feeds() throws {
        let picture = "<media:content url='/1.jpg' medium='image'/>"
        for nested in ["<item>", "<item><media:group>"] {
            let html =
                "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel>"
                + String(repeating: nested, count: 20_000) + picture
            #expect(try page(html, type: "application/rss+xml").pictures.count == 1)
        }
    }

    @Test("a listing of 10,000 files is read")
    func listing() throws {
        let rows = (1...10_000).map { "<a href=\"\($0).jpg\">\($0).jpg</a> 01-Feb-2020 00:00 9\n" }
            .joined()
        let found = try page(
            "<title>Index of /x</title><h1>Index of /x</h1><pre><a href=\"../\">../</a>\n\(rows)</pre>"
        )
        #expect(found.pictures.count == 10_000)
        #expect(found.pictures.last?.title == "10000.jpg")
    }

    @Test("a picture with 10,000 sizes, and one inside 1,000 nested sources, are read")
    func sizes() throws {
        let set = (1...10_000).map { "/\($0).jpg \($0)w" }.joined(separator: ", ")
        let html =
            "<main><img srcset=\"\(set)\">"
            + String(repeating: "<picture><source srcset='/a.jpg 500w'>", count: 1_000)
            + "<img src=/b.jpg>"
        let found = try page(html).pictures
        #expect(found.count == 2)
        #expect(found[0].variants.count <= 200)
    }

    @Test("2,000 recommending headings and 2,000 such blocks are limited")
    func related() throws {
        let html =
            "<main><img src=a.jpg>"
            + (1...2_000).map {
                "<h2>Related</h2><img src=\($0).jpg><div class=related><img src=r\($0).jpg></div>"
            }.joined()
        #expect(try page(html).related.count <= 20)
    }

    @Test("a title of ten million characters is truncated")
    func longTitle() throws {
        let html = "<title>" + String(repeating: "x", count: 10_000_000) + "</title><img src=1.jpg>"
        #expect(try page(html).title.utf8.count <= 64 << 10)
    }
}
