import Network
import Testing

@testable import Gallery

/// What a detail page's full picture is.
@Suite struct DetailTests {
    private func thumbnail(_ path: String) throws -> Picture {
        let address = try #require(Address("https://photos.example" + path))
        return Picture(rungs: [Picture.Rung(address: address)], page: address, title: "")
    }

    private func full(_ html: String, of path: String = "/t/kettle.jpg") throws -> String {
        let found = try page("<html><head><title>T</title></head><body>\(html)</body></html>")
        return short(try found.fullPicture(for: thumbnail(path))?.image)
    }

    @Test(
        "each form of a detail page gives its picture",
        arguments: [
            // One picture.
            ("<main><img src=/web/x1.jpg width=1200 height=800></main>", "/web/x1.jpg"),
            // A link to the original beside it.
            (
                "<main><img src=/web/x1.jpg><p><a href=/orig/x1.jpg>Original (4000 × 3000)</a></main>",
                "/orig/x1.jpg"
            ),
            ("<main><img src=/web/x1.jpg><a download href=/get/17>Save</a></main>", "/get/17"),
            // The picture is a link to its full size.
            ("<main><a href=/full/x1.jpg><img src=/web/x1.jpg></a></main>", "/full/x1.jpg"),
            // A strip of thumbnails below it.
            (
                "<main><img src=/web/x1.jpg width=1200 height=800><div>"
                    + "<a href=1.html><img src=/t/a.jpg width=100 height=80></a><a href=2.html><img src=/t/b.jpg width=100 height=80></a>"
                    + "<a href=3.html><img src=/t/c.jpg width=100 height=80></a></div></main>",
                "/web/x1.jpg"
            ),
            // A strip without sizes: the name tells.
            (
                "<main><div><img src=/web/kettle_large.jpg></div><div><a href=1.html><img src=/t/a.jpg></a>"
                    + "<a href=2.html><img src=/t/b.jpg></a><a href=3.html><img src=/t/c.jpg></a></div></main>",
                "/web/kettle_large.jpg"
            ),
            // Scripts draw it, the page's card names it.
            ("<meta property=og:image content=/og/k.jpg><div id=viewer></div>", "/og/k.jpg"),
            (
                "<script type='application/ld+json'>{\"@type\": \"ImageObject\", \"contentUrl\": \"/ld/k.jpg\", \"name\": \"K\"}</script>",
                "/ld/k.jpg"
            ),
        ])
    func forms(_ html: String, _ expected: String) throws {
        #expect(try full(html) == expected)
    }

    @Test("a gallery of other pictures is no detail page")
    func gallery() throws {
        let photos = (1...4).map {
            "<a href='/v/\($0)'><img src='/t/\($0).jpg' width=300 height=200></a>"
        }.joined()
        let found = try page("<meta property=og:image content=/og.jpg><main>\(photos)</main>")
        #expect(found.detail == nil)
        #expect(try found.fullPicture(for: thumbnail("/cover.jpg")) == nil)
    }
}
