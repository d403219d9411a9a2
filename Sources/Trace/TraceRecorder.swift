import Basics
import Dispatch
import Glibc

/// Formats events as JSON, one per line, and passes full batches to the file, which writes them asynchronously.
final class TraceRecorder: @unchecked Sendable {
    // @unchecked: `init` sets the variables before there is a second reference; afterwards they are accessed on `queue` only.

    /// In bytes; about 200 events, so that little is lost in a crash and writes are rare.
    private static let batch = 32 << 10
    /// The maximum number of characters of an address or an error, which may be hostile.
    private static let maxStringLength = 500
    /// The duration in nanoseconds of a flow event's slice, which arrows need to attach to: less than writing it takes, so that no two
    /// overlap.
    private static let hopLength: UInt64 = 100

    /// Callers block on it, but only while one line of text is formatted.
    private let queue = DispatchQueue(label: "halftone.trace")
    /// The spans in progress by number, each on a lane (a "thread" in the viewer) that holds one at a time.
    private var spans: [Int: (name: StaticString, detail: String, start: UInt64, lane: Int)] = [:]
    private var lastNumber = 0
    /// The lanes by span name.
    private var lanes: [String: [Int]] = [:]
    private var laneCount = 0
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

    // If the tracer was never closed, only the report of an error is lost.
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
            let lane = spans[hop]?.lane ?? -1
            write(hop, until: time + Self.hopLength)
            // The events of a flow share name and category; the last binds to the enclosing slice (`bp: e`), not to the next one.
            open(phase.rawValue, "flow", lane: lane, at: time)
            add(",\"cat\":\"flow\",\"id\":\(id)\(phase == .end ? ",\"bp\":\"e\"" : "")}")
        }
    }

    func close() throws(TraceError) {
        record { time in
            guard !isClosed else { return }
            for number in spans.keys.sorted() {
                write(number, until: time, outcome: "unfinished")
            }
            add("\n]\n")
            flush()
            isClosed = true
        }
        try file.close()
    }

    /// Calls `change` with the time, which is read on the queue, so that events are in chronological order.
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

    /// Begins a span on the lowest free lane of its name, or on a new one if all are taken; returns its number.
    private func take(_ name: StaticString, detail: String, at time: UInt64) -> Int {
        let taken = spans.values.map(\.lane)
        let own = lanes[name.description, default: []]
        let lane = own.first { !taken.contains($0) } ?? laneCount
        if lane == laneCount {
            laneCount += 1
            lanes[name.description] = own + [lane]
            open("M", "thread_name", lane: lane)
            add(",\"args\":{\"name\":\"\(name) \(own.count + 1)\"}}")
        }
        lastNumber += 1
        spans[lastNumber] = (name, detail, time, lane)
        return lastNumber
    }

    /// Writes a complete event, unless the span has already ended.
    private func write(
        _ number: Int, until end: UInt64, outcome: String = "", figures: Figures = []
    ) {
        guard let span = spans.removeValue(forKey: number) else { return }
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

    /// Begins an event; viewers hide thread 0, so lanes are numbered from 1, and 0 stands for the whole process.
    private func open(_ phase: String, _ name: StaticString, lane: Int = -1, at time: UInt64? = nil)
    {
        add(",\n{\"ph\":\"\(phase)\",\"name\":\"\(name)\",\"pid\":\(process),\"tid\":\(lane + 1)")
        if let time { add(",\"ts\":\(microseconds(time))") }
    }

    /// Formats with three decimals: the format requires microseconds, but the clock is finer.
    private func microseconds(_ nanoseconds: UInt64) -> String {
        "\(nanoseconds / 1000).\(String(nanoseconds % 1000 + 1000).dropFirst())"
    }

    private func quoted(_ value: String) -> String {
        JSONString.quoted(value, limit: Self.maxStringLength)
    }

    private func add(_ more: String) { text += more.utf8 }
}
