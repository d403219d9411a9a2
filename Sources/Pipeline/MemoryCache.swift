/// A cache in memory with a budget in bytes; safe to use from every thread.
///
/// Stub: to be written (CLOCK eviction, a lock held for a look-up only).
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Makes an empty cache that keeps at most `capacity` bytes.
    public init(capacity: Int) {}

    /// The value for `key`, marked as recently used.
    public func value(for key: Key) -> Value? { nil }

    /// Keeps `value`, which costs `cost` bytes, in place of any older one for `key`.
    public func insert(_ value: Value, for key: Key, cost: Int) {}

    /// Forgets the value for `key`.
    public func remove(_ key: Key) {}

    /// Shrinks to at most `bytes`, the least recently used first.
    public func trim(to bytes: Int) {}

    /// The cost of everything kept, in bytes.
    public var cost: Int { 0 }
}
