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

    @Test("each candidate is listed with its rule, and the score with its reasons")
    func candidates() throws {
        let text = try explain(
            "<header><img src=/head.jpg></header><main><ul>\(Self.photos)</ul><img src=/logo.png></main>"
        )
        #expect(text.contains("candidates: 5, of which 3 taken"))
        #expect(text.contains("in the frame of the page"))
        #expect(text.contains("score below 0: content +5, words of ornaments -30"))
        #expect(text.contains("links to picture +30"))
        #expect(text.contains("3 pictures, 0 albums, 0 related sections, no next page"))
    }

    @Test("groups and next pages are listed, with the reasons for rejection")
    func groups() throws {
        let text = try explain(
            "<main><ul>\(Self.photos)</ul><a rel=next href=https://other.example/2>x</a><a class=next href='?page=2'>x</a></main>"
        )
        #expect(
            text.contains("3 members  main > ul > li > a > img")
                || text.contains("3 members  ul > li > a > img"))
        #expect(text.contains("other site"))
        #expect(text.contains("chosen"))
        #expect(text.contains("next page https://photos.example/gallery/?page=2"))
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
