import Testing

@testable import Gallery

/// Which pictures belong to the gallery, and their titles.
@Suite struct ChoosingTests {
    private static let photos = (1...4).map {
        "<div class='cell'><a href='/v/\($0)'><img src='/photos/\($0).jpg' width=300 height=200></a></div>"
    }.joined()

    @Test(
        "decorative images beside a gallery are omitted",
        arguments: [
            "<header><img src='/logo.png' width=200 height=80></header>",
            "<img src='/img/logo.png'>",
            "<img src='/i.gif' width=1 height=1>",
            "<img src='https://ad.doubleclick.net/x.jpg' width=300 height=250>",
            "<nav><a href='/'><img src='/home.jpg'></a></nav>",
            "<aside><img src='/promo.jpg'></aside>",
            "<footer><img src='/partner.jpg'></footer>",
            "<div class='social share'><img src='/fb.png'></div>",
            "<img src='https://secure.gravatar.com/avatar/0?s=96' width=96 height=96>",
            "<img src='/a.jpg' width=16 height=16>",
            "<img src='/banner.jpg' width=728 height=90>",
            "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>",
            "<div class='comments'><img src='/c.jpg'></div>",
            "<img src='https://s.w.org/images/core/emoji/1f600.png'>",
            "<template><img src='/t.jpg'></template>", "<textarea><img src='/t.jpg'></textarea>",
            "<noscript><img height=1 width=1 src='https://www.facebook.com/tr?id=1'></noscript>",
            "<img src='/theme/icons/arrow.svg'>", "<p>Badge <img src='/b/store-badge.png'></p>",
        ])
    func junk(_ ornament: String) throws {
        let html = "<body>\(ornament)<div id=wall>\(Self.photos)</div>\(ornament)</body>"
        #expect(
            try page(html).pictures.map { short($0.image) } == (1...4).map { "/photos/\($0).jpg" })
    }

    @Test(
        "repeated pictures in the page's chrome are omitted too",
        arguments: ["nav", "footer", "div class=sidebar"])
    func repeatedChrome(_ frame: String) throws {
        let others = (1...5).map { "<p><img src='/other/\($0).jpg'></p>" }.joined()
        let html = "<body><div id=wall>\(Self.photos)</div><\(frame)>\(others)</body>"
        #expect(
            try page(html).pictures.map { short($0.image) } == (1...4).map { "/photos/\($0).jpg" })
    }

    @Test("names that merely contain a word for decorations are kept")
    func innocentNames() throws {
        let html =
            "<main>"
            + ["blankets", "logotype-collection", "shared-taxi", "iconoclast"].map {
                "<img src='/\($0).jpg'>"
            }.joined() + "</main>"
        #expect(try page(html).pictures.count == 4)
    }

    @Test("a header inside the content is not the page's header")
    func headerInArticle() throws {
        let html = (1...3).map {
            "<article><header><img src='/\($0).jpg'></header><p>text</article>"
        }.joined()
        #expect(try page(html).pictures.count == 3)
    }

    @Test("an ASP.NET page that is one large form is still a gallery")
    func form() throws {
        #expect(try page("<body><form id=aspnetForm>\(Self.photos)</form>").pictures.count == 4)
    }

    @Test("if all pictures are in the chrome, the chrome is the gallery")
    func allInFrame() throws {
        #expect(try page("<body><div class='sidebar'>\(Self.photos)</div>").pictures.count == 4)
    }

    @Test("a page with one picture yields that picture")
    func single() throws {
        let html =
            "<title>One</title><main><h1>The start</h1><img src='/start.jpg' width=900 height=600></main>"
        #expect(try page(html).pictures.map { short($0.image) } == ["/start.jpg"])
    }

    @Test("a page without pictures gives a plain error message")
    func none() {
        let error = #expect(throws: PageError.self) { try page("<h1>Nothing here</h1>") }
        #expect(error?.description == "no pictures found")
    }

    @Test(
        "a title is taken from the best source",
        arguments: [
            (
                "<figure><img src=N.jpg alt=alt><figcaption>Caption  <b>bold</b></figcaption></figure>",
                "Caption bold"
            ),
            ("<div><a href=/v/N data-title=Data><img src=N.jpg alt=alt></a></div>", "Data"),
            ("<div><img src=N.jpg alt=alt><h3>Heading</h3></div>", "Heading"),
            ("<div><img src=N.jpg alt=alt><p class='image-title'>Class</p></div>", "Class"),
            ("<div><a href=/v/N aria-label='Label'><img src=N.jpg alt=alt></a></div>", "Label"),
            ("<div><a href=/v/N title='Title'><img src=N.jpg></a></div>", "Title"),
            (
                "<div><a href=/v/N title='Click to enlarge'><img src=N.jpg title=Own></a></div>",
                "Own"
            ),
            ("<div><a href=/v/N><img src=N.jpg><br>Text</a></div>", "Text"),
            ("<div><img src=N.jpg alt='A &lt;b&gt; &amp;&#10; c\u{1B}[0m'></div>", "A <b> & c[0m"),
            ("<div><img src='/x/red_car-at-monza-N-800x600.jpg'></div>", "red car at monza N"),
        ])
    func titles(_ item: String, _ title: String) throws {
        let html =
            "<main>" + (1...3).map { item.replacing("N", with: "\($0)") }.joined() + "</main>"
        let found = try page(html).pictures.map(\.title)
        #expect(found == (1...3).map { title.replacing("N", with: "\($0)") })
    }

    @Test("recommendations become separate sections")
    func related() throws {
        let others = (7...9).map { "<a href='/g/\($0)'><img src='/cover/\($0).jpg'></a>" }.joined()
        let forms = [
            "<div class=more><h2>You may also like</h2><ul>\(others)</ul></div>",
            "<h2>You may also like</h2><div>\(others)</div>",
            "<section class='x'><h3>You may also like</h3>\(others)</section>",
        ]
        for form in forms {
            let page = try page(
                "<main><h1>Racing</h1>\(Self.photos)\(form)</main><footer><img src=/f.jpg></footer>"
            )
            #expect(page.pictures.count == 4)
            #expect(page.related.map(\.title) == ["You may also like"])
            #expect(
                page.related.first?.pictures.map { short($0.image) } == [
                    "/cover/7.jpg", "/cover/8.jpg", "/cover/9.jpg",
                ])
        }
        let block = try page("<div>\(Self.photos)</div><div class='related-posts'>\(others)</div>")
        #expect(block.related.map(\.title) == ["Related"])
    }

    @Test("two recommendation blocks stay separate, and a page consisting of one is a gallery")
    func severalRelated() throws {
        func three(_ name: String) -> String {
            (1...3).map {
                "<li><a href='/g/\(name)\($0)'><img src='/c/\(name)\($0).jpg'></a><p>A walk</p></li>"
            }.joined()
        }
        let html = """
            <main>\(Self.photos)</main><section><h2>Related</h2><ul>\(three("a"))</ul>
            <h2>Recommended for you</h2><div>\(three("b"))</div></section>
            """
        let related = try page(html).related
        #expect(related.map(\.title) == ["Related", "Recommended for you"])
        #expect(related.map { $0.pictures.count } == [3, 3])
        #expect(try page("<body><h1>Related works</h1>\(Self.photos)</body>").pictures.count == 4)
    }

    @Test("dates are read from data-date and time elements")
    func dates() throws {
        let html =
            "<main><div data-date=20181126><img src=1.jpg></div><div><img src=2.jpg><time datetime='2020-02-03T10:00:00Z'>x</time></div><div><img src=3.jpg></div></main>"
        #expect(try page(html).pictures.map(\.date) == ["2018-11-26", "2020-02-03T10:00:00Z", nil])
    }
}
