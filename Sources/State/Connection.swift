import Basics
import CSQLite

/// A connection to an SQLite database; used by one thread at a time, all of it blocks on the disk.
final class Connection {
    /// The bytes that are kept of a text: several times as much as any address or caption needs.
    private static let maxText = 16_384
    /// The bytes of the longest row; one of Halftone's own is far below.
    private static let maxRow: Int32 = 1 << 20

    private let handle: OpaquePointer

    /// Opens the existing database at `path`, whose contents are not looked at yet.
    init(path: String) throws(StateError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            path.cPath, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle else { throw StateError(description: "libsqlite3 cannot be loaded") }
        self.handle = handle
        try check(code)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.maxRow)
        // Other programs write for milliseconds; and what they have written is not trusted.
        try execute(
            "PRAGMA busy_timeout=5000; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY"
        )
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs several statements, whose rows are dropped.
    func execute(_ statements: String) throws(StateError) {
        try check(sqlite3_exec(handle, statements, nil, nil, nil))
    }

    /// Runs a statement once for each list of its parameters' values; returns all rows, whose values are texts of at most 16 KB.
    func rows(_ sql: String, _ lists: [[String]] = [[]]) throws(StateError) -> [[String]] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        var rows: [[String]] = []
        for list in lists {
            for (index, text) in list.enumerated() {
                let count = min(text.utf8.count, Self.maxText)
                try check(halftone_sqlite_bind(statement, Int32(index + 1), text, Int32(count)))
            }
            while true {
                let code = sqlite3_step(statement)
                try check(code)
                guard code == SQLITE_ROW else { break }
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        let bytes = sqlite3_column_text(statement, column)
                        let count = min(Int(sqlite3_column_bytes(statement, column)), Self.maxText)
                        return String(
                            decoding: UnsafeBufferPointer(
                                start: bytes, count: bytes == nil ? 0 : count),
                            as: UTF8.self)
                    })
            }
            sqlite3_reset(statement)
        }
        return rows
    }

    private func check(_ code: Int32) throws(StateError) {
        guard [SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(code) else {
            throw StateError(code: code, description: String(cString: sqlite3_errmsg(handle)))
        }
    }
}
