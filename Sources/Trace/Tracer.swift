/// Writes what the program does as Trace Event Format.
///
/// Stub: to be written.
public final class Tracer: Sendable {
    /// A tracer that writes nothing and costs a branch a call.
    public static let disabled = Tracer()

    init() {}

    /// Whether events are written.
    public var isEnabled: Bool { false }

    /// Starts a span that `end` closes; spans of one `track` may overlap freely.
    public func begin(_ name: StaticString, detail: @autoclosure () -> String = "") -> Span {
        Span()
    }

    /// Writes the value of a counter at this moment.
    public func count(_ name: StaticString, _ value: @autoclosure () -> Int) {}

    /// Writes a thing that happened at this moment.
    public func mark(_ name: StaticString, detail: @autoclosure () -> String = "") {}
}

/// A span under way.
public struct Span: Sendable {
    /// Ends the span; `outcome` says how ("ok", "cancelled", an error).
    public func end(_ outcome: @autoclosure () -> String = "") {}
}
