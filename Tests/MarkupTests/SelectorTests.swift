import Testing

@testable import Markup

@Suite struct SelectorTests {
    private let page = Document(
        html: Array(
            """
            <body><ul id="list" class="grid big"><li class="item first" data-n="1"><a href="/x/1.jpg"><img class="jq-lazy t" id=i1></a>
            <li class="item" data-n="2"><a href="/x/2.JPG"><img id=i2></a><span>caption</span>
            <li class="item" data-n="3" lang="en-GB"><div><img id=i3></div>
            <li class="ad" data-n="4"><img id=i4></ul><p><img id=i5></p></body>
            """.utf8))

    private func ids(_ selector: String) throws -> String {
        try page.root.select(Selector(selector)).map {
            $0.attribute(.id) ?? $0.attribute("data-n") ?? $0.tagName
        }.joined(separator: " ")
    }

    @Test(
        "selectors match as in CSS",
        arguments: [
            ("img", "i1 i2 i3 i4 i5"), ("img.jq-lazy", "i1"), ("#i3", "i3"), ("li.item.first", "1"),
            ("li img", "i1 i2 i3 i4"), ("li > img", "i4"), ("ul.grid > li.item > a > img", "i1 i2"),
            ("li.first + li", "2"), ("li.first ~ li", "2 3 4"), ("li:first-child", "1"),
            ("li:last-child", "4"), ("li:nth-child(2)", "2"), ("li:nth-child(odd)", "1 3"),
            ("li:nth-child(2n)", "2 4"), ("li:nth-child(-n+2)", "1 2"),
            ("li:nth-child(n + 3)", "3 4"),
            ("li:not(.item)", "4"), ("li:not(.ad):not(:first-child)", "2 3"),
            ("li:not(.ad, .first)", "2 3"),
            ("li:has(a)", "1 2"), ("li:has(> img)", "4"), ("li:has(div img)", "3"),
            ("li:has(+ .ad)", "3"),
            ("li:has(~ .ad)", "1 2 3"), ("li:not(:has(a))", "3 4"),
            ("ul:has(li > a > img)", "list"),
            ("li[lang|=en]", "3"), ("li[class~=item]", "1 2 3"), ("a[href$='.jpg']", "a"),
            ("a[href$='.jpg' i]", "a a"), ("a[href^=\"/x/\"]", "a a"), ("a[href*='2']", "a"),
            ("[data-n='4']", "4"), ("[data-n]", "1 2 3 4"), ("p img, li.ad img", "i4 i5"),
            ("*#i5", "i5"),
            ("LI.ad", "4"), ("nothing", ""), (".item .item", ""), ("body img.t", "i1"),
            ("a+span", "span"),
        ])
    func matches(_ selector: String, _ expected: String) throws {
        #expect(try ids(selector) == expected)
    }

    @Test("within a node, the node itself may match the left part")
    func scoped() throws {
        let item = try #require(page.root.select(Selector("li.first")).first)
        #expect(item.select(try Selector("li img")).count == 1)
        #expect(item.select(try Selector("ul img")).isEmpty)
        #expect(item.select(try Selector("li")).isEmpty)
        #expect(page.root.select(try Selector("ul > li")).contains(item))
    }

    @Test(
        "an invalid selector reports the reason and position",
        arguments: [
            ("", "a selector is missing at character 1"),
            ("div >", "a selector is missing at character 6"),
            ("a[href", "‘]’ is missing at character 7"),
            ("a[href='x]", "the quote is not closed at character 8"),
            ("li:hover", "‘:hover’ is not supported at character 4"),
            ("a!", "unexpected ‘!’ at character 2"),
            ("li:nth-child(x)", "‘x’ is not a position at character 14"),
            ("div,", "a selector is missing at character 5"),
            (".", "the name of a class is missing at character 2"),
            ("a:not(b c)", "‘:not()’ takes no combinators at character 3"),
        ])
    func errors(_ selector: String, _ message: String) {
        let error = #expect(throws: SyntaxError.self) { try Selector(selector) }
        #expect(error?.description == message)
    }

    @Test("deeply nested brackets are rejected without a crash")
    func nested() {
        for open in ["[", "[a=", ":not(", ":has(", "a:not(:has(", "(", "[a='", ":nth-child("] {
            let selector = String(repeating: open, count: 3000)
            #expect(throws: SyntaxError.self, "\(open)") { try Selector(selector) }
        }
    }

    @Test("an extractor reads an attribute or the text")
    func extractors() throws {
        let item = try #require(page.root.select(Selector("li:nth-child(2)")).first)
        #expect(try Extractor("a@href").value(in: item) == "/x/2.JPG")
        #expect(try Extractor("@data-n").value(in: item) == "2")
        #expect(try Extractor("span").value(in: item) == "caption")
        #expect(try Extractor("a[href*='@']@href").value(in: item) == nil)
        #expect(try Extractor("b@x").value(in: item) == nil)
        #expect(throws: SyntaxError.self) { try Extractor("a@") }
    }

    @Test("a selector built to backtrack costs no more than others, and size is limited")
    func hostileSelector() throws {
        let deep = Document(html: Array(String(repeating: "<div>", count: 20_000).utf8))
        let selector = try Selector("x " + String(repeating: "div ", count: 30) + "y")
        #expect(deep.root.select(selector).isEmpty)
        let many = Array(repeating: "a.b", count: 101)
        #expect(throws: SyntaxError.self) { try Selector(many.joined(separator: ",")) }
        #expect(throws: SyntaxError.self) { try Selector("a:not(\(many.joined(separator: ",")))") }
        #expect(throws: Never.self) { try Selector(many.dropLast().joined(separator: ",")) }
    }
}
