import Basics
import Collector
import Network
import Pipeline
import Raster
import State
import TestSupport
import Testing

@testable import Browser
@testable import Gallery

/// Keys, pages, changes of folders, renames, other programs' lines, late answers and ends in any order: what the reader means stays meant.
@MainActor @Suite("Whatever comes between") struct EventWalkTests {
    @Test(
        "in a folder that other programs change, marks and selection stay with their files, and commands act on what is drawn",
        arguments: 1...40 as ClosedRange<UInt64>)
    func folder(seed: UInt64) {
        let walk = FolderWalk(seed: seed)
        for _ in 0..<250 where walk.fault == nil { walk.step() }
        #expect(walk.fault == nil, "seed \(seed): \(walk.fault ?? ""); \(walk.trail)")
    }

    @Test(
        "in a gallery whose pages come late, the place kept is one where the reader was, and how it is read stays",
        arguments: 1...60 as ClosedRange<UInt64>)
    func place(seed: UInt64) throws {
        let walk = try PlaceWalk(seed: seed)
        for _ in 0..<4 + walk.chance(30) where walk.fault == nil { walk.step() }
        walk.end()
        #expect(walk.fault == nil, "seed \(seed): \(walk.fault ?? ""); \(walk.trail)")
    }

    @Test(
        "whatever is being saved, :x leaves once all is, and only then",
        arguments: 1...24 as ClosedRange<UInt64>)
    func saving(seed: UInt64) {
        let walk = SavingWalk(seed: seed)
        for _ in 0..<60 where walk.fault == nil { walk.step() }
        walk.end()
        #expect(walk.fault == nil, "seed \(seed): \(walk.fault ?? ""); \(walk.trail)")
    }
}

/// What all walks have: chance, a rig, and the first thing that was wrong.
@MainActor protocol EventWalk: AnyObject {
    var random: SeededRandom { get set }
    var rig: Rig { get }
    var fault: String? { get set }
    var trail: [String] { get set }
    /// What has been typed into the line that is open; nil if none is.
    var line: String? { get set }
    /// Called before what is awaited is given up.
    func keyPressed()
}

extension EventWalk {
    func keyPressed() {}

    func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
        if !holds, fault == nil { fault = what() }
    }

    var level: GalleryLevel { rig.model.gallery.level }

    /// Presses a key while a line may be open, which must show each character that is typed.
    func press(_ key: Key) -> [Effect] {
        trail.append(key.name)
        keyPressed()
        let before = line
        rig.clock.now += rig.clock.pause
        rig.model.handle(.key(key))
        let effects = rig.model.takeEffects()
        line = rig.draw().bottom.lead
        if let before, case .character(let scalar) = key {
            expect(
                line == before + String(Character(scalar)),
                "\(scalar) is lost after \(before): \(line ?? "no line")")
        }
        checkQuestions()
        return effects
    }

    /// A question about a page is about one of a gallery that is open.
    func checkQuestions() {
        let open = Set(rig.model.gallery.levels.flatMap(\.sections).map(\.id))
        let asked = rig.model.dialogs.questions.compactMap(\.section)
        expect(asked.allSatisfy(open.contains), "asked about what is not on the screen")
    }

    func perform(_ line: String) {
        trail.append("remote " + line)
        keyPressed()
        rig.model.perform(line, .everything)
        checkQuestions()
    }
}

/// A gallery of three pages whose first reader was at its end.
@MainActor private final class PlaceWalk: EventWalk {
    var random: SeededRandom
    var fault: String?
    var trail: [String] = []
    var line: String?
    let rig: Rig
    private let scratch: ScratchFolder
    private let store: StateStore
    private var visited: Set<String>
    private var view = "rtl"

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        scratch = try ScratchFolder()
        store = StateStore(folder: scratch.path) { Issue.record("\($0)") }
        var place = Place(gallery: Rig.address(0, 0).text)
        place.picture = Rig.image(0, 2, 5).text
        (place.number, place.view) = (54, view)
        store.keep(place)
        visited = [place.picture]
        var options = BrowserOptions()
        if Bool.random(using: &random) { options.at = "3" }
        rig = Rig([[24, 24, 24]], options: options, state: store)
        if Bool.random(using: &random) {
            rig.pages.set(.failure(.fetch(.status(500))), at: Rig.address(0, 1))
        }
        if options.at != nil { visited.insert(Rig.image(0, 0, 2).text) }
    }

    func step() {
        let isTyping = rig.draw().bottom.lead != nil
        switch chance(13) {
        case 0, 1:
            if let page = rig.pages.waiting.randomElement(using: &random) {
                rig.pages.release(page)
                rig.main.drain()
                trail.append("page")
            }
        case 2:
            _ = store.recentPlaces(limit: 1)
            rig.main.drain()
            trail.append("answer")
        case 3: key(isTyping ? "r" : "i")
        case 4: key(isTyping ? "2" : "D")
        case 5: key(.escape)
        case 6, 7: key(isTyping ? "r" : "/")
        case 8 where chance(4) == 0:
            perform("right")
            visit()
        case 9 where chance(4) == 0: key("l")
        default: rig.settle()
        }
    }

    private func visit() { level.selectedPicture.map { _ = visited.insert($0.image.text) } }

    /// Where it has been gone to, the reader was, too, even if an open line hid the message, or a key is to remove it.
    func keyPressed() {
        if level.journey == .there, rig.model.display.message.hasPrefix("where you were") {
            visit()
        }
    }

    private func key(_ key: Key) {
        let (isTyping, isAsked) = (rig.draw().bottom.lead != nil, rig.dialog != nil)
        if key == "D", !rig.model.viewer.isOpen || isAsked { return }
        _ = press(key)
        if key == "D" { view = level.reading.words }
        if key == "l" && !isAsked || isTyping { visit() }
    }

    func end() {
        _ = store.recentPlaces(limit: 1)
        rig.settle()
        keyPressed()
        rig.model.end()
        let kept = store.recentPlaces(limit: 1).first?.place
        expect(
            kept.map { visited.contains($0.picture) } == true,
            "\(kept?.picture ?? "nothing") is kept, where nobody was")
        expect(kept?.view == view, "\(kept?.view ?? "nothing"), not \(view), is kept")
    }
}

/// Saving a gallery whose last page may be empty, while it is paused and goes on.
@MainActor private final class SavingWalk: EventWalk {
    var random: SeededRandom
    var fault: String?
    var trail: [String] = []
    var line: String?
    let rig: Rig
    private var hasFailed = false
    private var effects: [Effect] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        rig = Rig([[3, 2, 0]])
        if chanceOfFirst() {
            rig.pages.set(
                .success(Page(address: Rig.address(0, 2), title: "", pictures: [])),
                at: Rig.address(0, 2))
        }
        rig.loadPages()
        rig.pages.close()
    }

    private func chanceOfFirst() -> Bool { Bool.random(using: &random) }

    private func enter(_ text: String) {
        for scalar in text.unicodeScalars { effects += press(.character(scalar)) }
        effects += press(.enter)
    }

    func step() {
        switch chance(9) {
        case 0: effects += press("s")
        case 1: enter(":pause")
        case 2: enter(":save-all")
        case 3: effects += press("l")
        case 4, 5: answer()
        case 6: rig.pages.releaseAll()
        default: rig.settle()
        }
        rig.settle()
        let plan = rig.model.saving.plan
        expect(
            !plan.isOver || rig.draw().bottom.progress == "",
            "nothing is saved: \(rig.draw().bottom.progress)")
        expect(!effects.contains(.quit), "leaves without being asked to")
    }

    private func answer() {
        guard !rig.saving.titles.isEmpty else { return }
        let fails = chance(12) == 0
        hasFailed = hasFailed || fails
        trail.append(fails ? "fails" : "saved")
        rig.saving.answer(fails ? .failure(.noPicture) : .success("x.jpg"))
    }

    func end() {
        if rig.model.saving.plan.isPaused { enter(":pause") }
        while rig.model.saving.openCount > 0 {
            rig.pages.releaseAll()
            rig.saving.answer(.success("x.jpg"))
            rig.settle()
        }
        hasFailed = Bool.random(using: &random)
        let failsAll = Bool.random(using: &random)
        enter(":save-all")
        enter(":x")
        var isFirst = true
        while rig.model.saving.openCount > 0, fault == nil {
            expect(!rig.model.takeEffects().contains(.quit), "leaves too early")
            // The pictures before the pages, so that the last page ends it.
            while !rig.saving.titles.isEmpty {
                rig.saving.answer(
                    hasFailed && (isFirst || failsAll) ? .failure(.noPicture) : .success("x.jpg"))
                isFirst = false
                rig.settle()
            }
            rig.pages.releaseAll()
            rig.settle()
        }
        expect(
            rig.model.takeEffects().contains(.quit) != hasFailed,
            hasFailed ? "leaves although one failed" : "does not leave")
    }
}
