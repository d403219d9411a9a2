import Synchronization

/// The way of one result between queues and threads: an arrow in the trace for each hand-off.
///
/// Costs a branch where nothing is traced.
public struct Flow: Sendable {
    /// A flow that writes nothing.
    public static let none = Flow(tracer: .disabled, id: 0)

    private static let lastID = Atomic<UInt64>(0)

    private let tracer: Tracer
    private let id: UInt64

    private init(tracer: Tracer, id: UInt64) {
        self.tracer = tracer
        self.id = id
    }

    /// Begins a flow at `place`, a queue or a thread.
    public init(_ tracer: Tracer, at place: StaticString) {
        let id = tracer.isEnabled ? Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue : 0
        self.init(tracer: tracer, id: id)
        tracer.flow(id, .start, place)
    }

    /// Says that the work has arrived at `place`: called there, once for each hand-off.
    public func arrive(_ place: StaticString) {
        tracer.flow(id, .step, place)
    }

    /// Says that the work has arrived at `place`, the last.
    public func end(_ place: StaticString) {
        tracer.flow(id, .end, place)
    }
}
