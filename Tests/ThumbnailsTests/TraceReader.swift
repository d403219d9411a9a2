import FoundationEssentials
import Glibc
import Testing
import Trace

/// A tracer whose file is read when the test is done: the pipeline's own account of what it did.
struct TraceReader {
    private struct Event: Decodable {
        var ph: String
        var name: String
    }

    let tracer: Tracer
    private let path =
        "/tmp/halftone-thumbnails-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).json"

    init() throws {
        tracer = try Tracer(path: path)
    }

    /// Closes the trace and tells the names of all spans.
    func spanNames() throws -> [String] {
        try tracer.close()
        defer { unlink(path) }
        let data = try Data(contentsOf: URL(filePath: path))
        return try JSONDecoder().decode([Event].self, from: data).filter { $0.ph == "X" }.map(
            \.name)
    }
}
