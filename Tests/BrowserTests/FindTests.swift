import Gallery
import TestSupport
import Testing

@testable import Browser

/// Searching by title and address.
@MainActor @Suite("Finding") struct FindTests {
    private func loaded() -> Rig {
        let rig = Rig([[12], [3]])
        rig.loadPages()
        return rig
    }

    @Test("typed text appears on the bottom line; Backspace deletes, Esc cancels")
    func typing() {
        let rig = loaded()
        rig.type("/1.q0")
        #expect(rig.selected == "/1.q0   0 hits")
        rig.press(.backspace, .backspace)
        #expect(rig.selected == "/1.   5 hits")
        rig.press(.escape)
        #expect(rig.selected == "0.0.0")
        rig.type("/")
        rig.press(.backspace)
        #expect(rig.selected == "0.0.0")
        rig.type("l")
        #expect(rig.selected == "0.0.1")
    }

    @Test("the line supports readline keys, and Up recalls earlier input")
    func editing() {
        let rig = loaded()
        func line() -> String? {
            let bottom = rig.draw().bottom
            let label = bottom.label.replacing("   0 hits", with: "")
            return bottom.lead.map { $0 + "|" + label.dropFirst($0.count) }
        }
        rig.type("/one two")
        rig.press(.left, .control("b"), .backspace)
        #expect(line() == "/one |wo")
        rig.press(.control("w"), .delete)
        #expect(line() == "/|o")
        rig.press(.right, .control("a"), "x", .control("e"), "y", .left, .control("k"))
        #expect(line() == "/xo|")
        rig.press(.home, .control("f"), .control("u"))
        #expect(line() == "/|o")
        rig.press(.enter)
        rig.type("/new")
        rig.press(.up)
        #expect(line() == "/o|")
        rig.press(.down, .down)
        #expect(line() == "/new|")
    }

    @Test("Enter finds, n and N repeat, also with a count, and report wrapping around")
    func going() {
        let rig = loaded()
        rig.type("/0.1")
        rig.press(.enter)
        #expect(rig.selected == "0.0.1")
        rig.type("n")
        #expect(rig.selected == "0.0.10")
        rig.type("2n")
        #expect(rig.selected == "1.0.1")
        rig.type("n")
        #expect(rig.selected == "0.0.1")
        #expect(rig.message == "continued from the start")
        rig.type("N")
        #expect(rig.selected == "1.0.1")
        #expect(rig.message == "continued from the end")
        rig.type("/")
        rig.press(.enter)
        #expect(rig.selected == "0.0.1")
    }

    @Test("addresses are searched too; if nothing matches, a message says so and nothing moves")
    func addresses() {
        let rig = loaded()
        rig.type("/s1.example/p0/2")
        rig.press(.enter)
        #expect(rig.selected == "1.0.2")
        rig.type("/nowhere")
        rig.press(.enter)
        #expect(rig.selected == "1.0.2")
        #expect(rig.message == "not found: nowhere")
    }

    @Test("Esc after a search restores the scroll position, too")
    func cancelling() {
        let rig = Rig([[60]], rows: 24)
        rig.loadPages()
        rig.type("15Gz")
        let row = rig.gallery?.scrollRow
        let frame = rig.gallery?.selected?.frame
        for text in ["/nowhere", "/0.59"] {
            rig.type(text)
            rig.draw()
            rig.press(.escape)
            #expect(rig.gallery?.scrollRow == row && rig.gallery?.selected?.frame == frame)
        }
    }

    @Test("a search in the viewer shows what it finds, fitted as any other picture")
    func inViewer() {
        let rig = loaded()
        rig.press(.enter)
        rig.type("+/0.1")
        #expect(rig.selected == "/0.1   4 hits")
        rig.press(.enter)
        #expect(rig.viewer != nil)
        #expect(rig.selected == "0.0.1")
        rig.type("/")
        rig.press(.enter)
        #expect(rig.selected == "0.0.10")
    }

    @Test("a wrong condition is told where it is typed, and matches nothing")
    func mistakes() {
        let rig = loaded()
        rig.type("3lfw>1000px")
        #expect(rig.selected == "filter: w>1000px   w>1000px: as width>=800")
        rig.press(.enter)
        #expect(rig.titles == [])
        #expect(rig.message == "w>1000px: as width>=800")
        rig.press(.escape)
        #expect(rig.selected == "0.0.3", "what was selected before")
        rig.type("/date>soon")
        #expect(rig.selected == "/date>soon   date>soon: as date>2024-05")
        rig.press(.enter)
        #expect(rig.message == "date>soon: as date>2024-05")
    }

    @Test("n before any search shows a message; in the viewer it goes to the next picture")
    func nothing() {
        let rig = loaded()
        rig.type("n")
        #expect(rig.message == "nothing to search for yet")
        rig.press(.enter)
        rig.type("n")
        rig.press(.escape)
        #expect(rig.selected == "0.0.1")
    }

    @Test("Esc goes back to the picture, although another has been inserted before it")
    func inserted() {
        let rig = Rig()
        rig.loadPages()
        rig.type("lll/0.0.1")
        var page = Rig.page(0, 0, count: 24)
        page.pictures = PictureList([Rig.picture(0, 0, 99)] + Array(page.pictures))
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.model.gallery.sources[0].pager?.reread()
        rig.loadPages()
        rig.press(.escape)
        #expect(rig.selected == "0.0.3")
    }
}
