import Testing

@testable import Markup

@Suite struct EncodingTests {
    private func text(_ bytes: [UInt8], charset: String? = nil) -> String {
        Document(html: bytes, charset: charset).root.textContent
    }

    private func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return bigEndian ? pair : pair.reversed()
        }
    }

    @Test("UTF-8 needs no declaration, and a wrong one does no harm")
    func utf8() {
        #expect(text(Array("<p>Zürich 写真</p>".utf8)) == "Zürich 写真")
        #expect(text(Array("<meta charset=iso-8859-1><p>Zürich</p>".utf8)) == "Zürich")
    }

    @Test("the transport's charset takes precedence over detection")
    func transport() {
        #expect(text(Array("<p>Ã¼".utf8), charset: "windows-1252") == "ÃƒÂ¼")
        #expect(text([0x3C, 0x70, 0x3E, 0x83, 0x65], charset: "Shift_JIS") == "テ")
    }

    @Test("an unknown charset is ignored")
    func unknownName() {
        #expect(text(Array("<p>Zürich".utf8), charset: "klingon") == "Zürich")
        #expect(text(Array("<p>Z".utf8) + [0xFC], charset: "../../etc") == "Zü")
    }

    @Test("without a declared charset, invalid UTF-8 is read as windows-1252")
    func windows1252() {
        #expect(text(Array("<p>Caf".utf8) + [0xE9, 0x20, 0x80, 0x20, 0x93, 0x94]) == "Café € “”")
    }

    @Test("the page's own declaration applies if the bytes are not UTF-8")
    func meta() {
        let japanese = Array("<meta charset='Shift_JIS'><p>".utf8) + [0x8E, 0xCA, 0x90, 0x5E]
        #expect(text(japanese) == "写真")
        let korean =
            Array("<meta http-equiv=Content-Type content='text/html; charset=euc-kr'><p>".utf8)
            + [0xBB, 0xE7, 0xC1, 0xF8]
        #expect(text(korean) == "사진")
    }

    @Test("a byte order mark takes precedence", arguments: [true, false])
    func utf16(bigEndian: Bool) {
        let bytes = utf16("\u{FEFF}<p>写真 a</p><img src='a.jpg'>", bigEndian: bigEndian)
        let page = Document(html: bytes, charset: "windows-1252")
        #expect(page.root.textContent == "写真 a")
        #expect(page.root.first(.img)?.attribute(.src) == "a.jpg")
    }

    @Test("a letter at the end that could still take a mark is kept")
    func heldBack() {
        #expect(text(Array("<p>".utf8) + [0xF9, 0xE0], charset: "windows-1255") == "שא")
        #expect(text(Array("<p>xa".utf8), charset: "windows-1258") == "xa")
    }

    @Test("invalid bytes in a table encoding lose only themselves")
    func broken() {
        let bytes = Array("<p>".utf8) + [0x8E, 0xCA, 0xFF, 0xFF] + Array("abc".utf8) + [0x8E]
        #expect(text(bytes, charset: "shift_jis").hasPrefix("写"))
        #expect(text(bytes, charset: "shift_jis").contains("abc"))
    }

    @Test("a lone UTF-16 surrogate loses only itself", arguments: [true, false])
    func halfPair(bigEndian: Bool) {
        let half: [UInt8] = bigEndian ? [0xD8, 0x3D] : [0x3D, 0xD8]
        let bytes =
            utf16("\u{FEFF}<p>a", bigEndian: bigEndian) + half
            + utf16("b 写真", bigEndian: bigEndian) + half + [0]
        #expect(Document(html: bytes).root.textContent == "a\u{FFFD}b 写真\u{FFFD}\u{FFFD}")
    }

    @Test("invalid UTF-8 is repaired")
    func brokenUTF8() {
        let page = text(
            Array("<p>a".utf8) + [0xC3, 0x28, 0xFF] + Array("b".utf8), charset: "utf-8")
        #expect(page.hasPrefix("a"))
        #expect(page.hasSuffix("b"))
    }
}
