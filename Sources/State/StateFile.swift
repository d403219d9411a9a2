import Basics
import CSQLite
import Glibc

/// The file of the state database: made, checked and opened when it is first needed, and set aside if it is damaged.
///
/// A program that opens or sets it aside holds a lock on the file `.lock` beside it, so that no connection is made to one file with the
/// log of another, and none sets aside the new file that another has just made. All of it blocks on the disk.
struct StateFile {
    /// What linux/magic.h calls NFS, SMB, CIFS, SMB2, FUSE, V9FS, CEPH and AFS: file systems that programs on several machines may see,
    /// so that the memory for a write-ahead log cannot be shared.
    static let remote: Set<UInt32> = [
        0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x00C3_6400,
        0x5346_414F,
    ]
    /// The version of the schema; a database of a later one is left alone.
    private static let version = "1"
    /// Rows are numbered in the order in which they were written last, by which triggers forget the oldest.
    private static let schema: Set = [
        "CREATE TABLE places(id INTEGER PRIMARY KEY, gallery TEXT UNIQUE, title, picture, thumbnail, caption, number, view, seen INTEGER)",
        "CREATE TABLE bookmarks(id INTEGER PRIMARY KEY, name TEXT UNIQUE, gallery, title, picture, thumbnail, caption, number, view)",
        "CREATE TABLE history(id INTEGER PRIMARY KEY, kind TEXT, line TEXT, UNIQUE(kind, line))",
        "CREATE TABLE facts(id INTEGER PRIMARY KEY, path TEXT UNIQUE, identity TEXT, value TEXT)",
        "CREATE TRIGGER some_places AFTER INSERT ON places BEGIN DELETE FROM places WHERE id <= (SELECT id FROM places ORDER BY id DESC LIMIT 1 OFFSET 1000); END",
        "CREATE TRIGGER some_history AFTER INSERT ON history BEGIN DELETE FROM history WHERE kind = NEW.kind AND id <= (SELECT id FROM history WHERE kind = NEW.kind ORDER BY id DESC LIMIT 1 OFFSET 500); END",
        "CREATE TRIGGER some_facts AFTER INSERT ON facts BEGIN DELETE FROM facts WHERE id <= NEW.id - 200000; END",
    ]

    let path: String
    /// Is told each line about what went wrong once.
    let report: @Sendable (String) -> Void
    /// The types of file systems without shared memory.
    var remote = Self.remote
    private var told: Set<String> = []
    private var connection: Connection?
    /// The inode of the file that was opened last.
    private var inode: UInt?

    init(path: String, report: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.report = report
    }

    /// Runs `body` on the database; nil if there is none and `isWriting` does not ask for one, and after an error, which is reported.
    mutating func use<Result>(
        isWriting: Bool, _ body: (Connection) throws(StateError) -> Result
    ) -> Result? {
        do throws(StateError) {
            return try attempt(isWriting: isWriting, body)
        } catch {
            tell(error.description)
            return nil
        }
    }

    /// Empties the database and removes all that were set aside; returns why that failed, as one line.
    mutating func forget() -> String? {
        do throws(StateError) {
            // Rewritten, so that nothing is left in pages that are free, nor in the log.
            _ = try attempt(isWriting: false) { connection throws(StateError) in
                try connection.execute(
                    "BEGIN IMMEDIATE; DELETE FROM places; DELETE FROM bookmarks; DELETE FROM history; DELETE FROM facts; COMMIT; VACUUM"
                )
                guard try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "0"
                else { throw StateError(description: "is in use by another program") }
            }
            for name in fileNames(in: folder, limit: .max) ?? [] {
                let file = folder + "/" + name
                guard !file.hasPrefix(path + ".damaged") || unlink(file.cPath) == 0 else {
                    throw failure
                }
            }
            return nil
        } catch {
            return line(error.description)
        }
    }

    /// Returns the type of the file system at `path`, by its number in linux/magic.h.
    static func fileSystem(of path: String) -> UInt32 {
        var system = statfs()
        statfs(path.cPath, &system)
        return UInt32(truncatingIfNeeded: system.f_type)
    }

    private var folder: String {
        String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }

    private var failure: StateError { StateError(description: String(cString: strerror(errno))) }

    private var status: stat? {
        var status = stat()
        return lstat(path.cPath, &status) == 0 ? status : nil
    }

    private func line(_ reason: String) -> String { "\(path): \(reason)".oneLine() }

    private mutating func tell(_ reason: String) {
        if told.insert(reason).inserted { report(line(reason)) }
    }

    /// Runs `body`, and once more on a new database if the present one is found to be the `damaged` one.
    private mutating func attempt<Result>(
        isWriting: Bool, damaged: UInt? = nil, _ body: (Connection) throws(StateError) -> Result
    ) throws(StateError) -> Result? {
        do throws(StateError) {
            guard let connection = try opened(isWriting: isWriting, damaged: damaged) else {
                return nil
            }
            return try body(connection)
        } catch {
            // Closing it undoes what was not committed.
            connection = nil
            guard error.isDamage, damaged == nil else { throw error }
            return try attempt(isWriting: isWriting, damaged: inode, body)
        }
    }

    private mutating func opened(
        isWriting: Bool, damaged: UInt?
    ) throws(StateError) -> Connection? {
        // Another program may have set it aside, or somebody removed it.
        if let connection, status?.st_ino == inode { return connection }
        connection = nil
        guard isWriting || status != nil else { return nil }
        // The mode that the XDG base directory specification demands.
        if isWriting { makeFolder(folder, mode: 0o700) }
        let lock = try locked()
        defer { close(lock) }
        if damaged != nil, status?.st_ino == damaged { try setAside() }
        if isWriting {
            // A file that is there already is opened by SQLite alone: closing any other descriptor of it would release SQLite's locks.
            close(open(path.cPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        }
        guard let status else {
            if isWriting { throw failure }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw StateError(description: "is not a file of this user's own")
        }
        inode = status.st_ino
        if !remote.contains(Self.fileSystem(of: folder)) {
            connection = try? connected(sharesMemory: true)
        }
        if connection == nil { connection = try connected(sharesMemory: false) }
        return connection
    }

    private func locked() throws(StateError) -> Int32 {
        let lock = open((path + ".lock").cPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure }
        // Five seconds, in which any program has opened it, even on a slow disk.
        var tries = 500
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            tries -= 1
            guard errno == EWOULDBLOCK, tries > 0 else {
                defer { close(lock) }
                throw failure
            }
            usleep(10_000)
        }
        return lock
    }

    private func connected(sharesMemory: Bool) throws(StateError) -> Connection {
        let connection = try Connection(path: path)
        // Alone with it, SQLite reads even a write-ahead log without shared memory.
        if !sharesMemory { try connection.execute("PRAGMA locking_mode=EXCLUSIVE") }
        let version = try connection.rows("PRAGMA user_version").first?.first
        guard version == "0" || version == Self.version else {
            throw StateError(description: "was written by a later version of halftone")
        }
        let schema = try connection.rows(
            "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite%'")
        guard schema.isEmpty || Set(schema.joined()) == Self.schema else {
            throw StateError(code: SQLITE_CORRUPT, description: "has tables of another program")
        }
        if sharesMemory {
            guard try connection.rows("PRAGMA journal_mode=WAL") == [["wal"]] else {
                throw StateError(description: "cannot have a write-ahead log")
            }
            // Nothing that was written is lost if a program is killed, and nothing is damaged if the power fails.
            try connection.execute("PRAGMA synchronous=NORMAL")
        } else {
            try connection.execute("PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL")
        }
        if schema.isEmpty {
            // Tables come before triggers.
            let statements = Self.schema.sorted().joined(separator: ";")
            try connection.execute(
                "BEGIN IMMEDIATE; \(statements); PRAGMA user_version=\(Self.version); COMMIT")
        }
        return connection
    }

    /// Renames the file along with its logs, to names that are free.
    private mutating func setAside() throws(StateError) {
        let time = try Connection(path: ":memory:").rows(
            "SELECT strftime('%Y%m%d-%H%M%S', 'now', 'localtime')")
        var name = path + ".damaged-" + (time.first?.first ?? "")
        let endings = ["-wal", "-shm", "-journal", ""]
        while endings.contains(where: { access((name + $0).cPath, F_OK) == 0 }) { name += "-2" }
        // The file is last: a log that is left beside a new one would be taken for its own.
        for ending in endings where rename((path + ending).cPath, (name + ending).cPath) != 0 {
            guard errno == ENOENT else { throw failure }
        }
        tell("is damaged, and was renamed to \(name.split(separator: "/").last ?? "")")
    }
}
