import Synchronization
import Trace

/// How many answers each tier gave, in the trace; any thread.
struct OriginTally: Sendable {
    private final class Counts: Sendable {
        let memory = Atomic<Int>(0)
        let disk = Atomic<Int>(0)
        let network = Atomic<Int>(0)
        let files = Atomic<Int>(0)
    }

    private let counts = Counts()
    private let tracer: Tracer

    init(tracer: Tracer) {
        self.tracer = tracer
    }

    func count(_ origin: Response.Origin) {
        guard tracer.isEnabled else { return }
        switch origin {
        case .memory: tracer.count("hits raw memory", add(to: counts.memory))
        case .disk: tracer.count("hits raw disk", add(to: counts.disk))
        case .network: tracer.count("from network", add(to: counts.network))
        case .file: tracer.count("from files", add(to: counts.files))
        }
    }

    private func add(to count: borrowing Atomic<Int>) -> Int {
        count.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
