import Testing

@testable import Markup

@Suite struct DocumentTests {
    private func document(_ html: String) -> Document { Document(html: Array(html.utf8)) }

    @Test("nodes are in document order, with parents, siblings and attributes")
    func structure() throws {
        let page = document(
            "<body><div id=a class='x  y'><img src='1.jpg' alt='One &amp; two'><p>Hi <b>there</b></div>"
        )
        let div = try #require(page.root.select(Selector("div")).first)
        #expect(div.classes == ["x", "y"])
        #expect(div.children.map(\.tagName) == ["img", "p"])
        #expect(div.parent?.tagName == "body")
        #expect(div.first(.img)?.attribute(.alt) == "One & two")
        #expect(div.first(.img)?.nextElement?.tagName == "p")
        #expect(div.first(.img)?.attribute("title") == nil)
        #expect(div.textContent == "Hi there")
        #expect(div.descendants.map(\.tagName) == ["img", "p", "#text", "b", "#text"])
        #expect(div.ancestors.map(\.tagName) == ["body", "html", ""])
    }

    @Test("a text node knows its preceding node and element")
    func beforeText() throws {
        let page = document("<p><b>1</b> 2 <i>3</i>4")
        let name = try #require(page.name("p"))
        let paragraph = try #require(page.root.first(name))
        let children = Array(paragraph.children)
        #expect(children.map(\.previousNode) == [nil] + children.dropLast())
        #expect(children.map { $0.previousElement?.tagName } == [nil, "b", "b", "i"])
    }

    @Test("text loses control characters and extra white space, and separates blocks")
    func text() {
        let page = document("<p>a\u{1B}[31m\n\t b&#7;</p><p>\u{202E}c&nbsp;d</p><script>x</script>")
        #expect(page.root.textContent == "a[31m b c d")
        #expect(document("<p>1957&#150;1961&#133;").root.textContent == "1957–1961…")
    }

    @Test("nodes in noscript, template and textarea are marked")
    func contexts() {
        let page = document(
            "<noscript><img id=1></noscript><template><img id=2></template><textarea><img id=3></textarea><img id=4>"
        )
        let pictures = page.root.descendants.filter { $0.name == .img }
        func picture(_ id: String) -> Int? { pictures.first { $0.attribute(.id) == id }?.number }
        page.read { tree in
            #expect(picture("1").map(tree.isInNoscript) == true)
            #expect(picture("2").map(tree.isInert) == true)
            #expect(picture("3").map(tree.isInert) ?? true)
            #expect(picture("4").map(tree.isInNoscript) == false)
            #expect(picture("4").map(tree.isInert) == false)
        }
    }

    @Test("a NUL byte causes no loss")
    func nulBytes() {
        let page = document("<img src='a\0b.jpg'>\0<img src='c.jpg'>")
        #expect(page.root.descendants.compactMap { $0.attribute(.src) } == ["ab.jpg", "c.jpg"])
    }

    @Test("well-known names match their numbers")
    func wellKnownNames() {
        let names: [(Name, String)] = [
            (.a, "a"), (.alt, "alt"), (.article, "article"), (.aside, "aside"), (.base, "base"),
            (.body, "body"), (.class, "class"), (.figcaption, "figcaption"),
            (.figure, "figure"), (.footer, "footer"), (.h1, "h1"), (.header, "header"),
            (.height, "height"), (.hidden, "hidden"), (.href, "href"), (.html, "html"),
            (.id, "id"), (.img, "img"), (.link, "link"), (.main, "main"),
            (.nav, "nav"), (.noscript, "noscript"), (.picture, "picture"),
            (.rel, "rel"), (.role, "role"), (.script, "script"), (.source, "source"), (.src, "src"),
            (.style, "style"), (.time, "time"), (.title, "title"),
            (.type, "type"), (.width, "width"),
            (.ariaLabel, "aria-label"),
            (.name, "name"), (.content, "content"), (.image, "image"), (.br, "br"),
            (.dataDate, "data-date"),
            (.itemprop, "itemprop"), (.dataPswpWidth, "data-pswp-width"),
            (.dataPswpHeight, "data-pswp-height"), (.dataLgSize, "data-lg-size"),
            (.dataSize, "data-size"),
        ]
        for (name, text) in names { #expect(Name.wellKnown[name.number] == text) }
    }

    @Test("100,000 nested elements are all kept")
    func depth() throws {
        let deep = String(repeating: "<div>", count: 100_000)
        let page = document(deep + "<img src=x.jpg>")
        let picture = try #require(page.root.first(.img))
        #expect(picture.ancestors.reduce(0) { count, _ in count + 1 } == 100_003)
        #expect(page.root.select(try Selector("div div > div img")).count == 1)
        #expect(page.root.select(try Selector("div:has(> div > img)")).count == 1)
    }

    /// A megabyte each; with quadratic cost these would take minutes.
    @Test(
        "repeated signs that start no tag are handled in linear time", .timeLimit(.minutes(5)),
        arguments: ["</", "<?", "<!", "</>", "</ <", "<? <", "<!- <", "</a", "<a/<"])
    func repeatedSigns(_ sign: String) {
        let page = document(
            "<p>before<img src=x.jpg>" + String(repeating: sign, count: (1 << 20) / sign.utf8.count)
        )
        #expect(page.root.first(.img)?.attribute(.src) == "x.jpg")
        #expect(page.root.textContent.hasPrefix("before"))
    }

    @Test("bogus comments hide nothing after them")
    func bogusComments() {
        let page = document("<p>a</ x>b<? y?>c</>d<!z>e</p x>f<!-- > -->g</p")
        #expect(page.root.textContent == "abcdefg")
    }

    @Test(
        "half a million distinct names truncate the page without a crash", .timeLimit(.minutes(5)))
    func names() {
        for start in ["<t", "<p t"] {
            let page = document(
                "<p>before<img src=x.jpg>" + (0..<500_000).map { "\(start)\($0)>" }.joined())
            #expect(page.root.first(.img)?.attribute(.src) == "x.jpg")
            #expect(page.names.count <= 60_000)
        }
    }

    @Test(
        "200,000 end tags below as many open elements truncate the page", .timeLimit(.minutes(5)),
        arguments: ["b", "p", "h1"])
    func ends(name: String) {
        let count = 200_000
        let page = document(
            "<p>before<img src=x.jpg>" + String(repeating: "<div>", count: count)
                + String(repeating: "</\(name)>", count: count))
        #expect(page.root.first(.img)?.attribute(.src) == "x.jpg")
        #expect(page.nodeCount > count - 5_000)
    }

    @Test("a tag with 60,000 attributes is dropped, and its surroundings stay")
    func manyAttributes() {
        let attributes = (0..<60_000).map { "a\($0)=1" }.joined(separator: " ")
        let page = document("<p>before</p><img \(attributes)><img src=y.jpg><p>after")
        #expect(page.root.descendants.filter { $0.name == .img }.count == 1)
        #expect(page.root.textContent == "before after")
    }

    @Test("a script with quotes and angle brackets does not hide a hostile tag")
    func guardSeesThroughScripts() {
        let attributes = (0..<400).map { "a\($0)" }.joined(separator: " ")
        let kept = document("<script>if (a<b && c='x) {}</script><img \(attributes)><b>x</b>")
        #expect(kept.root.first(.img) == nil)
        #expect(kept.root.textContent == "x")
    }

    @Test("a long data: value is truncated, other long quoted values are not")
    func dataValues() {
        let long = String(repeating: "A", count: 200_000)
        let page = document("<img src='data:image/png;base64,\(long)'><a title='\(long)'>")
        #expect(page.root.first(.img)?.attribute(.src)?.utf8.count == 256)
        #expect(page.root.first(.a)?.attribute("title")?.utf8.count == 200_000)
    }

    @Test(
        "any input is parsed",
        arguments: [
            "", "<", "<<<>>>", "</div></div>", "<!--", "<!DOCTYPE", "<a href='x",
            "<p><table><tr><img>",
            "&#xFFFFFFF;&bogus;&", "\u{FFFD}", "<img src", "<script>", "]]>",
            "<?xml version='1.0'?>",
        ])
    func tagSoup(_ html: String) {
        #expect(document(html).nodeCount >= 1)
    }

    @Test("entities in a DOCTYPE are not expanded")
    func billionLaughs() {
        let page = document(
            "<!DOCTYPE html [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><p>&b;</p><img src=z.jpg>"
        )
        #expect(page.root.first(.img)?.attribute(.src) == "z.jpg")
        #expect(page.root.textContent.count < 200)
    }
}
