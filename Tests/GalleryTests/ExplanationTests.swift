import Basics
import Network
import Pipeline
import Testing
import Trace

@testable import Gallery

/// The output of `--explain` for a page.
@Suite struct ExplanationTests {
    private func explain(
        _ html: String, type: String = "text/html", at address: String = testAddress
    ) throws -> String {
        let told = Locked("")
        let reader = PageReader { explanation in told.withLock { $0 += explanation } }
        let response = Response(
            address: try #require(Address(address)), mediaType: type, headers: [],
            body: Array(html.utf8), origin: .network)
        _ = try? reader.read(response)
        return told.withLock { $0 }
    }

    private static let photos = (1...3).map {
        "<li><a href='/f/\($0).jpg'><img src='/t/\($0).jpg'></a></li>"
    }.joined()

    @Test("each candidate is listed with its verdict, its group, and the rule")
    func candidates() throws {
        let text = try explain(
            "<header><img src=/head.jpg></header><main><ul>\(Self.photos)</ul><img src=/logo.png></main>"
        )
        #expect(text.contains("candidates: 5, of which 3 taken"))
        for (verdict, element, rule) in [
            (
                "rejected      1  https://photos.example/head.jpg", "html > body > header > img",
                "in the page's frame"
            ),
            ("taken         2  https://photos.example/f/1.jpg", "ul > li > a > img", "gallery"),
            (
                "rejected      3  https://photos.example/logo.png", "html > body > main > img",
                "word of ornaments"
            ),
        ] {
            let indent = "\n" + String(repeating: " ", count: 19)
            #expect(text.contains("\n  " + verdict + indent + element + indent + rule + "\n"))
        }
        #expect(text.contains("3 pictures, 0 albums, 0 related sections, no next page"))
    }

    @Test("groups are listed with what speaks for and against them, and next pages")
    func groups() throws {
        let text = try explain(
            "<header><img src=/logo.png></header><main><ul>\(Self.photos)</ul><a rel=next href=https://other.example/2>x</a><a class=next href='?page=2'>x</a></main>"
        )
        let lines = text.split(separator: "\n")
        let group = try #require(
            lines.firstIndex { $0.hasSuffix("  2  taken        3  ul > li > a > img") })
        #expect(lines[group - 1].contains("in all -"))
        #expect(lines[group - 1].contains(", in the page's frame -"))
        #expect(lines[group + 1].contains("in all +"))
        #expect(lines[group + 1].contains(", share of the page's tags +"))
        #expect(text.contains("other site"))
        #expect(text.contains("chosen"))
        #expect(text.contains("next page https://photos.example/gallery/?page=2"))
    }

    @Test("what is related says so, also in the list of groups")
    func related() throws {
        let others = (7...9).map {
            "<div class=item><a href='/g/\($0)'><img src='/cover/\($0).jpg'></a><p>A walk</p></div>"
        }.joined()
        let text = try explain(
            "<main><ul>\(Self.photos)</ul><h2>You may also like</h2><div>\(others)</div></main>")
        #expect(text.contains("candidates: 6, of which 3 taken"))
        #expect(text.contains("  related       2  https://photos.example/cover/7.jpg\n"))
        #expect(text.contains("  2  related      3  div > div.item > a > img\n"))
        #expect(text.contains(", under a heading that recommends -"))
        #expect(text.contains("3 pictures, 0 albums, 1 related sections, no next page"))
    }

    @Test("control characters in a page's addresses and classes do not reach the terminal")
    func controls() throws {
        let text = try explain("<main><img class='a\u{1B}[31m' src='/x.jpg' alt='\u{9B}'></main>")
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9B })
    }

    @Test("failures, feeds and listings are explained too")
    func others() throws {
        #expect(try explain("").contains("the page is empty"))
        #expect(try explain("<p>x</p>").contains("no pictures found"))
        #expect(try explain("<rss><channel></channel></rss>", type: "text/xml").contains("a feed"))
        #expect(
            try explain("<title>Index of /</title><pre><a href=a.jpg>a.jpg</a></pre>")
                .contains("a directory listing"))
    }

    @Test("the explanation of 20,000 candidates is bounded")
    func bounded() throws {
        let text = try explain("<main>" + (1...20_000).map { "<img src=\($0).jpg>" }.joined())
        #expect(text.contains("and 15000 more"))
        #expect(text.utf8.count < 4 << 20)
    }
}
