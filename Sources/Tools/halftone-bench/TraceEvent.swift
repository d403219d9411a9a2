import FoundationEssentials

/// An event of the Trace Event Format, as the program writes it; times in microseconds.
struct TraceEvent: Decodable {
    /// What an event carries.
    struct Arguments: Decodable {
        var detail: String?
        var outcome: String?
        var value: Int?
    }

    var name: String
    var ts: Double?
    var dur: Double?
    var args: Arguments?

    var detail: String { args?.detail ?? "" }
    var outcome: String { args?.outcome ?? "" }
    var start: Double { ts ?? 0 }
    var end: Double { start + (dur ?? 0) }

    /// All events of a trace.
    static func read(_ path: String) throws -> [TraceEvent] {
        try JSONDecoder().decode([TraceEvent].self, from: Data(readBytes(path)))
    }
}
