import Basics
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import State

@Suite("What is kept from one run to the next")
struct StateStoreTests {
    private let folder: StateFolder

    init() throws { folder = try StateFolder() }

    @Test("a place is read back as it was kept, also by another program; the latest of a gallery")
    func place() {
        let store = folder.store()
        store.keep(.sample(1))
        store.keep(.sample(2))
        store.keep(.sample(3, gallery: Place.sample(1).gallery))
        store.finish(milliseconds: 300_000)
        #expect(store.foundPlace(in: "file:///gallery/2/") == .sample(2))
        let other = folder.store()
        #expect(
            other.foundPlace(in: "file:///gallery/1/")
                == .sample(3, gallery: "file:///gallery/1/"))
        #expect(other.foundPlace(in: "file:///gallery/") == nil)
        #expect(folder.lines == [])
    }

    @Test("recent places come latest first, with the time, and no more than asked for")
    func recent() {
        let store = folder.store()
        for number in [1, 2, 3, 1] { store.keep(.sample(number)) }
        let found = store.recentPlaces(limit: 10)
        #expect(found.map(\.place.number) == [1, 3, 2])
        #expect(found.allSatisfy { $0.seen.hasPrefix("20") && $0.seen.hasSuffix("Z") })
        #expect(store.recentPlaces(limit: 2).map(\.place) == [.sample(1), .sample(3)])
        #expect(folder.store().recentPlaces(limit: 10).count == 3)
    }

    @Test("nothing is made before something is kept")
    func nothing() {
        let store = folder.store()
        #expect(store.recentPlaces(limit: 10).isEmpty)
        #expect(store.foundPlace(in: "x") == nil)
        #expect(store.foundHistory(of: "x") == [] && store.foundBookmarks() == [:])
        #expect(store.foundFacts(of: [("x", "y")]) == [:])
        #expect(store.forget() == nil)
        #expect(access(folder.scratch.path + "/state", F_OK) != 0)
        #expect(folder.lines == [])
    }

    @Test("of more than 1,000 galleries the oldest are forgotten")
    func places() {
        let store = folder.store()
        for number in 1...1002 { store.keep(.sample(number)) }
        // Kept anew all the time, it pushes out no other.
        for _ in 1...50 { store.keep(.sample(3)) }
        let found = store.recentPlaces(limit: 2000).map(\.place.number)
        #expect(found == [3] + (4...1002).reversed())
    }

    @Test("bookmarks are set and replaced")
    func bookmarks() {
        let store = folder.store()
        store.setBookmark("a", .sample(1))
        store.setBookmark("ü", .sample(2))
        store.setBookmark("a", .sample(3))
        store.finish(milliseconds: 300_000)
        #expect(folder.store().foundBookmarks() == ["a": .sample(3), "ü": .sample(2)])
    }

    @Test("a history has 500 lines of a kind, each once, and is read from the oldest")
    func history() {
        let store = folder.store()
        store.append("alone", toHistoryOf: "find")
        for number in 1...502 { store.append("line \(number)", toHistoryOf: "command") }
        store.append("line 7", toHistoryOf: "command")
        store.finish(milliseconds: 300_000)
        let lines = (3...502).filter { $0 != 7 }.map { "line \($0)" } + ["line 7"]
        #expect(store.foundHistory(of: "command") == lines)
        #expect(folder.store().foundHistory(of: "command", limit: 2) == ["line 502", "line 7"])
        #expect(store.foundHistory(of: "find") == ["alone"])
    }

    @Test("galleries are followed in order, once, and no more than 1,000")
    func following() {
        let store = folder.store()
        for number in 0...1001 { store.setFollowed("https://a.example/\(number)", true) }
        store.setFollowed("https://a.example/5", false)
        store.setFollowed("https://a.example/7", true)
        store.finish(milliseconds: 300_000)
        let numbers = (2...1001).filter { ![5, 7].contains($0) } + [7]
        #expect(folder.store().followed == numbers.map { "https://a.example/\($0)" })
    }

    @Test("what was seen is found among others; of more than a million the oldest are forgotten")
    func seeing() throws {
        let store = folder.store()
        let names = (0..<1000).map { "https://a.example/\($0).jpg" }
        store.keep(seen: names.prefix(600))
        store.keep(seen: ["ä\u{1F33B}"])
        store.finish(milliseconds: 300_000)
        #expect(folder.store().seen(among: names.reversed() + ["ä\u{1F33B}"]).count == 601)
        #expect(store.seen(among: []) == [] && store.seen(among: [names[700]]) == [])
        try folder.sql("UPDATE seen SET id = id + 999398 WHERE id > 1")
        store.keep(seen: [names[900]])
        #expect(store.seen(among: names.prefix(2)) == [names[0], names[1]])
        store.keep(seen: [names[901]])
        store.finish(milliseconds: 300_000)
        #expect(!store.seen(among: names).contains(names[0]))
    }

    @Test("facts are found only while a file is the same")
    func facts() {
        let store = folder.store()
        store.keep(facts: [("/a", "1", "one"), ("/b", "1", "two"), ("/ä\u{EF9A}", "1", "three")])
        store.keep(facts: [("/b", "2", "new")])
        store.finish(milliseconds: 300_000)
        #expect(
            folder.store().foundFacts(
                of: [("/a", "1"), ("/b", "1"), ("/ä\u{EF9A}", "1"), ("/c", "1")])
                == ["/a": "one", "/ä\u{EF9A}": "three"])
        #expect(store.foundFacts(of: [("/b", "2")]) == ["/b": "new"])
        #expect(store.foundFacts(of: []) == [:])
    }

    @Test("of more than 200,000 facts the oldest are forgotten")
    func manyFacts() throws {
        let store = folder.store()
        store.keep(facts: [("/0", "1", "oldest"), ("/1", "1", "next")])
        store.finish(milliseconds: 300_000)
        try folder.sql("UPDATE facts SET id = id + 199998")
        try folder.sql("INSERT INTO facts(id, path) VALUES (2, '/old')")
        store.keep(facts: [("/2", "1", "new"), ("/3", "1", "newest")])
        #expect(store.foundFacts(of: (0...3).map { ("/\($0)", "1") }).count == 4)
        #expect(try folder.sql("SELECT count(*) FROM facts") == "4")
    }

    @Test("the looks of pictures are kept beside what their headers say, and are forgotten by path")
    func looks() throws {
        let store = folder.store()
        store.keep(facts: [("/a", "1", "look of a"), ("/b", "1", "look of b")], .pictures)
        store.keep(facts: [("/a", "1", "header")])
        store.finish(milliseconds: 300_000)
        let other = folder.store()
        #expect(other.facts(of: [("/a", "1"), ("/b", "2")], .pictures) == ["/a": "look of a"])
        #expect(other.foundFacts(of: [("/a", "1")]) == ["/a": "header"])
        #expect(other.pictures() == ["look of a", "look of b"])
        other.forget(pictures: ["/a", "/c"])
        #expect(other.pictures() == ["look of b"])
        try folder.sql("UPDATE pictures SET id = 999999")
        try folder.sql("INSERT INTO pictures(id, path, value) VALUES (1, '/old', 'old')")
        other.keep(facts: [("/c", "1", "new"), ("/d", "1", "newest")], .pictures)
        #expect(other.pictures() == ["look of b", "new", "newest"], "of a million")
    }

    @Test("a place does not wait for the facts of thousands of files that were asked for before")
    func turns() {
        let store = folder.store()
        let files = (0..<5000).map { (path: "/\($0)", identity: "1") }
        store.keep(facts: files.map { ($0.path, $0.identity, "fact of \($0.path)") })
        store.keep(.sample(1))
        store.finish(milliseconds: 300_000)
        let (ready, order, done) = (
            DispatchSemaphore(value: 0), Locked<[String]>([]), DispatchSemaphore(value: 0)
        )
        // The queue is held until everything has been asked for.
        store.bookmarks { _ in ready.wait() }
        store.keep(facts: files.map { ($0.path, $0.identity, "new fact") })
        DispatchQueue.global().async {
            let found = store.facts(of: files, .headers)
            order.withLock { $0.append("\(found.count) facts") }
            done.signal()
        }
        store.place(in: Place.sample(1).gallery) { found in
            order.withLock { $0.append(found?.title ?? "nothing") }
            done.signal()
        }
        ready.signal()
        for _ in 1...2 { #expect(done.wait(timeout: .testDeadline) == .success) }
        #expect(order.withLock(\.self) == ["Gallery 1", "5000 facts"])
        store.finish(milliseconds: 300_000)
        #expect(store.foundFacts(of: files).values.allSatisfy { $0 == "new fact" })
    }

    @Test("finishing waits for what is to be written, and not longer than it may")
    func finishing() throws {
        let store = folder.store()
        store.finish(milliseconds: 300_000)
        let held = DispatchSemaphore(value: 0)
        store.bookmarks { _ in held.wait() }
        store.keep(.sample(1))
        store.finish(milliseconds: 1)
        #expect(folder.names == [])
        held.signal()
        store.finish(milliseconds: 300_000)
        #expect(try folder.sql("SELECT title FROM places") == "Gallery 1")
    }

    @Test(
        "an address with a user's name or password is kept nowhere",
        arguments: [
            "https://me:secret@example.org/", "https://me@example.org", "file://me:secret@/",
            "https://example.org/?to=https://me:secret@example.org/",
        ])
    func passwords(address: String) {
        let store = folder.store()
        for part in [\Place.gallery, \.picture, \.thumbnail, \.title] {
            var place = Place.sample(1)
            place[keyPath: part] = address
            store.keep(place)
            store.setBookmark("a", place)
        }
        store.append("open \(address)", toHistoryOf: "command")
        store.setFollowed(address, true)
        store.keep(seen: [address])
        #expect(store.followed == [] && store.seen(among: [address]) == [])
        #expect(store.recentPlaces(limit: 10).isEmpty && store.foundBookmarks().isEmpty)
        #expect(store.foundHistory(of: "command") == [] && folder.names == [])
    }

    @Test(
        "an @ elsewhere is no password",
        arguments: [
            "https://example.org/@me", "https://example.org?mail=me@example.org",
            "file:///home/me@example.org/2@2x.png", "open me@example.org", "https://example.org#@",
        ])
    func signs(text: String) {
        let store = folder.store()
        store.append(text, toHistoryOf: "command")
        store.keep(.sample(1, gallery: text))
        #expect(store.foundHistory(of: "command") == [text])
        #expect(store.foundPlace(in: text)?.gallery == text)
    }

    @Test("forgetting leaves nothing behind, neither in the database nor beside it")
    func forgetting() throws {
        let store = folder.store()
        for number in 1...300 {
            store.keep(.sample(number))
            store.setBookmark("\(number)", .sample(number))
            store.append("Gallery \(number)", toHistoryOf: "find")
        }
        store.keep(facts: [("Gallery", "1", "Gallery")])
        store.finish(milliseconds: 300_000)
        try folder.write(Array("Gallery".utf8), to: "state.db.damaged-20260101-000000")
        try folder.write(Array("Gallery".utf8), to: "state.db.damaged-20260101-000000-wal")
        try folder.write(Array("else".utf8), to: "notes")
        try folder.write(Array("else".utf8), to: "state.db.old")
        let other = folder.store()
        #expect(other.recentPlaces(limit: 1).count == 1)
        #expect(folder.store().forget() == nil)
        #expect(folder.names == ["notes", "state.db.old"])
        for name in fileNames(in: folder.folder, limit: 100) ?? [] {
            #expect(folder.read(name).firstRange(of: Array("Gallery".utf8)) == nil, "\(name)")
        }
        // Both go on with what is empty now.
        #expect(store.recentPlaces(limit: 1).isEmpty && other.foundBookmarks().isEmpty)
        store.keep(.sample(1))
        store.finish(milliseconds: 300_000)
        #expect(other.foundPlace(in: Place.sample(1).gallery) == .sample(1))
        #expect(folder.lines == [])
    }

    @Test("what another program has written is bounded and repaired")
    func hostileTexts() throws {
        let store = folder.store()
        store.keep(.sample(1))
        store.finish(milliseconds: 300_000)
        try folder.sql(
            """
            INSERT INTO places(gallery, title, picture, caption, number, seen)
            VALUES ('g', char(27) || '[2J' || char(10) || 'x', CAST(x'FF0041' AS TEXT), zeroblob(50000), -5, 'then')
            """)
        let found = store.recentPlaces(limit: 1)
        #expect(found.map(\.seen) == [""])
        let place = try #require(found.first?.place)
        #expect(place.title == "[2J x" && place.picture == "\u{FFFD}" && place.caption == "")
        #expect(place.number == 1 && place.thumbnail == "" && place.view == "")
        try folder.sql("UPDATE places SET picture = hex(zeroblob(30000)), number = 9e15")
        #expect(
            store.recentPlaces(limit: 2).allSatisfy {
                $0.place.picture.utf8.count == 60_000 && $0.place.number == 1
            })
        store.append(String(repeating: "ä", count: 100_000), toHistoryOf: "find")
        #expect(store.foundHistory(of: "find").map(\.utf8.count) == [8192])
        #expect(folder.lines == [])
    }
}
