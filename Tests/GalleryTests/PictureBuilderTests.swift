import Basics
import Markup
import Network
import Testing

@testable import Gallery

@Suite("Built pictures")
struct PictureBuilderTests {
    @Test("a picture has the addresses, texts and sizes that its page gives")
    func building() throws {
        let page = try #require(Address("https://photos.example/gallery/"))
        let html = """
            <ul class="gallery"><li><a href="/photo/1"><img src="/t/1-300x200.jpg" alt="One"
            srcset="/t/1-300x200.jpg 300w, //cdn.example/1.jpg 900w"></a> <time datetime="2019-05-17">May</time></li>
            <li><a href="/full/2.jpg"><img src="/t/2.jpg" title="Said of it"></a><p class="caption">Two</p></li>
            <li data-date="20190518"><img src="/t/3.jpg" width="320" height="200" alt="Three"></li></ul>
            """
        let response = Response(
            address: page, mediaType: "text/html", headers: [], body: Array(html.utf8),
            origin: .network)
        let pictures = try PageReader().read(response).pictures
        try #require(pictures.count == 3)
        let cdn = try #require(Address("https://cdn.example/1.jpg"))
        #expect(pictures[0].image == cdn)
        #expect(pictures[0].link == Address("https://photos.example/photo/1"))
        #expect(pictures[0].date == "2019-05-17")
        #expect(pictures[1].isFullKnown)
        #expect(!pictures[0].isFullKnown)
        #expect(pictures[1].summary == "Said of it")
        #expect(pictures[2].date == "2019-05-18")
        #expect(pictures[2].variants.last?.width == 320)
    }

    /// Names that differ as names of sizes do, `%` being a number or a word.
    static let series: [(name: String, words: [String])] = {
        let numbers = (101...112).map(String.init)
        let hashes = (1...12).map { String($0 * 2_654_435_761 % 4_294_967_296, radix: 16) }
        let queries = wordList(
            """
            images?q=tbn:% th?q=% image.php?v=% img?h=% img.jpg?h=% getimage.aspx?w=%
            is/image/shop?s=% thumb.jpg?v=% view.jpg?mod=% i?format=% shot.jpg?dpr=%
            test.jpg?quality=% scan.jpg?crop=%,0,9,9 scan?rect=%,0,9,9 map.png?zoom=% icon.jpg?size=%
            """)
        let folders = wordList("s v h q w ar max size").flatMap {
            ["\($0)/%/cover.jpg", "\($0)/%/1.jpg", "media/\($0)/%/photo.jpg"]
        }
        let sizes = "xs s small medium large full original"
        let others = [
            "frame-%.jpg": "10x15 13x18 20x30 30x40 40x60 60x80", "ratio/%/p.jpg": "1x1 2x3 16x9",
            "altai_%.jpg": "1080x1920 1920x1080 5120x2880", "lena.%": "png jpg webp gif avif",
            "caf%.jpg": "%C3%A9 e%CC%81 eteria", "vase-%.jpg": sizes, "%/dog.jpg": sizes,
            "cars/%/front.jpg": sizes, "kitchen%.jpg": "-1 -1_full -1-large",
            "mug/%.jpg": "front left full",
        ]
        var series: [(name: String, words: [String])] = []
        for name in queries + folders { series.append((name, numbers)) }
        for name in queries { series.append((name, hashes)) }
        for (name, words) in others { series.append((name, wordList(words))) }
        return series
    }()

    @Test("different pictures whose names look like sizes of one stay apart", arguments: series)
    func apart(_ name: String, _ words: [String]) throws {
        let trees = wordList("ash beech cedar elm fir gum hazel iris juniper larch maple oak")
        let tiles = [
            "<li><a href='/show/#'><img src='/%' alt='Old #'></a></li>",
            "<figure><img src='/%' width=300 height=200><figcaption>Old #</figcaption></figure>",
        ]
        for tile in tiles {
            let all = zip(words, trees).map { word, tree in
                tile.replacing("%", with: name.replacing("%", with: word))
                    .replacing("#", with: tree)
            }
            let pictures = try page("<main class=gallery><ul>\(all.joined())</ul></main>").pictures
            #expect(pictures.count == words.count)
        }
    }

    @Test(
        "of sizes of one picture the largest is the image and the smallest the thumbnail",
        arguments: [
            (
                "<p><img src=/altai-640x360.jpg></p><p>@1920x1080 @3840x2160 @2560x1440</p>",
                "/altai-640x360.jpg", "/altai-3840x2160.jpg"
            ),
            (
                "<ul><li><img src=/g/thumbs/thumbs_a.jpg width=100></ul><p><img src=/g/a.jpg></p>",
                "/g/thumbs/thumbs_a.jpg", "/g/a.jpg"
            ),
            (
                "<p><img src=/g/a_large.jpg></p><ul><li><img src=/g/a_thumb.jpg></ul>",
                "/g/a_thumb.jpg", "/g/a_large.jpg"
            ),
            (
                "<p><img src=/p/5f2c1a7e-90b4.jpg></p><ul><li><img src=/p_thumbnail/5f2c1a7e-90b4.webp></ul>",
                "/p_thumbnail/5f2c1a7e-90b4.webp", "/p/5f2c1a7e-90b4.jpg"
            ),
        ])
    func sizes(_ html: String, _ thumbnail: String, _ image: String) throws {
        let links = html.split(separator: "@").enumerated().map { place, part in
            guard place > 0 else { return String(part) }
            let size = part.prefix { $0.isLetter || $0.isNumber }
            return "<a href=/altai-\(size).jpg>\(size)</a>" + part.dropFirst(size.count)
        }
        let pictures = try page("<main>" + links.joined() + "</main>").pictures
        try #require(pictures.count == 1)
        #expect(short(pictures[0].thumbnail) == thumbnail)
        #expect(short(pictures[0].image) == image)
    }
}
