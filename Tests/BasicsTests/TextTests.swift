import Basics
import Testing

@Suite struct TextTests {
    @Test(
        "characters have the width that the C library reports",
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

    @Test("arrows are spelled out in ASCII instead of becoming ?, which is a key")
    func arrows() {
        #expect("k ↑ j ↓ h ← l →".ascii == "k Up j Down h <- l ->")
    }

    @Test("text is truncated to the available columns, never within a wide character")
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

    @Test("a combining mark stays with its letter, and a joined emoji is kept whole")
    func clusters() {
        #expect("e\u{301}e\u{301}e\u{301}".truncated(to: 2) == "e\u{301}…")
        let family = "👩\u{200D}👧"
        #expect("\(family)\(family)".truncated(to: 6) == "\(family)…")
    }

    @Test("truncation in the middle keeps both ends")
    func middle() {
        #expect("https://a.example/x/y.jpg".truncated(to: 11, mode: .middle) == "https…y.jpg")
        #expect("日本語日本語".truncated(to: 8, mode: .middle) == "日本…語")
        #expect("abcdef".truncated(to: 2, mode: .middle) == "a…")
    }

    @Test("truncated text fits every width")
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

    @Test("text becomes a single line without terminal control characters")
    func sanitizing() {
        #expect("a\u{1B}[31mb".oneLine() == "a[31mb")
        #expect("  a \t\r\n  b\u{2028}c\u{3000} ".oneLine() == "a b c")
        #expect("x\u{9B}2Jy\u{7F}\u{0}\u{85}z".oneLine() == "x2Jy z")
        #expect("abc\u{202E}cba\u{2066}\u{200F}".oneLine() == "abccba")
        #expect("\u{7}\u{1B}".oneLine() == "")
        #expect("Grüße 日本 👩\u{200D}👧".oneLine() == "Grüße 日本 👩\u{200D}👧")
        #expect("a b c d".oneLine(limit: 4) == "a b")
        #expect(String(repeating: "x", count: 9999).oneLine().count == 4096)
    }

    @Test("combining marks and joiners are kept; characters unsuitable for a line are removed")
    func marksAreKept() {
        let texts = [
            "Mu\u{308}ller", "หน้าที่", "हिन्दी", "क्\u{200D}ष", "می\u{200C}خواهم", "👩\u{200D}👧",
            "❤\u{FE0F}",
        ]
        for text in texts {
            #expect(text.oneLine().unicodeScalars.elementsEqual(text.unicodeScalars))
            #expect(text.withoutControls.unicodeScalars.elementsEqual(text.unicodeScalars))
        }
        #expect("a\u{AD}b\u{200B}c\u{2060}d\u{FEFF}e\u{E0041}".oneLine() == "abcde")
        #expect("a  b\u{9B}c\u{202E}\u{2028}d".withoutControls == "a  bcd")
        #expect("\u{301}a".oneLine() == "a")
    }

    @Test("excess combining marks are removed")
    func floods() {
        let flood = "a" + String(repeating: "\u{30A}", count: 5000) + "b"
        #expect(flood.oneLine().unicodeScalars.count == 10)
        #expect(flood.cells.map(\.marks.count) == [4, 0])
        #expect(flood.columns == 2)
    }

    @Test(
        "cells hold a character with its marks, limited to what all terminals agree on",
        arguments: [
            ("Mu\u{308}", ["M", "u\u{308}"], 2), ("ที่", ["ที่"], 1), ("हि", ["ह", "ि"], 2),
            ("चीज़ें", ["च", "ी", "ज\u{93C}\u{947}\u{902}"], 3),
            ("👩\u{200D}👧", ["👩", "👧"], 4), ("👍🏽", ["👍"], 2), ("❤\u{FE0F}", ["❤"], 1),
            ("1\u{FE0F}\u{20E3}", ["1\u{20E3}"], 1), ("می\u{200C}خ", ["م", "ی\u{200C}", "خ"], 3),
            ("\u{301}日\u{1B}[m", ["日", "[", "m"], 4),
        ])
    func cells(text: String, parts: [String], columns: Int) {
        let cells = text.cells.map { String(String.UnicodeScalarView([$0.base] + $0.marks)) }
        #expect(cells.map { Array($0.unicodeScalars) } == parts.map { Array($0.unicodeScalars) })
        #expect(text.columns == columns)
    }

    @Test("grapheme clusters are never split")
    func wholeClusters() {
        #expect("Mu\u{308}ller".truncated(to: 3) == "Mu\u{308}…")
        #expect("हिन्दी".truncated(to: 2) == "…")
        #expect("ที่ที่ที่".truncated(to: 2) == "ที่…")
    }
}
