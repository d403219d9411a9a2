import FoundationEssentials

/// A trace written by the program, parsed strictly.
struct ProgramTrace {
    /// An event in the Trace Event Format.
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

    /// The arguments of an event.
    struct Arguments: Decodable {
        var detail: String?
        var outcome: String?
        var value: Int?
    }

    /// All events, in file order.
    let events: [Event]

    /// Parses the file's bytes; throws if they are not a JSON array of events.
    init(_ bytes: [UInt8]) throws {
        events = try JSONDecoder().decode([Event].self, from: Data(bytes))
    }

    /// Returns the complete spans with this name whose detail begins with `detail`.
    func spans(_ name: String, about detail: String = "") -> [Event] {
        events.filter { $0.ph == "X" && $0.name == name && $0.detail.hasPrefix(detail) }
    }

    /// Returns when the last of these spans ended, in microseconds.
    func end(of name: String, about detail: String) -> Double? {
        spans(name, about: detail).map(\.end).max()
    }

    /// The names of all counters.
    var counters: Set<String> { Set(events.filter { $0.ph == "C" }.map(\.name)) }
}
