import Testing

@testable import Gallery

/// RuleHistory from pages in the wild, each in the markup of several makers.
@Suite struct WildPageTests {
    private static func numbered(_ range: ClosedRange<Int>, _ item: String) -> String {
        range.map { item.replacing("%", with: "\($0)") }.joined(separator: "\n")
    }

    private func images(_ html: String) throws -> [String] {
        try page(html).pictures.map { short($0.image) }
    }

    private func expect(
        _ html: String, _ count: Int, as name: String = "/p/%.jpg", _ comment: Comment? = nil
    ) throws {
        #expect(
            try images(html) == (1...count).map { name.replacing("%", with: "\($0)") }, comment)
    }

    @Test(
        "an element holding most of the page and its pictures is not treated as chrome or hidden",
        arguments: [
            // A header whose missing end tag leaves it open.
            "<header id=masthead><div><a href=/><img src=/logo.png></a></div><article>#</article></header>",
            // A theme that calls the whole page a widget.
            "<div class='widget'><h1>Trip</h1><div class=row>#</div></div><p>end",
            // A page that a script reveals when everything is loaded.
            "<div id=wrapper style='display: none'><h1>Trip</h1>#</div><p>Loading",
            "<div class=preload aria-hidden=true><ul>#</ul></div><footer>2009</footer>",
        ])
    func wholePages(_ around: String) throws {
        let items = Self.numbered(
            1...5, "<div class=cell><a href='/p/%.jpg'><img src='/t/%.jpg'></a></div>")
        try expect(around.replacing("#", with: items), 5)
    }

    @Test(
        "pictures revealed by scripts are part of the gallery",
        arguments: [
            // As in Unite: the container and each picture are hidden until laid out.
            "<h1>T</h1><p>Words of some length here.<p>More.<div id=g style='display:none'>"
                + numbered(1...4, "<img src='/p/%.jpg' style='display:none'>")
                + "</div><p>More.<p>More.<p>More.<p>More.",
            // A handmade slide show with one visible slide.
            "<div class=slides><div class=slide><img src='/p/1.jpg'></div>"
                + numbered(
                    2...4, "<div class=slide style='display:none'><img src='/p/%.jpg'></div>")
                + "</div>",
            // Tabs.
            "<div class=tab><p>" + numbered(1...2, "<a href=/v/%><img src='/p/%.jpg'></a>")
                + "</div><div class=tab hidden><p>"
                + numbered(3...4, "<a href=/v/%><img src='/p/%.jpg'></a>") + "</div>",
        ])
    func concealed(_ html: String) throws { try expect(html, 4) }

    @Test(
        "repeated pictures are merged, but a decoration repeated with every item is dropped",
        arguments: [
            // People with several offices.
            "<table><tr>" + numbered(1...12, "<td><img src='/p/%.jpg'><br>A%</td>")
                + String(repeating: "<td><img src='/p/2.jpg'><br>B</td>", count: 2) + "</table>",
            // A slider that clones all of its slides on both sides.
            "<ul>" + String(repeating: numbered(1...12, "<li><img src='/p/%.jpg'></li>"), count: 3)
                + "</ul>",
            "<ul>"
                + numbered(1...12, "<li><img src='/p/%.jpg'></li><li><img src='/i/cart.png'></li>")
                + "</ul>",
            "<table><tr>"
                + numbered(
                    1...12,
                    "<td><img src='/p/%.jpg'></td><td><img src='/i/s1.gif'></td><td><img src='/i/s2.gif'></td>"
                ) + "</table>",
        ])
    func namedAgain(_ html: String) throws { try expect(html, 12) }

    @Test("thumbnails in a wall may be small, while icons in a row are still ignored")
    func smallWall() throws {
        let wall = Self.numbered(
            1...8, "<td><a href='pages/%.htm'><img src='/p/%.jpg' width=75 height=49></a></td>")
        let tall = wall.replacing("width=75 height=49", with: "width=36 height=64")
        let icons =
            "<div class=social>"
            + Self.numbered(
                1...8, "<a href='https://%.example/'><img src='/i/%.png' width=48 height=48></a>")
            + "</div>"
        for wall in [wall, tall] { try expect("<table><tr>\(wall)</table><p>\(icons)", 8) }
    }

    @Test(
        "arrows and blanks in a wall's cells are not pictures",
        arguments: [
            "<td><a href='index_5.htm'><img src='/images/previous.gif'></a></td>",
            "<td><a href='../index.html'><img src='/res/up.gif' border=0></a></td>",
            "<td><a href='#'><img src='/blank.gif'></a></td>",
        ])
    func strangers(_ cell: String) throws {
        let wall = Self.numbered(1...8, "<td><a href='pages/%.htm'><img src='/p/%.jpg'></a></td>")
        try expect("<table><tr>\(cell)\(wall)\(cell)</table>", 8)
        // Drawings among photographs in a gallery are pictures too.
        let drawn = "<td><a href='pages/9.htm'><img src='/p/oak09.gif'></a></td>"
        #expect(
            try images("<table class=gallery><tr>\(wall)\(drawn)</table>").last == "/p/oak09.gif")
    }

    @Test(
        "a title is the heading of a card or caption, not all of its text",
        arguments: [
            "<li data-src='/p/%.jpg' data-sub-html='<h4>T%</h4><p>Long words.</p>'><a href=''><img src='/t/%.jpg'></a></li>",
            "<a href='/v/%'><div><img src='/p/%.jpg'><div class=badge>Feb 1%, 23</div></div><div class=bold>T%</div><div>Words.</div></a>",
            "<figure><img src='/p/%.jpg'><figcaption><h5>T%</h5><p>Words.</p></figcaption></figure>",
            "<figure><img src='/p/%.jpg'><figcaption><div class=when>March 2023</div><div class=photo-title>T%</div></figcaption></figure>",
            "<div><a href='/v/%'><img src='/p/%.jpg'><p>T%</p><p>12 comments</p></a></div>",
            "<div class=card><img src='/p/%.jpg'><div class=caption><p>T%</p><p>Words.</p></div></div>",
        ])
    func headings(_ item: String) throws {
        let found = try page("<main>\(Self.numbered(1...4, item))</main>").pictures
        #expect(found.map(\.title) == (1...4).map { "T\($0)" })
    }

    @Test(
        "a picture placed like the gallery's others belongs to it",
        arguments: [
            // In the same row as the others, but without a link.
            "<div class='row gallery'><img src='/p/1.jpg'>"
                + numbered(2...5, "<a href='/v/%'><img src='/p/%.jpg'></a>") + "</div>",
            // In an element like theirs, elsewhere.
            "<div class=gallery><div class=page><div class=frame><img src='/p/1.jpg'></div><p>One</p></div>"
                + numbered(
                    2...5,
                    "<div class=page><div class=row><div class=frame><img src='/p/%.jpg'></div></div><p>N</div>"
                ) + "</div>",
            "<ul class=gallery><li class=pic><b>Title</b><img src='/p/1.jpg'><span>One</span></li>"
                + numbered(2...5, "<li class=pic><a href='/v/%'><img src='/p/%.jpg'></a></li>")
                + "</ul>",
        ])
    func relatives(_ html: String) throws {
        try expect(html + "<div><img src='/i/brand.png'></div>", 5)
    }

    @Test(
        "slides and their thumbnail strip are the same pictures",
        arguments: [
            (
                "<div class=slide><img src='/p/c%.jpg'></div>",
                "<li><img src='/p/c%-150x150.jpg'></li>"
            ),
            (
                "<li class=slide><img src='/blank.gif' data-src='/p/c%.jpg'></li>",
                "<p class=link><img src='/p/c%-470x470.jpg' width=147 height=147></p>"
            ),
            (
                "<figure><img src='/p/c%.jpg'></figure>",
                "<a href='#%'><img src='/p/thumb_c%.jpg'></a>"
            ),
            ("<div class=big><img src='/p/c%.jpg'></div>", "<td><img src='/p/thumbs/c%.jpg'></td>"),
        ])
    func strips(_ slide: String, _ thumbnail: String) throws {
        let html =
            "<div>\(Self.numbered(1...4, slide))</div><div>\(Self.numbered(1...4, thumbnail))</div>"
        let found = try page(html).pictures
        #expect(found.map { short($0.image) } == (1...4).map { "/p/c\($0).jpg" })
        #expect(found.allSatisfy { $0.variants.count == 2 })
    }

    @Test("of two addresses with the same size, the one declared full is used")
    func fullOfSameSize() throws {
        let html = Self.numbered(
            1...3,
            "<a href='/att/%/'><img src='https://i.example/u/%-683x1024.jpg?resize=42' data-orig-file='/u/%-683x1024.jpg'></a>"
        )
        #expect(try images(html) == (1...3).map { "/u/\($0)-683x1024.jpg" })
    }

    @Test(
        "the words in an attribute's name reveal its meaning",
        arguments: ["data-href", "data-full-image", "data-zoomed-original", "data-xl-picture"])
    func spokenNames(_ name: String) throws {
        let html = Self.numbered(
            1...3, "<p><img src='/t/%.jpg' \(name)='/p/%.jpg' data-icon='x'></p>")
        #expect(
            try page(html).pictures.map(\.ladder)
                == (1...3).map { ["/t/\($0).jpg", "/p/\($0).jpg"] })
        let page = html.replacing("/p/%.jpg", with: "/page/%.html")
        #expect(try images(page).count == 3)
    }

    @Test("a button naming the adjacent picture is not a second one")
    func shareButtons() throws {
        let html = Self.numbered(
            1...4,
            "<div class=card><a href='/v/%'><img src='/p/%.jpg' alt='Boat no %'></a><button data-media='/big/%.jpg'>Pin</button></div>"
        )
        try expect(html, 4)
    }

    @Test(
        "text links belong to a gallery of thumbnails",
        arguments: [
            // A lightbox opened by words and by pictures.
            "<p><a class=chocolat-image href='/p/1.jpg'>One</a> <a class=chocolat-image href='/p/2.jpg'>Two</a></p>"
                + numbered(
                    3...6,
                    "<li><a class=chocolat-image href='/p/%.jpg'><img src='/t/%.jpg'></a></li>"),
            // A list below the thumbnails.
            numbered(1...3, "<td><a href='/p/%.jpg'><img src='/t/%.jpg'></a></td>") + "<ul>"
                + numbered(4...6, "<li><a href='/p/%.jpg'>Boat no %</a></li>") + "</ul>",
        ])
    func wordLinks(_ html: String) throws {
        try expect(html, 6)
        // Other sizes in a picture's item are not pictures of their own.
        let sizes = Self.numbered(
            1...4,
            "<div class=item><img src='/p/%.jpg'><a href='/s/%.jpg'>small</a> <a href='/m/%.jpg'>medium</a> <a href='/l/%.jpg'>large</a></div>"
        )
        #expect(try page(sizes).pictures.count == 4)
    }

    @Test(
        "numbered labels and button texts are not titles",
        arguments: [
            "<td><a href='/v/%'><img src='/p/%.jpg' alt='Photo%'></a><br>Boat no %</td>",
            "<li><img src='/p/%.jpg' alt='Image %'><a href='/s/%'>Boat no %</a></li>",
            "<div><a href='/v/%' title='Source'><img src='/p/%.jpg'></a><p class=caption>Boat no %</p></div>",
        ])
    func marks(_ item: String) throws {
        let found = try page("<table>\(Self.numbered(1...4, item))</table>").pictures
        #expect(found.map(\.title) == (1...4).map { "Boat no \($0)" })
    }

    @Test("sizes named only in the noscript copy are used")
    func noscriptSizes() throws {
        let html = Self.numbered(
            1...3,
            "<div><picture><img src='/s/%.jpg'></picture><noscript><picture><source srcset='/m/%.jpg 800w, /p/%.jpg 1600w'><img src='/s/%.jpg'></picture></noscript></div>"
        )
        try expect(html, 3)
    }

    @Test("testimonials' pictures are not part of the gallery")
    func testimonials() throws {
        let html =
            "<div class='work gallery'>" + Self.numbered(1...4, "<div><img src='/p/%.jpg'></div>")
            + "</div><div class='owl testimonials'>"
            + Self.numbered(
                1...3,
                "<div class=testimonial><div class=author><img src='/face/%.jpg' width=64 height=64></div><p>Good!</p></div>"
            )
            + "</div>"
        try expect(html, 4)
    }

    @Test(
        "if there are only similar small pictures, they are the gallery, titled by their alt text")
    func smallAlone() throws {
        let items = Self.numbered(
            1...4, "<li><img src='/t/%_s.png' width=80 height=60 alt='Picture %'></li>")
        try expect("<ul>\(items)</ul>", 4, as: "/t/%_s.png")
        #expect(
            try page("<ul>\(items)</ul>", at: "https://a.example/").pictures[0].title == "Picture 1"
        )
    }

    @Test(
        "the next article is not a next page, but the same article's second page is",
        arguments: [
            ("<meta property=og:type content=article>", "<link rel=next href='%'>"),
            (
                "<body class='post single'>",
                "<div class=nav-next><a rel=next href='%'>Other</a></div>"
            ),
            (
                "<body class='single single-post'>",
                "<p class=nav-previous><a href='%'>Other</a></p>"
            ),
        ])
    func nextArticle(_ mark: String, _ link: String) throws {
        let items = Self.numbered(1...4, "<p><img src='/p/%.jpg'></p>")
        func next(_ target: String) throws -> String {
            let html = mark + items + link.replacing("%", with: target)
            return short(try page(html, at: "https://photos.example/2020/harbour/").next)
        }
        #expect(try next("/2020/other-things/") == "-")
        #expect(try next("/2020/harbour/2/") == "/2020/harbour/2/")
        let plain = link.replacing("%", with: "/2020/other-things/")
        #expect(
            short(try page(items + plain, at: "https://photos.example/2020/harbour/").next)
                == "/2020/other-things/")
    }

    @Test(
        "a link elsewhere is not a next page, whatever its text; a further part of this page is",
        arguments: [
            "<a href='%'>More »</a>", "<a href='%'>view more</a>",
            "<link rel=next title=Other href='%'>",
        ])
    func elsewhere(_ link: String) throws {
        let items = Self.numbered(1...4, "<p><img src='/p/%.jpg'></p>")
        func next(_ target: String, at path: String) throws -> String {
            let html = items + link.replacing("%", with: target)
            return short(try page(html, at: "https://photos.example" + path).next)
        }
        for target in [
            "/shop/", "/blog/7-cute-cats.html", "/2015/07/29/news/", "/tips-2.html",
            "/?page=1#comments",
        ] {
            #expect(try next(target, at: "/?page=1") == "-")
        }
        #expect(try next("/page/2/", at: "/") == "/page/2/")
        #expect(try next("/birds?after=x7", at: "/birds") == "/birds?after=x7")
        #expect(try next("/birds-3.html", at: "/birds-2.html") == "/birds-3.html")
    }

    @Test("older entries behind a left arrow are the next page, older comments are not")
    func older() throws {
        let items = Self.numbered(1...4, "<p><img src='/p/%.jpg'></p>")
        let link = "<a href='/blog/page/2/'>« Older Entries</a>"
        #expect(
            short(try page(items + link, at: "https://photos.example/blog/").next)
                == "/blog/page/2/")
        let comments =
            "<div class=nav-previous><a href='/blog/comment-page-3/#comments'>Older Comments</a></div>"
        #expect(try page(items + comments, at: "https://photos.example/blog/").next == nil)
    }

    @Test("products sharing a photo count as pictures, an equally frequent icon does not")
    func sharedPhotograph() throws {
        let cards = (1...9).map {
            "<div class=card><a href='/w/\($0).html'><img src='/w/kind\($0 % 2).jpg'></a></div>"
        }
        #expect(try images("<main>\(cards.joined())</main>") == ["/w/kind1.jpg", "/w/kind0.jpg"])
        let signs = cards.map { $0.replacing(".jpg", with: ".gif") }
        let walls = Self.numbered(1...4, "<p><a href='/x/%'><img src='/x/%.jpg'></a></p>")
        #expect(
            try images("<main>\(signs.joined())\(walls)</main>") == (1...4).map { "/x/\($0).jpg" })
    }

    @Test("a card with a badge is treated like the others")
    func badges() throws {
        func card(_ number: Int, _ badge: String) -> String {
            "<td><div class=thumb>\(badge)<a href='/w/\(number)'><img class=photo src='/i/\(number).jpg'></a></div></td>"
        }
        let badge = "<div class=deal><img src='/deal.png' width=60 height=60></div>"
        let cards = (1...8).map { card($0, $0 == 3 ? badge : "") }
        #expect(
            try images("<table><tr>\(cards.joined())</tr></table>")
                == (1...8).map { "/i/\($0).jpg" })
    }

    @Test("labels shared by several cards are not titles; the text below them is")
    func labels() throws {
        let kinds = ["Travel", "Food", "Travel", "Food", "News", "News"]
        let cards = kinds.enumerated().map { number, kind in
            "<article><img src='/c/\(number).jpg'><p class=title>\(kind)</p><h3>Story \(number)</h3></article>"
        }
        #expect(try page(cards.joined()).pictures.map(\.title) == (0...5).map { "Story \($0)" })
        let lines = cards.map { $0.replacing("class=title", with: "").replacing("h3>", with: "p>") }
        #expect(try page(lines.joined()).pictures.map(\.title) == (0...5).map { "Story \($0)" })
    }

    @Test("a picture that appears twice takes its title from where it has one")
    func wordsOfTheOther() throws {
        let plain = Self.numbered(1...4, "<div><img src='/s/%.jpg'></div>")
        let told = Self.numbered(1...4, "<li><img src='/s/%.jpg'><h5>Slide %</h5></li>")
        let more = "<li><img src='/s/5.jpg'><h5>Slide 5</h5></li>"
        for (count, others) in [(4, told), (5, told + more)] {
            let html = "<section>\(plain)</section><ul>\(others)</ul>"
            #expect(try page(html).pictures.map(\.title) == (1...count).map { "Slide \($0)" })
        }
    }

    @Test("noscript advertisements and the contents of any kind of sidebar are omitted")
    func besides() throws {
        let items =
            "<div class=gallery>"
            + Self.numbered(1...8, "<p><a href='/a/%'><img src='/a/%.jpg'></a></p>") + "</div>"
        let adverts = Self.numbered(
            1...4,
            "<p><noscript><a href='//ads.example/%'><img src='/delivery/avw?zone=%'></a></noscript></p>"
        )
        let sidebar = Self.numbered(
            1...5, "<li><a href='/r/%'><img src='/r/%.jpg' width=60 height=60></a></li>")
        for mark in [
            "class=aside_content", "class=left-sidebar", "id=sidebar_inner", "role=complementary",
        ] {
            let html =
                "\(items)\(adverts)<div \(mark)><h3>Recent posts</h3><ul>\(sidebar)</ul></div>"
            #expect(try images(html) == (1...8).map { "/a/\($0).jpg" })
        }
    }

    @Test("a header by class or id is page chrome unless it is within or around the content")
    func headers() throws {
        let items = Self.numbered(1...4, "<a href='/f/%.jpg'><img src='/t/%.jpg'></a>")
        let logo =
            "<div id=header><div class=logo><img src='/images/smiths.jpg' width=450 height=150></div></div>"
        try expect("\(logo)<div id=content>\(items)</div>", 4, as: "/f/%.jpg")
        try expect("<div class=header><h1>Trip</h1>\(items)</div>", 4, as: "/f/%.jpg")
        let posts = Self.numbered(
            1...3, "<article><div class=header><img src='/p/%.jpg'></div><p>Text</p></article>")
        try expect(posts, 3)
    }
}
