import Basics
import Glibc
import TestSupport
import Testing

@testable import State

/// A profile of Firefox, with the schema of its version 128 and a log that has not been moved into the file yet.
@Suite("Firefox's cookies") struct FirefoxCookiesTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let later = 4_102_444_800

    private static func insert(
        _ host: String, _ name: String, path: String = "/", expires: Int = later,
        secure: Bool = false, attributes: String = ""
    ) -> String {
        """
        INSERT INTO moz_cookies (originAttributes, name, value, host, path, expiry, lastAccessed, creationTime, isSecure)
        VALUES ('\(attributes)', '\(name)', '1', '\(host)', '\(path)', \(expires), 0, 0, \(secure ? 1 : 0));
        """
    }

    /// Makes the file with `version`, whose expiry has this unit; the connection keeps the log from being moved.
    private func make(version: Int, unit: Int = 1) throws -> Connection {
        let path = try folder.write([], to: "p/cookies.sqlite")
        let connection = try Connection(path: path)
        try connection.execute(
            """
            PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA user_version=\(version);
            CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', name TEXT, value TEXT,
            host TEXT, path TEXT, expiry INTEGER, lastAccessed INTEGER, creationTime INTEGER, isSecure INTEGER, isHttpOnly INTEGER,
            inBrowserElement INTEGER DEFAULT 0, sameSite INTEGER DEFAULT 0, rawSameSite INTEGER DEFAULT 0, schemeMap INTEGER DEFAULT 0,
            isPartitionedAttributeSet INTEGER DEFAULT 0,
            CONSTRAINT moz_uniqueid UNIQUE (name, host, path, originAttributes)); PRAGMA wal_checkpoint;
            """)
        try connection.execute(
            [
                Self.insert("www.photos.example", "host", path: "/a", expires: Self.later * unit),
                Self.insert(".photos.example", "tree", expires: Self.later * unit, secure: true),
                Self.insert("photos.example", "other", expires: Self.later * unit),
                Self.insert(".hotos.example", "ending", expires: Self.later * unit),
                Self.insert(".www_photos.example", "pattern", expires: Self.later * unit),
                Self.insert("www.photos.example", "old", expires: 1_543_226_400 * unit),
                Self.insert(
                    "www.photos.example", "container", expires: Self.later * unit,
                    attributes: "^userContextId=1"),
                Self.insert(
                    ".photos.example", "partitioned", expires: Self.later * unit,
                    attributes: "^partitionKey=%28https%2Cother.example%29"),
            ].joined())
        return connection
    }

    @Test(
        "those of the host, also from the log: no container's, partitioned or expired ones",
        arguments: [(12, 1), (16, 1_000)])
    func lines(version: Int, unit: Int) throws {
        let connection = try make(version: version, unit: unit)
        #expect(!folder.read("p/cookies.sqlite-wal").isEmpty)
        let lines = FirefoxCookies.lines(in: folder.path + "/p", for: ["www.photos.example"])?.first
        #expect(
            lines == [
                "www.photos.example\tFALSE\t/a\tFALSE\t4102444800\thost\t1",
                ".photos.example\tTRUE\t/\tTRUE\t4102444800\ttree\t1",
            ])
        #expect(FirefoxCookies.lines(in: folder.path + "/p", for: ["none.example"]) == [[]])
        try connection.execute("SELECT 1")
    }

    @Test("what Firefox has locked is read; a broken or missing file has none")
    func locked() throws {
        let connection = try make(version: 12)
        try connection.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
        #expect(
            FirefoxCookies.lines(in: folder.path + "/p", for: ["www.photos.example"])?.first?.count
                == 2)
        try folder.write("no database", to: "q/cookies.sqlite")
        #expect(FirefoxCookies.lines(in: folder.path + "/q", for: ["x"]) == nil)
        #expect(FirefoxCookies.lines(in: folder.path + "/r", for: ["x"]) == nil)
    }
}
