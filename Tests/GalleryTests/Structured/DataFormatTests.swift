import Basics
import Network
import Pipeline
import TestSupport
import Testing

@testable import Gallery

/// Machine-readable formats: each as a SOURCE, with fixtures of our own.
@Suite struct DataFormatTests {
    private func read(
        _ json: String, headers: [(name: String, value: String)] = []
    ) throws -> Page { try page(json, type: "application/json", headers: headers) }

    @Test("JSON Feed: attachments, the item's picture or those in its text, and the next page")
    func jsonFeed() throws {
        let page = try read(
            """
            {"version": "https://jsonfeed.org/version/1.1", "title": "Racing",
             "next_url": "/feed/2.json", "items": [
              {"id": 1, "url": "/p/1", "title": "One", "date_published": "2018-11-26T10:00:00Z",
               "attachments": [{"url": "/1a.jpg", "mime_type": "image/jpeg", "title": "Start"},
                {"url": "/1.mp3", "mime_type": "audio/mpeg"}, {"url": "/1b.jpg", "mime_type": "image/jpeg"}]},
              {"id": 2, "external_url": "/p/2", "image": "/two?id=7", "title": "Two"},
              {"id": 3, "url": "/p/3", "title": "Three", "content_html": "<p><img src='/3.jpg'></p>"}]}
            """)
        #expect(page.title == "Racing" && short(page.next) == "/feed/2.json")
        #expect(
            page.pictures.map { short($0.image) } == ["/1a.jpg", "/1b.jpg", "/two?id=7", "/3.jpg"])
        #expect(page.pictures.map(\.title) == ["Start", "One", "Two", "Three"])
        #expect(page.pictures.map { short($0.link) } == ["/p/1", "/p/1", "/p/2", "/p/3"])
        #expect(page.pictures[0].date == "2018-11-26T10:00:00Z")
    }

    @Test("WordPress: media in all sizes, with the next page from the Link header")
    func media() throws {
        let page = try read(
            """
            [{"id": 7, "date": "2018-11-26T10:00:00", "link": "/start/", "title": {"rendered": "Start &#8211; 1"},
              "mime_type": "image/jpeg", "source_url": "/u/a.jpg", "caption": {"rendered": "<p>Long</p>"},
              "media_details": {"width": 2000, "height": 1500, "sizes": {
               "large": {"source_url": "/u/a-1024.jpg", "width": 1024, "height": 768},
               "thumbnail": {"source_url": "/u/a-150.jpg", "width": 150, "height": 150},
               "full": {"source_url": "/u/a.jpg", "width": 2000, "height": 1500}}}, "_links": {}},
             {"id": 8, "mime_type": "video/mp4", "source_url": "/u/b.mp4", "media_details": {}, "_links": {}}]
            """, headers: [("link", "</wp-json/wp/v2/media?page=2>; rel=\"next\"")])
        #expect(
            page.pictures.map(\.ladder) == [
                ["/u/a-150.jpg 150", "/u/a-1024.jpg 1024", "/u/a.jpg 2000"]
            ])
        #expect(page.pictures[0].title == "Start – 1" && page.pictures[0].summary == "Long")
        #expect(short(page.pictures[0].link) == "/start/")
        #expect(short(page.next) == "/wp-json/wp/v2/media?page=2")
    }

    @Test("WordPress: a post's pictures, or else a link to its media")
    func post() throws {
        func post(_ content: String) throws -> Page {
            try read(
                """
                {"id": 3, "date": "2018-11-26T10:00:00", "title": {"rendered": "Race"}, "content": {"rendered": "\(content)"},
                 "_links": {"wp:attachment": [{"href": "/wp-json/wp/v2/media?parent=3"}]}}
                """)
        }
        let shown = try post("<p><img src='/u/1.jpg'><img src='/u/2.jpg'></p>")
        #expect(shown.pictures.map { short($0.image) } == ["/u/1.jpg", "/u/2.jpg"])
        #expect(shown.title == "Race" && shown.next == nil)
        #expect(short(try post("<p>text</p>").next) == "/wp-json/wp/v2/media?parent=3")
    }

    @Test("IIIF 3: full size, a thumbnail from the image service, labels by language")
    func manifest3() throws {
        let page = try read(
            """
            {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest",
             "id": "/m.json", "label": {"de": ["Buch"], "en": ["Book"]}, "items": [
              {"type": "Canvas", "label": {"none": ["1r"]}, "width": 3000, "height": 4000, "items": [
               {"type": "AnnotationPage", "items": [{"type": "Annotation", "body": {"id": "/i/1/full/max/0/default.jpg",
                "type": "Image", "width": 3000, "height": 4000,
                "service": [{"id": "/i/1", "type": "ImageService3", "profile": "level1"}]}}]}]},
              {"type": "Canvas", "label": {"none": ["1v"]}, "thumbnail": [{"id": "/t/2.jpg", "width": 90, "height": 120}],
               "items": [{"items": [{"body": {"type": "Choice", "items": [{"id": "/2.tif", "width": 900, "height": 1200,
                "service": {"@id": "/i/2", "profile": "http://iiif.io/api/image/2/level0.json"}}]}}]}]},
              {"type": "Canvas", "items": [{"items": [{"body": {"id": "/3.jpg", "width": 900, "height": 1200,
                "service": {"@id": "/i/3", "profile": ["http://iiif.io/api/image/2/level0.json"]}}}]}]},
              {"type": "Canvas"}]}
            """)
        #expect(page.title == "Book")
        #expect(
            page.pictures.map(\.ladder) == [
                ["/i/1/full/400,/0/default.jpg 400", "/i/1/full/max/0/default.jpg 3000"],
                ["/t/2.jpg 90", "/2.tif 900"], ["/3.jpg 900"],
            ])
        #expect(page.pictures.map(\.title) == ["1r", "1v", "3"])
        #expect(page.pictures[0].isFullKnown && page.pictures[0].height?.count == 4000)
    }

    @Test("IIIF 2: sequences; collections of both versions, whose works are albums")
    func manifest2() throws {
        let page = try read(
            """
            {"@context": "http://iiif.io/api/presentation/2/context.json", "@type": "sc:Manifest",
             "label": {"@value": "Book", "@language": "en"}, "sequences": [{"canvases": [
              {"@type": "sc:Canvas", "label": "f. 1", "width": 2000, "height": 1000, "images": [
               {"resource": {"@id": "/i/1/full/full/0/default.jpg", "width": 2000, "height": 1000,
                "service": {"@id": "/i/1/", "profile": "http://iiif.io/api/image/2/level2.json"}}}]}]}]}
            """)
        #expect(
            page.pictures.map(\.ladder) == [
                ["/i/1/full/400,/0/default.jpg 400", "/i/1/full/full/0/default.jpg 2000"]
            ])
        #expect(page.title == "Book" && page.pictures[0].title == "f. 1")
        let shelf = try read(
            """
            {"@type": "sc:Collection", "label": "Shelf", "manifests": [
              {"@type": "sc:Manifest", "@id": "/a.json", "label": "A", "thumbnail": {"@id": "/a.jpg"}},
              {"@type": "sc:Manifest", "@id": "/b.json", "label": "B"}]}
            """)
        #expect(shelf.pictures.map(\.kind) == [.album, .album])
        #expect(shelf.pictures.map { short($0.link) } == ["/a.json", "/b.json"])
        #expect(shelf.pictures.map(\.isDrawable) == [true, false])
    }

    @Test("Atom: older entries come from the archive (RFC 5005)")
    func atom() throws {
        let page = try page(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><link rel="prev-archive" href="/2017.atom"/>
            <entry><link rel="enclosure" type="image/png" href="/e.png"/></entry></feed>
            """, type: "application/atom+xml")
        #expect(short(page.next) == "/2017.atom")
    }

    @Test("local files are refused, and oversized data is limited")
    func hostile() throws {
        #expect(throws: PageError.self) {
            try read(
                "{'version': 'https://jsonfeed.org/version/1', 'items': [{'image': 'file:///etc/passwd'}]}"
            )
        }
        let items = (0..<12_000).map { "{'image': '/\($0).jpg'}" }.joined(separator: ",")
        let many = try read("{'version': 'https://jsonfeed.org/version/1', 'items': [\(items)]}")
        #expect(many.pictures.count == DataFormat.maxPictures)
    }
}

/// The same formats, linked from a page without pictures, from a real server.
@Suite struct ProgramLinkTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func load(_ path: String) async throws -> Page {
        var options = NetworkOptions()
        let address = try #require(Address(server.url(path)))
        options.sources = [address]
        let loader = GalleryLoader(
            fetcher: FetchStage(options: options, ))
        return try await withCheckedContinuation { continuation in
            _ = loader.load(Request(address, for: .page)) {
                continuation.resume(returning: $0)
            }
        }.get()
    }

    private func serve(_ path: String, _ json: String) {
        server.route(path) { _ in .bytes(Array(json.utf8), type: "application/json") }
    }

    private static let feed =
        "{'version': 'https://jsonfeed.org/version/1', 'items': [{'image': '/1.jpg'}]}"

    @Test(
        "a page without pictures is read through its machine-readable alternatives",
        arguments: [
            "<link rel=alternate type='application/feed+json' href=/feed>",
            "<link rel='https://api.w.org/' href=/api/>",
            "<link rel=alternate type='application/json' href=/post>",
            "<link rel=alternate type='application/ld+json;profile=\"http://iiif.io/api/presentation/3/context.json\"' href=/iiif>",
            // IIIF viewers name the manifest in an attribute or in their own address.
            "<div id=viewer data-manifest=/iiif></div>",
            "<iframe src='https://viewer.example/uv.html?cv=2&manifest=%2Fiiif#a'></iframe>",
            "<a href='https://iiif.io/help?iiif-content=/iiif'><img src=/iiif-logo.png width=20></a>",
            // Links that do not help are skipped.
            "<link rel=alternate type='application/rss+xml' href=/gone><link rel=alternate type='application/feed+json' href=/feed>",
        ])
    func links(_ link: String) async throws {
        server.route("/page") { _ in .html("<html><head>\(link)</head><div id=app></div>") }
        serve("/feed", Self.feed)
        serve("/api/wp/v2/media", "[{'source_url': '/1.jpg', 'media_details': {}}]")
        serve(
            "/post",
            "{'content': {'rendered': 'text'}, '_links': {'wp:attachment': [{'href': '/api/wp/v2/media'}]}}"
        )
        serve(
            "/iiif",
            "{'type': 'Manifest', 'items': [{'items': [{'items': [{'body': {'id': '/1.jpg'}}]}]}]}")
        let page = try await load("/page")
        #expect(page.pictures.map(\.image.text) == [server.url("/1.jpg")])
    }

    @Test("a chain of data documents is abandoned")
    func circle() async throws {
        for number in 0..<20 {
            serve(
                "/\(number)",
                "{'content': {'rendered': ''}, '_links': {'wp:attachment': [{'href': '/\(number + 1)'}]}}"
            )
        }
        _ = try await load("/0")
        #expect(server.requests.count == 6)
    }

    @Test("a page with pictures of its own requests nothing else")
    func ownPictures() async throws {
        server.route("/page") { _ in
            .html(
                "<link rel=alternate type='application/feed+json' href=/feed><main>"
                    + (1...4).map { "<img src='/\($0).jpg' width=300 height=200>" }.joined())
        }
        serve("/feed", Self.feed)
        #expect(try await load("/page").pictures.count == 4)
        #expect(server.count(of: "/feed") == 0)
    }
}
