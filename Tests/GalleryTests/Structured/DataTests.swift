import Network
import Testing

@testable import Gallery

/// Galleries that exist only in a page's data.
@Suite struct DataTests {
    private func script(_ data: String, around: String = "<div id=app></div>") throws -> Page {
        try page(
            "<title>T</title><body>\(around)<script>window.__STATE__ = \(data);</script></body>")
    }

    @Test("an array of objects with pictures is the gallery, not the sizes within one")
    func sizes() throws {
        let list = (1...3).map { n in
            """
            {"id": \(n), "title": "No. \(n)", "sizes": {"sq": {"url": "/\(n)_q.jpg", "width": 75},
            "t": {"url": "/\(n)_t.jpg", "width": 100}, "m": {"url": "/\(n)_m.jpg", "width": 500},
            "o": {"url": "/\(n)_o.jpg", "width": 4000}}}
            """
        }
        let found = try script("{photos: [\(list.joined(separator: ","))]}").pictures
        #expect(found.map(\.title) == ["No. 1", "No. 2", "No. 3"])
        #expect(
            found[0].ladder == ["/1_q.jpg 75", "/1_t.jpg 100", "/1_m.jpg 500", "/1_o.jpg 4000"])
    }

    @Test("authors' avatars are not pictures of the gallery")
    func authors() throws {
        let list = (1...3).map {
            #"{"user": {"name": "N", "avatar": "/u\#($0).jpg"}, "image": "/p\#($0).jpg", "author_image": "/a\#($0).jpg"}"#
        }
        let found = try script("[\(list.joined(separator: ","))]").pictures
        #expect(found.map(\.ladder) == (1...3).map { ["/p\($0).jpg"] })
    }

    @Test("markup with pictures takes precedence over data about others")
    func markupFirst() throws {
        let photos = (1...3).map { "<a href='/\($0).jpg'><img src='/t\($0).jpg'></a>" }.joined()
        let data = "[" + (1...9).map { "{img: '/other/\($0).jpg'}" }.joined(separator: ",") + "]"
        #expect(try script(data, around: photos).pictures.count == 3)
    }

    @Test("two objects, names without addresses, and page addresses do not make a gallery")
    func nothing() throws {
        for data in [
            "[{img: '/a.jpg', pad: 'xxxxxxxxxxxxxxxxxxxxxxxx'}, {img: '/b.jpg', pad: 'xxxxxxxxxxxxx'}]",
            "[{image: 'one', x: 'aaaaaaaaaaaaaaaa'}, {image: 'two', x: 'aaaaaaaaaaaaa'}, {image: 'three'}]",
            "[{url: '/a/very/long/page/1.html'}, {url: '/a/very/long/page/2.html'}, {url: '/3.html'}]",
        ] {
            #expect(throws: PageError.self) { try script(data) }
        }
    }

    @Test("JSON-LD says nothing of a picture whose file is only called alike in another folder")
    func namesakes() throws {
        let photos = (1...3).map { "<figure><img src='/t/\($0).jpg'></figure>" }.joined()
        let found = try page(
            "<main>\(photos)</main><script type='application/ld+json'>{\"@type\": \"ImageObject\", \"contentUrl\": \"/authors/1.jpg\"}</script>"
        ).pictures
        #expect(found.map(\.ladder) == (1...3).map { ["/t/\($0).jpg"] })
    }

    @Test("publishers' logos in JSON-LD are not pictures")
    func publishers() throws {
        let data = (1...4).map {
            #"{"@type": "Article", "publisher": {"logo": {"@type": "ImageObject", "url": "/logo\#($0).png"}}}"#
        }.joined(separator: ",")
        #expect(throws: PageError.self) {
            try page("<script type='application/ld+json'>[\(data)]</script>")
        }
    }

    @Test("JSON documents are read as a feed, and as an nginx listing with unusual names")
    func json() throws {
        let feed = try page(
            #"{"title": "Feed", "next_url": "/f?p=2", "items": [{"url": "/1", "title": "One", "image": "/1.jpg"}, {"url": "/2", "title": "Two", "image": "/2.jpg"}, {"url": "/3", "title": "Three", "image": "/3.jpg"}]}"#,
            type: "application/feed+json")
        #expect(feed.title == "Feed")
        #expect(feed.pictures.map(\.title) == ["One", "Two", "Three"])
        #expect(short(feed.pictures[1].link) == "/2")
        #expect(short(feed.next) == "/f?p=2")
        let list = try page(
            #"[{"name": "a #1?.jpg", "type": "file", "size": 9}, {"name": "../up.jpg", "type": "file"}, {"name": "d", "type": "directory"}]"#,
            type: "application/json")
        #expect(
            list.pictures.map { short($0.thumbnail) } == [
                "/gallery/d/", "/gallery/a%20%231%3F.jpg",
            ])
        #expect(list.pictures.map(\.kind) == [.album, .picture])
        #expect(list.pictures[1].title == "a #1?.jpg")
    }

    @Test("a page filled by scripts is reported as such; an empty one is not")
    func scripted() throws {
        for html in [
            "<div id=root></div><script src=/main.js></script>",
            "<app-root></app-root><script>go()</script>",
            "<body><script>\(String(repeating: "x();", count: 500))</script></body>",
        ] {
            #expect { try page(html) } throws: {
                if case PageError.needsScripts = $0 { true } else { false }
            }
        }
        #expect { try page("<p>Nothing to see.</p>") } throws: {
            if case PageError.noPictures = $0 { true } else { false }
        }
    }
}
