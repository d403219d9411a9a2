import Basics
import Gallery
import Network
import Testing

/// Queries for finding and filtering pictures.
@Suite("Queries") struct PictureQueryTests {
    private let pictures: PictureList = {
        func picture(
            _ address: String, _ title: String, _ summary: String?, _ date: String?, _ width: Int?
        ) -> Picture {
            let image = Address(address) ?? Address(path: "/")
            var picture = Picture(
                variants: [Picture.Variant(address: image)],
                link: Address("https://pages.example/detail"),
                page: Address("https://pages.example/all") ?? image, title: title,
                summary: summary, date: date, width: width.flatMap { Pixels($0) },
                height: Pixels(600))
            picture.full = Picture.Variant(address: image)
            return picture
        }
        return PictureList([
            picture(
                "https://a.example/x/sun%20set.jpeg?s=1", "Évening", "red sky", "2024-05-01", 800),
            picture("https://b.example/x/moon.png", "Night", nil, "2023", nil),
            picture("https://a.example/y/Star.PNG", "night Sky", "Sirius", nil, 1200),
        ])
    }()

    @Test(
        "words match title, name and caption; capitals match case; conditions are evaluated",
        arguments: [
            ("", [0, 1, 2]), ("evening", [0]), ("sun set", [0]), ("sky", [0, 2]), ("Sky", [2]),
            ("night", [1, 2]), ("Night", [1]), ("example", []), ("a.example/x", [0]),
            ("night sirius", [2]), ("s=1", []), (".png", [1, 2]), (".jpg", [0]), (".pn", [1, 2]),
            ("host:a.", [0, 2]), ("w>=800", [0, 2]), ("w>800", [2]), ("w<1000", [0]),
            ("h=600", [0, 1, 2]), ("h<600", []), ("date>2023", [0]), ("date<=2023", [1]),
            ("date>=2024-05", [0]), ("w>", [0, 1, 2]), ("sky w>800 .png", [2]), ("detail", []),
        ] as [(String, [UInt32])])
    func holding(text: String, expected: [UInt32]) {
        #expect(pictures.all(of: pictures.indices, holding: PictureQuery(text)) == expected)
    }

    @Test("what is on this machine is told from what is not, and from what is smaller there")
    func having() throws {
        var pictures = pictures
        pictures[0].twin = IndexedPicture(text: "400 300 5 0 /mine.jpg")
        pictures[2].twin = IndexedPicture(text: "400 300 5 1 /mine.jpg")
        func found(_ text: String) -> [UInt32] {
            pictures.all(of: pictures.indices, holding: PictureQuery(text))
        }
        #expect(found("have:no") == [1] && found("have:yes") == [0, 2])
        #expect(found("have:smaller") == [2] && found("have:smaller sun") == [])
        #expect(found("have:") == [0, 1, 2] && found("have:maybe") == [])
    }

    @Test(
        "a condition with something else than a number or a date is a mistake and matches nothing",
        arguments: [
            "w>1000px", "w>>3", "w>abc", "height<x", "date>abc", "sky w>12a",
            "size>large", "rating:5", "w:800", "camera>x", "have:maybe", "is:old",
        ])
    func mistakes(text: String) {
        #expect(PictureQuery(text).mistake != nil)
        #expect(pictures.all(of: pictures.indices, holding: PictureQuery(text)) == [])
    }

    @Test("words, whole conditions and unfinished ones are no mistakes")
    func understood() {
        for text in ["", "w", "w>", "width>=800", "date>2024", "what>is", "size>100k"] {
            #expect(PictureQuery(text).mistake == nil, "\(text)")
        }
        let wide = PictureQuery("width>800 height=600")
        #expect(pictures.all(of: pictures.indices, holding: wide) == [2])
    }

    @Test("a condition that cannot be meant is told with those that can")
    func meant() {
        #expect(PictureQuery("rating:5").mistake == "rating:5: as rating>=3")
        #expect(PictureQuery("camera>x100").mistake == "camera>x100: as camera:x100")
        #expect(PictureQuery("is:old").mistake == "is:old: as is:new or is:video")
    }

    @Test("files are compared in bytes, and videos told by their names")
    func files() {
        let pictures = PictureList(
            ["a.jpg", "b.mov", "c.png"].enumerated().map { number, name in
                let address = Address(path: "/p/" + name)
                return Picture(
                    variants: [.init(address: address)], page: address, title: name,
                    byteCount: number == 2 ? nil : (number + 1) << 20)
            })
        for (text, found) in [
            ("size>1M", [1]), ("size<=1024k", [0]), ("size>", [0, 1, 2]), ("is:video", [1]),
            ("is:v", [1]),
        ] as [(String, [UInt32])] {
            #expect(
                pictures.all(of: pictures.indices, holding: PictureQuery(text)) == found, "\(text)")
        }
    }

    @Test("narrowing letter by letter gives the same result as the whole text")
    func typing() {
        for text in ["night sirius", "w>1000", "w<1000", "date>2023", ".png sky", "Sky x"] {
            var arrangement = Arrangement(PictureOrder(), of: pictures)
            for count in 1...text.count {
                var order = PictureOrder()
                order.filter = String(text.prefix(count))
                arrangement = Arrangement(order, of: pictures, narrowing: arrangement)
                #expect(
                    arrangement.shown == Arrangement(order, of: pictures).shown, "\(order.filter)")
            }
        }
    }
}
