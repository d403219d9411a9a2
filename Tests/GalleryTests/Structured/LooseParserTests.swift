import Testing

@testable import Gallery

/// JSON, and what pages write in its stead.
@Suite struct LooseParserTests {
    private func read(_ text: String) -> LooseValue? { LooseParser.value(of: Array(text.utf8)) }

    @Test("JSON as RFC 8259 has it")
    func json() {
        #expect(
            read(#"{"a": [1, -2.5e1, true, null, "x\n\"\u00e9\ud83d\ude00"], "b": {}}"#)
                == .object([
                    .init(
                        key: "a",
                        value: .array([.number(1), .number(-25), .other, .other, .text("x \"é😀")])),
                    .init(key: "b", value: .object([])),
                ]))
    }

    @Test(
        "JavaScript's literals",
        arguments: [
            "{a: 'x',}", "{'a': \"x\" /* why */}", "{ // first\n a : `x` }", "{a:'\\x78'}",
        ])
    func literals(_ text: String) {
        #expect(read(text) == .object([.init(key: "a", value: .text("x"))]))
    }

    @Test(
        "what is no literal is not read",
        arguments: [
            "{", "[", "{a", "{a:", "{a:1", "[1 2]", "{a: f()}", "{function(){}}", "", "'open",
            "'two\nlines'", "[1,[2}",
        ])
    func broken(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test("half a surrogate pair, and deep nesting, end nothing but themselves")
    func hostile() {
        #expect(read(#"["\ud83d", "\ud83dx"]"#) == .array([.text("\u{FFFD}"), .text("\u{FFFD}x")]))
        #expect(read(String(repeating: "[", count: 1_000_000)) == nil)
        #expect(read(String(repeating: #"{"a":"#, count: 100_000)) == nil)
    }

    @Test("literals are found between code, and in what JSON.parse is given")
    func scripts() {
        let filler = "padding padding padding padding padding padding"
        let script = """
            /* don't */ function f() { return [1]; }
            var re = /['"]/; window.state = {"list": [{"n": 1}], "t": "\(filler)"};
            g = JSON.parse('{"list": [{"n": 2}], "t": "\(filler)"}');
            """
        let found = ScriptLiterals(script: Array(script.utf8)).values
        #expect(found.map { $0["list"]?.elements.first?["n"]?.integer } == [1, 2])
    }

    @Test("brackets without end cost no more than the script is long")
    func unclosed() {
        let script = Array(String(repeating: "[{a:1,", count: 200_000).utf8)
        #expect(ScriptLiterals(script: script).values.isEmpty)
    }
}
