import Basics
import Gallery
import Network
import Testing

@testable import Gallery

@Suite("Pages that were rendered") struct RenderedPageTests {
    @Test("--explain says by what a page was rendered, and only then")
    func explained() throws {
        let address = try #require(Address("https://photos.example/"))
        let explained = Locked("")
        let reader = PageReader(explain: { text in explained.withLock { $0 = text } })
        for headers: HeaderFields in [[], [(":rendered", "by chromium; 3 pictures left out")]] {
            let response = Response(
                address: address, mediaType: "text/html", headers: headers,
                body: Array("<a href=/1.jpg><img src=/1s.jpg width=200 height=200></a>".utf8),
                origin: .network)
            _ = try? reader.read(response)
            let text = explained.withLock(\.self)
            #expect(!text.isEmpty)
            #expect(
                text.contains("it was rendered by chromium; 3 pictures left out")
                    == !headers.isEmpty)
        }
    }

    @Test("names that scripts put together of variables are no pictures") func templates() throws {
        let address = try #require(Address("https://photos.example/"))
        let text = "<div id=app></div><script>add(`<img src='/p/${name}-1.jpg'>`)</script>"
        let response = Response(
            address: address, mediaType: "text/html", headers: [], body: Array(text.utf8),
            origin: .network)
        #expect(throws: PageError.self) { try PageReader().read(response) }
    }
}
