import Basics
import Gallery
import Network
import Testing

/// Sorting, filtering, and growing.
@Suite struct ArrangementTests {
    private func picture(_ title: String, date: String? = nil) -> Picture {
        let address = Address("https://e.example/\(title.utf8.count)/x.jpg") ?? Address(path: "/")
        return Picture(
            variants: [Picture.Variant(address: address)], page: address, title: title, date: date)
    }

    private func titles(_ change: (inout PictureOrder) -> Void, _ pictures: [Picture]) -> [String] {
        var order = PictureOrder()
        change(&order)
        return order.applied(to: pictures).map(\.title)
    }

    @Test("titles are sorted naturally, ignoring case and accents, equal ones in page order")
    func byTitle() {
        let pictures = ["b10", "éa", "B2", "z", "eb"].map { picture($0) }
        #expect(titles({ $0.key = .title }, pictures) == ["B2", "b10", "éa", "eb", "z"])
        #expect(
            titles(
                {
                    $0.key = .title
                    $0.isReversed = true
                }, pictures) == ["z", "eb", "éa", "b10", "B2"])
        #expect(titles({ $0.isReversed = true }, pictures) == ["eb", "z", "B2", "éa", "b10"])
    }

    @Test("dates are sorted oldest first; pictures without a date come last either way")
    func byDate() {
        let pictures = [
            picture("none"), picture("new", date: "2024-05-01"),
            picture("old", date: "2019"), picture("middle", date: "2024-04-30T10:00:00Z"),
        ]
        #expect(titles({ $0.key = .date }, pictures) == ["old", "middle", "new", "none"])
        #expect(
            titles(
                {
                    $0.key = .date
                    $0.isReversed = true
                }, pictures) == ["new", "middle", "old", "none"])
    }

    @Test("in groups, too, pictures of unknown date come last")
    func unknownInGroups() {
        let pictures = [("any", nil), ("new", "2024"), ("old", "2019")].map {
            picture($0, date: $1)
        }
        for isReversed in [false, true] {
            let shown = titles(
                {
                    $0.key = .date
                    $0.isReversed = isReversed
                    $0.grouping = .folder
                }, pictures)
            #expect(shown == (isReversed ? ["new", "old", "any"] : ["old", "new", "any"]))
        }
    }

    @Test("the group of unknown days comes last, also in reverse")
    func unknownDays() {
        let pictures = [("any", nil), ("new", "2024-01-01"), ("old", "2019-01-01")].map {
            picture($0, date: $1)
        }
        for isReversed in [false, true] {
            let shown = titles(
                {
                    $0.isReversed = isReversed
                    $0.grouping = .day
                }, pictures)
            #expect(shown == (isReversed ? ["new", "old", "any"] : ["old", "new", "any"]))
        }
    }

    @Test("pictures alike are under the path of the largest, which comes first; others come last")
    func alike() {
        let pictures = [
            ("alone", 900, nil), ("small", 10, "/b"), ("best", 300, "/b"), ("first", 50, "/a"),
            ("middle", 200, "/b"), ("unknown", nil, "/b"),
        ].map { (title: String, width: Int?, path: String?) in
            var picture = picture(title)
            picture.width = width.flatMap { Pixels($0) }
            picture.height = width.flatMap { _ in 10 }
            picture.twin = path.flatMap { IndexedPicture(text: "300 10 5 0 \($0)") }
            return picture
        }
        #expect(
            titles({ $0.grouping = .alike }, pictures)
                == ["first", "best", "middle", "small", "unknown", "alone"])
        var order = PictureOrder()
        order.grouping = .alike
        let groups = Arrangement(order, of: PictureList(pictures)).groups
        #expect(groups.map(\.heading) == ["/a", "/b", "no others"])
        #expect(groups.map(\.count) == [1, 4, 1])
    }

    @Test("a filter matches titles and addresses")
    func filtering() {
        let pictures = ["Café", "tea", "decaf"].map { picture($0) }
        #expect(titles({ $0.filter = "cafe" }, pictures) == ["Café"])
        #expect(titles({ $0.filter = "Caf" }, pictures) == ["Café"])
        #expect(titles({ $0.filter = "CAFE" }, pictures) == [])
        #expect(titles({ $0.filter = "example" }, pictures) == [], "what all have in common")
        #expect(titles({ $0.filter = "x caf dec" }, pictures) == ["decaf"], "all words")
        #expect(titles({ $0.filter = "caf" }, pictures) == ["Café", "decaf"])
        #expect(titles({ $0.filter = "e.example/3/" }, pictures) == ["tea"])
        #expect(titles({ $0.filter = "none" }, pictures) == [])
    }

    @Test(
        "pages added one by one give the same order as all at once, and positions agree",
        arguments: PictureOrder.Key.allCases, [false, true])
    func growing(key: PictureOrder.Key, isReversed: Bool) {
        var random = SystemRandomNumberGenerator()
        let pictures = (0..<300).map { _ in
            picture(
                "p\(Int.random(in: 0..<40, using: &random))",
                date: Bool.random(using: &random)
                    ? "20\(Int.random(in: 10..<20, using: &random))" : nil)
        }
        for filter in ["", "3", "x.jpg"] {
            var order = PictureOrder()
            order.key = key
            order.isReversed = isReversed
            order.filter = filter
            var arrangement = Arrangement(order)
            for end in stride(from: 37, to: 337, by: 37) {
                arrangement.append(PictureList(pictures[..<min(end, 300)]))
            }
            #expect(arrangement.shown.map { pictures[$0] } == order.applied(to: pictures))
            #expect(arrangement.count == arrangement.shown.count)
            for place in 0..<arrangement.count {
                #expect(arrangement.place(of: arrangement.number(at: place)) == place)
            }
            let shown = Set(arrangement.shown)
            #expect(
                (0..<300).allSatisfy { shown.contains($0) == (arrangement.place(of: $0) != nil) })
            #expect(arrangement.place(of: 300) == nil)
        }
    }
}
