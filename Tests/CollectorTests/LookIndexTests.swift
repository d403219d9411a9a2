import Collector
import Gallery
import Testing

@Suite("The index of pictures by their look") struct LookIndexTests {
    private func picture(_ fingerprint: UInt64, _ path: String, width: Int = 400) throws
        -> IndexedPicture
    {
        try #require(IndexedPicture(text: "\(width) 300 \(fingerprint) 0 \(path)"))
    }

    @Test("pictures alike differ in few bits, and the largest comes first")
    func alike() throws {
        let print: UInt64 = 0xF0F0_1234_5678_9ABC
        let index = LookIndex([
            try picture(print ^ 0xF0, "/small", width: 100), try picture(~print, "/other"),
            try picture(print ^ 0x1F, "/five bits"), try picture(print, "/large", width: 800),
        ])
        #expect(index.pictures(like: print).map(\.path) == ["/large", "/small"])
        #expect(index.pictures(like: ~print).map(\.path) == ["/other"])
        #expect(index.pictures(like: 7).isEmpty)
    }

    @Test("flat pictures are like no other, not even each other")
    func flat() throws {
        let index = LookIndex([try picture(0, "/flat"), try picture(1, "/nearly")])
        #expect(index.pictures(like: 0).isEmpty)
        #expect(index.pictures(like: 3).map(\.path) == ["/nearly"])
        #expect(LookIndex([]).pictures(like: 3).isEmpty)
    }

    @Test("any path is read back; what is no entry is none")
    func texts() throws {
        #expect(try picture(5, "/a b  c/ \u{EF9A}").path == "/a b  c/ \u{EF9A}")
        for text in [
            "", "1 2 3 0", "0 2 3 0 /a", "1 x 3 0 /a", "1 2 -3 0 /a", "99999999 2 3 0 /a",
        ] {
            #expect(IndexedPicture(text: text) == nil, "\(text)")
        }
    }
}
