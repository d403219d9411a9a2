import CSQLite

/// Why the state database cannot be used.
struct StateError: Error, CustomStringConvertible {
    /// SQLite's result code.
    var code = SQLITE_ERROR
    /// The reason in plain words.
    var description: String

    /// Whether the file holds what SQLite or this program cannot have written.
    var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_TOOBIG].contains(code) }
}
