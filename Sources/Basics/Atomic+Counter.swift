public import Synchronization

extension Atomic<Int> {
    /// Counts one more; returns the new number, which it has returned to no other thread.
    public func next() -> Int { wrappingAdd(1, ordering: .relaxed).newValue }
}
