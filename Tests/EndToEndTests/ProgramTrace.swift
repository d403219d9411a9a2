import FoundationEssentials

/// A trace the program wrote, read as any other reader of the format would: strictly.
struct ProgramTrace {
    /// An event of the Trace Event Format.
    struct Event: Decodable {
        var ph: String
        var name: String
        var pid: Int
        var tid: Int?
        var ts: Double?
        var dur: Double?
        var args: Arguments?

        var detail: String { args?.detail ?? "" }
        var outcome: String { args?.outcome ?? "" }
        var end: Double { (ts ?? 0) + (dur ?? 0) }
    }

    /// What an event carries.
    struct Arguments: Decodable {
        var detail: String?
        var outcome: String?
        var value: Int?
    }

    /// All events, in the file's order.
    let events: [Event]

    /// Reads the file's bytes; throws if they are no JSON array of events.
    init(_ bytes: [UInt8]) throws {
        events = try JSONDecoder().decode([Event].self, from: Data(bytes))
    }

    /// The complete spans of that name whose detail begins with `detail`.
    func spans(_ name: String, about detail: String = "") -> [Event] {
        events.filter { $0.ph == "X" && $0.name == name && $0.detail.hasPrefix(detail) }
    }

    /// When the last of these spans ended, in microseconds.
    func end(of name: String, about detail: String) -> Double? {
        spans(name, about: detail).map(\.end).max()
    }

    /// The names of all counters.
    var counters: Set<String> { Set(events.filter { $0.ph == "C" }.map(\.name)) }
}
