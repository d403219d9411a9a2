import Testing

@testable import Terminal

/// Copying.
@Suite struct ClipboardTests {
    @Test("a copied text is base 64 in an OSC 52, so that nothing in it can end the sequence")
    func sequence() {
        let bytes = ClipboardSequence.bytes("https://e.example/?>~\u{1B}\\")
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "\u{1B}]52;c;aHR0cHM6Ly9lLmV4YW1wbGUvPz5+G1w=\u{7}")
    }
}
