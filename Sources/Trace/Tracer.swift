public import Basics
import Synchronization

/// Writes what the program does as Trace Event Format, a JSON array that Perfetto and chrome://tracing open.
///
/// Safe to use from every thread. A disabled tracer costs a branch a call and evaluates none of its arguments. Events are kept in memory
/// and written in batches, by a queue of the tracer's own: no caller waits for the disk. If the program dies, what was written opens all
/// the same, as the format allows the closing bracket to be missing.
///
/// Format: "Trace Event Format", https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
public final class Tracer: Sendable {
    /// A tracer that writes nothing.
    public static let disabled = Tracer(recorder: nil)

    let recorder: Recorder?

    private init(recorder: Recorder?) { self.recorder = recorder }

    /// A tracer that writes to the file at `path`, made or emptied at once; `now` is its clock, in nanoseconds, and times count from now.
    ///
    /// - Throws: `TraceError`, if the file cannot be opened.
    public convenience init(
        path: String, now: @escaping @Sendable () -> UInt64 = SteadyClock.nanoseconds
    ) throws(TraceError) {
        self.init(recorder: Recorder(file: try TraceFile(path: path), now: now))
    }

    /// Whether events are written.
    public var isEnabled: Bool { recorder != nil }

    /// Starts a span that `end` closes, on any thread; spans of one name may overlap freely, and are then drawn side by side.
    public func begin(_ name: StaticString, detail: @autoclosure () -> String = "") -> Span {
        guard let recorder else { return Span() }
        return recorder.begin(name, detail: detail())
    }

    /// Writes the value of a counter at this moment.
    public func count(_ name: StaticString, _ value: @autoclosure () -> Int) {
        recorder?.count(name, value())
    }

    /// Counts one more of what `name` says, and writes how many there have been.
    public func tally(_ name: StaticString) { recorder?.tally(name) }

    /// Writes a thing that happened at this moment.
    public func mark(_ name: StaticString, detail: @autoclosure () -> String = "") {
        recorder?.mark(name, detail: detail())
    }

    /// Ends every span that is under way as `unfinished`, writes everything and waits for it; what comes later is dropped.
    ///
    /// - Throws: `TraceError`, if anything could not be written since the start.
    public func close() throws(TraceError) { try recorder?.close() }
}

/// A span under way, ended on any thread; one that never is, is written as `unfinished` when the tracer is closed.
public struct Span: Sendable {
    /// Nil where nothing is written.
    var recorder: Recorder?
    var number = 0

    /// Ends the span; `outcome` says how ("ok", "cancelled", an error).
    ///
    /// `figures` are numbers that belong to it, each by its name. A second call does nothing.
    public func end(
        _ outcome: @autoclosure () -> String = "",
        figures: @autoclosure () -> [(name: StaticString, value: Int)] = []
    ) {
        recorder?.end(number, outcome: outcome(), figures: figures())
    }
}

/// The way of one result between queues and threads: an arrow in the trace for each hand-off.
public struct Flow: Sendable {
    /// A flow that writes nothing.
    public static let none = Flow(.disabled, at: "")

    /// The phases of the Trace Event Format.
    enum Phase: String {
        case start = "s"
        case step = "t"
        case end = "f"
    }

    private static let lastID = Atomic<UInt64>(0)

    private let recorder: Recorder?
    private let id: UInt64

    /// Begins a flow at `place`, a queue or a thread.
    public init(_ tracer: Tracer, at place: StaticString) {
        recorder = tracer.recorder
        id = recorder == nil ? 0 : Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        recorder?.flow(id, .start, place)
    }

    /// The work has arrived at `place`: called there, once for each hand-off.
    public func arrive(_ place: StaticString) { recorder?.flow(id, .step, place) }

    /// The work has arrived at `place`, the last.
    public func end(_ place: StaticString) { recorder?.flow(id, .end, place) }
}

/// A trace that could not be written: which, and the system's reason.
public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    let reason: String

    /// One line: the file and the reason.
    public var description: String { "\(path): \(reason)" }
}
