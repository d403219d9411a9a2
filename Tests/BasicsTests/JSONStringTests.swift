import Basics
import Testing

@Suite struct JSONStringTests {
    @Test(
        "quotes, backslashes and all control characters are escaped; everything else is unchanged")
    func escapes() {
        #expect(JSONString.quoted("é😀 \u{2028}") == "\"é😀 \u{2028}\"")
        #expect(JSONString.quoted("a\"b\\c") == #""a\"b\\c""#)
        #expect(
            JSONString.quoted("\n\u{0}\u{1b}\u{7f}\u{9b}") == #""\u000a\u0000\u001b\u007f\u009b""#)
    }

    @Test("a limit counts the text's Unicode scalars")
    func limit() {
        #expect(JSONString.quoted("\u{1b}\u{1b}\u{1b}", limit: 2) == #""\u001b\u001b""#)
    }
}
