import Basics
import Markup
import Network
import Testing

@testable import Gallery

/// How the candidates of a page are grouped, and which groups are its gallery.
@Suite struct GroupTests {
    private static let trees = wordList("ash beech cedar elm fir gum hazel iris")

    private static func numbered(_ range: ClosedRange<Int>, _ item: String) -> String {
        range.map { item.replacing("%", with: "\($0)") }.joined(separator: "\n")
    }

    /// Repeats an item, `%` being a tree.
    private static func wooded(_ item: String) -> String {
        trees.map { item.replacing("%", with: $0) }.joined(separator: "\n")
    }

    /// Returns the sizes of the groups of a page, in page order.
    private func sizes(_ html: String) throws -> [Int] {
        let document = Document(markup: html)
        let context = PageContext(
            address: try #require(Address(testAddress)), document: document)
        return document.read { tree in
            GroupedPage(document, tree: tree, context: context).groups.groups.map(\.members.count)
        }
    }

    private func images(_ html: String) throws -> [String] {
        try page(html).pictures.map { short($0.image) }
    }

    @Test("tags of text count for nothing in equal structure")
    func tagsOfText() throws {
        let forms = [
            "%", "<center>%</center>", "<p>%</p>", "<p><b><font>%</font></b></p>", "<span>%</span>",
            "<p><i>%</i></p>", "<center><b>%</b></center>", "<p><span>%</span></p>",
        ]
        let pictures = zip(forms, Self.trees).map { form, tree in
            "<div>Words.</div>" + form.replacing("%", with: "<img src=/b/\(tree).jpg>")
        }
        let html = "<h1>Trip</h1><div id=page>\(pictures.joined())</div>"
        #expect(try sizes(html) == [8])
        #expect(try images(html) == Self.trees.map { "/b/\($0).jpg" })
        #expect(try sizes(html.replacing("center>", with: "figure>")) == [6, 2])
    }

    @Test("classes without digits tell groups apart, those with digits do not")
    func classes() throws {
        let html = (1...12).map { "<div class='col col-\($0 % 3)'><img src=/b/\($0).jpg></div>" }
            .joined()
        #expect(try sizes("<main>\(html)</main>") == [12])
        let named = zip(["0", "1", "2"], ["a", "b", "c"]).reduce(html) {
            $0.replacing("col-\($1.0)'", with: "col-\($1.1)'")
        }
        #expect(try sizes("<main>\(named)</main>") == [4, 4, 4])
    }

    @Test("the members of small groups join others with the same tags around")
    func joined() throws {
        let html = Self.wooded("<div class=%><img src=/b/%.jpg></div>")
        #expect(try sizes("<main>\(html)</main>") == [8])
        #expect(try images("<main>\(html)</main>") == Self.trees.map { "/b/\($0).jpg" })
        let larger = Self.numbered(1...3, "<div class=cell><img src=/b/%.jpg></div>")
        #expect(try sizes("<main>\(larger)\(html)</main>") == [3, 8])
    }

    @Test("a word of ornaments that all names of a group are says nothing about one of them")
    func sharedNames() throws {
        func clubs(_ logo: String) -> String {
            let club =
                "<div class=club><a href=/club/%><img src=/clubs/\(logo)></a><h3>Club of %</h3>"
            let all = Self.trees.prefix(6).map { "\(club)</div>".replacing("%", with: $0) }
            return "<title>Clubs</title><main>\(all.joined())</main>"
        }
        #expect(
            try images(clubs("%/logo.png"))
                == Self.trees.prefix(6).map { "/clubs/\($0)/logo.png" })
        #expect(throws: PageError.self) { try page(clubs("%-logo.png")) }
    }

    private static let text = String(
        repeating: "<p>"
            + String(repeating: "The cloth is woven in a mill beside the river. ", count: 9)
            + "</p>", count: 4)

    @Test(
        "a list is a gallery beside a long text, too, on a page that declares no subject",
        arguments: [
            "<ul class=products><li class=product><a href=/p/%><img src=/i/%-104.jpg width=300 height=300></a><h3><a href=/p/%>% jeans, blue denim</a></h3></li></ul>",
            "<div class=grid><article><a href=/recipe/%><img src=/i/%-104.jpg></a><h2><a href=/recipe/%>% soup with bread</a></h2></article></div>",
            "<div class=films><div class=film><a class=thumbnail href=/film/%><img src=/i/%-104.jpg width=200 height=300></a><h3>% house in the woods</h3></div></div>",
        ])
    func besideText(_ list: String) throws {
        let start = try #require(list.firstIndex(of: ">"))
        let end = try #require(list.lastIndex(of: "<"))
        let (head, foot) = (list[...start], list[end...])
        let items = Self.wooded(String(list[list.index(after: start)..<end]))
        for html in [
            "<h1>All</h1>\(head)\(items)\(foot)<div class=seo>\(Self.text)</div>",
            "<h1>All</h1><div class=intro>\(Self.text)</div>\(head)\(items)\(foot)",
        ] {
            #expect(try images(html) == Self.trees.map { "/i/\($0)-104.jpg" })
            // Without numbers, less speaks for a gallery than its place does against it.
            let plain = html.replacing("-104", with: "")
            #expect(try images(plain) == Self.trees.map { "/i/\($0).jpg" })
        }
    }

    @Test(
        "a list that only its place beside a text keeps out is what a page without a subject is about",
        arguments: [
            "<tr><td><a href=/f/%><img src=/i/%.png></a></td><td>% rising, a film</td></tr>",
            "<li class=review><a href=/p/%><img src=/i/%.png></a> % jeans, blue denim</li>",
        ])
    func onlyList(_ item: String) throws {
        let list =
            "<h1>All</h1><div class=seo>\(Self.text)</div><table>\(Self.wooded(item))</table>"
        #expect(try images(list) == Self.trees.map { "/i/\($0).png" })
        let declared = try page(
            "<meta property=article:published_time content=2024-05-01>" + list)
        #expect(declared.pictures.isEmpty && declared.related.map(\.pictures.count) == [8])
    }

    @Test(
        "a second, smaller picture with another link on each card is not shown",
        arguments: [
            "<div class=result><a href=/car/%><img src=/p/%.jpg width=320 height=240></a><h3>Car %</h3><a href=/dealer/%><img src=/dealers/%.png width=100 height=30></a></div>",
            "<div class=box><a href=/home/%><img src=/p/%.jpg></a><h3>Home %</h3><span><img src=/i/ber_%.png alt='What is BER?'></span><a href=/agent/%><img src=/agents/%.png></a></div>",
        ])
    func secondPictures(_ card: String) throws {
        let html = "<title>Offers</title><div class=results>\(Self.numbered(1...8, card))</div>"
        #expect(try images(html) == (1...8).map { "/p/\($0).jpg" })
    }
}
