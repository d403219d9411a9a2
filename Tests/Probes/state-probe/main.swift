import Basics
import Dispatch
import Glibc
import State

/// One of several processes that share a state database, for tests.
///
///     state-probe FOLDER WRITER ROUNDS [LIMIT]
///
/// As often as ROUNDS says it keeps a place, a bookmark, a line and facts, reads the place back and prints the number of the round, or `-`
/// if the place is not there. What the store reports goes to standard error. With LIMIT no file can be longer than so many bytes, as if
/// the disk were full. ROUNDS of 0 go on until the
/// process is killed, or a place is not there.
let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.dropFirst(2).compactMap { Int($0) }
guard words.count >= 3, numbers.count == words.count - 2 else { exit(2) }
if numbers.count > 1 {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(numbers[1]), rlim_max: rlim_t(numbers[1]))
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
}
let writer = words[1]
let store = StateStore(folder: words[0]) { line in
    _ = (line + "\n").withCString { write(STDERR_FILENO, $0, strlen($0)) }
}

/// Waits until the place is read: it has been kept then.
@MainActor func isKept(_ place: Place) -> Bool {
    let found = Locked<Place?>(nil)
    let done = DispatchSemaphore(value: 0)
    store.place(in: place.gallery) { answer in
        found.withLock { $0 = answer }
        done.signal()
    }
    done.wait()
    return found.withLock(\.self) == place
}

var round = 0
while numbers[0] == 0 || round < numbers[0] {
    round += 1
    var place = Place(gallery: "file:///\(writer)/\(round % 100)")
    place.number = round
    store.keep(place)
    store.setBookmark(writer, place)
    store.append("\(round)", toHistoryOf: writer)
    store.keep(
        facts: (0..<40).map { ("/\(writer)/\($0)", "\(round)", String(repeating: "f", count: 100)) }
    )
    let isKept = isKept(place)
    _ = (isKept ? "\(round)\n" : "-\n").withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    if !isKept, numbers[0] == 0 { exit(1) }
}
