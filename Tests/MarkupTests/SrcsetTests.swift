import Testing

@testable import Markup

@Suite struct SrcsetTests {
    private func parse(_ text: String) -> [String] {
        var text = text
        var found: [String] = []
        text.withUTF8 { bytes in
            Srcset.forEach(in: bytes) { candidate in
                let parts = [
                    String(decoding: candidate.url, as: UTF8.self),
                    candidate.width.map { "\($0)w" }, candidate.height.map { "\($0)h" },
                    candidate.density.map { "\($0)x" },
                ]
                found.append(parts.compactMap { $0 }.joined(separator: " "))
            }
        }
        return found
    }

    @Test(
        "candidates are split according to the HTML standard",
        arguments: [
            ("a.jpg 320w, b.jpg 640w", ["a.jpg 320w", "b.jpg 640w"]),
            ("a.jpg, b.jpg 2x", ["a.jpg", "b.jpg 2.0x"]),
            (
                "/c_fill,w_300/a.jpg 300w,/c_fill,w_600/a.jpg 600w",
                ["/c_fill,w_300/a.jpg 300w", "/c_fill,w_600/a.jpg 600w"]
            ),
            ("a.jpg 320w 200h", ["a.jpg 320w 200h"]), ("  ,, a.jpg  1.5x ,", ["a.jpg 1.5x"]),
            ("a.jpg 0w, b.jpg -1x, c.jpg 10q, d.jpg 5w", ["d.jpg 5w"]), ("", []), (",,,", []),
            ("a.jpg\n\t640w\n,\n b.jpg 2x", ["a.jpg 640w", "b.jpg 2.0x"]),
            ("a.jpg (1,2) 4w, b.jpg 3w", ["b.jpg 3w"]),
            (
                "data:image/gif;base64,AA== 1w, b.jpg 2w",
                ["data:image/gif;base64,AA== 1w", "b.jpg 2w"]
            ),
        ])
    func parsing(_ text: String, _ expected: [String]) {
        #expect(parse(text) == expected)
    }
}
