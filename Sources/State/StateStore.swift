import Basics
import Dispatch

/// What is kept from one run to the next: places, bookmarks, histories and facts of files; shared by all programs that run.
///
/// Usable from any thread. The work is done on a queue of its own, on which completions are called. It starts a thread, so nothing but
/// `recentPlaces(limit:)` may be asked for before the terminal is set up. What cannot be read is not there, and what cannot be written is
/// not kept; an address that names a user, and so perhaps a password, is not kept either.
public final class StateStore: Sendable {
    /// The files whose facts are read or written at a time: a few milliseconds, for which a place may have to wait.
    private static let turn = 256
    /// More bookmarks than there are keys.
    private static let maxBookmarks = 1000

    private let queue = DispatchQueue(label: "halftone.state", qos: .userInitiated)
    private let file: Locked<StateFile>
    /// What is still to be written.
    private let writes = DispatchGroup()

    /// Creates a store on the database at `path`, which is made by the first write; until something is asked for, nothing is opened.
    ///
    /// `report` gets one line about each thing that went wrong, once, on any thread.
    public convenience init(path: String, report: @escaping @Sendable (String) -> Void) {
        self.init(StateFile(path: path, report: report))
    }

    init(_ file: sending StateFile) { self.file = Locked(file) }

    /// Finds the place kept last in a gallery.
    public func place(in gallery: String, completion: @escaping @Sendable (Place?) -> Void) {
        run("SELECT \(Place.columns) FROM places WHERE gallery = ?", [[gallery]]) {
            completion($0.first.map(Place.init))
        }
    }

    /// Finds the places kept last, the latest first, with the time in seconds since 1970.
    public func recentPlaces(
        limit: Int, completion: @escaping @Sendable ([(place: Place, seen: Int)]) -> Void
    ) {
        run(Self.recent, [[String(limit)]]) { completion($0.map(Self.seen)) }
    }

    /// Returns the places kept last, as the method with a completion does; blocks on the disk.
    public func recentPlaces(limit: Int) -> [(place: Place, seen: Int)] {
        queue.sync { rows(Self.recent, [[String(limit)]]) }.map(Self.seen)
    }

    /// Keeps a place instead of the one in its gallery; of 1,000 galleries.
    public func keep(_ place: Place) {
        write(
            "INSERT OR REPLACE INTO places(\(Place.columns), seen) VALUES (?, ?, ?, ?, ?, ?, ?, strftime('%s'))",
            place.texts)
    }

    /// Finds the bookmarks by their names.
    public func bookmarks(completion: @escaping @Sendable ([String: Place]) -> Void) {
        run(
            "SELECT \(Place.columns), name FROM bookmarks ORDER BY id LIMIT \(Self.maxBookmarks)",
            [[]]
        ) { rows in
            completion(Dictionary(rows.map { ($0[7], Place(row: $0)) }) { $1 })
        }
    }

    /// Sets a bookmark to a place; nil removes it.
    public func setBookmark(_ name: String, _ place: Place?) {
        guard let place else { return write("DELETE FROM bookmarks WHERE name = ?", [name]) }
        write(
            "INSERT OR REPLACE INTO bookmarks(\(Place.columns), name) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            place.texts + [name])
    }

    /// Finds the latest lines of a kind, the oldest first.
    public func history(
        of kind: String, limit: Int, completion: @escaping @Sendable ([String]) -> Void
    ) {
        run(
            "SELECT line FROM history WHERE kind = ? ORDER BY id DESC LIMIT ?",
            [[kind, String(limit)]]
        ) { completion($0.joined().reversed()) }
    }

    /// Keeps a line as the latest of its kind, once; of 500 lines.
    public func append(_ line: String, toHistoryOf kind: String) {
        write("INSERT OR REPLACE INTO history(kind, line) VALUES (?, ?)", [kind, line])
    }

    /// Finds what is known of files that are still the same, by their paths.
    public func facts(
        of files: [(path: String, identity: String)],
        completion: @escaping @Sendable ([String: String]) -> Void
    ) {
        run(
            "SELECT path, value FROM facts WHERE path = ? AND identity = ?",
            files.map { [$0.path, $0.identity] }[...]
        ) { rows in
            completion(Dictionary(rows.map { ($0[0], $0[1]) }) { $1 })
        }
    }

    /// Keeps what is known of files; of 200,000.
    public func keep(facts: [(path: String, identity: String, value: String)]) {
        writes.enter()
        run(
            "INSERT OR REPLACE INTO facts(path, identity, value) VALUES (?, ?, ?)",
            facts.map { [$0.path, $0.identity, $0.value] }[...], isWriting: true
        ) { [writes] _ in writes.leave() }
    }

    /// Forgets everything, also what was set aside; returns why that failed, as one line.
    ///
    /// Blocks on the disk.
    public func forget() -> String? { queue.sync { file.withLock { $0.forget() } } }

    /// Waits for what is still to be written, at most so long.
    public func finish(milliseconds: Int) {
        _ = writes.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    private static let recent =
        "SELECT \(Place.columns), seen FROM places ORDER BY id DESC LIMIT ?"

    @Sendable private static func seen(_ row: [String]) -> (place: Place, seen: Int) {
        (Place(row: row), Int(bounded: row[7]) ?? 0)
    }

    private func write(_ sql: String, _ texts: [String]) {
        guard !texts.contains(where: \.namesUser) else { return }
        writes.enter()
        run(sql, [texts], isWriting: true) { [writes] _ in writes.leave() }
    }

    /// Runs a statement for some of `lists` at a time, so that what was asked for meanwhile gets its turn.
    private func run(
        _ sql: String, _ lists: ArraySlice<[String]>, after found: [[String]] = [],
        isWriting: Bool = false,
        completion: @escaping @Sendable ([[String]]) -> Void
    ) {
        queue.asyncGuarded { [self] in
            let found = found + rows(sql, Array(lists.prefix(Self.turn)), isWriting: isWriting)
            guard lists.count > Self.turn else { return completion(found) }
            run(
                sql, lists.dropFirst(Self.turn), after: found, isWriting: isWriting,
                completion: completion)
        }
    }

    /// Runs a statement for each of `lists` in one transaction.
    private func rows(_ sql: String, _ lists: [[String]], isWriting: Bool = false) -> [[String]] {
        file.withLock { file in
            file.use(isWriting: isWriting) { connection throws(StateError) in
                try connection.execute(isWriting ? "BEGIN IMMEDIATE" : "BEGIN")
                let rows = try connection.rows(sql, lists)
                try connection.execute("COMMIT")
                return rows
            } ?? []
        }
    }
}

extension String {
    /// Whether an address in the text names a user, and so perhaps a password.
    fileprivate var namesUser: Bool {
        var rest = utf8[...]
        while let start = rest.firstRange(of: "://".utf8)?.upperBound {
            rest = rest[start...]
            if rest.prefix(while: { !"/?# ".utf8.contains($0) }).contains(UInt8(ascii: "@")) {
                return true
            }
        }
        return false
    }
}
