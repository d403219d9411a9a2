import Basics
import Network
import Testing

@testable import Gallery

@Suite("Lists of pictures")
struct PictureListTests {
    private var random = Seeded(state: 7)

    /// Creates a picture with a random subset of properties.
    private mutating func picture() throws -> Picture {
        let hosts = ["https://a.example/x/", "http://b.example:8080/", "https://a.example/y/z/"]
        let page = try #require(Address(hosts[random.below(3)] + "p\(random.below(3)).html"))
        let variants = try (0...random.below(4)).map { _ in
            let name = hosts[random.below(3)] + "é\(random.below(50)).jpg?w=\(random.below(9))"
            return Picture.Variant(
                address: try #require(Address(name)),
                width: maybe(random.below(5000)).flatMap { Pixels($0) },
                height: maybe(random.below(5000)).flatMap { Pixels($0) })
        }
        var picture = Picture(
            variants: variants, link: maybe(page), page: page,
            title: String(repeating: "Grün ", count: random.below(60)),
            summary: maybe(String(repeating: "s", count: random.below(300))),
            date: maybe("2018-11-26"), width: maybe(random.below(100_000)).flatMap { Pixels($0) },
            height: maybe(16_777_216), byteCount: maybe(Int.max - random.below(9)),
            kind: random.below(2) == 0 ? .album : .picture)
        if picture.variants.count == 2 { picture.variants[1] = picture.variants[0] }
        picture.isFullKnown = random.below(2) == 0
        picture.full = maybe(Picture.Variant(address: page, width: maybe(4000)))
        picture.isFullGuessed = random.below(2) == 0
        picture.twin = maybe(IndexedPicture(text: "12 34 \(random.below(99)) 1 /a/ü b.jpg")) ?? nil
        picture.isNew = random.below(2) == 0
        return picture
    }

    private mutating func maybe<Value>(_ value: Value) -> Value? {
        random.below(2) == 0 ? nil : value
    }

    @Test("a list returns the pictures it was given, whatever properties they have")
    mutating func roundTrip() throws {
        var pictures: [Picture] = []
        for _ in 0..<1000 { pictures.append(try picture()) }
        let list = PictureList(pictures)
        #expect(list.count == 1000)
        #expect(Array(list) == pictures)
        let new = list.all(of: list.indices, holding: PictureQuery("is:new"))
        #expect(new.map(Int.init) == pictures.indices.filter { pictures[$0].isNew })
        #expect(list.last == pictures.last && list.first == pictures.first)
    }

    @Test("appending, replacing and inserting work as on an array and leave copies unchanged")
    mutating func changing() throws {
        var pictures: [Picture] = []
        var list = PictureList()
        for _ in 0..<600 {
            let next = try picture()
            pictures.append(next)
            list.append(next)
        }
        let copy = list
        let unchanged = pictures
        for place in [0, 255, 256, 599] {
            let other = try picture()
            pictures[place] = other
            list[place] = other
        }
        let more = [try picture(), try picture()]
        pictures.insert(contentsOf: more, at: 256)
        list.insert(contentsOf: more, at: 256)
        pictures.removeSubrange(10..<300)
        list.removeSubrange(10..<300)
        #expect(Array(list) == pictures)
        #expect(Array(copy) == unchanged)
    }

    @Test("a picture takes little beside its text, as there may be a million")
    func size() { #expect(MemoryLayout<Picture>.stride <= 176) }
}

/// A generator of reproducible numbers: xorshift64 (Marsaglia, 2003).
private struct Seeded {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }
}
