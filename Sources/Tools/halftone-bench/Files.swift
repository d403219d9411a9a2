import Basics
import Glibc
import Synchronization

/// A system call that failed.
struct SystemFailure: Error, CustomStringConvertible {
    let subject: String
    let code = errno

    var description: String { "\(subject): \(String(cString: strerror(code)))" }
}

/// Makes `path` and the folders above it.
func makeFolder(_ path: String) throws {
    var made = ""
    for part in path.split(separator: "/") {
        made += "/" + part
        guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw SystemFailure(subject: made) }
    }
}

/// Writes `bytes` as the file at `path`.
func writeFile(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "wb") else { throw SystemFailure(subject: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
        throw SystemFailure(subject: path)
    }
}

private let scratchCount = Atomic<Int>(0)

/// A name for a temporary file, given out once.
func scratchName() -> String {
    "\(scratchCount.wrappingAdd(1, ordering: .relaxed).newValue).out"
}

/// Removes a file; whether there was one does not matter.
func unlinkFile(_ path: String) {
    _ = unlink(path)
}

/// A whole file; empty if it cannot be read.
func readBytes(_ path: String) -> [UInt8] { smallFile(path, limit: 1 << 30) ?? [] }

/// A whole file as text.
func readText(_ path: String) -> String {
    String(decoding: readBytes(path), as: UTF8.self)
}

/// An event of the Trace Event Format, as the program writes it; times in microseconds.
struct TraceEvent {
    let name: String
    let start: Double
    let end: Double
    let detail: String
    let outcome: String
    /// What a counter counts.
    let value: Double?

    init(_ event: LooseValue) {
        name = event["name"]?.text ?? ""
        start = event["ts"]?.number ?? 0
        end = start + (event["dur"]?.number ?? 0)
        detail = event["args"]?["detail"]?.text ?? ""
        outcome = event["args"]?["outcome"]?.text ?? ""
        value = event["args"]?["value"]?.number
    }

    /// All events of a trace.
    static func read(_ path: String) throws -> [TraceEvent] {
        try LooseParser.document(readBytes(path)).elements.map(TraceEvent.init)
    }
}

extension LooseValue {
    fileprivate var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }
}
