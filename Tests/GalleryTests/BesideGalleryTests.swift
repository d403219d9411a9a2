import Network
import Testing

@testable import Gallery

/// What stands beside the pictures is not the gallery: each cause in the markup of several makers.
@Suite struct BesideGalleryTests {
    private static func numbered(_ range: ClosedRange<Int>, _ item: String) -> String {
        range.map { item.replacing("%", with: "\($0)") }.joined(separator: "\n")
    }

    private static let paragraph =
        "<p>" + String(repeating: "The trail climbs through larch woods to the lake. ", count: 9)
        + "</p>"
    private static let text = String(repeating: paragraph, count: 3)

    /// A picture in the text of an article.
    private static func lead(_ number: Int) -> String {
        "<figure><img class=lead-image src=/p/\(number).jpg width=800 height=500></figure>"
    }

    private func expect(
        _ html: String, _ images: [String], type: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let found = (try? page(html).pictures.map { short($0.image) }) ?? []
        #expect(found == images, sourceLocation: location)
    }

    private static func pictures(_ range: ClosedRange<Int>, _ name: String = "/p/%.jpg") -> [String]
    {
        range.map { name.replacing("%", with: "\($0)") }
    }

    // MARK: - Articles

    @Test(
        "an article's pictures are those of its text; teasers around it are related",
        arguments: [
            // A news site.
            "<meta property=og:type content=article><meta property=article:published_time content=2024-05-01>"
                + "<div class=story><h1>Lakes</h1>\(lead(1))\(text)\(lead(2))\(paragraph)</div>"
                + "<div class=zone>"
                + numbered(
                    1...6,
                    "<div class=tile><a href='/news/%'><img src='/t/%.jpg' width=220 height=140><span>Headline number %</span></a></div>"
                ) + "</div>",
            // A recipe with JSON-LD.
            "<script type='application/ld+json'>{\"@type\":\"Recipe\",\"name\":\"Soup\"}</script><article><h1>Soup</h1>\(lead(1))\(text)\(lead(2))\(paragraph)</article><section><ul>"
                + numbered(
                    1...8,
                    "<li><a href='/recipes/%-soup'><img src='/t/%.jpg'></a><h3><a href='/recipes/%-soup'>Soup of kind %</a></h3></li>"
                ) + "</ul></section>",
            // A product with microdata.
            "<div itemscope itemtype='https://schema.org/Product'><h1>Tent</h1>\(lead(1))\(lead(2))<div>\(text)\(text)</div></div><div class=row>"
                + numbered(
                    1...4,
                    "<div class=col><a href='/product/%'><img src='/t/%.jpg'><p>Another tent no %</p><b>99</b></a></div>"
                ) + "</div>",
            // A blog's single post, teasers before and after.
            "<body class='single postid-7'><div class=slider>"
                + numbered(
                    1...3,
                    "<div><a href='/post/%'><img src='/t/%.jpg'><h2>Earlier story %</h2></a></div>")
                + "</div><div class=entry>\(text)\(lead(1))\(paragraph)\(lead(2))</div><div class=more>"
                + numbered(
                    4...6,
                    "<div><a href='/post/%'><img src='/t/%.jpg'><h2>Earlier story %</h2></a></div>")
                + "</div>",
            // Sponsored links on other hosts, below a page that declares nothing.
            "<div id=content><h1>Report</h1>" + String(repeating: text, count: 2)
                + "\(lead(1))<p>And back to the car on the old road beside the river.</p>\(lead(2))\(paragraph)</div><div id=outbrain>"
                + numbered(
                    1...6,
                    "<div><a href='https://ads%.example/x'><img src='https://cdn.example/%.jpg'><span>You will not believe %</span></a></div>"
                ) + "</div>",
        ])
    func articles(_ html: String) throws { try expect(html, Self.pictures(1...2)) }

    @Test(
        "pictures with pages of their own are not an article's teasers",
        arguments: [
            // A portfolio whose system calls every page an article.
            "<meta property=og:type content=article><h1>Work</h1><p>We make houses.</p>"
                + numbered(
                    1...6,
                    "<div class=card><a href='/work/%'><img src='/p/%.jpg'><h3>House number %</h3></a></div>"
                ),
            // A category with a long introduction.
            "<meta property=og:type content=website><h1>Tents</h1><div>\(paragraph)</div>"
                + numbered(
                    1...6,
                    "<div class=card><a href='/tent/%'><img src='/p/%.jpg'><h3>Tent number %</h3></a></div>"
                ),
            // A report whose pictures have captions and pages in its folder.
            "<title>Trip photos</title><h1>Trip</h1>\(text)\(text)<table class=photos><tr>"
                + numbered(
                    1...6,
                    "<td><a href='photo%.html'><img src='/p/%.jpg' width=200 height=150><br>The lake, number %</a></td>"
                )
                + "</table>",
            // Posts of a blog's front page.
            "<body class=blog>"
                + numbered(
                    1...6,
                    "<article><h2><a href='/post/%'>Story number %</a></h2><a href='/post/%'><img src='/p/%.jpg'></a>\(paragraph)</article>"
                ),
            // Pictures between the paragraphs that lead to the shop.
            "<meta property=article:published_time content=2024-05-01><article>"
                + numbered(
                    1...6,
                    "<h2><a href='https://shop.example/%'>Camera number %</a></h2><a href='https://shop.example/%'><img src='/p/%.jpg'></a>\(paragraph)"
                ) + "</article>",
        ])
    func noArticles(_ html: String) throws { try expect(html, Self.pictures(1...6)) }

    // MARK: - Cards

    @Test(
        "a second, smaller picture of each card is no item and leaves it its heading",
        arguments: [
            "<div class=shot><a href=/s/%><img src=/p/%.jpg width=400 height=300></a><div class=by><img class='user-avatar' src=/u/%.jpg> <h4>Title %</h4></div></div>",
            "<li class=listing><img src=/p/%.jpg width=320 height=240><h4>Title %</h4><div class='agent-logo-wrap'><img src=/agents/%.jpg width=80 height=30></div></li>",
            "<div class=card><div class=top><a href=/a/%><img src=/p/%.jpg width=600></a></div><div class=foot><img src=/x/%.jpg width=80><h4>Title %</h4></div></div>",
            "<article><div class='badgeHolder'><img src=/b/%.png></div><a href=/a/%><img src=/p/%.jpg></a><h4>Title %</h4></article>",
            "<div class=item><a href=/a/%><img src=/p/%-600x400.jpg></a><p><img src=/x/%-64x64.jpg></p><h4>Title %</h4></div>",
            "<div class=post><span class=author-photo><img src=/f/%.jpg width=48 height=48></span><h4>Title %</h4><figure><img src=/p/%.jpg></figure></div>",
        ])
    func cards(_ item: String) throws {
        let pictures = try page("<main>\(Self.numbered(1...6, item))</main>").pictures
        #expect(
            pictures.map { short($0.image).replacing("-600x400", with: "") } == Self.pictures(1...6)
        )
        #expect(pictures.map(\.title) == (1...6).map { "Title \($0)" })
    }

    // MARK: - Furniture and frames

    private static let items =
        "<div class=gallery>"
        + numbered(
            1...8,
            "<div class=item><a href='/p/%.jpg'><img src='/t/%.jpg' width=200 height=150></a></div>"
        )
        + "</div>"

    @Test(
        "furniture is not part of the gallery",
        arguments: [
            "<div class=pay>" + numbered(1...4, "<img src=/img/payment-%.png>") + "</div>#",
            "#<p>" + numbered(1...3, "<a href=/buy/%><img src=/g/btn_buy_%.gif></a>") + "</p>",
            "<div>" + numbered(1...3, "<a href=/x/%><img src=/h/%.jpg width=900 height=120></a>")
                + "</div>#",
            "<div id='main-menu'><ul>"
                + numbered(1...5, "<li><a href=/brand/%><img src=/brands/%.jpg></a></li>")
                + "</ul></div>#",
            "<div id='page_footer'>" + numbered(1...5, "<a href=/s/%><img src=/s/%.jpg></a>")
                + "</div>#",
            "<div class='mega-menu'>"
                + numbered(1...5, "<a href=/c/%><img src=/c/%.jpg><b>Category %</b></a>")
                + "</div>#",
        ])
    func furniture(_ html: String) throws {
        try expect(
            "<title>Hotel</title><h1>Rooms</h1>" + html.replacing("#", with: Self.items),
            Self.pictures(1...8))
    }

    @Test(
        "a frame's word on several equal parts, or around half the pictures, is no frame",
        arguments: [
            numbered(
                1...4,
                "<div class=review><img src=/p/%.jpg><h3>Film number %</h3><p>Good.</p></div>"
            ),
            "<div class=grid>"
                + numbered(
                    1...4, "<div class='widget photo'><a href=/v/%><img src=/p/%.jpg></a></div>")
                + "</div>",
            "<div class=team>"
                + numbered(1...4, "<div><img src=/p/%.jpg><h3>Person number %</h3></div>")
                + "</div>",
            "<ul>"
                + numbered(1...4, "<li class='team-member'><img src=/p/%.jpg><b>Person %</b></li>")
                + "</ul>",
            "<div class=widget-area><div class=widget>"
                + numbered(1...4, "<a href=/v/%><img src=/p/%.jpg></a>") + "</div></div>",
            "<section class=clients><h2>Clients</h2>"
                + numbered(1...4, "<div class=case><a href=/case/%><img src=/p/%.jpg></a></div>")
                + "</section>",
        ])
    func modules(_ html: String) throws { try expect(html, Self.pictures(1...4)) }

    @Test("a module beside a larger gallery is its frame")
    func smallModule() throws {
        let gallery = Self.numbered(1...9, "<div class=item><img src='/p/%.jpg'></div>")
        for word in ["widget", "testimonials", "team", "partners", "staff"] {
            let frame =
                "<div class=\(word)><ul>"
                + Self.numbered(1...3, "<li><img src=/w/%.jpg></li>") + "</ul></div>"
            try expect("<div class=gallery>\(gallery)</div>\(frame)", Self.pictures(1...9))
        }
    }

    @Test(
        "where nothing is a gallery, nothing is shown",
        arguments: [
            "<p>Text.</p><img src=/badge-88x31.png>",
            "<p>Text.</p><a href=/x><img src=/p.png width=88 height=31></a><img src=/q.png width=80 height=15>",
            "<header><img src=/logo.png></header>\(text)<footer><img src=/static/powered-88x31.png></footer>",
            "<meta property=article:published_time content=2024-05-01><h1>T</h1>\(text)<nav>"
                + numbered(1...4, "<a href=/n/%><img src=/n/%.jpg></a>") + "</nav>",
            "<div id=footer><table><tr><td><img src=/icons/phone.png width=40 height=40></td><td><img src=/icons/mail.png width=40 height=40></td></tr></table></div>",
        ])
    func nothing(_ html: String) throws { try expect(html, []) }

    @Test(
        "the one picture of a page stays",
        arguments: [
            "<div id=comic><img src=/p/1.png title='Haha'></div><a rel=prev href=/1>&lt;</a><a rel=next href=/3>&gt;</a>",
            "<h1>Comic</h1><img src=/p/1.png width=740 height=280>",
            "<center><a href=/2><img src=/p/1.png></a></center>",
            "<main><img src=/p/1.png alt='Panel one'></main><footer><img src=/88x31.gif width=88 height=31></footer>",
        ])
    func one(_ html: String) throws { try expect(html, ["/p/1.png"]) }

    @Test(
        "the main picture beside a strip of others stays",
        arguments: [
            "<img src=/p/0.jpg width=900>#",
            "<meta property=og:image content='https://photos.example/p/0.jpg'><p><img src=/p/0.jpg></p>#",
            "<meta name=twitter:image content='/p/0-1200x630.jpg'><p><img src=/p/0.jpg></p>#",
            "<p><img itemprop=image src=/p/0.jpg></p>#",
        ])
    func main(_ html: String) throws {
        let strip =
            "<ul>" + Self.numbered(1...4, "<li><a href=/v/%><img src=/p/%.jpg></a></li>") + "</ul>"
        try expect(html.replacing("#", with: strip), Self.pictures(0...4))
    }

    // MARK: - Pictures named several times

    @Test(
        "pictures named twice or in several sizes are shown once",
        arguments: [
            numbered(1...4, "<div><img src=/p/%.jpg></div><div><img src=/p/%.jpg></div>"),
            String(repeating: numbered(1...4, "<li><img src=/p/%.jpg></li>"), count: 6),
            numbered(1...4, "<div class=s><img src=/p/%-300x200.jpg></div>")
                + numbered(1...4, "<div class=l><p><img src=/p/%.jpg></p></div>"),
            numbered(1...4, "<div><img src=/p/%.jpg?w=200><b><img src=/p/%.jpg?w=1200></b></div>"),
            numbered(
                1...4, "<div><img src=/max/60/%.jpg><span><img src=/max/900/%.jpg></span></div>"),
        ])
    func sizes(_ html: String) throws {
        let names = try page("<main>\(html)</main>").pictures.map {
            FileNameText.stem(of: $0.image)
        }
        #expect(names == ["1", "2", "3", "4"])
    }

    @Test("numbers that are no sizes, and letters of a series, tell pictures apart")
    func notSizes() throws {
        for names in [
            ["/2021/5/a.jpg", "/2021/6/a.jpg", "/2022/5/a.jpg"],
            ["/plan-a.jpg", "/plan-b.jpg", "/plan-l.jpg"],
            ["/x.jpg?id=1", "/x.jpg?id=2", "/x.jpg?id=3"],
            ["/trip-1.jpg", "/trip-2.jpg", "/trip-3.jpg"], ["/1/", "/2/", "/3/"],
        ] {
            try expect(
                "<main>" + names.map { "<div><img src='\($0)'></div>" }.joined() + "</main>", names)
        }
    }

    // MARK: - Where addresses hide

    @Test(
        "addresses are found wherever they hide",
        arguments: [
            "<img src=/t/%.jpg usemap='#m%'><map name=m%><area shape=rect coords='0,0,9,9' href=/p/%.jpg></map>",
            "<picture><noscript><source srcset='/p/%.jpg 1600w'><img src='/t/%.jpg'></noscript></picture>",
            "<div itemscope itemtype='https://schema.org/Photograph' style='background-image:url(/t/%.jpg)'><meta itemprop=image content='/p/%.jpg'></div>",
            "<div class=cell><img src=/t/%.jpg data-largesrc=/p/%.jpg></div>",
            "<div class=cell><img src=/t/%.jpg data-remote=/p/%.jpg></div>",
            "<div class=cell><img src=/t/%.jpg bpic=/p/%.jpg></div>",
            "<div class=cell><img src='data:image/gif;base64,R0lGOD' width=0 height=0 data-src=/p/%.jpg></div>",
            "<div class=cell><img src=/pixel.gif thumb=/p/%.jpg></div>",
            "<a href=\"javascript:popup('/popup.php?img=/p/%.jpg')\"><img src=/t/%.jpg></a>",
            "<div data-uris='{\"thumb\":\"/t/%.jpg\",\"full\":\"/p/%.jpg\"}'><a href=/v/%><img src=/t/%.jpg></a></div>",
            "<a href=/v/%><img src=/t/%-t.jpg onmouseover=\"this.src='/p/%.jpg'\"></a>",
        ])
    func hidden(_ item: String) throws {
        try expect("<main>\(Self.numbered(1...4, item))</main>", Self.pictures(1...4))
    }

    @Test("an image map's areas are pictures")
    func areas() throws {
        let map =
            "<img src=/plan.gif usemap='#m'><map name=m>"
            + Self.numbered(1...4, "<area coords='0,0,9,9' href='/p/%.jpg' alt='Room %'>")
            + "</map>"
        let pictures = try page("<main>\(map)</main>").pictures.filter {
            short($0.image).hasPrefix("/p/")
        }
        #expect(pictures.map(\.title) == (1...4).map { "Room \($0)" })
    }

    @Test(
        "pictures that only scripts name are found, in the folders that the scripts put before the names",
        arguments: [
            "<script>var n=['1.jpg','2.jpg','3.jpg','4.jpg'];for(i in n)document.write('<img src=\"/p/'+n[i]+'\">');</script>",
            "<script>[{name:'1.jpg'},{name:'2.jpg'},{name:'3.jpg'},{name:'4.jpg'}].forEach(x=>{g.innerHTML+=`<a href=\"/p/${x.name}\"><img src=\"/t/${x.name}\"></a>`})</script>",
            "<script>f=new Array('1.jpg','2.jpg','3.jpg','4.jpg');function s(i){document.m.src = '/p/' + f[i]}</script>",
            "<script>add('/t/1.jpg','/p/1.jpg');add('/t/2.jpg','/p/2.jpg');add('/t/3.jpg','/p/3.jpg');add('/t/4.jpg','/p/4.jpg')</script>",
            "<script>call({data:[['a',['/p/1.jpg',400,300]],['b',['/p/2.jpg',400,301]],['c',['/p/3.jpg',400,302]],['d',['/p/4.jpg',400,303]]]})</script>",
            "<script>show('/p/1.jpg','One');show('/p/2.jpg','Two');show('/p/3.jpg','Three');show('/p/4.jpg','Four')</script>",
            numbered(
                1...4,
                "<a href='#' onmouseover=\"document.big.src='/p/%.jpg'\"><img src=/t/%.jpg width=80 height=60></a>"
            ), numbered(1...4, "<img src=/blank.gif onload=\"this.src='/p/%.jpg'\">"),
            numbered(1...4, "<img src=/blank.gif onmouseover=\"this.src='/p/%.jpg'\">"),
        ])
    func scripted(_ html: String) throws {
        try expect("<main>\(html)</main>", Self.pictures(1...4))
    }

    @Test("a name that only begins like a tracker's is a picture's")
    func beacons() throws {
        try expect(
            "<main>" + Self.numbered(1...4, "<div><img src=/beacon-%.jpg></div>") + "</main>",
            (1...4).map { "/beacon-\($0).jpg" })
    }

    @Test("what the pointer shows over a link to a page is a button in another state")
    func rollovers() throws {
        for item in [
            "<a href=/%><img src=/b%.jpg width=90 height=30 onmouseover=\"this.src='/p/%.jpg'\"></a>",
            "<a href=/% onmouseover=\"swap('b%','/p/%.jpg')\"><img src=/b%.jpg width=90 height=30></a>",
            "<a href='javascript:menu(%)' onmouseover=\"swap('b%','/p/%.jpg')\"><img src=/b%.jpg width=90 height=30></a>",
        ] {
            try expect(
                "<div id=menu>\(Self.numbered(1...5, item))</div><h1>Oak</h1><img src=/p/9.jpg width=600 height=400>",
                ["/p/9.jpg"])
        }
    }

    // MARK: - Nothing to show

    @Test(
        "icons, badges and logos are not shown for want of a gallery",
        arguments: [
            "<div id=footer>"
                + numbered(
                    1...6,
                    "<a href='https://s%.example/'><img src=/badges/b%.gif width=88 height=31></a>")
                + "</div>",
            "<ul class=languages>"
                + numbered(
                    1...5, "<li><a href=/l%/><img src=/flags/f%.png width=20 height=14></a></li>")
                + "</ul>",
            "<div class=features>"
                + numbered(1...3, "<p><img class=icon src='/img/icon-%.png'> Note %</p>")
                + "</div>",
            "<header><a href=/ class=logo><img src=/acme.gif></a></header><h1>Contact</h1>",
            "<div id=header><a href=/><img src=/acme.png alt=Acme></a></div><h1>Contact</h1>",
            "<a href='https://acme.example/'><img src=/images/acme.png></a><h1>Contact</h1>",
            "<h1>Sign in</h1><form class=login><img src='captcha.php?x=1'><img src=/images/loading.gif></form>",
            numbered(1...5, "<img src=/star.gif>"),
        ])
    func empty(_ html: String) throws {
        #expect(throws: PageError.self) { try page("<h1>Hotel</h1>\(html)<p>Welcome</p>") }
    }

    @Test(
        "the one picture of a page of a comic is shown",
        arguments: [
            "<div id=comic><img src=/p/1.jpg alt='The fall'></div>",
            "<center><img src=/p/1.jpg alt='The fall' width=740 height=960></center>",
            "<p><a href=/2><img src=/p/1.jpg alt='The fall'></a>",
            "<table><tr><td><img src=/p/1.jpg border=0 alt='The fall' width=740 height=960></table>",
            "<main><figure><img src=/p/1.jpg><figcaption>Chapter 1</figcaption></figure></main>",
        ])
    func comics(_ html: String) throws {
        let links =
            "<title>The fall</title><div class=nav><a href=/0><img src=/prev.gif alt=Previous></a><a href=/2><img src=/next.gif alt=Next></a></div>"
        try expect(html + links, ["/p/1.jpg"])
        let drawn = html.replacing("/p/1.jpg", with: "/p/20100102.gif")
        try expect(drawn + links, ["/p/20100102.gif"])
    }

    // MARK: - Next pages

    @Test("the next page of a mirror, of a blog of articles and behind a picture")
    func nextPages() throws {
        let photos = Self.numbered(1...3, "<li><img src='/p/%.jpg'></li>")
        let article = "<meta property=og:type content=article>"
        for (html, address, expected) in [
            (
                "<a href='page/2/index.html'>Older</a>", "/blog/index.html",
                "/blog/page/2/index.html"
            ),
            (
                article + "<a rel=next href='page/2/index.html'>2</a>", "/blog/index.html",
                "/blog/page/2/index.html"
            ),
            (article + "<a rel=next href=/page/2/>2</a>", "/home/", "/page/2/"),
            (article + "<a class=next href='/all/page/3'>3</a>", "/news/", "/all/page/3"),
            ("<a href=2.html title='Next page'><img src=/a.gif></a>", "/x/1.html", "/x/2.html"),
            ("<a href=2.html><img src=/a.gif title=Next></a>", "/x/1.html", "/x/2.html"),
            ("<a href=2.html title=Next><img src=/a.gif alt=arrow></a>", "/x/1.html", "/x/2.html"),
        ] {
            let page = try page(
                "<ul>\(photos)</ul>\(html)", at: "https://photos.example" + address)
            #expect(short(page.next) == expected, "\(html)")
        }
        let other = try page(
            "\(article)<ul>\(photos)</ul><a rel=next href=/other>Next</a>",
            at: "https://photos.example/news/this")
        #expect(other.next == nil)
    }

    // MARK: - Titles

    @Test(
        "the title is what is written about the picture",
        arguments: [
            "<div class=card><img src=/p/%.jpg><h4>New</h4><h2>Title %</h2></div>",
            "<div class=painting data-name='Title %'><img src=/p/%.jpg><p>Medium: oil</p></div>",
            "<div><img src=/p/%.jpg data-title='Title %' alt=photo></div>",
            "<div><img src=/p/%.jpg data-description='Title %'></div>",
            "<div class=post><h3 class=entry-title><a href=/post/%>Title %</a></h3><div class=entry><a href=/p/%.jpg><img src=/t/%.jpg></a><div class=caption><p>Something long about it, and more</p></div></div><ul><li>1 May<li>Tags: a, b<li>By me<li>3 comments</ul></div>",
            "<div><a href=/v/%><img src=/p/%.jpg></a><span class=cap>Title %</span></div>",
            "<div><a href=/p/%.jpg class=cover title='Title %'></a><div><img src=/t/%.jpg alt=''></div></div>",
            "<div><a href=/v/%><img src=/p/%.jpg alt='Title %'></a><p class=title>Specifications:</p></div>",
            "<div><a href=/v/%><img src=/p/%.jpg title=a_title_%></a><p class=Title>Title %</p></div>",
            "<div><div><a href=/v/%><img src=/p/%.jpg></a></div><button data-item-name='Title %'>Add</button></div>",
            "<div><a href=/v/%><img src=/p/%.jpg><p class=count>% views</p></a><p class=name>Ann</p><p class=desc title='Title %'>Title %</p></div>",
            "<div><div><a href=/c/oaks><b class=title>Oaks</b></a></div><a href=/v/%><img src=/p/%.jpg><span>Title %</span></a></div>",
        ])
    func titles(_ item: String) throws {
        let pictures = try page("<main>\(Self.numbered(1...6, item))</main>").pictures
        #expect(pictures.map(\.title) == (1...6).map { "Title \($0)" })
    }

    @Test(
        "of two texts, one of which begins the other, the longer is the title",
        arguments: [
            "<li><img src=/p/%.jpg alt='Title %: by the sea'><a class=title>Title %</a></li>",
            "<li><img src=/p/%.jpg alt='Title %: by the sea'><p class=caption>Title %: by… by Ann</p></li>",
        ])
    func longer(_ item: String) throws {
        let pictures = try page("<main>\(Self.numbered(1...6, item))</main>").pictures
        #expect(pictures.map(\.title) == (1...6).map { "Title \($0): by the sea" })
    }

    @Test("without another text, the name that a post's file had is the title")
    func formerName() throws {
        let post =
            "<div><p>File: <a href=/src/%99.jpg>%99.jpg</a> (<span class=postfilename>oak_%.jpg</span>)</p><a href=/src/%99.jpg><img src=/t/%99.jpg></a><p>Anonymous</p></div>"
        let pictures = try page("<main>\(Self.numbered(1...6, post))</main>").pictures
        #expect(pictures.map(\.title) == (1...6).map { "oak_\($0).jpg" })
    }

    @Test(
        "a text that most pictures share is no title",
        arguments: [
            "<a href=/p/%.jpg><img src=/t/%.jpg alt='Photo gallery'></a><br>Title %<br>",
            "<li><a href=/p/%.jpg title='Click for more'><img src=/t/%.jpg></a><p>Title %</p></li>",
            "<div><h3>From the blog</h3><img src=/p/%.jpg alt='Title %'></div>",
            "<div><img src=/p/%.jpg title='Title %' alt='A photo of ours'></div>",
            "<figure><img src=/p/%.jpg alt='Our shop'><figcaption>Title %</figcaption></figure>",
        ])
    func sharedTexts(_ item: String) throws {
        let pictures = try page("<main>\(Self.numbered(1...6, item))</main>").pictures
        #expect(pictures.map(\.title) == (1...6).map { "Title \($0)" })
    }

    @Test("in a saved file, an address without a scheme is on the web")
    func schemes() throws {
        for item in [
            "<img src='//cdn.example/p/%.jpg'>",
            "<a href='//cdn.example/p/%.jpg'><img src='//cdn.example/t/%.jpg'></a>",
            "<img data-src='//cdn.example/p/%.jpg'>", "<img srcset='//cdn.example/p/%.jpg 800w'>",
            "<div style=\"background:url('//cdn.example/p/%.jpg')\"></div>",
        ] {
            let html = "<main>\(Self.numbered(1...3, "<div>\(item)</div>"))</main>"
            let pictures = try page(html, at: "file:///home/me/saved.html").pictures
            #expect(
                pictures.map(\.image.text) == (1...3).map { "https://cdn.example/p/\($0).jpg" },
                "\(item)")
        }
    }
}
