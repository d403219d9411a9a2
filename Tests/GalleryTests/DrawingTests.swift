import Network
import Testing

@testable import Gallery

/// Pages whose pictures are inline SVG drawings or SVG files.
@Suite struct DrawingTests {
    private static func numbered(_ count: Int, _ item: String) -> String {
        (1...count).map { item.replacing("%", with: "\($0)") }.joined(separator: "\n")
    }

    /// Returns the documents in the addresses of a page's pictures.
    private func drawings(_ html: String) throws -> [String] {
        try page("<h1>T</h1>" + html).pictures.map { picture in
            String(decoding: try #require(picture.image.drawing), as: UTF8.self)
        }
    }

    private static let sprite =
        "<svg style='display:none' aria-hidden=true><defs>"
        + numbered(
            40, "<symbol id='icon-shape-%' viewBox='0 0 24 24'><path d='M% 0H9'/></symbol>")
        + "</defs></svg>"

    private static let words = String(repeating: "Words about it. ", count: 20)

    private static let wallPages: [(count: Int, html: String)] = [
        // An illustrator's page.
        (
            3,
            numbered(
                3,
                "<figure><svg viewBox='0 0 300 200'><circle r='%'/></svg><figcaption>Shape %</figcaption></figure>"
            )
        ),
        // Charts as large as pictures.
        (
            4,
            numbered(
                4,
                "<div class=chart><svg width=480 height=300><title>Shape %</title><rect width='%' height=4 /></svg><p>\(words)</div>"
            )
        ),
        // A set of icons from a sprite, with names below.
        (
            8,
            sprite
                + numbered(
                    8,
                    "<li><svg class=icon><use xlink:href='#icon-shape-%'></use></svg><span>Shape %</span></li>"
                )
        ),
        // A set with a page for each icon and copy buttons.
        (
            30,
            numbered(
                30,
                "<a href='/icons/shape-%'><svg aria-hidden=true width=24 height=24 fill=none stroke=currentColor><path d='M%,2 4,5'/></svg>Shape %</a>"
            )
        ),
        (
            24,
            sprite
                + numbered(
                    24,
                    "<div><button type=button><svg width=24 height=24><use href='#icon-shape-%'/></svg></button><p>Shape %</p></div>"
                )
        ),
    ]

    @Test("walls of drawings are galleries, in various markup", arguments: wallPages)
    func walls(_ count: Int, _ html: String) throws {
        let page = try page("<h1>T</h1><main>" + html)
        #expect(page.pictures.count == count)
        #expect(page.pictures.map(\.title) == (1...count).map { "Shape \($0)" })
        #expect(page.pictures.allSatisfy { $0.image.isInline && $0.isFullKnown })
    }

    @Test("SVG files form a wall too, and unnamed drawings are titled by their symbol")
    func files() throws {
        let files = Self.numbered(8, "<li><img src='/art/shape-%.svg' alt=''></li>")
        let page = try page("<ul>" + files + "</ul>")
        #expect(page.pictures.map { short($0.image) } == (1...8).map { "/art/shape-\($0).svg" })
        let unnamed = try GalleryTests.page(
            "<h1>T</h1>" + Self.sprite
                + Self.numbered(6, "<div><svg><use href='#icon-shape-%'/></svg></div>"))
        #expect(unnamed.pictures.map(\.title) == (1...6).map { "shape \($0)" })
    }

    private static let ornamentPages: [String] = [
        // A product's features.
        numbered(
            8,
            "<div class=feature><svg width=48 height=48><path d='M%'/></svg><h3>Fast</h3><p>\(words)</p></div>"
        ),
        // Menus, buttons and social links in the page's content.
        numbered(12, "<a class=tile href='/c/%'><svg><path d='M%'/></svg> Kind %</a>"),
        numbered(12, "<button><svg><path d='M%'/></svg></button>"),
        // Partners.
        "<div class=our-clients>" + numbered(9, "<div><svg><path d='M%'/></svg></div>") + "</div>",
        "<div class=logo-row>"
            + numbered(5, "<figure><svg viewBox='0 0 9 9'><path d='M%'/></svg></figure>")
            + "</div>",
        numbered(9, "<li><img src='/icons/%.svg'> Point %</li>"),
        // The page's frame.
        "<nav>" + numbered(30, "<svg><path d='M%'/></svg>") + "</nav><p>\(words)</p>",
        "<p>\(words)</p><footer>"
            + numbered(9, "<i><svg width=200 height=99><path d='M%'/></svg></i>") + "</footer>",
        // One drawing, repeated.
        numbered(40, "<p><svg width=99 height=99><path d='M1'/></svg> Done %</p>"),
        // A symbol store, and references to symbols in an external file.
        sprite + numbered(9, "<p><svg><use href='/sprite.svg#a%'/></svg></p>"),
    ]

    @Test("decorative drawings are not pictures", arguments: ornamentPages)
    func ornaments(_ html: String) throws {
        #expect(throws: PageError.self) { try page("<h1>T</h1><p>Text.</p>" + html) }
    }

    @Test("drawings beside other pictures are decorative")
    func besides() throws {
        let wall = Self.numbered(9, "<li><svg><path d='M%'/></svg></li>")
        let photos = Self.numbered(3, "<p><a href='/p/%.jpg'><img src='/t/%.jpg'></a></p>")
        for html in [wall + photos, photos + wall, "<img src='/one.jpg' width=900>" + wall] {
            #expect(try page(html).pictures.allSatisfy { !$0.image.isInline })
        }
    }

    @Test("a file name that merely starts with data is not an inline drawing")
    func names() throws {
        let links = Self.numbered(3, "<a class=lightbox href='data%.jpg'>%</a>")
        let found = try page(links).pictures.map { short($0.image) }
        #expect(found == (1...3).map { "/gallery/data\($0).jpg" })
    }

    @Test("a drawing is serialised as a standalone, valid SVG document")
    func documents() throws {
        let svg = """
            <svg class="x y" width=200 height=200 viewbox="0 0 9 9" onload="alert(1)" data-a=b fill='none' style="position:absolute">
            <title>T</title><lineargradient id="g%" gradientunits=userSpaceOnUse><stop offset=1 /></lineargradient>
            <path d="M% 1&amp;'<2" fill="url(#g%)"/><a href="/x" onclick="f()"><text>a &lt; b</text></a></svg>
            """
        let found = try drawings(Self.numbered(3, "<div>\(svg)</div>"))
        #expect(
            found.first
                == "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
                + "viewBox='0 0 9 9' fill='none'><linearGradient id='g1' gradientUnits='userSpaceOnUse'>"
                + "<stop offset='1'></stop></linearGradient><path d='M1 1&amp;&#39;&lt;2' fill='url(#g1)'>"
                + "</path><g><text>a &lt; b</text></g></svg>")
    }

    @Test("referenced elements are included recursively, once each")
    func references() throws {
        let store =
            "<svg width=0 height=0><linearGradient id=g><stop offset='0'/></linearGradient>"
            + "<symbol id=s viewBox='0 0 5 5'><g><use href='#part'/><use href='#s'/></g></symbol>"
            + "<g id=part><path d='M1' style='fill:url(#g)'/></g></svg>"
        let found = try drawings(
            store
                + Self.numbered(
                    3, "<figure><svg><use href='#s'/><path d='M%'/><use href='#s'/></svg></figure>")
        )
        let text = try #require(found.first)
        #expect(found.count == 3 && text.contains("viewBox='0 0 5 5' ") == false)
        #expect(text.contains(" viewBox='0 0 5 5'><use xlink:href='#s'></use><path d='M1'>"))
        for part in ["<symbol id='s'", "<g id='part'>", "<linearGradient id='g'>"] {
            #expect(text.components(of: part) == 1, "\(part)")
        }
    }

    @Test(
        "scripts and external references are removed",
        arguments: [
            "<script>alert(1)</script>",
            "<foreignObject><iframe src='/x'></iframe></foreignObject>",
            "<image href='https://a.example/x.png'/>",
            "<style>path{fill:url(//a.example/x)}</style>",
            "<style>@import '//a.example/x'</style>", "<use href='https://a.example/x.svg#b'/>",
            "<path fill='url(//a.example/x)'/>", "<path style=\"fill:url( '//a.example/x')\"/>",
            "<path fill='url(#a) image-set(\"//a.example/x\")'/>",
            "<path fill='u\\72l(//a.example/x)'/>",
            "<set attributeName=href to='//a.example/x'/>", "<path onclick='a.example'/>",
            "<a xlink:href='javascript:a.example'><path/></a>",
        ])
    func harmless(_ part: String) throws {
        let found = try drawings(
            Self.numbered(3, "<figure><svg><path d='M%'/>\(part)</svg></figure>"))
        #expect(found.count == 3)
        for text in found {
            for word in ["example", "script", "iframe", "onclick", "import", "alert"] {
                #expect(!text.contains(word), "\(text)")
            }
        }
    }

    @Test("oversized, deep and endless drawings are limited")
    func bounds() throws {
        func figures(_ content: String) -> String {
            Self.numbered(3, "<figure><svg><path d='M%'/>\(content)</svg></figure>")
        }
        let deep =
            String(repeating: "<g>", count: 900) + "<path/>" + String(repeating: "</g>", count: 900)
        #expect(try drawings(figures(deep)).count == 3)
        let long = "<path d='" + String(repeating: "9", count: 30_000) + "'/>"
        #expect(throws: PageError.self) { try page(figures(long)) }
        // A chain of symbols, each of which uses the next.
        let chain =
            "<svg width=0 height=0>"
            + Self.numbered(500, "<symbol id='c%'><use href='#c%0'/><use href='#c%1'/></symbol>")
            + "</svg>"
        #expect(try drawings(chain + figures("<use href='#c1'/>")).count == 3)
        let many = Self.numbered(
            4000,
            "<figure><svg><path d='M%" + String(repeating: "9", count: 2000) + "'/></svg></figure>")
        let count = try drawings(many).count
        #expect((1500..<2100).contains(count))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
