import Basics
import Dispatch

/// What is kept from one run to the next: places, bookmarks, histories, facts of files, what was saved and seen; shared by all programs that run.
///
/// Usable from any thread. The work is done on a queue of its own, on which completions are called. Except for what blocks, that starts a
/// thread, so until the terminal is set up nothing else may be asked for. What cannot be read is not there, and what cannot be written is
/// not kept; nor is what has an address that names a user, and so perhaps a password.
public final class StateStore: Sendable {
    let file: Locked<StateFile>
    private let queue = DispatchQueue(label: "halftone.state")
    /// What is still to be written.
    private let writes = DispatchGroup()

    /// Creates a store on the database in `folder`, which are made by the first write; until something is asked for, nothing is opened.
    ///
    /// `report` gets a line, on any thread, when a damaged database is set aside, and when something goes wrong, after which nothing more is
    /// tried.
    public init(folder: String, report: @escaping @Sendable (String) -> Void) {
        file = Locked(StateFile(folder: folder, report: report))
    }

    /// Finds the place kept last in a gallery.
    public func place(in gallery: String, completion: @escaping @Sendable (Place?) -> Void) {
        run("SELECT \(Place.columns) FROM places WHERE gallery = ?", [[gallery]]) {
            completion($0.first.map(Place.init))
        }
    }

    /// Returns the places kept last, and those in followed galleries, the latest first, with the time in ISO 8601; blocks on the disk.
    public func recentPlaces(limit: Int) -> [(place: Place, seen: String)] {
        rows(
            "SELECT \(Place.columns), strftime('%Y-%m-%dT%H:%M:%SZ', seen, 'unixepoch') FROM places WHERE id IN (SELECT id FROM places ORDER BY id DESC LIMIT ?) OR gallery IN (SELECT gallery FROM followed) ORDER BY id DESC",
            [[String(limit)]]
        ).map { (Place(row: $0), $0[7]) }
    }

    /// Keeps a place instead of the one in its gallery; of 1,000 galleries.
    public func keep(_ place: Place) {
        write(
            "INSERT OR REPLACE INTO places(\(Place.columns), seen) VALUES (?, ?, ?, ?, ?, ?, ?, strftime('%s'))",
            [place.texts])
    }

    /// Finds the bookmarks by their names; 1,000 at most.
    public func bookmarks(completion: @escaping @Sendable ([String: Place]) -> Void) {
        run("SELECT \(Place.columns), name FROM bookmarks ORDER BY id LIMIT 1000", [[]]) { rows in
            completion(Dictionary(rows.map { ($0[7], Place(row: $0)) }) { $1 })
        }
    }

    /// Sets a bookmark to a place.
    public func setBookmark(_ name: String, _ place: Place) {
        write(
            "INSERT OR REPLACE INTO bookmarks(\(Place.columns), name) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [place.texts + [name]])
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
        write("INSERT OR REPLACE INTO history(kind, line) VALUES (?, ?)", [[kind, line]])
    }

    /// Returns what is known of files that are still the same, by their paths.
    ///
    /// Blocks on the disk, some files at a time.
    public func facts(
        of files: [(path: String, identity: String)], _ kind: FactKind
    ) -> [String: String] {
        let found = rows(
            "SELECT path, value FROM \(kind.rawValue) WHERE path = ? AND identity = ?",
            files.map { [$0.path, $0.identity] })
        return Dictionary(found.map { ($0[0], $0[1]) }) { $1 }
    }

    /// Keeps what is known of files; of 200,000, and the look of a million.
    public func keep(
        facts: [(path: String, identity: String, value: String)], _ kind: FactKind = .headers
    ) {
        write(
            "INSERT OR REPLACE INTO \(kind.rawValue)(path, identity, value) VALUES (?, ?, ?)",
            facts.map { [$0.path, $0.identity, $0.value] })
    }

    /// Returns how all pictures look; blocks on the disk.
    public func pictures() -> [String] {
        rows("SELECT value FROM pictures").flatMap(\.self)
    }

    /// Forgets how the pictures at `paths` look.
    public func forget(pictures paths: [String]) {
        write("DELETE FROM pictures WHERE path = ?", paths.map { [$0] })
    }

    /// Returns those of `names` by which something saved is known.
    ///
    /// Blocks on the disk, also until what was to be kept before is.
    public func saved(among names: [SavedName]) -> Set<SavedName> {
        writes.wait()
        return Set(rows("SELECT target, name FROM saved WHERE target = ? AND name = ?", names))
    }

    /// Keeps the names of what has been saved; of a million.
    public func keep(saved names: [SavedName]) {
        write("INSERT OR REPLACE INTO saved(target, name) VALUES (?, ?)", names)
    }

    /// The addresses of the followed galleries, in the order in which they were followed.
    ///
    /// Blocks on the disk.
    public var followed: [String] {
        rows("SELECT gallery FROM followed ORDER BY id").flatMap(\.self)
    }

    /// Follows a gallery, of 1,000, or no longer.
    public func setFollowed(_ gallery: String, _ isFollowed: Bool) {
        write(
            isFollowed
                ? "INSERT OR REPLACE INTO followed(gallery) VALUES (?)"
                : "DELETE FROM followed WHERE gallery = ?", [[gallery]])
    }

    /// Returns those of `names` that have been seen.
    ///
    /// Blocks on the disk, for some milliseconds per thousand.
    public func seen(among names: some Sequence<String>) -> Set<String> {
        Set(rows("SELECT name FROM seen WHERE name = ?", names.map { [$0] }).joined())
    }

    /// Keeps the names of what has been seen, such as addresses and hashes; of a million.
    public func keep(seen names: some Sequence<String>) {
        write("INSERT OR REPLACE INTO seen(name) VALUES (?)", names.map { [$0] })
    }

    /// Forgets everything, also what was set aside; returns why that failed, as one line.
    ///
    /// Blocks on the disk.
    public func forget() -> String? {
        queue.sync { file.withLock { $0.forget() } }
    }

    /// Waits for what is still to be written, at most so long.
    public func finish(milliseconds: Int) {
        _ = writes.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// What is asked or written at a time, so that what was asked for meanwhile gets its turn after a few milliseconds.
    private static let atOnce = 256

    /// Runs a statement for some of `lists` at a time, and blocks until all is done.
    private func rows(_ sql: String, _ lists: [[String]] = [[]]) -> [[String]] {
        stride(from: 0, to: lists.count, by: Self.atOnce).flatMap { start in
            let part = lists[start...].prefix(Self.atOnce)
            return queue.sync { file.withLock { $0.rows(sql, part) } }
        }
    }

    private func write(_ sql: String, _ lists: [[String]]) {
        writes.enter()
        run(sql, lists.filter { !$0.contains(where: \.namesUser) }[...]) { [writes] _ in
            writes.leave()
        }
    }

    /// Runs a statement for some of `lists` at a time.
    private func run(
        _ sql: String, _ lists: ArraySlice<[String]>, after found: [[String]] = [],
        completion: @escaping @Sendable ([[String]]) -> Void
    ) {
        queue.asyncGuarded { [self] in
            let found = found + file.withLock { $0.rows(sql, lists.prefix(Self.atOnce)) }
            let rest = lists.dropFirst(Self.atOnce)
            if rest.isEmpty { return completion(found) }
            run(sql, rest, after: found, completion: completion)
        }
    }
}

/// What something saved is known by: its target, and its address or hash.
public typealias SavedName = [String]

/// What is known of a file; the raw value is its table.
public enum FactKind: String, Sendable {
    /// What its header says.
    case headers = "facts"
    /// How the picture looks.
    case pictures
}

extension String {
    /// Whether an address in the text names a user, and so perhaps a password.
    fileprivate var namesUser: Bool {
        // Most have no @ at all.
        utf8.contains(0x40)
            && split(separator: "://").dropFirst().contains { rest in
                rest.prefix { !"/?# ".contains($0) }.contains("@")
            }
    }
}
