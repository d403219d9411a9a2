import Basics
import Dispatch
import Glibc

/// Turns events into JSON, one a line, and hands full batches to the file, which writes them later.
final class Recorder: @unchecked Sendable {
    // @unchecked: the variables are touched on `queue` only, by `record`.

    typealias Figures = [(name: StaticString, value: Int)]

    /// Bytes; about 200 events, so that little is lost in a crash and writing stays rare.
    private static let batch = 32 << 10
    /// Characters of an address or an error, which may be hostile.
    private static let longestString = 500
    /// Nanoseconds that the slice of a flow event lasts, since arrows begin and end in slices only: less than writing it takes, so that no
    /// two overlap.
    private static let hopLength: UInt64 = 100

    /// Callers wait for it, but only as long as a line of text takes.
    private let queue = DispatchQueue(label: "halftone.trace")
    private var lanes = Lanes()
    private var text: [UInt8] = []
    private var isClosed = false
    private let process = getpid()
    private let file: TraceFile
    private let now: @Sendable () -> UInt64
    private let start: UInt64

    init(file: TraceFile, now: @escaping @Sendable () -> UInt64) {
        self.file = file
        self.now = now
        start = now()
        add("[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\(process)")
        add(",\"args\":{\"name\":\"halftone\"}}")
    }

    /// A tracer that was never closed loses only the report of an error.
    deinit { try? close() }

    func begin(_ name: StaticString, detail: String) -> Span {
        record { Span(recorder: self, ticket: take(name, detail: detail, at: $0)) }
    }

    func end(_ ticket: Lanes.Ticket, outcome: String, figures: Figures) {
        record { write(ticket, until: $0, outcome: outcome, figures: figures) }
    }

    func count(_ name: StaticString, _ value: Int) {
        record { time in
            open("C", name, at: time)
            add(",\"args\":{\"value\":\(value)}}")
        }
    }

    func mark(_ name: StaticString, detail: String) {
        record { time in
            open("i", name, at: time)
            add(",\"s\":\"p\",\"args\":{\"detail\":\(quoted(detail))}}")
        }
    }

    func flow(_ id: UInt64, _ phase: Flow.Phase, _ place: StaticString) {
        record { time in
            let ticket = take(place, detail: "", at: time)
            write(ticket, until: time + Self.hopLength)
            // Events of one flow share name and category; the last one means the slice around it, not the next.
            open(phase.rawValue, "flow", lane: ticket.lane, at: time)
            add(",\"cat\":\"flow\",\"id\":\(id)\(phase == .end ? ",\"bp\":\"e\"" : "")}")
        }
    }

    func close() throws(TraceError) {
        record { time in
            guard !isClosed else { return }
            lanes.open.forEach { write($0, until: time, outcome: "unfinished") }
            add("\n]\n")
            flush()
            isClosed = true
        }
        try file.close()
    }

    /// The time is read on the queue, so that the file is in order of time.
    private func record<Output>(_ change: (UInt64) -> Output) -> Output {
        queue.sync {
            let output = change(now() &- start)
            if isClosed {
                text = []
            } else if text.count >= Self.batch {
                flush()
            }
            return output
        }
    }

    // MARK: - On the queue

    private func flush() {
        file.write(text)
        text = []
    }

    private func take(_ name: StaticString, detail: String, at time: UInt64) -> Lanes.Ticket {
        let (ticket, newLane) = lanes.begin(name, detail: detail, at: time)
        if let newLane {
            open("M", "thread_name", lane: ticket.lane)
            add(",\"args\":{\"name\":\"\(name) \(newLane)\"}}")
        }
        return ticket
    }

    /// Writes a complete event, unless it was written before.
    private func write(
        _ ticket: Lanes.Ticket, until end: UInt64, outcome: String = "", figures: Figures = []
    ) {
        guard let span = lanes.end(ticket) else { return }
        open("X", span.name, lane: ticket.lane, at: span.start)
        add(",\"dur\":\(microseconds(end - span.start))")
        add(",\"args\":{\"detail\":\(quoted(span.detail)),\"outcome\":\(quoted(outcome))")
        for figure in figures {
            add(",\"\(figure.name)\":\(figure.value)")
        }
        add("}}")
    }

    /// Begins an event; the viewers hide thread 0, so lanes count from 1, and 0 is the whole process.
    private func open(_ phase: String, _ name: StaticString, lane: Int = -1, at time: UInt64? = nil)
    {
        add(",\n{\"ph\":\"\(phase)\",\"name\":\"\(name)\",\"pid\":\(process),\"tid\":\(lane + 1)")
        if let time {
            add(",\"ts\":\(microseconds(time))")
        }
    }

    /// With three decimals: the unit is prescribed, the clock is finer.
    private func microseconds(_ nanoseconds: UInt64) -> String {
        "\(nanoseconds / 1000).\(String(nanoseconds % 1000 + 1000).dropFirst())"
    }

    private func quoted(_ value: String) -> String {
        JSONString.quoted(value, limit: Self.longestString)
    }

    private func add(_ more: String) { text += more.utf8 }
}

/// Which spans are under way, each on a lane (a "thread" in the viewer) that holds one at a time.
///
/// A span takes the lowest free lane of its name; lanes are made when all are taken.
struct Lanes {
    /// Finds a span again; `serial` tells it from a later one on the same lane.
    struct Ticket {
        var lane: Int
        var serial: Int
    }

    struct Open {
        var name: StaticString
        var detail: String
        var start: UInt64
        var serial: Int
    }

    private var lanes: [Open?] = []
    /// The lanes of each name.
    private var tracks: [String: [Int]] = [:]
    private var nextSerial = 0

    /// `newLane` is the number of the lane among those of its name, from 1, if it was made just now.
    mutating func begin(
        _ name: StaticString, detail: String, at start: UInt64
    ) -> (ticket: Ticket, newLane: Int?) {
        nextSerial += 1
        let open = Open(name: name, detail: detail, start: start, serial: nextSerial)
        let track = tracks[name.description, default: []]
        if let lane = track.first(where: { lanes[$0] == nil }) {
            lanes[lane] = open
            return (Ticket(lane: lane, serial: nextSerial), nil)
        }
        tracks[name.description] = track + [lanes.count]
        lanes.append(open)
        return (Ticket(lane: lanes.count - 1, serial: nextSerial), track.count + 1)
    }

    /// The span, which leaves its lane; nil if it has ended before.
    mutating func end(_ ticket: Ticket) -> Open? {
        guard let open = lanes[ticket.lane], open.serial == ticket.serial else { return nil }
        lanes[ticket.lane] = nil
        return open
    }

    /// Tickets of every span under way.
    var open: [Ticket] {
        lanes.indices.compactMap { lane in
            lanes[lane].map { Ticket(lane: lane, serial: $0.serial) }
        }
    }
}
