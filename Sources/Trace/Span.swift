/// A span under way, ended on any thread; a copy stands for the same span.
///
/// One that is never ended is written as `unfinished` when the tracer is closed.
public struct Span: Sendable {
    private let recorder: Recorder?
    private let name: StaticString
    private let ticket: Lanes.Ticket

    /// A span that writes nothing.
    init() {
        recorder = nil
        name = ""
        ticket = Lanes.Ticket(lane: 0, serial: 0)
    }

    init(recorder: Recorder, name: StaticString, ticket: Lanes.Ticket) {
        self.recorder = recorder
        self.name = name
        self.ticket = ticket
    }

    /// Ends the span; `outcome` says how ("ok", "cancelled", an error).
    ///
    /// `figures` are numbers that belong to it, each by its name. A second call does nothing.
    public func end(
        _ outcome: @autoclosure () -> String = "",
        figures: @autoclosure () -> [(name: StaticString, value: Int)] = []
    ) {
        recorder?.end(name, ticket, outcome: outcome(), figures: figures())
    }
}
