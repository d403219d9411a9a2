import Testing

@testable import Gallery

@Suite struct FeedTests {
    @Test("RSS with enclosures, Media RSS and pictures in the text is read")
    func rss() throws {
        let page = try page(
            """
            <?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Racing &amp; more</title>
            <item><title>One</title><link>https://photos.example/1</link><pubDate>Mon, 26 Nov 2018 10:00:00 GMT</pubDate>
            <enclosure url="/1.jpg" type="image/jpeg" length="5"/></item>
            <item><title>Two</title><media:group><media:content url="/2l.jpg" width="900" height="600" medium="image"/>
            <media:content url="/2m.jpg" width="400" medium="image"/></media:group><media:thumbnail url="/2s.jpg" width="75"/></item>
            <item><title>Three</title><description><![CDATA[<p>text <img src="/3.jpg"></p>]]></description></item>
            <item><title>Sound</title><enclosure url="/4.mp3" type="audio/mpeg"/></item></channel></rss>
            """, type: "application/rss+xml")
        #expect(page.title == "Racing & more")
        #expect(page.pictures.map(\.title) == ["One", "Two", "Three"])
        #expect(page.pictures[0].date == "2018-11-26T10:00:00Z")
        #expect(short(page.pictures[0].link) == "/1")
        #expect(page.pictures[1].ladder == ["/2s.jpg 75", "/2m.jpg 400", "/2l.jpg 900"])
        #expect(short(page.pictures[2].image) == "/3.jpg")
    }

    @Test("of dates, numeric time zones are kept and others left out")
    func zones() {
        let times = ["GMT", "-0730", "x1234", "CEST"].map {
            Dates.iso("Mon, 26 Nov 2018 10:00:00 \($0)")?.dropFirst(11)
        }
        #expect(times == ["10:00:00Z", "10:00:00-07:30", "10:00:00", "10:00:00"])
    }

    @Test("Atom with enclosures and a next page is recognised by its first bytes")
    func atom() throws {
        let page = try page(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><link rel="next" href="?page=2"/>
            <entry><title>E</title><updated>2020-01-02T03:04:05Z</updated><link href="/e"/><link rel="enclosure" type="image/png" href="/e.png"/></entry></feed>
            """, type: "text/xml")
        #expect(page.pictures.map { short($0.image) } == ["/e.png"])
        #expect(page.pictures[0].date == "2020-01-02T03:04:05Z")
        #expect(short(page.next) == "/gallery/?page=2")
    }

    @Test("entities that multiply are not expanded")
    func billionLaughs() throws {
        var html = "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY a0 'ha'>"
        for level in 1...30 { html += "<!ENTITY a\(level) '&a\(level - 1);&a\(level - 1);'>" }
        html +=
            "]><rss><channel><item><title>&a30;</title><enclosure url='/1.jpg' type='image/jpeg'/></item></channel></rss>"
        let page = try? page(html, type: "application/rss+xml")
        #expect((page?.pictures.first?.title.utf8.count ?? 0) < 1000)
    }
}
