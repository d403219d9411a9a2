import Rendering
import Testing

@Suite("Rendering") struct RenderingTests {
    @Test("a browser's names are looked for in order") func names() {
        #expect(chromiumNames.first == "chromium")
    }
}
