import Testing

@testable import Terminal

/// Copying to the clipboard.
@Suite struct ClipboardTests {
    @Test("copied text is sent in base64 by OSC 52, so that it cannot end the sequence")
    func sequence() {
        let bytes = TerminalSequence.clipboard("https://e.example/?>~\u{1B}\\")
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "\u{1B}]52;c;aHR0cHM6Ly9lLmV4YW1wbGUvPz5+G1w=\u{7}")
    }

    @Test("a copied file is sent in pieces of 4096 bytes by OSC 5522")
    func file() {
        let file = [UInt8](repeating: 0, count: 4100)
        let bytes = TerminalSequence.clipboard(file, mediaType: "image/png")
        let head = "\u{1B}]5522;type=wdata:mime=aW1hZ2UvcG5n;"
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "\u{1B}]5522;type=write\u{1B}\\" + head + String(repeating: "A", count: 5462)
                + "==\u{1B}\\"
                + head + "AAAAAA==\u{1B}\\\u{1B}]5522;type=wdata\u{1B}\\")
    }

    @Test("a title cannot end its sequence, and is ASCII if the terminal supports nothing else")
    func title() {
        func text(_ title: String, isUnicode: Bool = true) -> String {
            String(decoding: TerminalSequence.title(title, isUnicode: isUnicode), as: UTF8.self)
        }
        #expect(text("a\u{7}b\u{1B}\\c\u{9C}\n›") == "\u{1B}]2;ab\\c ›\u{7}")
        #expect(text("a › b", isUnicode: false).utf8.allSatisfy { $0 < 0x80 })
        #expect(text(String(repeating: "x", count: 9999)).count < 300)
    }
}
