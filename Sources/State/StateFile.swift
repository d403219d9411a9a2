import Basics
import CSQLite
import Glibc

/// The file of the state database, `state.db` in a folder of its own: made, checked and opened when it is first needed, and set aside if it
/// is damaged.
///
/// Programs open it and set it aside one after the other, by a lock on the file `.lock` beside it, so that no connection is made to one
/// file with the log of another, and the new file that one has made is not set aside by the next. All of it blocks on the disk.
struct StateFile {
    /// What the names of a database's files end with; it comes last, as a log left beside a new one would be taken for its own.
    private static let endings = ["-wal", "-shm", "-journal", ""]
    private static let aside = ".damaged-"

    let folder: String
    /// Is told what went wrong, as a line.
    let report: @Sendable (String) -> Void
    /// Whether programs can share memory on the file system at a path.
    var sharesMemory: @Sendable (String) -> Bool = { !isOnNetwork($0) }
    /// Whether something went wrong that may go wrong again, such as a full disk; then nothing more is tried.
    var isOff = false
    var connection: Connection?
    /// The inode of the file that was opened last.
    var inode: UInt?

    /// Runs a statement for each of `lists` in one transaction; returns the rows, none after an error.
    ///
    /// All but a SELECT make the file if it is missing. If it is found to be the `damaged` one, everything is done again with a new one.
    mutating func rows(
        _ sql: String, _ lists: ArraySlice<[String]>, damaged: UInt? = nil
    ) -> [[String]] {
        if isOff || lists.isEmpty { return [] }
        do throws(StateError) {
            let isMade = !sql.hasPrefix("SELECT")
            guard let connection = try opened(isMade: isMade, damaged: damaged) else { return [] }
            // One look-up is a transaction by itself.
            if !isMade, lists.count == 1 { return try connection.rows(sql, lists) }
            try connection.execute("BEGIN")
            let rows = try connection.rows(sql, lists)
            try connection.execute("COMMIT")
            return rows
        } catch {
            // Closing it undoes what was not committed.
            connection = nil
            if error.isDamage, damaged == nil { return rows(sql, lists, damaged: inode ?? 0) }
            isOff = true
            report(line(error.description))
            return []
        }
    }

    /// Removes the file, its logs and what was set aside; returns why that failed, as one line.
    func forget() -> String? {
        guard let names = fileNames(in: folder, limit: .max) else { return nil }
        do throws(StateError) {
            let lock = try locked()
            defer { try? lock.execute("ROLLBACK") }
            for name in names {
                let file = "\(folder)/\(name)"
                let isOurs =
                    file.hasPrefix(path + Self.aside)
                    || Self.endings.contains { file == path + $0 }
                if isOurs { try succeed(unlink(file.cPath)) }
            }
            return nil
        } catch {
            return line(error.description)
        }
    }

    private var path: String { "\(folder)/state.db" }

    private func line(_ reason: String) -> String { "\(path): \(reason)".oneLine() }

    private func succeed(_ result: Int32, ignoring number: Int32 = 0) throws(StateError) {
        guard result >= 0 || errno == number else {
            throw StateError(description: systemReason(errno))
        }
    }

    /// Makes a file that only its owner can read, unless there is something already.
    private func make(_ path: String) throws(StateError) {
        // One that is there is not even opened: closing it would release the locks that SQLite has on it in this process.
        let file = createFile(path, mode: 0o600)
        try succeed(file, ignoring: EEXIST)
        close(file)
    }

    /// Returns a connection that holds the lock until it rolls back.
    private func locked() throws(StateError) -> Connection {
        try make("\(path).lock")
        let lock = try Connection(path: "\(path).lock")
        // Without a file that a killed program would leave behind.
        try lock.execute("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE")
        return lock
    }

    private mutating func opened(isMade: Bool, damaged: UInt?) throws(StateError) -> Connection? {
        // Another program may have set it aside or removed it.
        if let connection, linkStatus(path)?.st_ino == inode { return connection }
        connection = nil
        guard isMade || linkStatus(path) != nil else { return nil }
        // The mode that the XDG base directory specification demands.
        makeFolder(folder, mode: 0o700)
        let lock = try locked()
        defer { try? lock.execute("ROLLBACK") }
        if let damaged, linkStatus(path)?.st_ino == damaged { try setAside() }
        if isMade { try make(path) }
        guard let status = linkStatus(path) else { return nil }
        guard status.kind == S_IFREG, status.st_uid == geteuid() else {
            throw StateError(description: "is not a file of this user's own")
        }
        inode = status.st_ino
        if sharesMemory(path) { connection = try? connected(sharesMemory: true) }
        if connection == nil { connection = try connected(sharesMemory: false) }
        return connection
    }

    private func connected(sharesMemory: Bool) throws(StateError) -> Connection {
        let connection = try Connection(path: path)
        // Alone with it, SQLite reads even a write-ahead log without shared memory.
        if !sharesMemory { try connection.execute("PRAGMA locking_mode=EXCLUSIVE") }
        let version = try connection.rows("PRAGMA user_version").joined().first
        guard version == "0" || version == "3" else {
            throw StateError(description: "was written by another version of halftone")
        }
        // Further tables, and indexes, are for other versions and the user.
        let schema = try connection.rows(
            "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND type <> 'index' AND tbl_name IN (\(Self.tables))"
        ).flatMap(\.self)
        guard Set(schema).isSubset(of: Self.schema) else {
            throw StateError(code: SQLITE_CORRUPT, description: "has tables of another program")
        }
        // With a log nothing is lost if a program is killed, and nothing damaged if the power fails.
        try connection.execute(
            sharesMemory
                ? "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL"
                : "PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL")
        let missing = Self.schema.filter { !schema.contains($0) }
        if !missing.isEmpty {
            try connection.execute(
                "BEGIN IMMEDIATE; \(missing.joined(separator: ";")); PRAGMA user_version=3; COMMIT")
        }
        return connection
    }

    /// Renames the file along with its logs, to names that are free.
    private func setAside() throws(StateError) {
        let time = try Connection(path: ":memory:").rows(
            "SELECT strftime('%Y%m%d-%H%M%S', 'now', 'localtime')")
        var name = path + Self.aside + time.joined().joined()
        while Self.endings.contains(where: { access((name + $0).cPath, F_OK) == 0 }) {
            name += "-2"
        }
        for ending in Self.endings {
            try succeed(rename((path + ending).cPath, (name + ending).cPath), ignoring: ENOENT)
        }
        report(line("is damaged, and was renamed to \(name.atLastSlash.name)"))
    }
}
