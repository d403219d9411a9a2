import Basics
import Glibc
import Synchronization

/// A system call that failed.
struct SystemFailure: Error, CustomStringConvertible {
    let subject: String
    let code = errno

    var description: String { "\(subject): \(String(cString: strerror(code)))" }
}

/// Creates `path` and its parent folders.
func makeFolder(_ path: String) throws {
    var made = ""
    for part in path.split(separator: "/") {
        made += "/" + part
        guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw SystemFailure(subject: made) }
    }
}

/// Writes `bytes` to the file at `path`.
func writeFile(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "wb") else { throw SystemFailure(subject: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
        throw SystemFailure(subject: path)
    }
}

private let scratchCount = Atomic<Int>(0)

/// Returns a unique name for a temporary file.
func scratchName() -> String {
    "\(scratchCount.wrappingAdd(1, ordering: .relaxed).newValue).out"
}

/// Removes a file if it exists.
func unlinkFile(_ path: String) {
    _ = unlink(path)
}

/// Returns the contents of a file; empty if it cannot be read.
func readBytes(_ path: String) -> [UInt8] { smallFile(path, limit: 1 << 30) ?? [] }

/// Returns the contents of a file as text.
func readText(_ path: String) -> String {
    String(decoding: readBytes(path), as: UTF8.self)
}

/// An event in Trace Event Format, as written by the program; times in microseconds.
struct TraceEvent {
    let name: String
    let start: Double
    let end: Double
    let detail: String
    let outcome: String
    /// The value of a counter.
    let value: Double?

    init(_ event: LooseValue) {
        name = event["name"]?.text ?? ""
        start = event["ts"]?.number ?? 0
        end = start + (event["dur"]?.number ?? 0)
        detail = event["args"]?["detail"]?.text ?? ""
        outcome = event["args"]?["outcome"]?.text ?? ""
        value = event["args"]?["value"]?.number
    }

    /// Reads all events of a trace.
    static func read(_ path: String) throws -> [TraceEvent] {
        try LooseParser.document(readBytes(path)).elements.map(TraceEvent.init)
    }
}

extension LooseValue {
    fileprivate var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }
}
