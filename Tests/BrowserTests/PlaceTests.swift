import Basics
import Browser
import Gallery
import Network
import Pipeline
import Raster
import State
import TestSupport
import Testing

/// Where a reader was in a gallery, and how it was read.
@MainActor @Suite("Places") struct PlaceTests {
    private let folder: ScratchFolder
    private let store: StateStore
    private let gallery = Rig.address(0, 0).text

    init() throws {
        folder = try ScratchFolder()
        store = StateStore(folder: folder.path) { Issue.record("\($0)") }
    }

    /// What is kept of the gallery; waits until all that was asked before has been answered.
    private var kept: Place? {
        store.recentPlaces(limit: 9).first { $0.place.gallery == gallery }?.place
    }

    private func keep(_ page: Int, _ picture: Int, number: Int, view: String = "") {
        var place = Place(gallery: gallery)
        place.picture = Rig.image(0, page, picture).text
        (place.number, place.view) = (number, view)
        store.keep(place)
    }

    /// Opens the gallery; the database has answered, and the first page has been loaded.
    private func opened(at name: String? = nil) -> Rig {
        var options = BrowserOptions()
        options.at = name
        let rig = Rig([[24, 24, 24]], options: options, state: store)
        _ = kept
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        return rig
    }

    @Test("in the first five runs the gallery's bottom line shows keys, unless keys are bound")
    func hints() {
        func run(_ options: BrowserOptions = BrowserOptions()) -> Rig {
            let rig = Rig([[24]], options: options, state: store, showsHints: true)
            _ = kept
            rig.loadPages()
            return rig
        }
        var own = BrowserOptions()
        own.keys = KeyMap.standard.rebinding(["mark": ["x"]]).map
        #expect(run(own).selected == "0.0.0")
        for number in 1...7 {
            let rig = run()
            #expect(rig.selected.hasPrefix("Enter open  m mark") == (number < 6), "\(number)")
            #expect(rig.draw().bottom.hint == (number < 6 ? "" : "? help"))
            rig.type(":")
            #expect(rig.selected == ":")
            rig.press(.escape, .enter)
            #expect(rig.selected == "0.0.0")
        }
    }

    @Test(
        "who leaves on the way to where they were finds that place again, also if a page has failed",
        arguments: [false, true])
    func unreached(fails: Bool) {
        keep(2, 5, number: 54)
        let rig = opened()
        #expect(rig.message == "24 loaded, loading on to where you were: any key stays here")
        if fails {
            rig.pages.set(.failure(.fetch(.status(500))), at: Rig.address(0, 1))
            rig.pages.release(Rig.address(0, 1))
            rig.settle()
            #expect(rig.dialog != nil)
            rig.press(.escape)
            rig.settle()
        }
        rig.type("i")
        rig.settle()
        rig.press("q")
        #expect(rig.press("q") == .quit)
        rig.model.end()
        #expect(kept?.number == 54)
    }

    @Test("nor is the start kept while pages are loaded on, but where a reader then goes is")
    func meanwhile() {
        keep(2, 5, number: 54)
        let rig = opened()
        rig.settle()
        #expect(kept?.number == 54)
        rig.type("ll")
        rig.settle()
        #expect(kept?.number == 3)
    }

    @Test(
        "where a reader was is gone to and kept; a gallery that nobody was in is kept at its start")
    func reached() {
        keep(2, 5, number: 54)
        let rig = opened()
        rig.loadPages()
        #expect(rig.selected == "0.2.5")
        #expect(rig.message == "where you were: g goes to the start")
        rig.type("g")
        rig.model.end()
        #expect(kept?.number == 1)
        let other = Rig(
            [[3]], state: store, sources: [Source(argument: "x", address: Rig.address(7, 0))])
        other.pages.set(.success(Rig.page(7, 0, count: 3)), at: Rig.address(7, 0))
        _ = kept
        other.loadPages()
        other.model.end()
        #expect(
            store.recentPlaces(limit: 9).contains { $0.place.gallery == Rig.address(7, 0).text })
    }

    @Test("how a gallery was read is known wherever it is opened, and kept")
    func reading() {
        keep(0, 9, number: 10, view: "rtl crop")
        let rig = opened(at: "3")
        rig.loadPages()
        #expect(rig.selected == "0.0.2")
        rig.model.end()
        #expect(kept?.number == 3 && kept?.view == "rtl crop")
    }

    @Test("how it was read is shown even if a key came before the database has answered")
    func early() {
        keep(0, 9, number: 10, view: "rtl")
        var source = Source(argument: "x", address: Rig.address(0, 0))
        source.start = Rig.picture(0, 0, 5)
        let rig = Rig(state: store, sources: [source])
        rig.pages.set(.success(Rig.page(0, 0, count: 24)), at: Rig.address(0, 0))
        rig.press("+")
        _ = kept
        rig.loadPages()
        rig.model.end()
        #expect(kept?.number == 6 && kept?.view == "rtl")
        // One chosen meanwhile is meant.
        let other = Rig(state: store, sources: [source])
        other.pages.set(.success(Rig.page(0, 0, count: 24)), at: Rig.address(0, 0))
        other.press("D")
        _ = kept
        other.loadPages()
        other.model.end()
        #expect(kept?.view == "ltr")
    }

    @Test("who leaves before the database has answered overwrites nothing")
    func unanswered() {
        keep(0, 9, number: 10, view: "rtl")
        var source = Source(argument: "x", address: Rig.address(0, 0))
        source.start = Rig.picture(0, 0, 5)
        let rig = Rig(state: store, sources: [source])
        rig.press("D")
        rig.model.end()
        #expect(kept?.number == 10 && kept?.view == "rtl")
    }

    @Test("a bookmark's gallery is shown as it was read")
    func bookmark() throws {
        keep(0, 9, number: 10, view: "rtl")
        var place = Place(gallery: gallery)
        (place.picture, place.number) = (Rig.image(0, 0, 4).text, 5)
        store.setBookmark("a", place)
        let rig = Rig(
            state: store, finder: AddressFinder(),
            sources: [Source(argument: "x", address: Rig.address(7, 0))])
        rig.pages.set(.success(Rig.page(7, 0, count: 3)), at: Rig.address(7, 0))
        rig.pages.set(.success(Rig.page(0, 0, count: 24)), at: Rig.address(0, 0))
        _ = kept
        rig.loadPages()
        rig.type("'a")
        _ = kept
        rig.loadPages()
        _ = kept
        rig.settle()
        #expect(rig.selected == "0.0.4")
        rig.model.end()
        #expect(kept?.number == 5 && kept?.view == "rtl")
    }
}

/// Finds the addresses that it is given.
private struct AddressFinder: SourceFinding {
    func find(
        _ text: String, in folder: String?, isTyped: Bool,
        completion: @escaping Receiver<Result<Source, SourceError>>
    ) -> Subscription {
        if let address = Address(text) {
            completion(.success(Source(argument: text, address: address)))
        }
        return .ended
    }

    func paths(
        beginningWith text: String, in folder: String?, completion: @escaping Receiver<[String]>
    ) -> Subscription { .ended }
}
