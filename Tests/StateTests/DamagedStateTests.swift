import Basics
import Dispatch
import Glibc
import TestSupport
import TestTraits
import Testing

@testable import State

@Suite("A damaged state database", .onOwnThread)
struct DamagedStateTests {
    private let folder: StateFolder

    init() throws {
        folder = try StateFolder()
        folder.make { store in
            for number in 1...200 { store.keep(.sample(number)) }
            for number in 1...20 { store.setBookmark("\(number)", .sample(number)) }
            for number in 1...200 { store.append("line \(number)", toHistoryOf: "find") }
            store.keep(facts: (1...2000).map { ("/\($0)", "1", "fact \($0)") })
        }
    }

    /// The databases that were set aside, without their logs.
    private var aside: [String] {
        folder.names.filter {
            $0.hasPrefix("state.db.damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
    }

    /// Expects that `damaged` is what has been set aside, with one line, and that the store works.
    private func expectAside(_ damaged: [UInt8], _ store: StateStore) {
        #expect(store.recentPlaces(limit: 9).isEmpty)
        store.keep(.sample(1))
        store.keep(.sample(2))
        #expect(store.recentPlaces(limit: 9).map(\.place.number) == [2, 1])
        #expect(aside.count == 1, "\(folder.names)")
        let name = aside.first ?? ""
        let digits = name.map { $0.isNumber ? "0" : $0 }
        #expect(String(digits) == "state.db.damaged-00000000-000000")
        #expect((folder.read(name) == damaged) as Bool)
        #expect(folder.mode(folder.folder + "/" + name) & 0o077 == 0)
        #expect(folder.lines == ["\(folder.path): is damaged, and was renamed to \(name)"])
    }

    @Test(
        "is set aside, and a new one begun",
        arguments: [
            "text", "garbage in front", "half of it", "a page and a bit", "garbage everywhere",
            "another table", "another trigger", "a row too long",
        ])
    func found(damage: String) throws {
        var bytes = folder.read()
        switch damage {
        case "text": bytes = Array("not a database".utf8) + Array(repeating: 0x20, count: 4096)
        case "garbage in front": bytes.replaceSubrange(0..<16, with: (1...16).map { UInt8($0) })
        case "half of it": bytes.removeLast(bytes.count / 2)
        case "a page and a bit": bytes.removeLast(bytes.count - 5000)
        case "garbage everywhere":
            for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: place &* 7) }
        case "another table": bytes = try changed("ALTER TABLE places ADD more")
        case "another trigger":
            bytes = try changed(
                "CREATE TRIGGER more AFTER INSERT ON places BEGIN DELETE FROM saved; END")
        default:
            bytes = try changed(
                "INSERT INTO places(gallery, title) VALUES ('g', zeroblob(2000000))")
        }
        try folder.write(bytes)
        expectAside(bytes, folder.store())
    }

    private func changed(_ statement: String) throws -> [UInt8] {
        // Beyond the bounds of our own connections.
        try Tool.run("sqlite3", [folder.path, statement])
        return folder.read()
    }

    @Test("no file is replaced when it is renamed")
    func names() throws {
        try folder.write(Array("not a database at all".utf8))
        // The names of this second and the following ones are taken.
        var taken: [String] = []
        for ahead in 0..<120 {
            var (moment, parts) = (time(nil) + ahead, tm())
            localtime_r(&moment, &parts)
            let stamp = String(unsafeUninitializedCapacity: 40) { buffer in
                buffer.withMemoryRebound(to: CChar.self) {
                    strftime($0.baseAddress!, 40, "%Y%m%d-%H%M%S", &parts)
                }
            }
            taken.append("state.db.damaged-" + stamp)
            try folder.write([0], to: taken[ahead] + (ahead % 2 == 0 ? "" : "-wal"))
        }
        let store = folder.store()
        store.keep(.sample(1))
        #expect(store.foundPlace(in: Place.sample(1).gallery) == .sample(1))
        for (ahead, name) in taken.enumerated() {
            #expect(folder.read(name + (ahead % 2 == 0 ? "" : "-wal")) == [0])
        }
        let name = try #require(
            aside.first { folder.read($0) == Array("not a database at all".utf8) })
        #expect(name.hasSuffix("-2"))
        #expect(folder.lines.count == 1)
    }

    @Test("damage that is found while it is open is treated alike, by all who have it open")
    func late() throws {
        let stores = (1...3).map { _ in folder.store() }
        for store in stores { #expect(store.recentPlaces(limit: 1).count == 1) }
        // Everything but the first page, in place.
        let file = try #require(fopen(folder.path, "r+"))
        fseek(file, 4096, SEEK_SET)
        let garbage = [UInt8](repeating: 0xA5, count: folder.read().count - 4096)
        fwrite(garbage, 1, garbage.count, file)
        fclose(file)
        for (number, store) in stores.enumerated() {
            store.keep(.sample(number + 1))
            store.finish(milliseconds: 300_000)
            // One that has kept some pages in memory finds out later; all agree in the end.
            #expect(store.foundHistory(of: "find") == [])
        }
        for (number, store) in stores.enumerated() { store.keep(.sample(number + 1)) }
        for store in stores { store.finish(milliseconds: 300_000) }
        for store in stores {
            #expect(Set(store.recentPlaces(limit: 9).map(\.place.number)) == [1, 2, 3])
        }
        #expect(folder.names.contains { $0.hasSuffix("-wal") }, "its log went with it")
        #expect(aside.count == 1 && folder.lines.count == 1, "\(folder.names) \(folder.lines)")
    }

    @Test("of several programs that find it at once, one sets it aside, and all share the new one")
    func atOnce() throws {
        for round in 1...10 {
            let bytes = Array("damage number \(round)".utf8)
            let folder = try StateFolder()
            try folder.write(bytes)
            let probes = try (1...4).map {
                try Tool(SharedStateTests.probe, [folder.folder, "\($0)", "3"])
            }
            for probe in probes { #expect(probe.waitForEnd() == 0) }
            let lines = probes.flatMap(\.lines).filter { !$0.isEmpty }
            #expect(lines.count { $0.contains("is damaged, and was renamed to") } == 1)
            #expect(lines.count == 13, "\(lines)")
            let names = folder.names.filter { $0 != "state.db" }
            #expect(names.map { folder.read($0) } == [bytes], "\(names)")
            #expect(folder.store().recentPlaces(limit: 100).count == 12)
        }
    }

    @Test("what another program has made meanwhile is not set aside")
    func meanwhile() {
        let store = folder.store()
        let rows = store.file.withLock { file in
            // As if one with this inode had been found to be damaged.
            file.rows("SELECT count(*) FROM facts", [[]], damaged: 1)
        }
        #expect(rows == [["2000"]] && folder.names == ["state.db"] && folder.lines == [])
    }

    @Test("without a lock the database is left alone, and one line says so")
    func noLock() throws {
        let bytes = folder.read()
        try folder.write(Array("no lock".utf8), to: "state.db.lock")
        let store = folder.store()
        store.keep(.sample(1))
        #expect(store.recentPlaces(limit: 9).isEmpty)
        #expect((folder.read() == bytes) as Bool)
        #expect(folder.lines == ["\(folder.path): file is not a database"])
    }

    @Test("a lock that is never released holds nobody up for long")
    func locked() throws {
        let lock = try Connection(path: folder.path + ".lock")
        try lock.execute("BEGIN EXCLUSIVE")
        #expect(folder.store().recentPlaces(limit: 9).isEmpty)
        #expect(folder.lines == ["\(folder.path): database is locked"])
        try lock.execute("COMMIT")
        #expect(folder.store().recentPlaces(limit: 9).count == 9)
    }

    @Test("pages overwritten at random never stop the program, and what is kept is found again")
    func random() throws {
        let whole = folder.read()
        var state: UInt64 = 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var setAside = 0
        for round in 1...60 {
            var bytes = whole
            for _ in 0...random(3) {
                let page = random(bytes.count / 4096) * 4096
                let start = page + (round % 2 == 0 ? random(4000) : 0)
                for place in start..<min(start + 1 + random(4096), page + 4096) {
                    bytes[place] = UInt8(random(256))
                }
            }
            let folder = try StateFolder()
            try folder.write(bytes)
            let store = folder.store()
            let isKept = (1...8).contains { _ in
                store.keep(.sample(round))
                store.setBookmark("a", .sample(round))
                store.append("the last", toHistoryOf: "find")
                store.keep(facts: [("/new", "2", "fact")])
                return store.foundPlace(in: Place.sample(round).gallery) == .sample(round)
                    && store.recentPlaces(limit: 2000).first?.place == .sample(round)
                    && store.foundBookmarks()["a"] == .sample(round)
                    && store.foundHistory(of: "find").last == "the last"
                    && store.foundFacts(of: [("/new", "2")]) == ["/new": "fact"]
            }
            #expect(isKept, "\(round): \(folder.lines)")
            setAside += folder.names.count { $0.hasPrefix("state.db.damaged") }
        }
        #expect(setAside > 20, "\(setAside)")
    }
}
