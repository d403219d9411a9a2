import Basics
import Dispatch
import Glibc

/// Turns events into JSON, one a line, and hands full batches to the file, which writes them later.
final class Recorder: @unchecked Sendable {
    // @unchecked: the variables are touched on `queue` only, by `record`.

    /// Bytes; about 200 events, so that little is lost in a crash and writing stays rare.
    private static let batch = 32 << 10
    /// Characters of an address or an error, which may be hostile.
    private static let longestString = 500
    /// Nanoseconds that the slice of a flow event lasts, as arrows begin and end in slices only: shorter than it takes to write one, so that
    /// no two overlap.
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
    deinit {
        try? close()
    }

    func begin(_ name: StaticString, detail: String) -> Span {
        record { time in
            Span(recorder: self, ticket: take(name, detail: detail, at: time))
        }
    }

    func end(
        _ ticket: Lanes.Ticket, outcome: String, figures: [(name: StaticString, value: Int)]
    ) {
        record { time in write(ticket, until: time, outcome: outcome, figures: figures) }
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
            add(",\"s\":\"p\",\"args\":{\"detail\":")
            string(detail)
            add("}}")
        }
    }

    func flow(_ id: UInt64, _ phase: Tracer.FlowPhase, _ place: StaticString) {
        record { time in
            let ticket = take(place, detail: "", at: time)
            write(ticket, until: time + Self.hopLength)
            // All events of a flow share name and category; an end names the slice around it, not the next one.
            open(phase.rawValue, "flow", lane: ticket.lane, at: time)
            add(",\"cat\":\"flow\",\"id\":\(id)" + (phase == .end ? ",\"bp\":\"e\"}" : "}"))
        }
    }

    func close() throws(TraceError) {
        record { time in
            guard !isClosed else { return }
            for ticket in lanes.open {
                write(ticket, until: time, outcome: "unfinished")
            }
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

    /// A complete event, unless it was written before.
    private func write(
        _ ticket: Lanes.Ticket, until end: UInt64, outcome: String = "",
        figures: [(name: StaticString, value: Int)] = []
    ) {
        guard let span = lanes.end(ticket) else { return }
        open("X", span.name, lane: ticket.lane, at: span.start)
        add(",\"dur\":\(microseconds(end - span.start)),\"args\":{\"detail\":")
        string(span.detail)
        add(",\"outcome\":")
        string(outcome)
        for figure in figures {
            add(",\"\(figure.name)\":\(figure.value)")
        }
        add("}}")
    }

    /// An event up to what its phase adds. The viewers hide thread 0, so lanes count from 1; 0 is the whole process.
    private func open(_ phase: String, _ name: StaticString, lane: Int = -1, at time: UInt64? = nil)
    {
        add(",\n{\"ph\":\"\(phase)\",\"name\":\"\(name)\",\"pid\":\(process),\"tid\":\(lane + 1)")
        if let time {
            add(",\"ts\":\(microseconds(time))")
        }
    }

    /// With three decimals: the unit is prescribed, the clock is finer.
    private func microseconds(_ nanoseconds: UInt64) -> String {
        let fraction = String(nanoseconds % 1000)
        return
            "\(nanoseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }

    private func string(_ value: String) {
        JSONString.append(value, to: &text, limit: Self.longestString)
    }

    private func add(_ more: String) {
        text += more.utf8
    }
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

    /// The lanes of one name that are free, as indices into `lanes`, and how many there are in all.
    private struct Track {
        var free: [Int] = []
        var count = 0
    }

    private var lanes: [Open?] = []
    private var tracks: [String: Track] = [:]
    private var nextSerial = 0

    /// `newLane` is the number of the lane among those of its name, from 1, if it was made just now.
    mutating func begin(
        _ name: StaticString, detail: String, at start: UInt64
    ) -> (ticket: Ticket, newLane: Int?) {
        var track = tracks[name.description, default: Track()]
        defer { tracks[name.description] = track }
        nextSerial += 1
        let open = Open(name: name, detail: detail, start: start, serial: nextSerial)
        if let lowest = track.free.indices.min(by: { track.free[$0] < track.free[$1] }) {
            let lane = track.free.remove(at: lowest)
            lanes[lane] = open
            return (Ticket(lane: lane, serial: nextSerial), nil)
        }
        track.count += 1
        lanes.append(open)
        return (Ticket(lane: lanes.count - 1, serial: nextSerial), track.count)
    }

    /// The span, which leaves its lane; nil if it has ended before.
    mutating func end(_ ticket: Ticket) -> Open? {
        guard let open = lanes[ticket.lane], open.serial == ticket.serial else { return nil }
        lanes[ticket.lane] = nil
        tracks[open.name.description]?.free.append(ticket.lane)
        return open
    }

    /// Tickets of every span under way.
    var open: [Ticket] {
        lanes.enumerated().compactMap { lane, open in
            open.map { Ticket(lane: lane, serial: $0.serial) }
        }
    }
}
