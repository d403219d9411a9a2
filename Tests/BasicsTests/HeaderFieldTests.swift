import Basics
import Testing

@Suite struct HeaderFieldTests {
    @Test(
        "a header line is split into a name and a value without blanks and control characters",
        arguments: [
            ("Content-Type: text/html\r\n", "content-type", "text/html"),
            ("X-Ä:\t a\u{1B}b  c \n", "x-Ä", "ab  c"), ("A:", "a", ""), ("a:b:c", "a", "b:c"),
        ])
    func lines(_ line: String, _ name: String, _ value: String) throws {
        let field = try #require(Array(line.utf8).withUnsafeBytes(headerField))
        #expect(field == (name, value))
        #expect(Array("no colon\r\n".utf8).withUnsafeBytes(headerField) == nil)
    }

    @Test("a field value consists of a word and parameters")
    func values() {
        let type = FieldValue(" Text/HTML ;Charset= \"utf-8\"; boundary=\"--a'b\";x; charset=two")
        #expect(type.word == "text/html" && type.mediaType == "text/html")
        #expect(type.charset == "utf-8" && type["boundary"] == "--a'b" && type["x"] == nil)
        #expect(FieldValue("text/html; charset='latin1'").charset == "latin1")
        #expect(FieldValue("text/html;charset=''").charset == nil)
        #expect(FieldValue("gzip; charset=a").mediaType == nil)
        for none in [nil, "", "; charset=a", " "] {
            #expect(FieldValue(none).word.isEmpty && FieldValue(none).charset == nil)
        }
    }
}
