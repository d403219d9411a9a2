import Network
import Testing

@testable import Gallery

/// Catalogues in the shapes of Komga's, Kavita's, LANraragi's and calibre's documents.
@Suite("Catalogues of books") struct CatalogueTests {
    private func feed(_ entries: String) throws -> Page {
        try page(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:pse="http://vaemendis.net/opds-pse/ns"><title>Shelf</title>
            <link rel="self" type="application/atom+xml;profile=opds-catalog;kind=navigation" href="/opds"/>
            <link rel="next" type="application/atom+xml;profile=opds-catalog" href="/opds?page=2"/>
            \(entries)</feed>
            """, type: "application/atom+xml")
    }

    private func words(_ pictures: some Sequence<Picture>) -> [String] {
        pictures.map {
            "\($0.title): \($0.kind) \($0.ladder.joined(separator: " ")) > \(short($0.link))"
        }
    }

    private let covers = """
        <link rel="http://opds-spec.org/image" type="image/jpeg" href="/c"/>
        <link rel="http://opds-spec.org/image/thumbnail" type="image/jpeg" href="/t"/>
        """

    @Test("parts of a catalogue are albums, with covers or without; two may have the same cover")
    func parts() throws {
        let type = #"type="application/atom+xml;profile=opds-catalog;kind=navigation""#
        let page = try feed(
            """
            <entry><title>All</title><id>1</id><content type="text">every series</content>
            <link rel="subsection" \(type) href="/all"/></entry>
            <entry><title>New</title><id>2</id>\(covers)<link rel="http://opds-spec.org/sort/new" \(type) href="/new"/></entry>
            <entry><title>Old</title><id>3</id>\(covers)<link \(type) href="/old"/></entry>
            """)
        #expect(page.title == "Shelf" && short(page.next) == "/opds?page=2")
        #expect(
            words(page.pictures) == [
                "All: album /all > /all", "New: album /c > /new", "Old: album /c > /old",
            ])
        #expect(page.pictures.map(\.isDrawable) == [false, true, true])
        // The same again on the next page is not shown once more.
        var seen = AddressSet()
        #expect(page.pictures.unseen(by: &seen).count == 3)
        #expect(page.pictures.unseen(by: &seen).isEmpty)
    }

    @Test(
        "a book opens as its archive or PDF; of any other its cover is shown, whatever else its entry links to",
        arguments: [
            ("application/vnd.comicbook+zip", true), ("application/zip", true),
            ("application/x-cbz", true), ("application/x-rar-compressed; version=4", true),
            ("application/pdf", true), ("application/octet-stream", true),
            ("application/epub+zip", false), ("application/x-mobipocket-ebook", false),
        ])
    func files(_ type: String, _ opens: Bool) throws {
        let page = try feed(
            """
            <entry><title>Book</title><link rel="related" type="application/atom+xml;profile=opds-catalog" href="/author"/>
            \(covers)<link rel="http://opds-spec.org/acquisition/open-access" type="\(type)" href="/f"/></entry>
            """)
        #expect(
            words(page.pictures) == ["Book: " + (opens ? "album /t /c > /f" : "picture /t /c > -")])
    }

    @Test("single pages are preferred to a file, whatever the prefix of their namespace")
    func streams() throws {
        let page = try feed(
            """
            <entry><title>K</title><link rel="http://opds-spec.org/acquisition" type="application/zip" href="/f"/>
            <link rel="http://vaemendis.net/opds-pse/stream" type="image/jpeg" href="/k/{pageNumber}?zero_based=true" pse:count="3" pse:lastRead="2"/></entry>
            <entry><title>V</title><link rel="http://vaemendis.net/opds-pse/stream" type="image/jpeg"
            xmlns:p5="http://vaemendis.net/opds-pse/ns" p5:count="70000" href="/v?p={pageNumber}&amp;w={maxWidth}"/></entry>
            """)
        let links = page.pictures.compactMap(\.link)
        #expect(
            links.map { short($0) } == [
                "/k/%7BpageNumber%7D?zero_based=true&pse:count=3",
                "/v?p=%7BpageNumber%7D&w=%7BmaxWidth%7D&pse:count=70000",
            ])
        let book = Page(stream: Request(links[0], for: .page, referer: page.address))
        #expect(
            book.address == links[0]
                && book.pictures.map(\.title) == ["Page 1", "Page 2", "Page 3"])
        #expect(
            book.pictures.map { short($0.image) } == (0...2).map { "/k/\($0)?zero_based=true" })
        #expect(book.pictures.allSatisfy { $0.page == page.address && $0.link == nil })
        let text = links[1].text
        let counts = ["3000", "0", "-1", "65536", "x", "9e9", ""].map { count in
            Address(text.replacing("70000", with: count)).map {
                Page(stream: Request($0, for: .page)).pictures.count
            }
        }
        #expect(counts == [3000, 0, 0, 0, 0, 0, 0])
        let last = try #require(Address(text.replacing("70000", with: "9")))
        #expect(
            Page(stream: Request(last, for: .page)).pictures.last.map { short($0.image) }
                == "/v?p=8&w=2048")
    }

    @Test("links of other feeds are no catalogue's")
    func others() throws {
        let page = try feed(
            """
            <entry><title>Post</title><link rel="replies" type="application/atom+xml" href="/comments" thr:count="4"/>
            <link rel="self" type="application/atom+xml" href="/post"/><link rel="alternate" type="text/html" href="/p"/>
            <content type="html">&lt;img src="/1.jpg" width="800" height="600"></content></entry>
            """)
        #expect(words(page.pictures) == ["Post: picture /1.jpg 800 > /p"])
    }

    @Test("OPDS 2.0: navigation, groups and publications are albums; a book may list its pages")
    func second() throws {
        let catalogue = try page(
            #"""
            {"metadata": {"title": "Shelf"},
             "links": [{"rel": "self", "href": "/2"}, {"rel": "next", "href": "/2?page=2", "type": "application/opds+json"}],
             "navigation": [{"href": "/all", "title": "All", "type": "application/opds+json", "rel": "subsection"}],
             "groups": [{"metadata": {"title": "New"}, "links": [{"rel": "self", "href": "/new", "type": "application/opds+json"}], "publications": []}],
             "publications": [
              {"metadata": {"title": "Divina"}, "images": [{"href": "/t", "type": "image/jpeg"}], "links": [
               {"rel": "http://opds-spec.org/acquisition", "href": "/f", "type": "application/zip"},
               {"rel": "self", "href": "/m", "type": "application/divina+json"}]},
              {"metadata": {"title": "Zip"}, "images": [{"href": "/t", "type": "image/jpeg"}], "links": [
               {"rel": ["http://opds-spec.org/acquisition/open-access"], "href": "/z", "type": "application/vnd.comicbook+zip"}]},
              {"metadata": {"title": "Epub"}, "images": [{"href": "/e", "type": "image/jpeg"}], "links": [
               {"rel": "http://opds-spec.org/acquisition", "href": "/x", "type": "application/epub+zip"}]}]}
            """#, type: "application/opds+json")
        #expect(catalogue.title == "Shelf" && short(catalogue.next) == "/2?page=2")
        #expect(
            words(catalogue.pictures) == [
                "All: album /all > /all", "New: album /new > /new", "Divina: album /t > /m",
                "Zip: album /t > /z", "Epub: picture /e > -",
            ])
        let book = try page(
            #"""
            {"metadata": {"title": "Divina", "numberOfPages": 2}, "readingOrder": [
             {"href": "/p/1", "type": "image/jpeg", "width": 10, "height": 20}, {"href": "/p/2", "type": "image/jpeg"}]}
            """#, type: "application/divina+json")
        #expect(book.title == "Divina")
        #expect(
            book.pictures.map { "\($0.kind) \(short($0.image))" } == [
                "picture /p/1", "picture /p/2",
            ])
    }
}
