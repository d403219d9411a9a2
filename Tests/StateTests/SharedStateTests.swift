import Basics
import Glibc
import TestSupport
import TestTraits
import Testing

@testable import State

/// Several processes share one database; some of them are killed, as often as `HALFTONE_KILLS` says (`make faults`).
@Suite("A state database of several programs", .onOwnThread)
struct SharedStateTests {
    /// The executable of one of them, which is built beside the tests.
    static let probe = String(ProgramRun.executable.dropLast("halftone".count)) + "state-probe"
    private static let kills =
        getenv("HALFTONE_KILLS").flatMap { Int(String(cString: $0)) } ?? 24

    private let folder: StateFolder

    init() throws { folder = try StateFolder() }

    @Test("four that write at once lose nothing")
    func together() throws {
        let probes = try (1...4).map { try Tool(Self.probe, [folder.folder, "\($0)", "100"]) }
        let rounds = (1...100).map { "\($0)" }
        for probe in probes {
            #expect(probe.waitForEnd() == 0)
            #expect(probe.lines.filter { !$0.isEmpty } == rounds)
        }
        let store = folder.store()
        #expect(store.recentPlaces(limit: 1000).count == 400)
        let bookmarks = store.foundBookmarks()
        for writer in 1...4 {
            #expect(bookmarks["\(writer)"]?.number == 100)
            #expect(store.foundHistory(of: "\(writer)") == rounds)
            #expect(store.foundFacts(of: (0..<40).map { ("/\(writer)/\($0)", "100") }).count == 40)
            for round in 1...100 {
                let place = store.foundPlace(in: "file:///\(writer)/\(round % 100)")
                #expect(place?.number == round)
            }
        }
        #expect(try folder.sql("PRAGMA integrity_check") == "ok")
        #expect(folder.names == ["state.db"] && folder.lines == [])
    }

    @Test("one killed at any moment damages nothing, and what it was told to be kept is there")
    func killed() throws {
        var state: UInt64 = 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var (folder, total) = (folder, 0)
        for kill in 1...Self.kills {
            // Some are killed while they make it.
            if kill % 4 == 0 { folder = try StateFolder() }
            let probe = try Tool(Self.probe, [folder.folder, "\(kill)", "0"])
            if kill % 4 != 0 { try probe.waitFor("\(1 + random(60))") }
            for _ in 0..<random(3000) { access(folder.path, F_OK) }
            let told = probe.stop().compactMap { Int($0) }
            total += told.count
            guard access(folder.path, F_OK) == 0 else {
                #expect(told == [])
                continue
            }
            if let last = told.last {
                let store = folder.store()
                let number = store.foundPlace(in: "file:///\(kill)/\(last % 100)")?.number
                #expect(number == last)
                #expect(store.foundBookmarks()["\(kill)"]?.number ?? 0 >= last)
                let lines = store.foundHistory(of: "\(kill)").compactMap { Int($0) }
                #expect(
                    lines.contains(last) && lines == Array((lines.first ?? 1)...(lines.last ?? 0)))
                let facts = (0..<40).map { "/\(kill)/\($0)" }
                let found = store.foundFacts(of: facts.map { ($0, "\(last)") }).count
                let next = store.foundFacts(of: facts.map { ($0, "\(last + 1)") }).count
                #expect([found, next] == [40, 0] || [found, next] == [0, 40])
            }
            #expect(try folder.sql("PRAGMA integrity_check") == "ok")
            #expect(
                ["state.db"] == folder.names && folder.lines == [],
                "\(folder.names) \(folder.lines)")
        }
        print("\(Self.kills) kills: \(total) places were told to be kept, none lost")
        #expect(total > 0)
    }
}
