import Network
import Testing

@testable import Gallery

/// Data, feeds, listings and charsets built or broken to be expensive.
@Suite(.timeLimit(.minutes(5))) struct HostileDataTests {
    /// Reads arbitrary bytes.
    private func read(
        _ body: [UInt8], type: String = "text/html", charset: String? = nil
    ) throws -> Page {
        let response = Response(
            address: try #require(Address(testAddress)), mediaType: type,
            headers: charset.map { [(name: "content-type", value: "\(type); charset=\($0)")] }
                ?? [],
            body: body, origin: .network)
        return try PageReader().read(response)
    }

    private static let gallery = (1...3).map { "<li><img src=/\($0).jpg alt='%'></li>" }.joined()

    @Test("titles in Shift_JIS, EUC-KR and windows-1252 are decoded, even if declared wrongly")
    func charsets() throws {
        func page(_ title: [UInt8], _ meta: String) -> [UInt8] {
            Array("<meta charset=\(meta)><ul>".utf8)
                + (1...3).flatMap {
                    Array("<li><img src=/\($0).jpg alt='\($0) ".utf8) + title
                        + Array("'></li>".utf8)
                }
        }
        // 写真 in Shift_JIS, 사진 in EUC-KR, "Été" in windows-1252.
        #expect(try read(page([0x8E, 0xCA, 0x90, 0x5E], "Shift_JIS")).pictures[0].title == "1 写真")
        #expect(try read(page([0xBB, 0xE7, 0xC1, 0xF8], "euc-kr")).pictures[2].title == "3 사진")
        #expect(try read(page([0xC9, 0x74, 0xE9], "windows-1252")).pictures[1].title == "2 Été")
        // With a wrong or unknown charset, valid UTF-8 is read as UTF-8.
        #expect(try read(page(Array("Été".utf8), "ISO-8859-1")).pictures[1].title == "2 Été")
        #expect(try read(page(Array("Été".utf8), "klingon")).pictures[1].title == "2 Été")
        #expect(try read(page([0xC9, 0x74, 0xE9], "utf-8")).pictures.count == 3)
    }

    @Test("NUL bytes, unclosed tags and quotes, and stray end tags lose nothing readable")
    func soup() throws {
        var nuls: [UInt8] = []
        for (index, byte) in Self.gallery.utf8.enumerated() {
            nuls += index % 5 == 4 ? [byte, 0] : [byte]
        }
        #expect(try read(nuls).pictures.count == 3)
        let soup =
            "</div></p><b><i><table><div><ul><li><a href='/v/1'><img src=/1.jpg alt=a><li><p><img src=/2.jpg alt=b</p></a></td>"
            + "<img src=/3.jpg><img src=/4.jpg><img src='/5.jpg"
        #expect(try read(Array(soup.utf8)).pictures.count >= 3)
    }

    @Test("100,000 pictures are read")
    func many() throws {
        let html =
            "<main>" + (1...100_000).map { "<a href=\($0).html><img src=\($0).jpg></a>" }.joined()
        #expect(try read(Array(html.utf8)).pictures.count == 100_000)
    }

    @Test("a 64 MB page around three pictures is read")
    func large() throws {
        var body = [UInt8](repeating: 0x78, count: 64 << 20)
        let head = Array("<main>\(Self.gallery)<p>".utf8)
        body.replaceSubrange(0..<head.count, with: head)
        #expect(try read(body).pictures.count == 3)
    }

    @Test("data, script and file addresses are never pictures, links or next pages")
    func schemes() throws {
        let html =
            "<main><ul>\(Self.gallery)<li><img src='data:image/png;base64,AAAA'><li><img src='javascript:alert(1)'><li><img src='file:///etc/passwd.jpg'>"
            + "<li><img src=/4.jpg onclick='x()'><li><a href='javascript:x()'>y</a></ul><a rel=next href='file:///etc/'>next</a></main>"
        let found = try read(Array(html.utf8))
        #expect(found.pictures.map { short($0.image) } == ["/1.jpg", "/2.jpg", "/3.jpg", "/4.jpg"])
        #expect(found.pictures.allSatisfy { $0.link == nil })
        #expect(found.next == nil)
    }

    @Test("multiplying entities in a feed are not expanded")
    func laughs() throws {
        let bomb =
            "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY a 'ha'>"
            + (1...20).map {
                "<!ENTITY a\($0) '&a\($0 == 1 ? "" : "\($0 - 1)");&a\($0 == 1 ? "" : "\($0 - 1)");'>"
            }
            .joined()
            + "]><rss><channel><title>&a20;</title><item><title>One</title><enclosure url='/1.jpg' type='image/jpeg'/></item></channel></rss>"
        let found = try? read(Array(bomb.utf8), type: "application/rss+xml")
        #expect((found?.title.utf8.count ?? 0) < 1_000)
    }

    @Test("10,000 objects in a script are read, both valid and broken")
    func states() throws {
        let one = #"{"image": "/p/%.jpg", "title": "T %"},"#
        let list = (1...10_000).map { one.replacing("%", with: "\($0)") }.joined()
        let valid = try read(Array("<div id=app></div><script>x = [\(list)]</script>".utf8))
        #expect(valid.pictures.count == 10_000)
        let broken = "<div id=app></div><script>x = [\(list)</script>"
        #expect(try read(Array(broken.utf8)).pictures.count == 10_000)
    }

    @Test("endlessly nested JSON is rejected, and a listing of 100,000 names is read")
    func lists() throws {
        #expect(throws: PageError.self) {
            try read(
                [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20), type: "application/json")
        }
        let names = (1...100_000).map { #"{"name": "\#($0).jpg", "type": "file"}"# }
        let found = try read(
            Array("[\(names.joined(separator: ","))]".utf8), type: "application/json")
        #expect(found.pictures.count == 100_000)
    }

    @Test("20,000 page numbers in a row are handled")
    func numbers() throws {
        let row = (1...20_000).map { "<a href='/p/\($0)/\($0)/\($0)'>\($0 % 999 + 1)</a>" }.joined()
        #expect(try read(Array("<main>\(Self.gallery)</main>\(row)".utf8)).pictures.count == 3)
    }
}
