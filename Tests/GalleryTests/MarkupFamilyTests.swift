import Basics
import Network
import Testing

@testable import Gallery

/// The forms of markup for pictures.
@Suite struct MarkupFamilyTests {
    /// Reads three numbered items made by `item`, so that there is a gallery.
    private func three(
        _ item: (Int) -> String, around: (String) -> String = { "<main>\($0)</main>" }
    ) throws -> [Picture] {
        try page(
            "<html><body>" + around((1...3).map(item).joined(separator: "\n")) + "</body></html>"
        ).pictures.map { $0 }
    }

    @Test("bare img elements are pictures titled by their alt text")
    func plain() throws {
        let pictures = try three {
            "<img src='p/\($0).jpg' alt='Picture no \($0)' width=300 height=200>"
        }
        #expect(pictures.map { short($0.image) } == (1...3).map { "/gallery/p/\($0).jpg" })
        #expect(pictures[1].title == "Picture no 2")
        // The size on the page is only a claim.
        let shown = try #require(pictures[1].variants.last)
        #expect(shown.width == 300 && shown.height == 200)
        #expect(pictures[1].width == nil && pictures[1].height == nil)
        let record = PictureRecord(pictures[1], section: 1, index: 2)
        #expect(!record.line.contains("width"), "\(record.line)")
    }

    @Test("a link to a picture around a thumbnail is its full size")
    func linked() throws {
        let pictures = try three {
            "<p><a href='/full/\($0).jpg'><img src='/t/\($0).jpg' width=60 height=40></a>"
        }
        #expect(pictures.map(\.ladder) == (1...3).map { ["/t/\($0).jpg", "/full/\($0).jpg"] })
        #expect(pictures[0].link == nil)
        #expect(pictures[0].title == "1")
    }

    @Test("a link to a page around a thumbnail is its detail page")
    func detail() throws {
        let pictures = try three { "<a href='/view/\($0).html'><img src='/t/\($0).jpg'></a>" }
        #expect(pictures.map { short($0.link) } == (1...3).map { "/view/\($0).html" })
        #expect(pictures.allSatisfy { $0.variants.count == 1 })
    }

    @Test("pictures served by scripts are recognised")
    func programs() throws {
        let shown = try three {
            "<a href='/show.php?id=\($0)'><img src='/thumb/\($0)/' alt='No \($0)'></a>"
        }
        #expect(shown.map(\.ladder) == (1...3).map { ["/thumb/\($0)/"] })
        #expect(shown.map { short($0.link) } == (1...3).map { "/show.php?id=\($0)" })
    }

    @Test(
        "a picture opened by a click handler is the full picture",
        arguments: [
            "onclick=\"show('/b/%.jpg')\" href='#'", "href=\"javascript:pop('/b/%.jpg', 800)\"",
        ])
    func handlers(_ handler: String) throws {
        let pictures = try three {
            "<a \(handler.replacing("%", with: "\($0)"))><img src='/t/\($0).jpg'></a>"
        }
        #expect(pictures.map(\.ladder) == (1...3).map { ["/t/\($0).jpg", "/b/\($0).jpg"] })
        #expect(pictures.allSatisfy { $0.link == nil })
    }

    @Test(
        "pictures spelled out in scripts are read",
        arguments: [
            "list.push({src: '/%.jpg', title: 'T%'});", "pics[%] = \"/%.jpg\";",
        ])
    func spelled(_ script: String) throws {
        let calls = (1...3).map { script.replacing("%", with: "\($0)") }.joined(separator: "\n")
        let found = try page("<div id=g></div><script>\(calls)</script>").pictures
        #expect(found.map(\.ladder) == (1...3).map { ["/\($0).jpg"] })
    }

    @Test("a wiki's page about a file is not a picture, whatever its extension")
    func namespaced() throws {
        let pictures = try three {
            "<a href='/wiki/File:P\($0).jpg'><img src='/thumb/P\($0).jpg'></a>"
        }
        #expect(pictures.map(\.ladder) == (1...3).map { ["/thumb/P\($0).jpg"] })
        #expect(short(pictures[0].link) == "/wiki/File:P1.jpg")
    }

    @Test("srcset yields variants ordered by width and replaces src")
    func srcset() throws {
        let pictures = try three {
            "<img src='/x/\($0).jpg' srcset='/c_fill,w_900/\($0).jpg 900w, /c_fill,w_300/\($0).jpg 300w,/c_fill,w_600/\($0).jpg 600w'>"
        }
        #expect(
            pictures[0].ladder == [
                "/c_fill,w_300/1.jpg 300", "/c_fill,w_600/1.jpg 600", "/c_fill,w_900/1.jpg 900",
            ])
        #expect(short(pictures[0].variant(covering: 400).address) == "/c_fill,w_600/1.jpg")
        #expect(short(pictures[0].variant(covering: 2000).address) == "/c_fill,w_900/1.jpg")
    }

    @Test("density descriptors put the 2x picture last")
    func densities() throws {
        let pictures = try three { "<img src='/\($0).jpg' srcset='/\($0)@2x.jpg 2x'>" }
        #expect(pictures[0].ladder == ["/1.jpg", "/1@2x.jpg"])
    }

    @Test("source elements of a picture element are used, except undecodable formats")
    func pictureElement() throws {
        let pictures = try three {
            """
            <picture><source type="image/avif" srcset="/\($0).avif 800w"><source type="image/webp" data-srcset="/\($0)-l.webp 800w">
            <img src="/\($0).jpg"></picture>
            """
        }
        #expect(pictures.map(\.ladder) == (1...3).map { ["/\($0)-l.webp 800"] })
    }

    @Test(
        "lazy-loading attributes name the picture, and src is a placeholder",
        arguments: [
            "data-src", "data-lazy-src", "data-lazy", "data-original", "data-echo",
            "data-actualsrc", "data-image", "data-url",
            "lazysrc", "_src", "data-some-new-invention",
        ])
    func lazy(_ name: String) throws {
        let pictures = try three {
            "<div><img class='lazy' src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' \(name)='/real/\($0).jpg'></div>"
        }
        #expect(pictures.map(\.ladder) == (1...3).map { ["/real/\($0).jpg"] })
    }

    @Test("a src shared by many lazy pictures is a placeholder, whatever its name")
    func sharedPlaceholder() throws {
        let pictures = try three { "<img src='/img/fancy.jpg' data-src='/real/\($0).jpg'>" }
        #expect(pictures.map(\.ladder) == (1...3).map { ["/real/\($0).jpg"] })
    }

    @Test("a name suggesting a placeholder disqualifies a picture only if there is a better one")
    func namedPlaceholder() throws {
        let pictures = try three { "<figure><img src='/photos/loading-bay-\($0).jpg'></figure>" }
        #expect(pictures.count == 3)
    }

    @Test("a noscript copy is not a second picture, and it replaces an empty placeholder")
    func noscript() throws {
        let copies = try three {
            "<div><img data-src='/\($0).jpg' src='data:,'><noscript><img src='/\($0)-small.jpg'></noscript></div>"
        }
        #expect(copies.map { short($0.image) } == ["/1.jpg", "/2.jpg", "/3.jpg"])
        let lenders = try three {
            "<div><img src='data:image/gif;base64,R0lGOD'><noscript><img src='/\($0).jpg'></noscript></div>"
        }
        #expect(lenders.map { short($0.image) } == ["/1.jpg", "/2.jpg", "/3.jpg"])
        let alone = try three { "<li><noscript><img src='/\($0).jpg'></noscript></li>" }
        #expect(alone.map { short($0.image) } == ["/1.jpg", "/2.jpg", "/3.jpg"])
    }

    @Test("PhotoSwipe's attributes provide the full picture and its size")
    func photoSwipe() throws {
        let pictures = try three {
            """
            <a href="/view/\($0)" data-pswp-src="/full/\($0).jpg" data-pswp-width="1600" data-pswp-height="1067">
            <img src="/t/\($0).jpg" width="64" height="64"></a>
            """
        }
        #expect(pictures.map { short($0.image) } == (1...3).map { "/full/\($0).jpg" })
        #expect(pictures[0].width == 1600 && pictures[0].height == 1067)
        let four = try three {
            """
            <figure itemprop="associatedMedia"><a itemprop="contentUrl" href="/full/\($0).jpg" data-size="1600x1067">
            <img itemprop="thumbnail" src="/t/\($0).jpg"></a><figcaption itemprop="caption description">Turn \($0)</figcaption></figure>
            """
        }
        #expect(four.map(\.title) == ["Turn 1", "Turn 2", "Turn 3"])
        #expect(four[2].ladder == ["/t/3.jpg", "/full/3.jpg 1600"])
    }

    @Test("lightGallery's wrapper provides the full picture, responsive sizes and caption")
    func lightGallery() throws {
        let pictures = try three {
            """
            <li data-src="/full/\($0).jpg" data-responsive="/r/\($0)-375.jpg 375, /r/\($0)-480.jpg 480" data-sub-html="<h4>Lap \($0)</h4>">
            <a href=""><img src="/t/\($0).jpg"></a></li>
            """
        }
        #expect(pictures.map { short($0.image) } == (1...3).map { "/full/\($0).jpg" })
        #expect(pictures[0].ladder.contains("/r/1-375.jpg 375"))
        #expect(pictures.map(\.title) == ["Lap 1", "Lap 2", "Lap 3"])
    }

    @Test(
        "lightbox links provide the full picture even without a file extension",
        arguments: [
            "data-fancybox='g'", "rel='lightbox[a]'", "data-lightbox='x'", "class='glightbox'",
            "class='swipebox big'", "class='thickbox'",
        ])
    func lightboxes(_ mark: String) throws {
        let pictures = try three {
            "<a \(mark) href='/image/\($0)' data-caption='Heat \($0)'><img src='/t/\($0).jpg' width=80 height=60></a>"
        }
        #expect(pictures.map(\.ladder) == (1...3).map { ["/t/\($0).jpg", "/image/\($0)"] })
        #expect(pictures.map(\.title) == ["Heat 1", "Heat 2", "Heat 3"])
    }

    @Test("WordPress blocks, classic galleries, Jetpack and WooCommerce are read")
    func wordPress() throws {
        let block = try three {
            """
            <figure class="wp-block-image"><a href="/up/\($0).jpg"><img src="/up/\($0)-1024x768.jpg" class="wp-image-\($0)"></a>
            <figcaption class="wp-element-caption">Box \($0)</figcaption></figure>
            """
        }
        #expect(
            block.map(\.ladder) == (1...3).map { ["/up/\($0)-1024x768.jpg 1024", "/up/\($0).jpg"] })
        #expect(block[0].title == "Box 1")
        let classic = try three {
            """
            <dl class="gallery-item"><dt class="gallery-icon"><a href="/att/\($0)/"><img class="attachment-thumbnail" src="/up/\($0)-150x150.jpg"></a></dt>
            <dd class="wp-caption-text gallery-caption">Grid \($0)</dd></dl>
            """
        }
        #expect(classic.map(\.title) == ["Grid 1", "Grid 2", "Grid 3"])
        #expect(short(classic[0].link) == "/att/1/")
        let jetpack = try three {
            """
            <a href="/att/\($0)/"><img data-orig-file="/o/\($0).jpg" data-large-file="/o/\($0).jpg?w=700" data-medium-file="/o/\($0).jpg?w=300"
            data-image-title="Pit \($0)" src="/o/\($0).jpg?w=150&h=150"></a>
            """
        }
        #expect(
            jetpack[0].ladder == [
                "/o/1.jpg?w=150&h=150", "/o/1.jpg?w=300", "/o/1.jpg?w=700", "/o/1.jpg",
            ])
        #expect(jetpack[0].title == "Pit 1")
        let shop = try three {
            """
            <div class="woocommerce-product-gallery__image" data-thumb="/s/\($0)-100x100.jpg"><a href="/s/\($0).jpg">
            <img src="/s/\($0)-600x450.jpg" data-src="/s/\($0).jpg" data-large_image="/s/\($0).jpg"></a></div>
            """
        }
        #expect(short(shop[0].image) == "/s/1.jpg")
        #expect(short(shop[0].thumbnail) != "/s/1.jpg")
    }

    @Test("repeated background images are pictures")
    func backgrounds() throws {
        let inline = try three {
            "<a class='photo' href='/v/\($0)' style=\"background-image: url('/b/\($0).jpg')\" title='Bend \($0)'></a>"
        }
        #expect(inline.map(\.ladder) == (1...3).map { ["/b/\($0).jpg"] })
        #expect(short(inline[0].link) == "/v/1")
        #expect(inline[2].title == "Bend 3")
        let lazy = try three { "<div class='tile photo' data-bg='/b/\($0).jpg'></div>" }
        #expect(lazy.map(\.ladder) == (1...3).map { ["/b/\($0).jpg"] })
    }

    @Test("text links to pictures are a gallery if there are no other pictures")
    func textLinks() throws {
        let pictures = try three { "<p><a href='/p/\($0).jpg'>Car number \($0)</a></p>" }
        #expect(pictures.map { short($0.image) } == ["/p/1.jpg", "/p/2.jpg", "/p/3.jpg"])
        #expect(pictures[0].title == "Car number 1")
    }

    @Test("base, entities and unusual addresses resolve as in browsers")
    func addresses() throws {
        let html = """
            <base href="https://cdn.example/x/"><main><img src="a.jpg?b=1&amp;c=2"><img src="//img.example/b%20c.jpg">
            <img src="  d e.jpg "><img src="javascript:alert(1)"><img src="file:///etc/passwd.jpg"></main>
            """
        #expect(
            try page(html).pictures.map(\.image.text) == [
                "https://cdn.example/x/a.jpg?b=1&c=2", "https://img.example/b%20c.jpg",
                "https://cdn.example/x/d%20e.jpg",
            ])
    }

    @Test("page order is kept and each address appears once")
    func orderAndDuplicates() throws {
        let html =
            "<main><img src=3.jpg><img src=1.jpg><img src=3.jpg><a href=2.jpg><img src=t2.jpg></a><img src=2.jpg></main>"
        #expect(
            try page(html).pictures.map { short($0.image) } == [
                "/gallery/3.jpg", "/gallery/1.jpg", "/gallery/2.jpg",
            ])
    }
}
