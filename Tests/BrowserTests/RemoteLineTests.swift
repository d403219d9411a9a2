import Basics
import Browser
import Gallery
import Network
import Pipeline
import TestSupport
import Testing

/// Lines of other programs, which apply to what is below the reader's questions and run nothing unless that is allowed.
@MainActor @Suite("Other programs' lines") struct RemoteLineTests {
    @Test("opening a video runs a program, which has to be allowed", arguments: [false, true])
    func video(inViewer: Bool) {
        let runner = RecordingRunner()
        let rig = Rig(starts: false, running: runner)
        let video = Picture(
            variants: [Picture.Variant(address: Address(path: "/p/a.mp4"))],
            page: Address(path: "/p/"), title: "a.mp4")
        rig.pages.set(
            .success(Page(address: Rig.address(0, 0), title: "", pictures: [video])),
            at: Rig.address(0, 0))
        rig.model.start()
        rig.loadPages()
        if inViewer { rig.type("p") }
        #expect(rig.model.perform("open", .browsing) == "needs --ipc-commands all")
        #expect(rig.model.perform(": e", .browsing) == "needs --ipc-commands all")
        #expect(runner.calls.isEmpty)
        #expect(rig.model.perform("open", .everything) == nil)
        #expect(runner.calls.map(\.words) == [["mpv", "/p/a.mp4"]])
        rig.press(.enter)
        #expect(runner.calls.count == 2)
    }

    @Test("what runs programs or changes files is refused, however it is written")
    func refused() {
        let runner = RecordingRunner()
        let rig = Rig(running: runner)
        rig.loadPages()
        for line in [
            "!x", ":!x", " : !&x", "run x", "open-elsewhere", "trash", "copy x", "move x",
            "rename x",
            "rotate-file right", "undo",
        ] {
            #expect(
                rig.model.perform(line, .browsing) == "needs --ipc-commands all", "\(line)")
        }
        #expect(runner.calls.isEmpty && rig.dialog == nil)
        #expect(rig.model.perform("!&x", .everything) == nil)
        #expect(runner.calls.map(\.words) == [["x"]])
        #expect(rig.model.perform("run x", .everything) == nil)
        #expect(rig.dialog?.title == "Run this?" && runner.calls.count == 1)
        // Whether to run it is the reader's answer.
        #expect(rig.model.perform("accept", .everything) != nil)
        #expect(rig.dialog != nil && runner.calls.count == 1)
    }

    @Test("a line means the same whatever covers the gallery; a question is the reader's to answer")
    func covered() {
        let rig = Rig()
        rig.loadPages()
        rig.type("?")
        #expect(rig.model.perform("right 2", .browsing) == nil)
        rig.press(.escape)
        #expect(rig.selected == "0.0.2")
        rig.type("m")
        #expect(rig.model.perform("quit", .browsing) == nil)
        #expect(rig.dialog?.title == "Quit?")
        #expect(rig.model.perform("quit", .browsing) == nil)
        #expect(rig.dialog?.title == "Quit?")
        for line in ["accept", "dismiss"] {
            #expect(rig.model.perform(line, .browsing) != nil)
        }
        #expect(rig.model.perform("right", .browsing) == nil)
        #expect(rig.dialog?.title == "Quit?" && rig.model.takeEffects().isEmpty)
        rig.press(.escape)
        #expect(rig.dialog == nil && rig.selected == "0.0.3")
        #expect(rig.model.perform("quit!", .browsing) == nil)
        #expect(rig.model.takeEffects() == [.quit])
    }

    @Test("q goes back from a viewer that was opened after another program had left the first")
    func reopened() {
        let rig = Rig([[1]])
        var page = Rig.page(0, 0, count: 1)
        page.pictures[0].variants[0].address = Rig.address(0, 0)
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        rig.loadPages()
        #expect(rig.viewer != nil)
        #expect(rig.model.perform("back", .browsing) == nil)
        #expect(rig.viewer == nil)
        rig.press(.enter)
        #expect(rig.viewer != nil)
        #expect(rig.press("q") == nil)
        #expect(rig.viewer == nil)
        // The first q only stops the slideshow.
        rig.type("Pq")
        #expect(rig.press("q") == nil)
        #expect(rig.viewer == nil)
        #expect(rig.press("q") == .quit)
    }

    @Test(
        "what another program asks again and again is one question, which waits for the line typed")
    func again() {
        let rig = Rig()
        rig.loadPages()
        rig.type("m/0.0")
        for _ in 0..<3 { rig.model.perform("quit", .browsing) }
        rig.type(".1")
        #expect(rig.dialog == nil && rig.draw().bottom.lead == "/0.0.1")
        rig.press(.enter)
        #expect(rig.dialog?.title == "Quit?")
        rig.press(.escape)
        #expect(rig.dialog == nil)
    }

    @Test("a SOURCE that is not found is the line's failure, once it has been looked for")
    func missing() {
        let finder = GatedFinder()
        let rig = Rig(finder: finder)
        rig.loadPages()
        var answers: [String?] = []
        func open(_ place: String) {
            rig.model.perform("open \(place)", .browsing) { answers.append($0) }
        }
        open("/nonexistent")
        #expect(answers == [])
        finder.answer(.failure(.noSuchFile))
        rig.settle()
        #expect(answers == ["/nonexistent: no such file or folder"])
        open("/first")
        #expect(rig.model.perform("right", .browsing) == nil)
        open("https://s0.example/p0")
        #expect(answers.last == "something else was asked for" && answers.count == 2)
        finder.answer(.success(Source(argument: "x", address: Rig.address(0, 0))))
        rig.settle()
        #expect(answers.count == 3 && answers.last == .some(nil))
        rig.type(":open /typed")
        rig.press(.enter)
        finder.answer(.failure(.noSuchFile))
        rig.settle()
        #expect(answers.count == 3)
    }
}

/// Finds a SOURCE when the test says so.
final class GatedFinder: SourceFinding {
    private typealias Completion = @Sendable (Result<Source, SourceError>) -> Void
    private let last = Locked<Completion?>(nil)

    /// Answers what was asked for last.
    func answer(_ result: Result<Source, SourceError>) { last.withLock(\.self)?(result) }

    func find(
        _ text: String, in folder: String?, isTyped: Bool,
        completion: @escaping @Sendable (Result<Source, SourceError>) -> Void
    ) -> Subscription {
        last.withLock { $0 = completion }
        return .ended
    }

    func paths(
        beginningWith text: String, in folder: String?, completion: @escaping Receiver<[String]>
    ) -> Subscription { .ended }
}
