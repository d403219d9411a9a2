import Basics
import Markup
import Testing

@testable import Gallery

@Suite struct ScriptLiteralsTests {
    private func literals(in script: String) -> ScriptLiterals {
        ScriptLiterals(of: Document(html: Array("<script>\(script)</script>".utf8)))
    }

    @Test("literals are found within code and in arguments of JSON.parse")
    func scripts() {
        let filler = "padding padding padding padding padding padding"
        let script = """
            /* don't */ function f() { return [1]; }
            var re = /['"]/; window.state = {"list": [{"n": 1}], "t": "\(filler)"};
            g = JSON.parse('{"list": [{"n": 2}], "t": "\(filler)"}');
            """
        let found = literals(in: script).values
        #expect(found.map { $0["list"]?.elements.first?["n"]?.integer } == [1, 2])
    }

    @Test("unclosed brackets cost time proportional to the script's length")
    func unclosed() {
        let script = String(repeating: "[{a:1,", count: 200_000)
        #expect(literals(in: script).values.isEmpty)
    }
}
