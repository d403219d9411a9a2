import Basics
import Network
import Testing

@testable import Gallery

@Suite struct RecordTests {
    private let page = Address("https://a.example/g/") ?? Address(path: "/")
    private let small = Address("https://a.example/s.jpg") ?? Address(path: "/")
    private let large = Address("https://a.example/l.jpg") ?? Address(path: "/")

    @Test("a record has the keys in the manual's order, omitting unknown values")
    func record() {
        let bare = Picture(variants: [Picture.Variant(address: small)], page: page, title: "")
        #expect(
            PictureRecord(bare, section: 1, index: 2).line
                == #"{"section":1,"index":2,"page":"https://a.example/g/","thumbnail":"https://a.example/s.jpg","image":"https://a.example/s.jpg","kind":"picture"}"#
        )
        var full = Picture(
            variants: [Picture.Variant(address: small), Picture.Variant(address: large)],
            link: page,
            page: page, title: "A \"b\" \\ \u{7F} ü",
            summary: "s", date: "2018-11-26", width: 3, height: 2, kind: .album)
        #expect(
            PictureRecord(full, section: 1, index: 1).line.hasSuffix(
                #""link":"https://a.example/g/","title":"A \"b\" \\ \u007f ü","description":"s","date":"2018-11-26","width":3,"height":2,"kind":"album"}"#
            ))
        full.camera = Picture.Camera(
            taken: "2018-11-25T10:00:00", model: "X100", lens: "23 mm", sensitivity: 200, rating: 3)
        #expect(
            PictureRecord(full, section: 1, index: 1).line.hasSuffix(
                #""kind":"album","taken":"2018-11-25T10:00:00","camera":"X100","lens":"23 mm","iso":200,"rating":3}"#
            ))
    }

    @Test("a file on this machine, or an album's folder, has a path")
    func paths() {
        let file = Address(path: "/p/a b.jpg")
        var picture = Picture(variants: [.init(address: file)], page: page, title: "")
        func path(_ given: String? = nil) -> String? {
            PictureRecord(picture, section: 1, index: 1, path: given).values
                .first { $0.name == "path" }?.value
        }
        #expect(path() == "/p/a b.jpg" && path("/saved.jpg") == "/saved.jpg")
        (picture.kind, picture.link) = (.album, Address(path: "/p/sub", isFolder: true))
        #expect(path() == "/p/sub/")
        picture.link = page
        #expect(path() == nil)
        let odd = Address(path: String(systemBytes: [0x2F, 0xFF]))
        let line = PictureRecord(
            Picture(variants: [.init(address: odd)], page: page, title: ""), section: 1, index: 1
        ).line
        #expect(line.contains("/%FF\"") && !line.contains("path"), "\(line)")
    }

    @Test("the variant for a width is the smallest one that covers it")
    func variants() {
        func picture(_ widths: [Pixels?]) -> Picture {
            Picture(
                variants: widths.enumerated().map { index, width in
                    Picture.Variant(
                        address: Address("https://a.example/\(index)") ?? page, width: width)
                }, page: page, title: "")
        }
        func chosen(_ widths: [Pixels?], _ width: Int) -> String {
            picture(widths).variant(covering: width).address.lastPathComponent
        }
        #expect(chosen([100, 200, 400], 150) == "1")
        #expect(chosen([100, 200, 400], 200) == "1")
        #expect(chosen([100, 200, 400], 500) == "2")
        #expect(chosen([nil, nil], 500) == "0")
        #expect(chosen([150, nil], 100) == "0")
        #expect(chosen([150, nil], 500) == "1")
    }
}
