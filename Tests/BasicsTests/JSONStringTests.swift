import Basics
import Testing

@Suite struct JSONStringTests {
    @Test("quotes, backslashes and every control character are escaped, all else stays")
    func escapes() {
        #expect(JSONString.quoted("é😀 \u{2028}") == "\"é😀 \u{2028}\"")
        #expect(JSONString.quoted("a\"b\\c") == #""a\"b\\c""#)
        #expect(
            JSONString.quoted("\n\u{0}\u{1b}\u{7f}\u{9b}") == #""\u000a\u0000\u001b\u007f\u009b""#)
    }

    @Test("a limit counts scalars of the text")
    func limit() {
        #expect(JSONString.quoted("\u{1b}\u{1b}\u{1b}", limit: 2) == #""\u001b\u001b""#)
    }
}
