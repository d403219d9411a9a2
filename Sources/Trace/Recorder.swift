import Basics
import Dispatch
import Glibc

/// Turns events into JSON, one a line, and hands full batches to the file, which writes them later.
final class Recorder: @unchecked Sendable {
    // @unchecked: `init` fills the variables before there is a second reference; afterwards they are touched on `queue` only.

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
    private var tallies: [String: Int] = [:]
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

    // A tracer that was never closed loses only the report of an error.
    deinit { try? close() }

    func begin(_ name: StaticString, detail: String) -> Span {
        record { Span(recorder: self, number: take(name, detail: detail, at: $0)) }
    }

    func end(_ number: Int, outcome: String, figures: Figures) {
        record { write(number, until: $0, outcome: outcome, figures: figures) }
    }

    func count(_ name: StaticString, _ value: Int) { record { write(name, value, at: $0) } }

    func tally(_ name: StaticString) {
        record { time in
            tallies[name.description, default: 0] += 1
            write(name, tallies[name.description] ?? 0, at: time)
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
            let hop = take(place, detail: "", at: time)
            let lane = lanes.open[hop]?.lane ?? -1
            write(hop, until: time + Self.hopLength)
            // Events of one flow share name and category; the last one means the slice around it, not the next.
            open(phase.rawValue, "flow", lane: lane, at: time)
            add(",\"cat\":\"flow\",\"id\":\(id)\(phase == .end ? ",\"bp\":\"e\"" : "")}")
        }
    }

    func close() throws(TraceError) {
        record { time in
            guard !isClosed else { return }
            for number in lanes.open.keys.sorted() {
                write(number, until: time, outcome: "unfinished")
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

    private func flush() {
        file.write(text)
        text = []
    }

    private func take(_ name: StaticString, detail: String, at time: UInt64) -> Int {
        let (number, span, newLane) = lanes.begin(name, detail: detail, at: time)
        if let newLane {
            open("M", "thread_name", lane: span.lane)
            add(",\"args\":{\"name\":\"\(name) \(newLane)\"}}")
        }
        return number
    }

    /// Writes a complete event, unless it was written before.
    private func write(
        _ number: Int, until end: UInt64, outcome: String = "", figures: Figures = []
    ) {
        guard let span = lanes.end(number) else { return }
        open("X", span.name, lane: span.lane, at: span.start)
        add(",\"dur\":\(microseconds(end - span.start))")
        add(",\"args\":{\"detail\":\(quoted(span.detail)),\"outcome\":\(quoted(outcome))")
        for figure in figures { add(",\"\(figure.name)\":\(figure.value)") }
        add("}}")
    }

    private func write(_ counter: StaticString, _ value: Int, at time: UInt64) {
        open("C", counter, at: time)
        add(",\"args\":{\"value\":\(value)}}")
    }

    /// Begins an event; the viewers hide thread 0, so lanes count from 1, and 0 is the whole process.
    private func open(_ phase: String, _ name: StaticString, lane: Int = -1, at time: UInt64? = nil)
    {
        add(",\n{\"ph\":\"\(phase)\",\"name\":\"\(name)\",\"pid\":\(process),\"tid\":\(lane + 1)")
        if let time { add(",\"ts\":\(microseconds(time))") }
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
    struct Open {
        var name: StaticString
        var detail: String
        var start: UInt64
        var lane: Int
    }

    /// By number.
    private(set) var open: [Int: Open] = [:]
    private var lastNumber = 0
    /// The lanes of each name.
    private var tracks: [String: [Int]] = [:]
    private var laneCount = 0
    private var taken: Set<Int> = []

    /// `newLane` is the number of the lane among those of its name, from 1, if it was made just now.
    mutating func begin(
        _ name: StaticString, detail: String, at start: UInt64
    ) -> (number: Int, span: Open, newLane: Int?) {
        let track = tracks[name.description, default: []]
        let free = track.first { !taken.contains($0) }
        let span = Open(name: name, detail: detail, start: start, lane: free ?? laneCount)
        if free == nil {
            tracks[name.description] = track + [laneCount]
            laneCount += 1
        }
        taken.insert(span.lane)
        lastNumber += 1
        open[lastNumber] = span
        return (lastNumber, span, free == nil ? track.count + 1 : nil)
    }

    /// The span, which leaves its lane; nil if it has ended before.
    mutating func end(_ number: Int) -> Open? {
        guard let span = open.removeValue(forKey: number) else { return nil }
        taken.remove(span.lane)
        return span
    }
}
