import Basics
import Gallery
import Network
import Pipeline
import TestSupport
import Testing

@testable import Browser

/// Pages that a browser draws: what is said meanwhile, what stops it, and what loads the pages after them.
@MainActor @Suite("Pages that a browser draws") struct DrawnPageTests {
    private static let activity = "chromium is drawing the page…"

    private static func part(_ section: Int, _ page: Int) -> Page {
        var part = Page(address: Rig.address(section, page), title: "", pictures: [])
        (part.isPart, part.activity) = (true, activity)
        return part
    }

    /// Has a page continue with `pages`.
    private static func page(
        _ number: Int, next: Int?, by pages: any PageLoading, count: Int = 3
    ) -> Page {
        var page = Rig.page(0, number, count: count, next: next)
        page.continuation = pages
        return page
    }

    @Test("what is being done takes the place of “loading…” and of the message, and is no page")
    func activity() {
        let rig = Rig([[3, 3]], rows: 200)
        rig.settle()
        #expect(rig.notes == ["loading…"])
        rig.pages.pass(Self.part(0, 0), to: Rig.address(0, 0))
        rig.settle()
        #expect(rig.notes == [Self.activity] && rig.message == Self.activity)
        #expect(!rig.model.hasLoadedAnything && rig.titles.isEmpty)
        rig.loadPages()
        #expect(rig.message.isEmpty && rig.titles.count == 6)
        #expect(rig.pages.loads.map(\.address) == [Rig.address(0, 0), Rig.address(0, 1)])
    }

    @Test(
        "what is loaded stays while it is drawn anew, and after a failure nothing is said to go on")
    func anew() {
        let rig = Rig([[3]])
        rig.loadPages()
        rig.pages.close()
        rig.type("R")
        rig.settle()
        rig.pages.pass(Self.part(0, 0), to: Rig.address(0, 0))
        rig.settle()
        #expect(rig.message == Self.activity && rig.titles.count == 3)
        rig.pages.set(.failure(.document("it ended")), at: Rig.address(0, 0))
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.message != Self.activity && rig.titles.count == 3)
        #expect(rig.notes.first?.hasPrefix("it ended") == true || rig.dialog != nil)
    }

    @Test("Esc stops it without a question, and r or R loads it again", arguments: ["r", "R"])
    func stopped(key: String) {
        let rig = Rig([[3]])
        rig.press(.escape)
        #expect(rig.pages.waiting.count == 1, "what is not drawn is not stopped")
        rig.pages.pass(Self.part(0, 0), to: Rig.address(0, 0))
        rig.settle()
        rig.press(.escape)
        rig.settle()
        #expect(rig.pages.waiting.isEmpty && rig.dialog == nil)
        #expect(rig.notes == ["stopped: r tries again"] && rig.message.isEmpty)
        rig.type(key)
        rig.loadPages()
        #expect(rig.titles.count == 3)
    }

    @Test("Esc in an album that is being drawn goes back, which ends it")
    func album() {
        let rig = Rig([[1]])
        var album = Rig.picture(0, 0, 0, kind: .album)
        album.link = Rig.address(1, 0)
        rig.pages.set(
            .success(Page(address: Rig.address(0, 0), title: "", pictures: [album])),
            at: Rig.address(0, 0))
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.press(.enter)
        rig.settle()
        rig.pages.pass(Self.part(1, 0), to: Rig.address(1, 0))
        rig.settle()
        #expect(rig.message == Self.activity)
        rig.press(.escape)
        rig.settle()
        #expect(rig.pages.waiting.isEmpty && rig.message.isEmpty && rig.titles.count == 1)
    }

    @Test(
        "the pages that follow are loaded by what has drawn the last, and the first by the loader again"
    )
    func continuation() {
        let rig = Rig([[3]], rows: 200)
        weak var tab: GatedPages?
        do {
            let drawn = GatedPages()
            tab = drawn
            rig.pages.set(
                .success(Self.page(0, next: 1, by: drawn)), at: Rig.address(0, 0))
            drawn.set(.success(Self.page(1, next: 2, by: drawn)), at: Rig.address(0, 1))
            drawn.set(.success(Self.page(2, next: nil, by: drawn)), at: Rig.address(0, 2))
            drawn.open()
            rig.loadPages()
            #expect(drawn.loads.map(\.address) == [Rig.address(0, 1), Rig.address(0, 2)])
            // Its answers hold it.
            for page in 1...2 { drawn.set(.failure(.noPictures), at: Rig.address(0, page)) }
        }
        #expect(rig.pages.loads.map(\.address) == [Rig.address(0, 0)])
        #expect(rig.titles.count == 9 && tab != nil)
        rig.pages.close()
        rig.pages.set(.success(Rig.page(0, 0, count: 2)), at: Rig.address(0, 0))
        rig.type("R")
        rig.settle()
        #expect(tab != nil, "it is kept until its pages are replaced")
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(tab == nil && rig.titles.count == 2)
        #expect(rig.pages.loads.count == 2)
    }

    @Test(
        ":render toggles for the section's pages, which are read anew; other programs need the right to"
    )
    func render() {
        let toggled = Locked<[[Address]]>([])
        let rig = Rig(
            [[3]],
            toggleRendering: { pages in
                toggled.withLock { $0.append(pages) }
                return toggled.withLock { $0.count == 1 }
            })
        rig.loadPages()
        #expect(rig.model.perform("render", .browsing) == "needs --ipc-commands all")
        rig.type(":render")
        rig.press(.enter)
        #expect(rig.message == "drawn by the browser")
        rig.settle()
        #expect(rig.model.perform("render", .everything) == nil)
        #expect(rig.message == "as the server sends it")
        #expect(
            toggled.withLock(\.self)
                == Array(repeating: [Rig.address(0, 0), Rig.address(0, 0)], count: 2))
        rig.settle()
        #expect(rig.pages.loads.count == 3 && rig.pages.loads.allSatisfy { !$0.isReload })
    }

    @Test(":render says that folders are not drawn, and that there is no browser")
    func notRendered() {
        let folder = Address(path: "/p/")
        let sources = [Source(argument: "p", address: folder)]
        let toggle: @Sendable ([Address]) -> Bool = { _ in true }
        for (hasBrowser, text) in [(true, "only pages of the web"), (false, "there is no browser")]
        {
            let rig = Rig(sources: sources, toggleRendering: hasBrowser ? toggle : nil)
            rig.pages.set(.success(Page(address: folder, title: "", pictures: [])), at: folder)
            rig.loadPages()
            rig.type(":render")
            rig.press(.enter)
            #expect(rig.message.hasPrefix(text))
        }
    }
}
