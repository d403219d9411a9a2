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
}
