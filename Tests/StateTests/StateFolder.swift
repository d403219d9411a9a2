import Basics
import Dispatch
import Glibc
import TestSupport

@testable import State

/// A folder for a state database, and what its stores have reported.
final class StateFolder: Sendable {
    let scratch: ScratchFolder
    private let reports = Locked<[String]>([])

    init() throws { scratch = try ScratchFolder() }

    var folder: String { scratch.path + "/state/halftone" }
    var path: String { folder + "/state.db" }
    var lines: [String] { reports.withLock(\.self) }
    /// The names in the folder, without what SQLite and the lock leave beside the database.
    var names: [String] {
        (fileNames(in: folder, limit: 1000) ?? []).sorted().filter { name in
            !["-wal", "-shm", "-journal", ".lock"].contains { name == "state.db" + $0 }
        }
    }

    func store(sharesMemory: Bool = true) -> StateStore {
        let store = StateStore(folder: folder) { [reports] line in
            reports.withLock { $0.append(line) }
        }
        if !sharesMemory { store.file.withLock { $0.sharesMemory = { _ in false } } }
        return store
    }

    /// Makes a database of what `body` keeps, without a log.
    func make(_ body: (StateStore) -> Void) {
        do {
            let store = store()
            body(store)
            store.finish(milliseconds: 300_000)
        }
        // The queue may hold the store a moment longer; closing the last connection removes the log.
        while access(path + "-wal", F_OK) == 0 { sched_yield() }
    }

    /// Runs a statement with a connection of its own; returns the first value.
    @discardableResult func sql(_ statement: String) throws -> String? {
        try Connection(path: path).rows(statement).first?.first
    }

    func write(_ bytes: [UInt8], to name: String = "state.db") throws {
        try scratch.write(bytes, to: "state/halftone/" + name)
    }

    func read(_ name: String = "state.db") -> [UInt8] { scratch.read("state/halftone/" + name) }

    /// The last nine bits of a file's mode.
    func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}

/// Waits for the answer to a question that is answered once.
func answer<Answer: Sendable>(
    _ ask: (@escaping @Sendable (Answer) -> Void) -> Void
) -> Answer? {
    let answers = Locked<Answer?>(nil)
    let done = DispatchSemaphore(value: 0)
    ask { answer in
        answers.withLock { $0 = answer }
        done.signal()
    }
    guard done.wait(timeout: .testDeadline) == .success else { return nil }
    return answers.withLock(\.self)
}

extension StateStore {
    func foundPlace(in gallery: String) -> Place? {
        answer { place(in: gallery, completion: $0) } ?? nil
    }
    func foundHistory(of kind: String, limit: Int = 1000) -> [String] {
        answer { history(of: kind, limit: limit, completion: $0) } ?? []
    }
    func foundBookmarks() -> [String: Place] { answer { bookmarks(completion: $0) } ?? [:] }
    func foundFacts(of files: [(path: String, identity: String)]) -> [String: String] {
        facts(of: files, .headers)
    }
}

extension Place {
    /// A place that differs from those of other numbers in every field.
    static func sample(_ number: Int, gallery: String? = nil) -> Place {
        var place = Place(gallery: gallery ?? "file:///gallery/\(number)/")
        place.title = "Gallery \(number)"
        place.picture = "file:///gallery/\(number).jpg"
        place.thumbnail = "file:///gallery/\(number)-small.jpg"
        place.caption = "Ä \u{1F33B} \(number)"
        place.number = number
        place.view = "list \(number)"
        return place
    }
}
