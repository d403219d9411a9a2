import Basics
import Markup
import Network
import TestSupport
import Testing
import Trace

@testable import Gallery

/// Every place where a page, feed or recipe may contain a number, each tested with numbers that no honest one contains.
@Suite(.timeLimit(.minutes(5))) struct NumericSlotTests {
    /// A document in which each `#` is replaced by a number.
    struct Slot: CustomTestStringConvertible, Sendable {
        var name: String
        var document: String
        var type = "text/html"
        var address = testAddress

        var testDescription: String { name }
    }

    /// The picture on each page besides the one with the number.
    private static let sound =
        "<figure><a href=/sound.jpg><img src=/s.jpg width=400 height=300></a></figure>"

    private static func html(_ name: String, _ markup: String, at address: String = testAddress)
        -> Slot
    {
        Slot(name: name, document: "<main>\(sound)\(markup)</main>", address: address)
    }

    private static func script(_ name: String, _ text: String) -> Slot {
        let items = ["a", "b", "c"].map { text.replacing("@", with: "/\($0).jpg") }.joined(
            separator: ",")
        // Data is read if the markup has no pictures.
        return Slot(name: name, document: "<main><script>var x = [\(items)]</script></main>")
    }

    private static func linked(_ name: String, _ size: String) -> Slot {
        let images = ["a", "b"].map {
            #"{"@type":"ImageObject","contentUrl":"/\#($0).jpg",\#(size)}"#
        }
        return html(
            name,
            #"<script type="application/ld+json">{"@type":"ImageGallery","image":[\#(images.joined(separator: ","))]}</script>"#
        )
    }

    private static func feed(_ name: String, _ item: String) -> Slot {
        Slot(
            name: name,
            document: """
                <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>t</title>\
                <item><enclosure url="/sound.jpg" type="image/jpeg" length="9"/></item><item>\(item)</item></channel></rss>
                """, type: "application/rss+xml")
    }

    static let markup: [Slot] = [
        html("width and height", "<img src=a.jpg width='#' height='#'>"),
        html("width alone", "<img src=a.jpg width='#'>"),
        html("width in px", "<img src=a.jpg width='#px' height='#px'>"),
        html("style", "<img src=a.jpg style='width:#px;height:#px'>"),
        html(
            "style of a link's picture",
            "<a href=/p/><img src=a.jpg style='width: #px; height: 5px'></a>"),
        html("background", "<div style='background:url(a.jpg);width:#px;height:#px'></div>"),
        html("srcset in widths and heights", "<img src=a.jpg srcset='b.jpg #w #h, c.jpg #w'>"),
        html("srcset in densities", "<img src=a.jpg srcset='b.jpg #x, c.jpg 2x'>"),
        html("source", "<picture><source srcset='b.jpg #w'><img src=a.jpg></picture>"),
        html("lazy srcset", "<img src=a.gif data-srcset='b.jpg #w #h'>"),
        html("loose set", "<img src=a.gif data-srcset='b.jpg #, c.jpg #'>"),
        html(
            "PhotoSwipe",
            "<a href=b.jpg data-pswp-width='#' data-pswp-height='#'><img src=a.jpg></a>"),
        html("lightGallery", "<a href=b.jpg data-lg-size='#-#'><img src=a.jpg></a>"),
        html(
            "lightGallery, several", "<a href=b.jpg data-lg-size='1-1-1,#-#-#'><img src=a.jpg></a>"),
        html("data-size", "<a href=b.jpg data-size='#x#'><img src=a.jpg></a>"),
        html("a name's size", "<img src='a-#x#.jpg'><a href='b_#x#.jpg'><img src='b-#x#.jpg'></a>"),
        html(
            "date",
            "<figure><img src=a.jpg data-date='#'><time datetime='#-#-#T#:#'>#</time></figure>"),
        html(
            "Open Graph",
            "<meta property=og:image content=/o.jpg><meta property=og:image:width content='#'><meta property=og:image:height content='#'>"
        ),
        html("refresh", "<meta http-equiv=refresh content='#; url=/x'>"),
        html(
            "page numbers",
            "<a href='/page/#/'>#</a> <a href='/page/2/'>2</a> [#] <a href='/page/3/'>3</a>"),
        html(
            "this page's number", "<a href='/page/2/'>2</a> <a href='/page/3/'>3</a>",
            at: "https://photos.example/page/9999999/"),
        html(
            "a page number that is no link",
            "<span>#</span> <a href='?p=2'>2</a><li class=current>#</li><li><a href='?p=3'>3</a></li>"
        ),
        html(
            "endless scrolling",
            "<script>infiniteScroll({\"path\":\"/page/%d/\",\"x\":#})</script>",
            at: "https://photos.example/page/9999999/"),
    ]

    static let data: [Slot] = [
        linked("JSON-LD, a number", ##""width":#,"height":#"##),
        linked("JSON-LD, a text", ##""width":"#","height":"# px""##),
        linked("JSON-LD, a quantity", ##""width":{"value":#},"height":{"value":"#"}"##),
        script("state, numbers", ##"{"src":"@","width":#,"height":#}"##),
        script("state, texts", ##"{"src":"@","w":"#","h":"#"}"##),
        script(
            "state, sizes",
            ##"{"sizes":{"s":{"url":"@","width":1,"height":#},"l":{"url":"@?l","width":#}}}"##),
        script("escapes", ##"{"src":"@","title":"\u#\x#"}"##),
        feed(
            "Media RSS",
            "<media:group><media:content url='/a.jpg' type='image/jpeg' width='#' height='#'/><media:content url='/b.jpg' type='image/jpeg' width='#' height='#'/></media:group>"
        ),
        feed("Media RSS, thumbnail", "<media:thumbnail url='/a.jpg' width='#' height='#'/>"),
        feed(
            "enclosure",
            "<enclosure url='/a.jpg' type='image/jpeg' length='#'/><pubDate>Mon, # Nov # #:#:# #</pubDate>"
        ),
        feed(
            "markup in a feed",
            "<description>&lt;img src=/a.jpg style='width:#px;height:#px'></description>"),
        Slot(
            name: "JSON feed",
            document:
                ##"{"version":"https://jsonfeed.org/version/1.1","items":[{"image":"/sound.jpg"},{"image":"/a.jpg","width":#},{"image":"/b.jpg","height":"#"}]}"##,
            type: "application/json"),
        Slot(
            name: "listing",
            document:
                "<title>Index of /x</title><h1>Index of /x</h1><pre><a href='../'>../</a>\n<a href='a.jpg'>a.jpg</a> 01-Feb-2020 00:00 #\n<a href='b.jpg'>b.jpg</a> 01-Feb-2020 00:00 #G\n<a href='c.jpg'>c.jpg</a> #-Feb-# #:# 5K\n</pre>"
        ),
        Slot(
            name: "listing as JSON",
            document:
                ##"[{"name":"a.jpg","type":"file","mtime":"#","size":#},{"name":"b.jpg","type":"file","size":"#"}]"##,
            type: "application/json"),
        Slot(
            name: "listing as XML",
            document:
                "<?xml version='1.0'?><list><file mtime='#' size='#'>a.jpg</file><file size='5'>b.jpg</file></list>",
            type: "text/xml"),
    ]

    @Test("a page shows its pictures whatever numbers it contains", arguments: markup + data)
    func pages(slot: Slot) throws {
        for number in monstrousNumbers {
            let document = slot.document.replacing("#", with: number)
            let response = Response(
                address: try #require(Address(slot.address)), mediaType: slot.type, headers: [],
                body: Array(document.utf8), origin: .network)
            let reader = PageReader(recipes: [], tracer: .disabled)
            _ = reader.alternatives(to: response, nil)
            // A number may break the data around it, but not markup.
            guard let page = try? reader.read(response) else {
                let isMarkup = slot.type != "application/json" && document.contains("sound")
                #expect(!isMarkup, "\(slot.name): \(number)")
                continue
            }
            #expect(!page.pictures.isEmpty, "\(slot.name): \(number)")
            for picture in page.pictures {
                check(picture)
                _ = try? reader.detail(response, of: picture, rule: nil)
            }
            _ = PictureOrder.Key.allCases.map { key in
                var order = PictureOrder()
                order.key = key
                return order.applied(to: Array(page.pictures))
            }
        }
    }

    /// Checks all values computed anywhere from a picture's numbers.
    private func check(_ picture: Picture) {
        let lengths =
            picture.variants.flatMap { [$0.width, $0.height] } + [picture.width, picture.height]
        for length in lengths.compactMap(\.self) {
            #expect((1...1 << 24).contains(length.count))
        }
        #expect(picture.byteCount.map { (0...1 << 48).contains($0) } ?? true)
        #expect(PictureRecord(picture, section: 1, index: 1).line.hasPrefix("{"))
        #expect(picture.variants.contains(picture.variant(covering: 100)))
    }

    @Test(
        "any number is handled in selector positions and other recipe values",
        arguments: [
            "li:nth-child(#)", "li:nth-child(#n)", "li:nth-child(#n+#)", "li:nth-child(-n+#)",
            "li:nth-child(n-#)", "li:not(:nth-child(#n#))",
        ])
    func recipes(selector: String) throws {
        let html = Document(
            html: Array("<ul><li><img src=1.jpg><li><img src=2.jpg></ul>".utf8), charset: nil)
        for number in monstrousNumbers {
            let text = selector.replacing("#", with: number)
            if let selector = try? Selector(text) {
                #expect(html.root.select(selector).count <= 2, "\(text)")
            }
            let json =
                #"{"name":"x","match":".*","item":"\#(text)","image":"img@src","date":\#(number)}"#
            #expect(throws: RecipeError.self, "\(number)") {
                try Recipe(json: Array(json.utf8), file: "r.json")
            }
        }
    }
}
