import Basics
import Testing

@Suite struct PercentEncodingTests {
    @Test("invalid percent escapes are left unchanged")
    func decode() {
        for (text, decoded) in [
            ("a%20b", "a b"), ("%C3%bc", "ü"), ("%", "%"), ("%4", "%4"), ("%zz%41", "%zzA"),
            ("%+4", "%+4"), ("%%41", "%A"),
        ] {
            #expect(PercentEncoding.decode(text.utf8) == Array(decoded.utf8))
        }
    }

    @Test("everything but unreserved characters and those to keep is encoded")
    func encode() {
        #expect(PercentEncoding.encode("a-._~Z9/ü %".utf8) == "a-._~Z9%2F%C3%BC%20%25")
        #expect(PercentEncoding.encode("/a/b c".utf8, keeping: "/") == "/a/b%20c")
    }
}
