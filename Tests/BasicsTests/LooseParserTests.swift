import Testing

@testable import Basics

/// JSON, and what pages write instead.
@Suite struct LooseParserTests {
    private func read(_ text: String) -> LooseValue? { LooseParser.value(of: Array(text.utf8)) }

    @Test("parses JSON according to RFC 8259")
    func json() {
        #expect(
            read(#"{"a": [1, -2.5e1, true, null, "x\n\"\u00e9\ud83d\ude00"], "b": {}}"#)
                == .object([
                    .init(
                        key: "a",
                        value: .array([
                            .number(1), .number(-25), .flag(true), .null, .text("x \"é😀"),
                        ]), at: 1),
                    .init(key: "b", value: .object([]), at: 58),
                ]))
    }

    @Test(
        "accepts JavaScript literals",
        arguments: [
            "{a: 'x',}", "{'a': \"x\" /* why */}", "{ // first\n a : `x` }", "{a:'\\x78'}",
        ])
    func literals(_ text: String) {
        #expect(read(text)?.members.map(\.key) == ["a"] && read(text)?["a"] == .text("x"))
    }

    @Test(
        "expressions that are not literals are rejected",
        arguments: [
            "{", "[", "{a", "{a:", "{a:1", "[1 2]", "{a: f()}", "{function(){}}", "", "'open",
            "'two\nlines'", "[1,[2}",
        ])
    func broken(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test("lone surrogates are replaced, and excessive nesting is rejected without a crash")
    func hostile() {
        #expect(read(#"["\ud83d", "\ud83dx"]"#) == .array([.text("\u{FFFD}"), .text("\u{FFFD}x")]))
        #expect(read(String(repeating: "[", count: 1_000_000)) == nil)
        #expect(read(String(repeating: #"{"a":"#, count: 100_000)) == nil)
    }

    @Test("a file holds exactly one value; errors give the line number")
    func document() throws {
        #expect(
            try LooseParser.document(Array("{a: 1} // why\n".utf8))
                == .object([.init(key: "a", value: .number(1), at: 1)]))
        #expect(throws: LooseSyntaxError(line: 3)) {
            try LooseParser.document(Array("{\n\"a\": 1,\n".utf8))
        }
        #expect(throws: LooseSyntaxError(line: 2)) {
            try LooseParser.document(Array("{}\n{}".utf8))
        }
    }
}
