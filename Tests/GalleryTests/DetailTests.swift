import Network
import Testing
import Trace

@testable import Gallery

/// Finding the full picture on the page behind a thumbnail.
@Suite struct DetailTests {
    private func thumbnail(
        _ path: String = "/thumbs/harbour-12_s.jpg", title: String = "Harbour at dawn"
    ) throws -> Picture {
        Picture(
            variants: [
                Picture.Variant(address: try #require(Address("https://photos.example" + path)))
            ],
            link: Address("https://photos.example/photo/12/"),
            page: try #require(Address(testAddress)), title: title)
    }

    private func detail(
        _ html: String, of picture: Picture? = nil, rule: DetailRule? = nil,
        type: String = "text/html"
    ) throws -> Detail {
        let picture = try picture ?? thumbnail()
        let response = Response(
            address: try #require(picture.link), mediaType: type, headers: [],
            body: Array(html.utf8), origin: .network)
        return try PageReader(recipes: [], tracer: .disabled)
            .detail(response, of: picture, rule: rule)
    }

    private func found(_ detail: Detail) -> String {
        if case .picture(let variant, _) = detail { short(variant.address) } else { "album" }
    }

    private let frame = """
        <header><img src=/logo.png alt=Archive width=900 height=300></header><title>Archive</title>
        """
    private let related = """
        <h2>Related photos</h2><ul>
        <li><a href=/photo/13/><img src=/thumbs/harbour-13_s.jpg width=150 height=100></a>
        <li><a href=/photo/14/><img src=/thumbs/harbour-14_s.jpg width=150 height=100></a>
        <li><a href=/photo/15/><img src=/thumbs/harbour-15_s.jpg width=150 height=100></a>
        <li><a href=/photo/16/><img src=/thumbs/harbour-16_s.jpg width=150 height=100></a></ul>
        """

    @Test(
        "the full picture is found by every kind of markup that names it",
        arguments: [
            (
                "<main><img src=/large/harbour-12_b.jpg width=1600 height=1067></main>",
                "/large/harbour-12_b.jpg"
            ),
            (
                "<main><p>Text</p><img src=/x/8f3c2a.jpg width=1200 height=800></main>",
                "/x/8f3c2a.jpg"
            ),
            (
                "<main><a href=/full/harbour-12.jpg><img src=/mid/harbour-12.jpg width=800 height=533></a></main>",
                "/full/harbour-12.jpg"
            ),
            (
                "<main><img src=/mid/harbour-12.jpg width=800 height=533><a download href=/orig/harbour-12.jpg>Get it</a></main>",
                "/orig/harbour-12.jpg"
            ),
            (
                "<main><img src=/mid/harbour-12.jpg width=800 height=533><a href=/orig/harbour-12.jpg>Original (4000 × 3000)</a></main>",
                "/orig/harbour-12.jpg"
            ),
            (
                "<meta property=og:image content=/og/harbour-12.jpg><main><p>Only text</main>",
                "/og/harbour-12.jpg"
            ),
            (
                """
                <script type="application/ld+json">{"@type": "ImageObject", "contentUrl": "/ld/harbour-12.jpg"}</script><main><p>Only text</main>
                """,
                "/ld/harbour-12.jpg"
            ),
            (
                "<main><img src=/mid/harbour-12.jpg srcset='/mid/harbour-12.jpg 800w, /big/harbour-12.jpg 2400w'></main>",
                "/big/harbour-12.jpg"
            ),
        ])
    func ways(markup: String, expected: String) throws {
        #expect(try found(detail(frame + markup)) == expected)
        #expect(try found(detail(frame + markup + related)) == expected)
    }

    @Test(
        "a picture with another name is found, alone or above a strip of others",
        arguments: [
            (
                "<main><img src=/web/x1.jpg width=1200 height=800><div>"
                    + "<a href=1.html><img src=/t/a.jpg width=100 height=80></a><a href=2.html><img src=/t/b.jpg width=100 height=80></a>"
                    + "<a href=3.html><img src=/t/c.jpg width=100 height=80></a></div></main>",
                "/web/x1.jpg"
            ),
            (
                "<main><div><img src=/web/kettle_large.jpg></div><div><a href=1.html><img src=/t/a.jpg></a>"
                    + "<a href=2.html><img src=/t/b.jpg></a><a href=3.html><img src=/t/c.jpg></a></div></main>",
                "/web/kettle_large.jpg"
            ),
            ("<main><img src=/web/x1.jpg><a download href=/get/17>Save</a></main>", "/get/17"),
            ("<meta property=og:image content=/og/k.jpg><div id=viewer></div>", "/og/k.jpg"),
        ])
    func otherNames(markup: String, expected: String) throws {
        #expect(try found(detail(markup, of: thumbnail("/t/kettle.jpg", title: ""))) == expected)
    }

    @Test("neighbours with similar names are not chosen, even without a heading above them")
    func neighbours() throws {
        let strip = related.replacing("<h2>Related photos</h2>", with: "<h2>This week</h2>")
        let main =
            "<main><img src=/large/harbour-12.jpg width=1024 height=683 alt='Harbour at dawn'></main>"
        #expect(try found(detail(frame + main + strip)) == "/large/harbour-12.jpg")
        #expect(try found(detail(frame + strip + main)) == "/large/harbour-12.jpg")
    }

    @Test("a rule learnt on one page decides the next")
    func rule() throws {
        let page = """
            <main><div class=hero><img src=/a/1.jpg width=1600 height=900></div>
            <div class=photo><img src=/b/2.jpg width=900 height=600></div></main>
            """
        let picture = try thumbnail("/t/9f.jpg", title: "")
        let first = try detail(page, of: picture)
        #expect(found(first) == "/a/1.jpg")
        let second = try detail(page, of: picture, rule: .element("body > main > div.photo > img"))
        #expect(found(second) == "/b/2.jpg")
    }

    @Test("a link may lead directly to the picture")
    func itself() throws {
        var picture = try thumbnail()
        picture.link = Address("https://photos.example/get?id=12")
        let response = Response(
            address: try #require(Address("https://photos.example/store/12.jpg")),
            mediaType: "image/jpeg", headers: [], body: [0xFF, 0xD8, 0xFF, 0xE0], origin: .network)
        let detail = try PageReader(recipes: [], tracer: .disabled)
            .detail(response, of: picture, rule: nil)
        #expect(found(detail) == "/store/12.jpg")
    }

    @Test(
        "a gallery behind a link is an album, whether its pictures link to pages or files",
        arguments: ["/photo/", "/full/"])
    func album(prefix: String) throws {
        let items = (1...8).map { number in
            let target = prefix == "/full/" ? "/full/boat-\(number).jpg" : "/photo/\(number)/"
            return
                "<li><a href=\(target)><img src=/thumbs/boat-\(number).jpg width=150 height=100></a>"
        }
        let page = frame + "<main><ul class=gallery>" + items.joined() + "</ul></main>"
        #expect(try found(detail(page, of: thumbnail("/thumbs/boat-1.jpg"))) == "album")
    }

    @Test("a page's only picture is the one, whatever number its size has; another name is not")
    func onlyPicture() throws {
        let thumbnail = try thumbnail("/img/harbour-150.jpg")
        let page = frame + "<main><h1>Harbour</h1><img src=/img/harbour-840.jpg></main>"
        #expect(try found(detail(page, of: thumbnail)) == "/img/harbour-840.jpg")
        let banner = frame + "<main><h1>Harbour</h1><img src=/img/sale-840.jpg></main>"
        #expect(throws: PageError.self) { try detail(banner, of: thumbnail) }
    }

    @Test("a page with only its chrome has no picture")
    func nothing() throws {
        #expect(throws: PageError.self) { try detail(frame + "<p>Text</p>") }
        #expect(throws: PageError.self) { try detail("") }
        #expect(throws: PageError.self) { try detail("\u{0}", type: "application/zip") }
        // Its pages are an album's.
        #expect(try found(detail("%PDF-1.4", type: "application/pdf")) == "album")
    }

    @Test("local files and implausible images are never chosen")
    func refused() throws {
        let page =
            frame
            + "<main><a download href=file:///etc/passwd.jpg>Original</a><img src=/b/harbour-12.jpg width=900 height=600></main>"
        #expect(try found(detail(page)) == "/b/harbour-12.jpg")
    }

    @Test(
        "file names determine whether two files are the same picture",
        arguments: [
            ("/thumbs/harbour-12_s.jpg", "/large/harbour-12_b.jpg", true),
            ("/img/12/w300.webp", "/img/12/w1600.webp", true),
            ("/t/IMG_1234-300x200.jpg", "/o/IMG_1234.jpg", true),
            ("/t/IMG_1234.jpg", "/o/IMG_1235.jpg", false),
            ("/t/harbour_1000_view.jpg", "/o/harbour_1001_view.jpg", false),
            ("/t/small.jpg", "/assets/large.jpg", false),
        ])
    func names(left: String, right: String, expected: Bool) throws {
        let left = NameWords(try #require(Address("https://photos.example" + left)))
        let right = NameWords(try #require(Address("https://photos.example" + right)))
        #expect((left.likeness(to: right) >= 0.5) == expected)
    }
}
