import Raster
import Testing

@Suite struct TextTests {
    @Test(
        "characters take the columns that the C library gives them",
        arguments: [
            ("a", 1), ("~", 1), ("é", 1), ("\u{301}", 0), ("中", 2), ("한", 2), ("あ", 2), ("Ａ", 2),
            ("ｱ", 1), ("😀", 2), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FE0F}", 0), ("\u{1F3FD}", 2),
            ("▀", 1), ("…", 1), ("\u{1FB00}", 1), ("\u{1CD00}", 1), ("\u{3000}", 2), ("⌚", 2),
            ("❤", 1), ("\u{20000}", 2), ("\u{3FFFD}", 2), ("\u{E0061}", 0), ("\u{AD}", 1),
            ("\u{A0}", 1), ("\u{1160}", 0), ("\u{10FFFD}", 1),
        ] as [(Unicode.Scalar, Int)])
    func columns(scalar: Unicode.Scalar, columns: Int) {
        #expect(scalar.columns == columns)
    }

    @Test("control characters have no width", arguments: [0, 0x1B, 0x7F, 0x80, 0x9B, 0x9F, 0x2028])
    func controls(value: Int) {
        #expect(Unicode.Scalar(UInt32(value))?.columns == .some(nil))
    }

    @Test("a text is cut to the columns there are, and never through a wide character")
    func tail() {
        #expect("short".truncated(to: 5) == "short")
        #expect("longer".truncated(to: 5) == "long…")
        #expect("日本語".truncated(to: 6) == "日本語")
        #expect("日本語".truncated(to: 5) == "日本…")
        #expect("日本語".truncated(to: 4) == "日…")
        #expect("日本語".truncated(to: 1) == "")
        #expect("日本語".truncated(to: 2) == "…")
        #expect("abc".truncated(to: 1) == "a")
        #expect("abc".truncated(to: 0) == "")
        #expect("abc".truncated(to: -3) == "")
        #expect("abcdef".truncated(to: 4, ellipsis: "..") == "ab..")
    }

    @Test("a combining mark stays with its letter, a joined emoji whole")
    func clusters() {
        #expect("e\u{301}e\u{301}e\u{301}".truncated(to: 2) == "e\u{301}…")
        let family = "👩\u{200D}👧"
        #expect("\(family)\(family)".truncated(to: 6) == "\(family)…")
    }

    @Test("cut in the middle, both ends stay")
    func middle() {
        #expect("https://a.example/x/y.jpg".truncated(to: 11, mode: .middle) == "https…y.jpg")
        #expect("日本語日本語".truncated(to: 8, mode: .middle) == "日本…語")
        #expect("abcdef".truncated(to: 2, mode: .middle) == "a…")
    }

    @Test("whatever is cut fits, for every width")
    func everyWidth() {
        let text = "a日é😀e\u{301}\u{200D}本x語👩\u{200D}👧z"
        for width in 0...text.columns + 2 {
            for mode in [TruncationMode.tail, .middle] {
                let cut = text.truncated(to: width, mode: mode)
                #expect(cut.columns <= width)
                #expect(cut.columns >= min(width, text.columns) - 5)
            }
            #expect(text.padded(to: width).columns == width)
        }
    }

    @Test("text becomes one line without anything that drives a terminal")
    func sanitizing() {
        #expect("a\u{1B}[31mb".sanitized() == "a[31mb")
        #expect("  a \t\r\n  b\u{2028}c\u{3000} ".sanitized() == "a b c")
        #expect("x\u{9B}2Jy\u{7F}\u{0}\u{85}z".sanitized() == "x2Jy z")
        #expect("abc\u{202E}cba\u{2066}\u{200F}".sanitized() == "abccba")
        #expect("\u{7}\u{1B}".sanitized() == "")
        #expect("Grüße 日本 👩\u{200D}👧".sanitized() == "Grüße 日本 👩\u{200D}👧")
        #expect("a b c d".sanitized(limit: 4) == "a b")
        #expect(String(repeating: "x", count: 9999).sanitized().count == 4096)
    }
}
