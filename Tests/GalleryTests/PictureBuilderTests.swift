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
            <ul><li><a href="/photo/1"><img src="/t/1-300x200.jpg" alt="One"
            srcset="/t/1-300x200.jpg 300w, //cdn.example/1.jpg 900w"></a> <time datetime="2019-05-17">May</time></li>
            <li><a href="/full/2.jpg"><img src="/t/2.jpg" title="Said of it"></a><p class="caption">Two</p></li>
            <li data-date="20190518"><img src="/t/3.jpg" width="320" height="200" alt="Three"></li></ul>
            """
        let response = Response(
            address: page, mediaType: "text/html", headers: [], body: Array(html.utf8),
            origin: .network)
        let pictures = try PageReader().read(response).pictures
        #expect(pictures.count == 3)
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
}
