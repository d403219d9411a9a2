import Testing

@testable import Gallery

@Suite("Multiple-substring search")
struct SubstringsTests {
    private func occur(_ text: String, in set: Substrings) -> Bool {
        var text = text
        return text.withUTF8 { set.occur(in: $0) }
    }

    @Test("substrings are found at the start, in the middle and at the end, but not if incomplete")
    func places() {
        let set = Substrings(["/emoji/", "pixel.gif"])
        #expect(occur("/emoji/1.png", in: set))
        #expect(occur("https://a.example/emoji/1.png", in: set))
        #expect(occur("https://a.example/pixel.gif", in: set))
        #expect(!occur("https://a.example/pixel.gi", in: set))
        #expect(!occur("emoji", in: set))
        #expect(!occur("", in: set))
    }

    @Test("ASCII case is ignored")
    func cases() {
        let set = Substrings(["lazy"])
        #expect(occur("img-LazyLoad", in: set))
        // Non-letters that differ only in the case bit do not match.
        #expect(!occur("LA\u{5A}", in: set))
        #expect(!occur("la{y", in: Substrings(["la[y"])))
    }
}

@Suite("Cached answers by value")
struct ValueCacheTests {
    @Test("values that share a slot or their ends keep their own answers")
    func answers() {
        let values = (0..<5_000).map { Array("begin-\($0)-of-a-class-at-its-end".utf8) }
        var cache = ValueCache<Int>()
        for _ in 0..<2 {
            for value in values {
                // The bytes outlive the cache's use of them.
                value.withUnsafeBufferPointer { bytes in
                    let sum = bytes.reduce(0) { $0 &* 31 &+ Int($1) }
                    let answer = cache.answer(for: bytes) { $0.reduce(0) { $0 &* 31 &+ Int($1) } }
                    #expect(answer == sum)
                }
            }
        }
        #expect(cache.answer(for: UnsafeBufferPointer(start: nil, count: 0)) { _ in 1 } == 1)
    }
}
