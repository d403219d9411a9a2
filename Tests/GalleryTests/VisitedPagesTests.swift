import Gallery
import Network
import Testing

@Suite("The page trail of a section")
struct VisitedPagesTests {
    private func address(_ path: String) throws -> Address {
        try #require(Address("https://example.org/" + path))
    }

    private func page(_ path: String, pictures: [String], next: String? = nil) throws -> Page {
        Page(
            address: try address(path), title: "",
            pictures: try pictures.map {
                Picture(
                    variants: [.init(address: try address($0))], page: try address(path), title: $0)
            },
            next: try next.map(address))
    }

    @Test("a picture on an earlier page, or repeated on this one, is not new")
    func duplicates() throws {
        var trail = VisitedPages()
        let first = trail.admit(
            try page("1", pictures: ["a", "b", "a"], next: "2"), requested: try address("1"))
        #expect(first.new.map(\.title) == ["a", "b"])
        let second = trail.admit(try page("2", pictures: ["b", "c"]), requested: try address("2"))
        #expect(second.new.map(\.title) == ["c"])
    }

    @Test("a page without new pictures ends the gallery")
    func repetition() throws {
        var trail = VisitedPages()
        _ = trail.admit(try page("1", pictures: ["a"], next: "2"), requested: try address("1"))
        let again = trail.admit(
            try page("2", pictures: ["a"], next: "3"), requested: try address("2"))
        #expect(again.new.isEmpty)
        #expect(again.next == nil)
    }

    @Test("a next page already visited, even through a redirect, ends the gallery")
    func loops() throws {
        var trail = VisitedPages()
        let redirected = trail.admit(
            try page("real", pictures: ["a"], next: "real"), requested: try address("alias"))
        #expect(redirected.next == nil)
        let back = trail.admit(
            try page("2", pictures: ["b"], next: "alias"), requested: try address("2"))
        #expect(back.next == nil)
    }

    @Test("pages without pictures are skipped, up to four in a row")
    func emptyPages() throws {
        var trail = VisitedPages()
        let opening = trail.admit(
            try page("title", pictures: [], next: "1"), requested: try address("title"))
        #expect(opening.next == (try address("1")))
        let first = trail.admit(
            try page("1", pictures: ["a"], next: "e0"), requested: try address("1"))
        #expect(first.next == (try address("e0")))
        let nexts = try (0..<6).map { number in
            let empty = try page("e\(number)", pictures: [], next: "e\(number + 1)")
            return trail.admit(empty, requested: empty.address).next != nil
        }
        #expect(nexts == [true, true, true, true, false, false])
    }
}
