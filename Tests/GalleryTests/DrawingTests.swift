import Network
import Testing

@testable import Gallery

/// Pages whose pictures are SVG files.
@Suite struct DrawingTests {
    private static func numbered(_ count: Int, _ item: String) -> String {
        (1...count).map { item.replacing("%", with: "\($0)") }.joined(separator: "\n")
    }

    private static let words = String(repeating: "Words about it. ", count: 20)

    @Test(
        "walls of SVG files are galleries, with captions from three on",
        arguments: [
            (8, "<li><img src='/art/shape-%.svg' alt=''></li>"),
            (3, "<figure><img src='/art/shape-%.svg'><figcaption>shape %</figcaption></figure>"),
        ])
    func walls(_ count: Int, _ item: String) throws {
        let page = try page("<ul>" + Self.numbered(count, item) + "</ul>")
        #expect(page.pictures.map { short($0.image) } == (1...count).map { "/art/shape-\($0).svg" })
        #expect(page.pictures.map(\.title) == (1...count).map { "shape \($0)" })
    }

    private static let ornamentPages: [String] = [
        // A product's features.
        numbered(3, "<div class=feature><img src='/art/%.svg'><h3>Fast</h3><p>\(words)</p></div>"),
        // Menus, buttons and social links in the page's content.
        numbered(12, "<a class=tile href='/c/%'><img src='/art/%.svg'> Kind %</a>"),
        numbered(9, "<li><img src='/icons/%.svg'> Point %</li>"),
        numbered(9, "<li><img src='/art/%.svg' width=24 height=24> Point %</li>"),
        // Partners.
        "<div class=clients>" + numbered(9, "<div><img src='/c/%.svg'></div>") + "</div>",
        // The page's frame.
        "<nav>" + numbered(30, "<img src='/art/%.svg'>") + "</nav><p>\(words)</p>",
        // Drawings in the page's own markup.
        numbered(9, "<figure><svg viewBox='0 0 9 9'><path d='M%'/></svg></figure>"),
    ]

    @Test("decorative drawings are not pictures", arguments: ornamentPages)
    func ornaments(_ html: String) throws {
        #expect(throws: PageError.self) { try page("<h1>T</h1><p>Text.</p>" + html) }
    }

    @Test("drawings beside other pictures are decorative")
    func besides() throws {
        let wall = Self.numbered(9, "<li><img src='/art/%.svg'></li>")
        let photos = Self.numbered(3, "<p><a href='/p/%.jpg'><img src='/t/%.jpg'></a></p>")
        for html in [wall + photos, photos + wall, "<img src='/one.jpg' width=900>" + wall] {
            #expect(try page(html).pictures.allSatisfy { !$0.image.text.hasSuffix(".svg") })
        }
    }
}
