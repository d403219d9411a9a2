import FoundationEssentials
import TestSupport
import Testing
import Trace

/// A tracer whose file is read at the end of the test: the pipeline's own record of what it did.
struct TraceReader {
    private struct Event: Decodable {
        struct Arguments: Decodable {
            var value: Int?
        }

        var ph: String
        var name: String
        var args: Arguments?
    }

    let tracer: Tracer
    private let scratch: ScratchFolder
    private var path: String { scratch.path + "/trace.json" }

    init() throws {
        scratch = try ScratchFolder()
        tracer = try Tracer(path: scratch.path + "/trace.json")
    }

    /// Closes the trace and returns the names of all spans.
    func spanNames() throws -> [String] {
        try events().filter { $0.ph == "X" }.map(\.name)
    }

    /// Closes the trace and returns the stops of all flows, in order.
    func places() throws -> [String] {
        let places: Set = ["main", "pipeline", "disk", "transfers", "worker"]
        return try spanNames().filter(places.contains)
    }

    /// Closes the trace and returns the last value of each counter.
    func counters() throws -> [String: Int] {
        let counts = try events().filter { $0.ph == "C" }.compactMap { event in
            (event.args?.value).map { (event.name, $0) }
        }
        return Dictionary(counts) { $1 }
    }

    private func events() throws -> [Event] {
        try tracer.close()
        let data = try Data(contentsOf: URL(filePath: path))
        return try JSONDecoder().decode([Event].self, from: data)
    }
}
