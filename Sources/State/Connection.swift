import Basics
import CSQLite

/// A connection to an SQLite database; used by one thread at a time, all of it blocks on the disk.
final class Connection {
    private let handle: OpaquePointer
    /// Statements by their texts, as preparing one takes longer than most take to run.
    private var statements: [String: OpaquePointer] = [:]

    /// Opens the existing database at `path`, whose contents are not looked at yet.
    init(path: String) throws(StateError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            path.cPath, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle else { throw StateError(description: "libsqlite3 cannot be loaded") }
        self.handle = handle
        try check(code)
        // Twice the bytes of the longest row that is written here; another program may have written any.
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 17)
        // Others that write are done within milliseconds.
        try execute(
            "PRAGMA busy_timeout=10000; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY"
        )
    }

    deinit {
        statements.values.forEach { sqlite3_finalize($0) }
        sqlite3_close_v2(handle)
    }

    /// Runs several statements, whose rows are dropped.
    func execute(_ statements: String) throws(StateError) {
        try check(sqlite3_exec(handle, statements, nil, nil, nil))
    }

    /// Runs a statement once for each list of its parameters' values; returns all rows as texts.
    func rows(
        _ sql: String, _ lists: some Sequence<[String]> = [[]]
    ) throws(StateError) -> [[String]] {
        var statement = statements[sql]
        if statement == nil { try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil)) }
        statements[sql] = statement
        defer { sqlite3_reset(statement) }
        var rows: [[String]] = []
        for list in lists {
            for (index, text) in list.enumerated() {
                // Several times as much as any address or caption needs; -1 is SQLITE_TRANSIENT, for which SQLite copies the text.
                try check(
                    sqlite3_bind_text(
                        statement, Int32(index + 1), text, Int32(min(text.utf8.count, 8192)),
                        unsafeBitCast(-1, to: sqlite3_destructor_type.self)))
            }
            while try check(sqlite3_step(statement)) == SQLITE_ROW {
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                    })
            }
            sqlite3_reset(statement)
        }
        return rows
    }

    @discardableResult private func check(_ code: Int32) throws(StateError) -> Int32 {
        guard [SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(code) else {
            throw StateError(code: code, description: String(cString: sqlite3_errmsg(handle)))
        }
        return code
    }
}

/// Why the state database cannot be used.
struct StateError: Error {
    /// SQLite's result code.
    var code = SQLITE_ERROR
    /// The reason in plain words.
    var description: String

    /// Whether the file holds what neither SQLite nor Halftone can have written.
    var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_TOOBIG].contains(code) }
}
