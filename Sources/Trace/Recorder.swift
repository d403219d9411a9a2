import Dispatch

import Glibc

/// Turns events into text, one at a time, and hands full batches to the file, which writes them later.
final class Recorder: @unchecked Sendable {
    // @unchecked: `state` is touched on `queue` only, by `record`.

    /// Bytes; about 200 events, so that little is lost in a crash and writing stays rare.
    private static let batch = 32 << 10

    fileprivate struct State {
        var lanes = Lanes()
        var text = EventText(process: getpid())
        var isClosed = false
    }

    /// Callers wait for it, but only as long as a line of text takes.
    private let queue = DispatchQueue(label: "halftone.trace")
    private var state = State()
    private let file: TraceFile
    private let now: @Sendable () -> UInt64
    private let start: UInt64

    init(file: TraceFile, now: @escaping @Sendable () -> UInt64) {
        self.file = file
        self.now = now
        start = now()
    }

    /// Whoever forgets to close loses nothing but the news of an error.
    deinit {
        try? close()
    }

    func begin(_ name: StaticString, detail: String) -> Span {
        record { state, time in
            let (ticket, newLane) = state.lanes.begin(name, detail: detail, at: time)
            if let newLane {
                state.text.laneName(ticket.lane, name, newLane)
            }
            return Span(recorder: self, name: name, ticket: ticket)
        }
    }

    func end(
        _ name: StaticString, _ ticket: Lanes.Ticket, outcome: String,
        figures: [(name: StaticString, value: Int)]
    ) {
        record { state, time in
            state.end(ticket, at: time, outcome: outcome, figures: figures)
        }
    }

    func count(_ name: StaticString, _ value: Int) {
        record { state, time in
            state.text.counter(name, value, at: time)
        }
    }

    func mark(_ name: StaticString, detail: String) {
        record { state, time in
            state.text.mark(name, detail: detail, at: time)
        }
    }

    func close() throws(TraceError) {
        record { state, time in
            guard !state.isClosed else { return }
            for ticket in state.lanes.open {
                state.end(ticket, at: time, outcome: "unfinished")
            }
            state.text.close()
            file.write(state.text.take())
            state.isClosed = true
        }
        try file.close()
    }

    /// The time is read on the queue, so that the file is in order of time.
    private func record<Output>(_ change: (inout State, UInt64) -> Output) -> Output {
        queue.sync {
            let output = change(&state, now() &- start)
            if state.isClosed {
                _ = state.text.take()
            } else if state.text.bytes.count >= Self.batch {
                file.write(state.text.take())
            }
            return output
        }
    }
}

extension Recorder.State {
    fileprivate mutating func end(
        _ ticket: Lanes.Ticket, at time: UInt64, outcome: String,
        figures: [(name: StaticString, value: Int)] = []
    ) {
        guard let span = lanes.end(ticket) else { return }
        text.span(
            span, lane: ticket.lane, length: time - span.start, outcome: outcome, figures: figures)
    }
}

/// CLOCK_MONOTONIC: never set back, and the same for every process of the machine.
@Sendable func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
