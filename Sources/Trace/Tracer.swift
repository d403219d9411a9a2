public import Basics
import Synchronization

/// Records what the program does in Trace Event Format, a JSON array that Perfetto and chrome://tracing open.
///
/// Safe to use from any thread. A disabled tracer costs one branch per call and evaluates none of its arguments. Events are kept in memory
/// and written in batches on the tracer's own queue, so no caller waits for the disk. If the program crashes, the file can still be opened,
/// as the format allows the closing bracket to be missing.
///
/// Format: "Trace Event Format", https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
public final class Tracer: Sendable {
    /// A tracer that writes nothing.
    public static let disabled = Tracer(recorder: nil)

    let recorder: TraceRecorder?

    private init(recorder: TraceRecorder?) { self.recorder = recorder }

    /// Creates a tracer that writes to `path`, created or truncated at once; `now` is its clock in nanoseconds, and times start at 0.
    ///
    /// - Throws: `TraceError` if the file cannot be opened.
    public convenience init(
        path: String, now: @escaping @Sendable () -> UInt64 = SteadyClock.nanoseconds
    ) throws(TraceError) {
        self.init(recorder: TraceRecorder(file: try TraceFile(path: path), now: now))
    }

    /// Starts a span, which `end` closes on any thread; spans of the same name may overlap and are then drawn side by side.
    public func begin(_ name: StaticString, detail: @autoclosure () -> String = "") -> Span {
        recorder?.begin(name, detail: detail()) ?? Span()
    }

    /// Records the current value of a counter.
    public func count(_ name: StaticString, _ value: @autoclosure () -> Int) {
        recorder?.count(name, value())
    }

    /// Increments the counter `name` and records its value.
    public func tally(_ name: StaticString) { recorder?.tally(name) }

    /// Records an instant event.
    public func mark(_ name: StaticString, detail: @autoclosure () -> String = "") {
        recorder?.mark(name, detail: detail())
    }

    /// Ends all open spans as `unfinished` and waits until everything is written; later events are dropped.
    ///
    /// - Throws: `TraceError` if any write has failed since the start.
    public func close() throws(TraceError) { try recorder?.close() }
}

/// Named numbers of a span.
public typealias Figures = [(name: StaticString, value: Int)]

/// A span in progress, ended on any thread; if it never is, it is written as `unfinished` when the tracer is closed.
public struct Span: Sendable {
    /// Nil if tracing is disabled.
    var recorder: TraceRecorder?
    var number = 0

    /// Ends the span with its `outcome` ("ok", "cancelled", an error).
    ///
    /// `figures` are named numbers that belong to the span. A second call does nothing.
    public func end(
        _ outcome: @autoclosure () -> String = "",
        figures: @autoclosure () -> Figures = []
    ) {
        recorder?.end(number, outcome: outcome(), figures: figures())
    }
}

/// The path of a result between queues and threads: an arrow in the trace for each hand-off.
public struct Flow: Sendable {
    /// A flow that records nothing.
    public static let none = Flow(.disabled, at: "")

    /// The phases of the Trace Event Format.
    enum Phase: String {
        case start = "s"
        case step = "t"
        case end = "f"
    }

    private static let lastID = Atomic<UInt64>(0)

    private let recorder: TraceRecorder?
    private let id: UInt64

    /// Begins a flow at `place`, a queue or thread.
    public init(_ tracer: Tracer, at place: StaticString) {
        recorder = tracer.recorder
        id = recorder == nil ? 0 : Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        recorder?.flow(id, .start, place)
    }

    /// Records the arrival of the work at `place`; called there, once per hand-off.
    public func arrive(_ place: StaticString) { recorder?.flow(id, .step, place) }

    /// Records the arrival of the work at `place`, its last.
    public func end(_ place: StaticString) { recorder?.flow(id, .end, place) }
}

/// A failure to write a trace: its path and the system's reason.
public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    let reason: String

    /// The path and the reason on one line.
    public var description: String { "\(path): \(reason)" }
}
