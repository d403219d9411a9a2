import Basics
import CSQLite
import Glibc
import TestSupport
import Testing

@testable import State

@Suite("The file of the state database")
struct StateFileTests {
    private let folder: StateFolder

    init() throws { folder = try StateFolder() }

    /// Keeps and reads, and expects that nothing is kept and one line says why.
    private func expectNothing(_ store: StateStore, _ reason: String) {
        for number in 1...3 { store.keep(.sample(number)) }
        store.append("line", toHistoryOf: "find")
        #expect(store.foundPlace(in: Place.sample(1).gallery) == nil)
        #expect(store.recentPlaces(limit: 10).isEmpty)
        #expect(folder.lines == ["\(folder.path): \(reason)"])
    }

    @Test("only its owner can look into the folder and the files, whatever the umask")
    func modes() throws {
        // The mask belongs to the process, so it is another one's.
        let shell = "umask 0; exec \"$@\""
        try Tool.run("sh", ["-c", shell, "sh", SharedStateTests.probe, folder.folder, "a", "1"])
        let store = folder.store()
        #expect(store.recentPlaces(limit: 10).count == 1)
        #expect(folder.mode(folder.folder) == 0o700)
        let names = fileNames(in: folder.folder, limit: 10) ?? []
        #expect(
            Set(names) == ["state.db", "state.db-wal", "state.db-shm", "state.db.lock"])
        for name in names { #expect(folder.mode(folder.folder + "/" + name) == 0o600, "\(name)") }
    }

    @Test("a symlink in its place is not followed")
    func link() throws {
        try folder.write([])
        unlink(folder.path)
        symlink("elsewhere", folder.path)
        expectNothing(folder.store(), "is not a file of this user's own")
        #expect(folder.names == ["state.db"])
    }

    @Test("a folder in its place is left alone")
    func folderInPlace() throws {
        try folder.write([], to: "state.db/file")
        expectNothing(folder.store(), "is not a file of this user's own")
        #expect(folder.names == ["state.db"])
    }

    @Test(
        "somebody else's file is left alone",
        .enabled(if: geteuid() == 0, "only root gives files away")
    )
    func foreign() throws {
        try folder.write([])
        chown(folder.path, 12_345, 12_345)
        expectNothing(folder.store(), "is not a file of this user's own")
        #expect(folder.read() == [])
    }

    @Test("where its folder cannot be made, one line says so")
    func noFolder() throws {
        try folder.scratch.write("", to: "state")
        expectNothing(folder.store(), "Not a directory")
    }

    @Test("in a folder that cannot be written, one line says so")
    func readOnly() throws {
        try folder.write([])
        unlink(folder.path)
        // Nothing can be made in it, neither by root.
        rmdir(folder.folder)
        symlink("/proc/self/fdinfo", folder.folder)
        expectNothing(folder.store(), String(cString: strerror(errnoOfMaking)))
        unlink(folder.folder)
    }

    private var errnoOfMaking: Int32 {
        let file = open("/proc/self/fdinfo/x", O_RDWR | O_CREAT, 0o600)
        defer { close(file) }
        return errno
    }

    @Test("another version's database is not touched", arguments: [1, 4])
    func other(version: Int) throws {
        folder.make { $0.keep(.sample(1)) }
        try folder.sql("PRAGMA user_version=\(version)")
        let bytes = folder.read()
        expectNothing(folder.store(), "was written by another version of halftone")
        #expect(folder.read() == bytes && folder.names == ["state.db"])
    }

    @Test("tables of a newer version and the user's indexes are left alone, missing ones made")
    func others() throws {
        folder.make { $0.keep(.sample(1)) }
        try folder.sql("CREATE TABLE albums(id INTEGER PRIMARY KEY, name)")
        try folder.sql(
            "CREATE TRIGGER forget_albums AFTER INSERT ON albums BEGIN DELETE FROM albums; END")
        try folder.sql("CREATE INDEX mine ON saved(name)")
        try folder.sql("DROP TABLE seen")
        folder.make {
            #expect($0.foundPlace(in: Place.sample(1).gallery) == .sample(1))
            $0.keep(seen: ["a"])
            #expect($0.seen(among: ["a", "b"]) == ["a"])
        }
        #expect(folder.lines == [] && folder.names == ["state.db"])
        let names =
            "SELECT count(*) FROM sqlite_master WHERE name IN ('albums', 'mine', 'forget_seen')"
        #expect(try folder.sql(names) == "3")
    }

    @Test("a file without contents is a database that somebody was about to make")
    func empty() throws {
        try folder.write([])
        let store = folder.store()
        store.keep(.sample(1))
        #expect(store.foundPlace(in: Place.sample(1).gallery) == .sample(1))
        #expect(folder.lines == [] && folder.names == ["state.db"])
    }

    @Test("it has a write-ahead log")
    func logged() throws {
        let store = folder.store()
        store.keep(.sample(1))
        #expect(store.recentPlaces(limit: 1).count == 1)
        #expect(try folder.sql("PRAGMA journal_mode") == "wal")
    }

    @Test("where memory cannot be shared it has a rollback journal, also if it had a log before")
    func remote() throws {
        folder.make { $0.keep(.sample(1)) }
        let stores = (1...2).map { _ in folder.store(sharesMemory: false) }
        for (number, store) in stores.enumerated() { store.keep(.sample(number + 2)) }
        for store in stores { store.finish(milliseconds: 300_000) }
        for store in stores {
            #expect(Set(store.recentPlaces(limit: 9).map(\.place.number)) == [1, 2, 3])
        }
        #expect(try folder.sql("PRAGMA journal_mode") == "delete")
        #expect(folder.lines == [] && !folder.hasLog)
    }

    @Test("where a write-ahead log cannot be made it has a rollback journal")
    func noLog() throws {
        try folder.write([], to: "state.db-shm/file")
        let store = folder.store()
        store.keep(.sample(1))
        #expect(store.foundPlace(in: Place.sample(1).gallery) == .sample(1))
        #expect(folder.lines == [] && !folder.hasLog)
    }

    @Test("a store goes on with the file that is there now")
    func replaced() throws {
        let store = folder.store()
        store.keep(.sample(1))
        #expect(store.recentPlaces(limit: 9).count == 1)
        for name in fileNames(in: folder.folder, limit: 9) ?? [] {
            unlink(folder.folder + "/" + name)
        }
        store.keep(.sample(2))
        #expect(store.recentPlaces(limit: 9).map(\.place) == [.sample(2)])
        #expect(folder.store().recentPlaces(limit: 9).map(\.place) == [.sample(2)])
        #expect(folder.lines == [])
    }

    @Test(
        "on a full disk one line says so, and the program works on",
        arguments: [0, 20_000, 100_000])
    func full(limit: Int) throws {
        let probe = try Tool(
            SharedStateTests.probe, [folder.folder, "a", "100", "\(limit)"])
        #expect(probe.waitForEnd() == 0)
        let lines = probe.lines
        #expect(lines.count { $0 == "-" || Int($0) != nil } == 100)
        let reports = lines.filter { $0.hasPrefix(folder.path) }
        #expect(reports.count == 1 && lines.contains("-"), "\(reports)")
        // With room again, it is whole, or was never made.
        let store = folder.store()
        store.keep(.sample(1))
        #expect(store.foundPlace(in: Place.sample(1).gallery) == .sample(1))
        #expect(try folder.sql("PRAGMA integrity_check") == "ok")
        #expect(folder.names == ["state.db"] && folder.lines == [])
    }
}

extension StateFolder {
    fileprivate var hasLog: Bool { access(path + "-wal", F_OK) == 0 }
}
