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
        let times = ["GMT", "-0730", "x1234", "CEST", "+02:00", "EDT", "EST", "MST", "PST"].map {
            Dates.iso("Mon, 26 Nov 2018 10:00:00 \($0)")?.dropFirst(19)
        }
        let zones = ["Z", "-07:30", "", "", "+02:00", "-04:00", "-05:00", "-07:00", "-08:00"]
        #expect(times.map { $0.map(String.init) } == zones)
        #expect(Dates.iso("Sat, 07 Sep 02 01:00:01 EST") == "2002-09-07T01:00:01-05:00")
        #expect(Dates.iso("01 Feb 97 10:00") == "1997-02-01T10:00")
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

    @Test(
        "the pictures of an entry's text are shown, whatever documents and covers it links to",
        arguments: [
            #"rel="related" type="application/pdf""#, #"rel="enclosure" type="application/zip""#,
            #"rel="enclosure" type="application/octet-stream""#, #"rel="thumbnail""#,
            #"rel="image" type="text/html""#,
        ])
    func links(_ link: String) throws {
        let page = try page(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>A</title>
            <entry><title>E</title><link \(link) href="/x"/>
            <content type="html">&lt;img src="/1.jpg"&gt; &lt;img src="/2.jpg"&gt;</content></entry></feed>
            """, type: "application/atom+xml")
        #expect(page.pictures.map { short($0.image) } == ["/1.jpg", "/2.jpg"])
    }

    @Test("entities that multiply are not expanded")
    func billionLaughs() throws {
        var html = "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY a0 'ha'>"
        for level in 1...30 { html += "<!ENTITY a\(level) '&a\(level - 1);&a\(level - 1);'>" }
        html +=
            "]><rss><channel><item><title>&a30;</title><enclosure url='/1.jpg' type='image/jpeg'/></item></channel></rss>"
        let page = try? page(html, type: "application/rss+xml")
        #expect((page?.pictures.first?.title.utf8.count ?? 0) < 1000)
        #expect(page?.pictures.count == 1)
    }

    private func item(_ content: String, _ attributes: String = "") -> String {
        """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" \(attributes)><channel>
        <item><title>T</title>\(content)</item></channel></rss>
        """
    }

    @Test(
        "a picture is found whatever form a feed gives it",
        arguments: [
            // By the ending of its address, whatever its type is.
            "<enclosure url='/1.jpg' length='5'/>", "<media:content url='/1.jpg' type='x/y'/>",
            "<enclosure url='/1.jpg' type='application/octet-stream' length='5'/>",
            "<atom:link rel='enclosure' type='image/jpeg' href='/1.jpg'/>",
            "<enclosure url='/1.mp3' type='audio/mpeg'/><itunes:image href='/1.jpg'/>",
            "<content type='image/jpeg' src='/1.jpg'/>",
            // As elements rather than text.
            "<content type='xhtml'><div xmlns='x'><p>&lt;b&gt;</p><img src='/1.jpg'/></div></content>",
            "<xhtml:body><xhtml:img src='/1.jpg'/></xhtml:body>",
            "<description><p>Text <img alt='a &amp; b' src='/1.jpg'/></p></description>",
            // What a page shows until the picture comes is not its thumbnail, though another item shows it, too.
            "<description>&lt;img src=/dot.gif data-src=/1.jpg&gt;</description></item><item>"
                + "<description>&lt;img src=/dot.gif data-src=/2.jpg&gt;</description>",
            "<content xml:base='/a/b' type='html'>&lt;img src='../1.jpg'&gt;</content>",
        ])
    func forms(content: String) throws {
        let page = try page(item(content), type: "application/rss+xml")
        #expect(page.pictures.first?.ladder == ["/1.jpg"])
    }

    @Test("references of HTML and a bare & are read as browsers do, but not within CDATA")
    func references() throws {
        let page = try page(
            item(
                """
                <title>Caf&eacute; &ndash; it&rsquo;s Q & A &unknown; &#8364;&amp;</title>
                <enclosure url='/1.jpg?w=600&h=400&amp;x=1&#38;y' type='image/jpeg'/></item>
                <item><title><![CDATA[Q & A &eacute;]]></title>
                <description><![CDATA[<img src='/2.jpg?a&amp;b'>]]></description>
                """
            ).replacing("<title>T</title>", with: ""), type: "text/xml")
        #expect(
            page.pictures.map(\.title) == ["Café – it’s Q & A &unknown; €&", "Q & A &eacute;"])
        #expect(
            page.pictures.map { short($0.image) } == ["/1.jpg?w=600&h=400&x=1&y", "/2.jpg?a&b"])
    }

    @Test(
        "a feed is told by its first element, whatever its type and prefix",
        arguments: ["text/plain", "text/html", "application/octet-stream", nil])
    func types(type: String?) throws {
        let atom = """
            \u{FEFF}<?xml version="1.0"?>\n<!-- x -->\n<a:feed xmlns:a="http://www.w3.org/2005/Atom"
             xml:base="https://photos.example/x/"><a:entry xml:base="i/">
            <a:title>A</a:title><a:link href="1"/><a:updated>2020-01-02T03:04:05Z</a:updated>
            <a:content type="html">&lt;img src="1.jpg"&gt;</a:content></a:entry></a:feed>
            """
        let page = try page(atom, type: type)
        #expect(page.pictures.map { short($0.image) } == ["/x/i/1.jpg"])
        #expect(page.pictures.map { short($0.link) } == ["/x/i/1"])
        #expect(page.pictures[0].title == "A" && page.pictures[0].date == "2020-01-02T03:04:05Z")
    }

    @Test("a JSON feed is read as plain text, too; a page that speaks of feeds is a page")
    func others() throws {
        let json = """
            {"version": "https://jsonfeed.org/version/1.1", "items": [{"image": "/1.jpg"}]}
            """
        for json in [json, "\u{FEFF}" + json] {
            #expect(
                try page(json, type: "text/plain").pictures.map { short($0.image) } == ["/1.jpg"])
        }
        let html = "<!DOCTYPE html><html><body><code>&lt;rss></code><rss></rss><img src=/1.jpg>"
        #expect(try page(html).pictures.count == 1)
    }

    @Test("beside a thumbnail, the picture is where the text links to it")
    func thumbnails() throws {
        let page = try page(
            item(
                """
                <media:thumbnail url='/s.jpg'/><description>&lt;a href='/page'&gt;&lt;img src='/s.jpg'&gt;&lt;/a&gt;
                &lt;a href='/1.jpg'&gt;[link]&lt;/a&gt;</description>
                """), type: "text/xml")
        #expect(page.pictures.map(\.ladder) == [["/s.jpg", "/1.jpg"]])
    }

    @Test("a feed that is nested a hundred thousand times is read, or not, but ends")
    func nested() throws {
        let open = String(repeating: "<x xml:base='a/'>", count: 100_000)
        let body = "<description>\(open)<img src='/1.jpg'/></description>"
        _ = try? page(item(body), type: "text/xml")
        _ = try? page(item(open + "<enclosure url='/1.jpg'/>"), type: "text/xml")
    }

    @Test("the base of a page is the first that has an address")
    func base() throws {
        let page = try page(
            "<base target=_blank><base href=/x/><base href=/y/><main>"
                + (1...3).map { "<img src=\($0).jpg>" }.joined() + "</main>")
        #expect(page.pictures.map { short($0.image) } == ["/x/1.jpg", "/x/2.jpg", "/x/3.jpg"])
    }

    @Test("a template is shown where it is a shadow root")
    func shadow() throws {
        func card(_ number: Int, _ mode: String) -> String {
            "<x-card><template \(mode)><img src=/\(number).jpg></template></x-card>"
        }
        let cards = (1...3).map { card($0, "shadowrootmode=open") }.joined()
        let page = try page("<html><body>\(cards)\(card(4, "id=x"))")
        #expect(page.pictures.map { short($0.image) } == ["/1.jpg", "/2.jpg", "/3.jpg"])
    }

    @Test(
        "pictures of buttons and objects are found",
        arguments: ["<input type=image src", "<object data"])
    func objects(tag: String) throws {
        let page = try page((1...3).map { "\(tag)=/\($0).jpg></object>" }.joined())
        #expect(page.pictures.map { short($0.image) } == ["/1.jpg", "/2.jpg", "/3.jpg"])
    }
}
